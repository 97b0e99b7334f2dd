"""What platui remembers of a profile: how views are sorted, what was typed.

One JSON file a profile, read once. A change is made to what the file says at that moment,
under a lock, so that two processes don't lose each other's; what a newer platui wrote
beside it stays.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from platui.core.paths import write_private
from platui.store.locks import lock_beside
from platui.store.naming import file_stem

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from platui.models.values.table import SortKey

_VERSION: Final = 1
_PATIENCE: Final = 1.0
MOST_TYPED: Final = 200


@dataclass(frozen=True, slots=True)
class Remembered:
    """What is remembered at one moment."""

    sorts: Mapping[str, SortKey] = field(default_factory=lambda: MappingProxyType({}))
    """View -> how its table is sorted."""
    history: tuple[str, ...] = ()
    """What was typed on the command line, newest last, each once."""
    utc: bool = False
    """Whether times are read in UTC rather than in local time."""
    acts: frozenset[str] = frozenset()
    """Acts beyond the spec that the user has said yes to here, by their values."""


class Memory:
    """What is remembered of one profile. Changes touch the disk: callers use a thread.

    Nothing raises: what cannot be written holds for this run, and `problem` says why.
    """

    def __init__(self, folder: Path | None, profile: str) -> None:
        """Read what is remembered; without a folder nothing is kept (an ephemeral profile)."""
        self._path = None if folder is None else folder / f"{file_stem(profile)}.json"
        self.problem = ""
        """Why changes are not kept, one sentence; empty while they are."""
        self._value = _remembered(self._document())

    @property
    def value(self) -> Remembered:
        """Return what is remembered, as of the last change made here."""
        return self._value

    def set_sort(self, view: str, sort: SortKey | None) -> Remembered:
        """Remember how a view is sorted; None: as it comes."""

        def change(value: Remembered) -> Remembered:
            others = {name: key for name, key in value.sorts.items() if name != view}
            sorts = others if sort is None else others | {view: sort}
            return replace(value, sorts=MappingProxyType(sorts))

        return self._change(change)

    def add_history(self, text: str) -> Remembered:
        """Remember what was typed, as the newest."""

        def change(value: Remembered) -> Remembered:
            others = tuple(entry for entry in value.history if entry != text)
            return replace(value, history=(*others, text)[-MOST_TYPED:])

        return self._change(change)

    def set_utc(self, *, utc: bool) -> Remembered:
        """Remember in which zone times are read."""
        return self._change(lambda value: replace(value, utc=utc))

    def add_act(self, act: str) -> Remembered:
        """Remember that an act beyond the spec was explained, and wanted."""
        return self._change(lambda value: replace(value, acts=value.acts | {act}))

    def _change(self, change: Callable[[Remembered], Remembered]) -> Remembered:
        if self._path is None or self.problem:
            self._value = change(self._value)
            return self._value
        try:
            with lock_beside(self._path, _PATIENCE):
                document = self._document()
                self._value = change(_remembered(document) if document else self._value)
                if not self.problem:
                    write_private(self._path, _written(document, self._value))
        except OSError as error:
            # The change may have been made already; to make it twice changes nothing.
            self._value = change(self._value)
            self.problem = f"What you choose is not remembered: {error.strerror}."
        return self._value

    def _document(self) -> dict[str, Any]:
        """Return what the file says; nothing where it is missing or damaged."""
        if self._path is None:
            return {}
        try:
            document = _parsed(self._path.read_bytes())
            if document is None:
                # Kept for whoever wants to look, out of the way of a new one.
                self._path.replace(self._path.with_name(f"{self._path.name}.damaged"))
                return {}
        except FileNotFoundError:
            return {}
        except OSError as error:
            self.problem = f"What was remembered cannot be read: {error.strerror}."
            return {}
        if document.get("version") != _VERSION:
            self.problem = "What was remembered is of another version of platui; it is left alone."
            return {}
        return document


def _parsed(content: bytes) -> dict[str, Any] | None:
    """Return the document; None where the bytes are not one."""
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None


def _remembered(document: dict[str, Any]) -> Remembered:
    """Return what the document says; parts of another shape are left out."""
    sorts, history = document.get("sorts"), document.get("history")
    return Remembered(
        MappingProxyType(
            {
                view: (sort[0], sort[1])
                for view, sort in (sorts if isinstance(sorts, dict) else {}).items()
                if _is_sort(sort)
            }
        ),
        tuple(item for item in _list(history) if isinstance(item, str))[-MOST_TYPED:],
        document.get("utc") is True,
        frozenset(item for item in _list(document.get("acts")) if isinstance(item, str)),
    )


def _written(document: dict[str, Any], value: Remembered) -> bytes:
    ours = {
        "version": _VERSION,
        "sorts": {view: list(sort) for view, sort in value.sorts.items()},
        "history": list(value.history),
        "utc": value.utc,
        "acts": sorted(value.acts),
    }
    return json.dumps(document | ours, indent=1).encode()


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _is_sort(value: Any) -> bool:
    match value:
        case [str(), bool()]:
            return True
    return False
