"""The JSON of a report on its way in: a file that is whole or is not there.

What came whole stays until it is read, so that a reading that was cancelled begins again
without another fetch. The spec knows no ranges here: what broke off is fetched from the start.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import re
import shutil
import time
from collections import deque
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

from platui.core.errors import FileWriteError
from platui.core.locks import acquire
from platui.core.paths import write_private
from platui.core.text import shorten
from platui.models.values.feeds import Progress
from platui.models.values.reports import ReportStage, ReportState

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator
    from io import BufferedWriter
    from pathlib import Path

    from platui.api.admin_api import ReportStream
    from platui.core.clock import Clock

_EVERY: Final = 0.25
"""Seconds between two words about progress."""
_MARKS: Final = 20
"""Words over which the rate is measured: five seconds."""
_LOOK: Final = 64 * 1024 * 1024
"""Bytes between two looks at how much room the disk has."""
_ROOM: Final = 256 * 1024 * 1024
"""Bytes that are left to others on the disk."""
_RECORD: Final = "spool.json"
_TEXT: Final = re.compile(r"[0-9a-f]{32}\.json")
_LOCKED: Final = 0.1
"""Seconds between two looks at whether another process is done with a text."""
_STALE: Final = 24 * 3600.0
"""Seconds after which a part that nobody finished is nobody's: its process was killed."""


def part_path(folder: Path) -> Path:
    return folder / f".{os.urandom(6).hex()}.part"


def open_part(part: Path) -> BufferedWriter:
    """Make a part that only its owner reads, its folder too; those that were left go.

    Raises OSError: the folder does not take it.
    """
    part.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    sweep_parts(part.parent)
    return os.fdopen(
        os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "wb"
    )


def sweep_parts(folder: Path) -> None:
    for left in folder.glob(".*.part"):
        with suppress(OSError):  # another process sweeps too
            if time.time() - left.stat().st_mtime > _STALE:
                left.unlink()


@dataclass(frozen=True, slots=True)
class ReceivedReport:
    """A text that came whole."""

    name: str
    """Of its file."""
    origin: str
    """Host of the administration API."""
    etag: str
    received_at: str
    """ISO 8601, UTC."""
    size: int
    digest: str
    """SHA-256, hexadecimal."""

    @property
    def at(self) -> datetime:
        return datetime.fromisoformat(self.received_at)


class ReportSpool:
    """The folder where the text of one platform's report arrives."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        self._folder = folder
        self._clock = clock

    def path(self, arrival: ReceivedReport) -> Path:
        return self._folder / arrival.name

    def pending(self) -> ReceivedReport | None:
        try:
            arrival = ReceivedReport(**json.loads((self._folder / _RECORD).read_bytes()))
            good = (
                os.sep not in arrival.name
                and self.path(arrival).stat().st_size == arrival.size
                and arrival.at.tzinfo is not None
            )
        except (OSError, ValueError, TypeError, AttributeError, RecursionError):
            return None  # none, or a damaged one: it is fetched again
        return arrival if good else None

    @asynccontextmanager
    async def locked(self, arrival: ReceivedReport) -> AsyncIterator[None]:
        """Have a text for oneself while the block lasts; who comes second waits.

        The block is entered, too, where there is no such text any more: another process read it.
        """
        file = await asyncio.to_thread(_descriptor, self.path(arrival))
        try:
            while file is not None and not acquire(file):  # noqa: ASYNC110  (of a process: no event)
                await asyncio.sleep(_LOCKED)
            yield
        finally:
            if file is not None:
                os.close(file)

    def discard(self, arrival: ReceivedReport) -> None:
        """Keep a text no longer: it was read, or cannot be."""
        pending = self.pending()
        if pending == arrival:
            (self._folder / _RECORD).unlink(missing_ok=True)
        elif pending is not None and pending.name == arrival.name:
            return  # it came to another process as well, which is going to read it
        self.path(arrival).unlink(missing_ok=True)

    async def receive(
        self, stream: ReportStream, origin: str
    ) -> AsyncGenerator[ReportState | ReceivedReport]:
        """Write a text to its file; when it breaks off, or this is closed, nothing is left of it.

        Yields how far it is, and at the end what came.
        Raises FileWriteError: the disk does not take it. PlatuiError: the line broke.
        """
        part = part_path(self._folder)
        meter, digest, size, load = _Meter(self._clock), hashlib.sha256(), 0, 0
        try:
            with await asyncio.to_thread(open_part, part) as file:
                async for chunk in stream.chunks():
                    if size >= load:
                        if shutil.disk_usage(self._folder).free < _ROOM:
                            raise self._not_written("the disk is nearly full")
                        load = size + _LOOK
                    file.write(chunk)
                    digest.update(chunk)
                    size += len(chunk)
                    if meter.is_due(stream.wire_received):
                        yield meter.state(stream.wire_total)
            whole = ReceivedReport(
                f"{digest.hexdigest()[:32]}.json",
                origin,
                stream.etag,
                self._clock.now().isoformat(),
                size,
                digest.hexdigest(),
            )
            await asyncio.to_thread(self._keep, part, whole)
        except OSError as error:
            raise self._not_written(error.strerror or type(error).__name__) from None
        finally:
            with suppress(OSError):  # there may be no folder to take it from
                part.unlink(missing_ok=True)
        yield whole

    def _keep(self, part: Path, whole: ReceivedReport) -> None:
        """Give the file its name, then say that it is there: in this order it is never half."""
        path = self.path(whole)
        with part.open("rb") as file:
            acquire(file.fileno())  # nobody takes it for one that was left, meanwhile
            if not path.exists():  # else it is the same text, and perhaps it is being read
                part.replace(path)
            write_private(self._folder / _RECORD, json.dumps(asdict(whole)).encode())
        self._sweep(path)

    def _sweep(self, kept: Path) -> None:
        """Remove texts that no record names and nobody reads: their process was killed."""
        for text in self._folder.glob("*.json"):
            if text == kept or not _TEXT.fullmatch(text.name):
                continue
            if (file := _descriptor(text)) is not None:
                try:
                    if acquire(file):
                        text.unlink(missing_ok=True)
                finally:
                    os.close(file)

    def _not_written(self, why: str) -> FileWriteError:
        where = shorten(str(self._folder), 200)
        return FileWriteError(f"The report cannot be written to {where} ({shorten(why, 80)}).")


def _descriptor(path: Path) -> int | None:
    try:
        return os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None


class _Meter:
    """Measures how fast bytes come, and how often that is worth a word."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._marks = deque([(clock.monotonic(), 0)], maxlen=_MARKS)
        self._reported_at = float("-inf")

    def is_due(self, received: int) -> bool:
        now = self._clock.monotonic()
        if now - self._reported_at < _EVERY:
            return False
        self._reported_at = now
        self._marks.append((now, received))
        return True

    def state(self, total: int | None) -> ReportState:
        (began, before), (now, received) = self._marks[0], self._marks[-1]
        rate = (received - before) / (now - began) if now > began else 0.0
        return ReportState(ReportStage.RECEIVING, Progress(received, total), rate)
