"""A saved report: a folder of arrays with metadata."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from platui.core.dataclass import dataclass
from platui.core.errors import ReportError
from platui.models.values.access import ReportInfo
from platui.report.arrays import KINDS, ReportArrays, array_path, open_arrays

FORMAT: Final = 2  # Format of the folder; reports of another format are imported again
WHOLE: Final = 3  # The last stage of `ArrayKind`

_INFO: Final = "info.json"
_AGAIN: Final = "Fetch it again, or import its JSON: platui report import FILE."


@dataclass(frozen=True, slots=True)
class SavedReport:
    """An open saved report."""

    folder: Path
    arrays: ReportArrays
    info: ReportInfo
    states: tuple[str, ...]  # By `person_state`; not cleaned
    domains: tuple[str, ...]  # By `person_domain`; folded, the first is none


def info_path(folder: Path) -> Path:
    """Return the metadata file, which is written last and completes a report."""
    return folder / _INFO


def info_text(
    folder: Path, info: ReportInfo, states: Iterable[str], domains: Iterable[str], stage: int
) -> bytes:
    """Return the metadata of a folder at a stage. Raises OSError: an array is missing."""
    written = asdict(info) | {"fetched_at": info.fetched_at.isoformat()}
    written["oddities"] = written.pop("warnings")
    plain = {
        "info": written,
        "states": list(states),
        "domains": list(domains),
        "stage": stage,
        "format": FORMAT,
        "sizes": {
            name: array_path(folder, name).stat().st_size
            for name, kind in KINDS.items()
            if kind.stage <= stage
        },
    }
    return json.dumps(plain).encode()


def read_info(folder: Path) -> ReportInfo:
    """Return the metadata of a report. Raises ReportError: damaged, incomplete, other format."""
    return _checked(folder, WHOLE)[0]


def open_saved(folder: Path, stage: int = WHOLE) -> SavedReport:
    """Open a report, at stage 1 while it is read. Raises ReportError: damaged or another format."""
    metadata = _checked(folder, stage)
    try:
        arrays = open_arrays(folder, stage)
    except OSError as error:
        raise _damaged(folder, str(error.strerror)) from error
    except ValueError as error:
        raise _damaged(folder, _INFO) from error
    saved = SavedReport(folder, arrays, *metadata)
    for name, kind in KINDS.items():
        if kind.stage > stage:
            continue
        array = getattr(arrays, name)
        rows = len(getattr(arrays, kind.rows)) if kind.rows else len(array)
        each = len(saved.info.levels) if kind.is_by_level else 1
        has_size = len(array) == rows * each + bool(kind.edges_of)
        if not has_size or (kind.edges_of and array[-1] != len(getattr(arrays, kind.edges_of))):
            raise _damaged(folder, name)
    return saved


def _checked(folder: Path, stage: int) -> tuple[ReportInfo, tuple[str, ...], tuple[str, ...]]:
    """Return metadata, states and domains; all arrays have the sizes that the metadata lists."""
    plain = _plain(folder)
    try:
        info = dict(plain["info"])
        info["fetched_at"] = datetime.fromisoformat(info["fetched_at"])
        info["levels"] = tuple((str(level), int(count)) for level, count in info["levels"])
        info["warnings"] = tuple(map(str, info.pop("oddities")))
        states, domains = tuple(map(str, plain["states"])), tuple(map(str, plain["domains"]))
        found = ReportInfo(**info), states, domains
        is_complete = int(plain["stage"]) >= stage
    except (KeyError, TypeError, ValueError) as error:
        raise _damaged(folder, _INFO) from error
    if not is_complete:
        raise ReportError(f"The saved report {folder.name} is incomplete.", hint=_AGAIN)
    for name, kind in KINDS.items():
        if kind.stage > stage:
            continue
        try:
            is_whole = array_path(folder, name).stat().st_size == plain["sizes"][name]
        except OSError as error:
            raise _damaged(folder, f"{name}: {error.strerror}") from error
        except (KeyError, TypeError) as error:
            raise _damaged(folder, _INFO) from error
        if not is_whole:
            raise _damaged(folder, name)
    return found


def _plain(folder: Path) -> dict[str, Any]:
    try:
        plain = json.loads(info_path(folder).read_bytes())
    except OSError as error:
        raise _damaged(folder, f"{_INFO}: {error.strerror}") from error
    except ValueError as error:
        raise _damaged(folder, _INFO) from error
    if not isinstance(plain, dict):
        raise _damaged(folder, _INFO)
    if plain.get("format") != FORMAT:
        raise ReportError(
            f"The saved report {folder.name} was written by another version of platui.", hint=_AGAIN
        )
    return plain


def _damaged(folder: Path, what: str) -> ReportError:
    return ReportError(f"The saved report {folder.name} is damaged ({what}).", hint=_AGAIN)
