"""Saved reports of one platform, one folder each, and which of them are kept."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from platui.config.settings import ReportSettings
from platui.core.errors import FileWriteError, ReportError
from platui.core.named_tuple import NamedTuple
from platui.core.text import clean, shorten
from platui.models.values.reports import DamagedReport
from platui.report.open_report import OpenedReport
from platui.report.reading.draft import draft_path
from platui.report.saved_report import open_saved, read_info

if TYPE_CHECKING:
    from platui.models.values.access import ReportInfo

_ID: Final = re.compile(r"\d{8}T\d{6}Z-[0-9a-f]{8}")
_MONTH: Final = 6  # length of the prefix of an id that names year and month
# id of the report, then name, size in bytes and modification time of each file
Stamp = tuple[tuple[str, str, int, int], ...]

_DIGEST: Final = 8  # characters of the digest in an id, which tell apart reports of one second


class OtherReports(NamedTuple):
    """Saved reports of another profile."""

    name: str  # of the profile; empty if unknown
    origin: str  # of the newest report; sanitized text
    reports: int


def other_reports(folder: Path) -> list[OtherReports]:
    found = []
    try:
        folders = sorted(one for one in folder.parent.iterdir() if one.name != folder.name)
    except OSError:
        return []  # nothing saved yet
    for one in folders:
        if infos := ReportStore(one, ReportSettings()).infos():
            name = "" if one.name.startswith("~") else clean(one.name)
            found.append(OtherReports(name, infos[0].origin, len(infos)))
    return found


class ReportStore:
    def __init__(self, folder: Path, settings: ReportSettings) -> None:
        self.folder = folder
        self._settings = settings

    def folder_for(self, arrived: datetime, digest: str) -> Path:
        """Return the folder of a report by the end of its download and the SHA-256 of the JSON."""
        return self.folder / f"{arrived:%Y%m%dT%H%M%SZ}-{digest[:_DIGEST]}"

    def infos(self) -> tuple[ReportInfo, ...]:
        return self.kept()[0]

    def kept(self) -> tuple[tuple[ReportInfo, ...], tuple[DamagedReport, ...]]:
        """Return saved reports, and those damaged or of another version; newest first."""
        found, damaged = [], []
        for id_ in reversed(self._ids()):
            try:
                found.append(read_info(self.folder / id_))
            except ReportError as error:
                damaged.append(DamagedReport(id_, _moment(id_), error.sentence))
        return tuple(found), tuple(damaged)

    def stamp(self) -> Stamp:
        """Return a value that changes with the saved reports or their files; cheap."""
        found = []
        for id_ in self._ids():
            with suppress(OSError), os.scandir(self.folder / id_) as files:  # deleted meanwhile
                for file in files:
                    state = file.stat(follow_symlinks=False)
                    found.append((id_, file.name, state.st_size, state.st_mtime_ns))
        return tuple(sorted(found))

    def open(self, id_: str) -> OpenedReport:
        """Open a report. Raises ReportError: it is missing, damaged, or of another version."""
        if id_ not in self._ids():
            raise ReportError(
                f"Saved report {shorten(id_, 60)} not found.",
                hint="List them with: platui report list",
            )
        return OpenedReport(open_saved(self.folder / id_))

    def newest_of(self, origin: str) -> OpenedReport | None:
        """Return the newest report of a host; None if there is none or it cannot be opened."""
        known = next((info for info in self.infos() if info.origin == origin), None)
        with suppress(ReportError):
            return self.open(known.id) if known is not None else None
        return None

    def same_as(self, digest: str) -> OpenedReport | None:
        for info in self.infos():
            if info.digest == digest:
                with suppress(ReportError):
                    return self.open(info.id)
        return None

    def forget(self, id_: str) -> None:
        """Delete a report; open ones stay usable. Raises FileWriteError: the disk rejects it."""
        if id_ not in self._ids():
            return
        # A name that the cleanup removes after a crash.
        gone = draft_path(self.folder / f"{id_}.gone")
        try:
            (self.folder / id_).rename(gone)
        except OSError as error:
            why = shorten(error.strerror or type(error).__name__, 80)
            raise FileWriteError(f"The saved report {id_} cannot be removed ({why}).") from None
        shutil.rmtree(gone, ignore_errors=True)

    def has_room_for(self, id_: str) -> bool:
        return id_ in self._ids_to_keep({id_, *(info.id for info in self.infos())})

    def trim(self, saved: str) -> tuple[ReportInfo, ...]:
        """Delete intact reports beyond the limits, except `saved`; return the deleted ones."""
        infos = self.infos()
        keep = {saved, *self._ids_to_keep(info.id for info in infos)}
        dropped = []
        for info in infos:
            if info.id not in keep:
                with suppress(FileWriteError):  # retried with the next report
                    self.forget(info.id)
                    dropped.append(info)
        return tuple(dropped)

    def _ids_to_keep(self, ids: Iterable[str]) -> set[str]:
        newest_first = sorted(ids, reverse=True)
        monthly: dict[str, str] = {}
        for id_ in newest_first:
            monthly.setdefault(id_[:_MONTH], id_)
        last = list(monthly.values())[: self._settings.keep_monthly]
        return {*newest_first[: self._settings.keep], *last}

    def _ids(self) -> list[str]:
        try:
            names = [one.name for one in self.folder.iterdir()]
        except OSError:
            return []  # no folder yet, or not readable
        return sorted(name for name in names if _is_id(name))


def _is_id(name: str) -> bool:
    if not _ID.fullmatch(name):
        return False
    with suppress(ValueError):
        return bool(_moment(name))
    return False


def _moment(id_: str) -> datetime:
    """Return the time in an id (UTC). Raises ValueError: it is invalid."""
    return datetime.strptime(id_.partition("-")[0], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
