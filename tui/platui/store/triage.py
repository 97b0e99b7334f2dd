"""Saved triage state: user marks and incident history, per profile and platform."""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeVar

from platui.core.observers import OnNotice, ignore_notice
from platui.models.values.stored_triage import (
    MAX_NOTE_LENGTH,
    MAX_OWNER_LENGTH,
    PastIncident,
    StoredTriage,
    WatchSelection,
)
from platui.models.values.triage_board import Mark
from platui.store.document import Document, LoadedDocument, NewerVersionError, platform_file
from platui.store.triage_file import VERSION, read, written

if TYPE_CHECKING:
    from platui.models.values.stored_triage import IncidentKey

K = TypeVar("K")
V = TypeVar("V")

_MAX_PENDING: Final = 1000

MAX_MARKS: Final = 500  # Incidents with marks; the oldest marks are dropped
MAX_HISTORY: Final = 500  # Incidents in the history; the oldest closed ones are dropped

_NOTHING: Final = Mark()


class TriageStore:
    """The triage state of one profile. Everything except `value` accesses the disk.

    Never raises: `problem` is why changes are unsaved, and the next change tries again.
    """

    def __init__(
        self, folder: Path | None, profile: str, url: str, say: OnNotice = ignore_notice
    ) -> None:
        """Set the file, whose name contains the platform; without a folder nothing is saved."""
        self.problem = ""  # Why changes are not saved, one sentence
        path = platform_file(folder, profile, url)
        self._file = Document(path, "Triage state", VERSION, self._parse, say)
        self._url = url
        self._value: StoredTriage | None = None
        self._first_reading = threading.RLock()
        self._is_new = True  # Whether nothing was read or changed yet
        self._seen: tuple[int, ...] = ()
        """Identity of the file when it was last read."""
        self._pending: deque[Callable[[StoredTriage], StoredTriage]] = deque(maxlen=_MAX_PENDING)
        """Changes that are not saved yet; applying one twice has no effect."""
        self._moves: dict[IncidentKey, IncidentKey] = {}
        """Old key -> present key: dialogs and undo still know the old one."""

    @property
    def path(self) -> Path | None:
        return self._file.path

    @property
    def is_damaged(self) -> bool:
        """Return whether the file is damaged, and its backup as well."""
        return self._file.is_damaged

    @property
    def value(self) -> StoredTriage:
        # Wait while another thread reads for the first time.
        with self._first_reading:
            if self._value is None:
                self._value = StoredTriage()
                self.refresh()
        return self._value

    def refresh(self) -> bool:
        """Read changes of other processes; return whether there were any."""
        before = self.value
        if _identity(self._file.path) == self._seen:
            return False
        found = self._read()
        # The backup of a damaged file is only used for the first read.
        if found is not None and (not self._file.is_damaged or self._is_new):
            self._value = self._with_pending(found.value)
            self._is_new = False
            if not self._pending:
                # Readable again, and nothing to write.
                self.problem = ""
        return self._value != before

    def watch(self, projects: Iterable[int] = (), groups: Iterable[str] = ()) -> StoredTriage:
        more, whole = tuple(projects), tuple(groups)

        def change(now: WatchSelection) -> WatchSelection:
            return WatchSelection(
                tuple(dict.fromkeys((*now.projects, *more))),
                tuple(dict.fromkeys((*now.groups, *whole))),
                is_chosen=True,
            )

        return self._change(lambda memory: replace(memory, watched=change(memory.watched)))

    def unwatch(self, projects: Iterable[int] = (), groups: Iterable[str] = ()) -> StoredTriage:
        less, whole = frozenset(projects), frozenset(groups)

        def change(now: WatchSelection) -> WatchSelection:
            return WatchSelection(
                tuple(one for one in now.projects if one not in less),
                tuple(one for one in now.groups if one not in whole),
                is_chosen=True,
            )

        return self._change(lambda memory: replace(memory, watched=change(memory.watched)))

    def acknowledge(
        self,
        signatures: Mapping[IncidentKey, str | None],
        spreading: Collection[IncidentKey] = (),
    ) -> StoredTriage:
        """Acknowledge incidents by signature, each until its signature changes.

        An empty signature means an unknown cause, None removes the acknowledgment. `spreading` are
        incidents whose whole cause is acknowledged, including later incidents. Removing one of
        those keeps the acknowledgment of the others, but no longer covers later ones.
        """
        known = {self._present(key): signature for key, signature in signatures.items()}
        whole = frozenset(map(self._present, spreading))

        def change(memory: StoredTriage) -> StoredTriage:
            before = memory.marks
            ended = {
                before[key].acked
                for key, signature in known.items()
                if signature is None and key in before and before[key].spreads
            }
            changes: dict[IncidentKey, dict[str, Any]] = {
                key: {"spreads": False}
                for key, mark in before.items()
                if mark.spreads and mark.acked in ended and key not in known
            }
            for key, signature in known.items():
                changes[key] = {"acked": signature, "spreads": key in whole}
            return _marked(memory, changes)

        return self._change(change)

    def snooze(self, keys: Iterable[IncidentKey], until: datetime | None) -> StoredTriage:
        return self._mark(keys, snoozed_until=until)

    def note(self, keys: Iterable[IncidentKey], text: str) -> StoredTriage:
        return self._mark(keys, note=text[:MAX_NOTE_LENGTH])

    def own(self, keys: Iterable[IncidentKey], owner: str) -> StoredTriage:
        return self._mark(keys, owner=owner[:MAX_OWNER_LENGTH])

    def hide_branches(self, hides: bool) -> StoredTriage:  # noqa: FBT001  (its only argument)
        return self._change(lambda memory: replace(memory, hides_branches=hides))

    def record(self, seen: Iterable[PastIncident]) -> StoredTriage:
        """Record incidents in the history; the first sighting by any process is the start."""
        news = tuple(seen)
        known = self.value.history
        if all(_merged(known.get(one.key), one) == known.get(one.key) for one in news):
            return self.value
        return self._change(lambda memory: replace(memory, history=_with(memory.history, news)))

    def move(self, before: IncidentKey, after: IncidentKey) -> StoredTriage:
        """Give an incident another key; marks of both are merged, the new key's first."""
        self._moves = {old: after if now == before else now for old, now in self._moves.items()}
        self._moves[before] = after
        self._moves.pop(after, None)
        if len(self._moves) > MAX_MARKS:
            del self._moves[next(iter(self._moves))]

        def change(memory: StoredTriage) -> StoredTriage:
            marks, history = dict(memory.marks), dict(memory.history)
            mark = marks.pop(before, None)
            history.pop(before, None)
            if mark is not None:
                known = marks.get(after, _NOTHING)
                own = known if known.acked is not None else mark
                marks[after] = Mark(
                    own.acked,
                    known.snoozed_until or mark.snoozed_until,
                    known.note or mark.note,
                    known.owner or mark.owner,
                    own.spreads,
                )
            return replace(memory, marks=MappingProxyType(marks), history=MappingProxyType(history))

        return self._change(change)

    def _present(self, key: IncidentKey) -> IncidentKey:
        return self._moves.get(key, key)

    def _mark(self, keys: Iterable[IncidentKey], **values: Any) -> StoredTriage:
        changes = dict.fromkeys(map(self._present, keys), values)
        return self._change(lambda memory: _marked(memory, changes))

    def _change(self, change: Callable[[StoredTriage], StoredTriage]) -> StoredTriage:
        before, file = self.value, self._file
        self._pending.append(change)
        self.problem = ""
        try:
            with file.alone():
                # Read again: another process may have changed it.
                found = self._read()
                is_there = found is not None and not file.is_damaged
                document, memory = found if found and is_there else ({}, before)
                self._value = self._with_pending(memory)
                if not self.problem:
                    ours = {**document, "url": self._url, **written(self._value)}
                    text = json.dumps(ours, ensure_ascii=True, separators=(",", ":"))
                    file.write(text.encode())
                    self._seen = _identity(file.path)
                    self._pending.clear()
        except OSError as error:
            self._value = self._with_pending(before if self._value is None else self._value)
            self.problem = f"Triage changes cannot be saved: {error.strerror}."
        return self._value

    def _with_pending(self, memory: StoredTriage) -> StoredTriage:
        for change in self._pending:
            memory = change(memory)
        return memory

    def _read(self) -> LoadedDocument[StoredTriage] | None:
        self._seen, seen = (), _identity(self._file.path)
        try:
            found = self._file.read()
        except NewerVersionError:
            self.problem = (
                "The triage state is from a newer platui and is not changed; "
                "your changes are lost at the end."
            )
            found = None
        except OSError as error:
            self.problem = f"The triage state cannot be read: {error.strerror}."
            return None
        self._seen = seen
        return found

    def _parse(self, document: dict[str, Any]) -> StoredTriage:
        if document["url"] != self._url:
            raise ValueError(document["url"])
        return read(document)


def _marked(memory: StoredTriage, changes: Mapping[IncidentKey, Mapping[str, Any]]) -> StoredTriage:
    marks = dict(memory.marks)
    for key, values in changes.items():
        mark = replace(marks.pop(key, _NOTHING), **values)
        if mark != _NOTHING:
            marks[key] = mark
    return replace(memory, marks=_newest(marks, MAX_MARKS))


def _identity(path: Path | None) -> tuple[int, ...]:
    """Return what changes with every write: files are replaced, never modified."""
    if path is None:
        return ()
    try:
        stat = path.stat()
    except OSError:
        return ()
    return (stat.st_ino, stat.st_mtime_ns, stat.st_size)


def _newest(kept: dict[K, V], most: int) -> Mapping[K, V]:
    return MappingProxyType(dict(list(kept.items())[-most:]))


def _merged(known: PastIncident | None, now: PastIncident) -> PastIncident:
    if known is None:
        return now
    is_longer = now.incident.streak >= known.incident.streak
    return PastIncident(
        now.incident if is_longer else known.incident,
        min(known.opened_at, now.opened_at),
        # A retried pipeline may reopen it.
        known.recovered_at if now.recovered_at and known.recovered_at else now.recovered_at,
        now.signature or known.signature,
        now.cause or known.cause,
    )


def _with(
    history: Mapping[IncidentKey, PastIncident], news: tuple[PastIncident, ...]
) -> Mapping[IncidentKey, PastIncident]:
    found = dict(history)
    for one in news:
        merged = _merged(found.get(one.key), one)
        if merged != found.get(one.key):
            found.pop(one.key, None)
            found[one.key] = merged
    over = [key for key, one in found.items() if one.recovered_at is not None]
    for key in over[: max(0, len(found) - MAX_HISTORY)]:
        del found[key]
    return _newest(found, MAX_HISTORY)
