"""History of sent writes: one private JSON file per profile, secrets by key only."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from platui.core.dataclass import dataclass
from platui.core.observers import OnNotice, ignore_notice
from platui.core.secrets import Secret
from platui.models.values.drafts import SentPipeline, SentSchedule
from platui.models.values.writes import NewPipeline, NewSchedule, RunVariable
from platui.store.document import Document, platform_file
from platui.store.json_shape import expect_type, parse_time

_VERSION: Final = 1
_WHAT: Final = "History of sent writes"
_TOO_BIG: Final = 8_000_000  # Bytes above which a file is invalid

MOST: Final = 300  # Limit of pipelines, and of schedules


@dataclass(frozen=True, slots=True)
class OperationSupport:
    """Whether the platform supports an operation, and when that was seen."""

    is_supported: bool
    at: datetime


@dataclass(frozen=True, slots=True)
class SentRecords:
    """The history, newest first."""

    pipelines: tuple[SentPipeline, ...] = ()
    schedules: tuple[SentSchedule, ...] = ()
    operations: Mapping[str, OperationSupport] = field(default_factory=lambda: MappingProxyType({}))
    """Support of optional operations, as attempts have shown."""


class SentWrites:
    """Writes sent to one platform with one profile; never raises, but needs a thread."""

    def __init__(
        self, folder: Path | None, profile: str, url: str, say: OnNotice = ignore_notice
    ) -> None:
        """Set the file; without a folder nothing is saved."""
        path = platform_file(folder, profile, url)
        self._file = Document(path, _WHAT, _VERSION, self._parse, say, _TOO_BIG)
        self._say = say
        self._url = url
        self._value: SentRecords | None = None

    @property
    def value(self) -> SentRecords:
        if self._value is None:
            self._value = self.read()
        return self._value

    def read(self) -> SentRecords:
        """Return the current file, which other processes change too."""
        try:
            return self._read()
        except OSError as error:
            self._say(f"{_WHAT} cannot be read and is not changed: {error.strerror}.")
            return SentRecords()

    def add_pipeline(self, sent: SentPipeline) -> None:
        self._change(lambda all_: replace(all_, pipelines=(sent, *all_.pipelines)[:MOST]))

    def add_schedule(self, sent: SentSchedule) -> None:
        self._change(lambda all_: replace(all_, schedules=(sent, *all_.schedules)[:MOST]))

    def save_operation(self, name: str, tried: OperationSupport) -> None:
        def change(all_: SentRecords) -> SentRecords:
            return replace(all_, operations=MappingProxyType({**all_.operations, name: tried}))

        self._change(change)

    def forget_schedule(self, schedule: int) -> None:
        def change(all_: SentRecords) -> SentRecords:
            kept = tuple(one for one in all_.schedules if one.schedule != schedule)
            return replace(all_, schedules=kept)

        self._change(change)

    def _change(self, change: Callable[[SentRecords], SentRecords]) -> None:
        try:
            with self._file.alone():
                # Read again: another process may have changed it.
                now = self._read()
                is_lost = self._file.is_damaged or self._file.path is None
                known = self._value if is_lost and self._value is not None else now
                sent = change(known)
                # Drop old pipelines until the file is small enough to be read again.
                while len(content := _written(sent, self._url)) > _TOO_BIG and sent.pipelines:
                    sent = replace(sent, pipelines=sent.pipelines[: len(sent.pipelines) // 2])
                self._file.write(content)
                self._value = sent
        except OSError as error:
            # A full disk costs the history entry, not the write.
            self._value = change(self.value)
            self._say(f"{_WHAT} cannot be saved: {error.strerror}.")

    def _read(self) -> SentRecords:
        """Read the file; OSError: unreadable or newer, so that it must not be overwritten."""
        found = self._file.read()
        return SentRecords() if found is None else found.value

    def _parse(self, document: dict[str, Any]) -> SentRecords:
        if document["url"] != self._url:
            raise ValueError(document["url"])
        operations = {
            expect_type(name, str): OperationSupport(expect_type(offered, bool), parse_time(at))
            for name, (offered, at) in document["operations"].items()
        }
        return SentRecords(
            tuple(map(_pipeline, document["pipelines"]))[:MOST],
            tuple(map(_schedule, document["schedules"]))[:MOST],
            MappingProxyType(operations),
        )


def _written(sent: SentRecords, url: str) -> bytes:
    document = {
        "version": _VERSION,
        "url": url,
        "pipelines": [_written_pipeline(one) for one in sent.pipelines],
        "schedules": [
            {"at": one.at.isoformat(), "schedule": one.schedule}
            | {name: getattr(one.new, name) for name in _SCHEDULE}
            for one in sent.schedules
        ],
        "operations": {
            name: [tried.is_supported, tried.at.isoformat()]
            for name, tried in sent.operations.items()
        },
    }
    return json.dumps(document, indent=1).encode()


def _written_pipeline(sent: SentPipeline) -> dict[str, Any]:
    new = sent.new
    return {
        "at": sent.at.isoformat(),
        "pipeline": sent.pipeline,
        "project_id": sent.project_id,
        "project": new.project,
        "ref": new.ref,
        "file": new.pipeline_file,
        "triggered": new.triggered,
        # Of a secret only the key.
        "variables": [
            {"key": one.key, "secret": True}
            if isinstance(one.value, Secret)
            else {"key": one.key, "value": one.value}
            for one in new.variables
        ],
    }


_SCHEDULE: Final[dict[str, tuple[type, ...]]] = {
    "project": (int, str),
    "description": (str,),
    "ref": (str,),
    "cron": (str,),
    "cron_timezone": (str,),
    "active": (bool,),
}
"""Fields of a new schedule, in order, with types."""


def _pipeline(written: Any) -> SentPipeline:
    new = NewPipeline(
        expect_type(written["project"], int, str),
        expect_type(written["ref"], str),
        expect_type(written["file"], str),
        tuple(map(_variable, written["variables"])),
        expect_type(written["triggered"], bool),
    )
    return SentPipeline(
        new,
        parse_time(written["at"]),
        expect_type(written["pipeline"], int, type(None)),
        expect_type(written["project_id"], int, type(None)),
    )


def _variable(written: Any) -> RunVariable:
    key = expect_type(written["key"], str)
    if written.get("secret") is True:
        return RunVariable(key, Secret(""))
    return RunVariable(key, expect_type(written["value"], str))


def _schedule(written: Any) -> SentSchedule:
    new = NewSchedule(*(expect_type(written[name], *types) for name, types in _SCHEDULE.items()))
    return SentSchedule(
        new, parse_time(written["at"]), expect_type(written["schedule"], int, type(None))
    )
