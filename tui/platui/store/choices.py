"""Choices of a profile: time zone, previews, confirmed optional actions, in one JSON file."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import Any, Final

from platui.core.dataclass import dataclass
from platui.core.observers import OnNotice, ignore_notice
from platui.store.document import Document, LoadedDocument, NewerVersionError
from platui.store.json_shape import file_stem

_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class Choices:
    """The choices at one moment."""

    utc: bool = False  # Show times in UTC instead of local time
    actions: frozenset[str] = frozenset()
    """Optional actions that the user has confirmed once, by value."""
    previews: Mapping[str, str] = field(default_factory=dict)  # View -> what it previews


class ChoicesFile:
    """The choices of one profile. Changes access the disk: use a thread; `problem` if unsaved."""

    def __init__(self, folder: Path | None, profile: str, say: OnNotice = ignore_notice) -> None:
        """Read the file; without a folder nothing is saved (ephemeral profile)."""
        path = None if folder is None else folder / f"{file_stem(profile)}.json"
        self._file = Document(path, "Saved preferences", _VERSION, _parse, say)
        self._say = say
        self.problem = ""  # Why changes are not saved, one sentence
        found = self._read()
        self.value = Choices() if found is None else found.value

    def set_utc(self, *, utc: bool) -> Choices:
        return self._change(lambda value: replace(value, utc=utc))

    def add_action(self, act: str) -> Choices:
        return self._change(lambda value: replace(value, actions=value.actions | {act}))

    def set_preview(self, view: str, kind: str) -> Choices:
        return self._change(lambda value: replace(value, previews={**value.previews, view: kind}))

    def _change(self, change: Callable[[Choices], Choices]) -> Choices:
        if self.problem:
            self.value = change(self.value)
            return self.value
        try:
            with self._file.alone():
                found = self._read()
                is_there = found is not None and not self._file.is_damaged
                self.value = change(found.value if found and is_there else self.value)
                if not self.problem:
                    known = found.document if found else {}
                    document = known | {
                        "version": _VERSION,
                        "utc": self.value.utc,
                        "acts": sorted(self.value.actions),
                        "previews": self.value.previews,
                    }
                    self._file.write(json.dumps(document, indent=1).encode())
        except OSError as error:
            # Applying the change twice has no effect.
            self.value = change(self.value)
            self._fail(f"Your preferences cannot be saved: {error.strerror}.")
        return self.value

    def _read(self) -> LoadedDocument[Choices] | None:
        try:
            return self._file.read()
        except NewerVersionError:
            self._fail(
                "The saved preferences are from another version of platui and are not changed."
            )
        except OSError as error:
            self._fail(f"The saved preferences cannot be read: {error.strerror}.")
        return None

    def _fail(self, problem: str) -> None:
        self.problem = problem
        self._say(problem)


def _parse(document: dict[str, Any]) -> Choices:
    acts = document.get("acts")
    known = acts if isinstance(acts, list) else []
    previews = document.get("previews")
    return Choices(
        document.get("utc") is True,
        frozenset(item for item in known if isinstance(item, str)),
        {view: str(kind) for view, kind in previews.items()} if isinstance(previews, dict) else {},
    )
