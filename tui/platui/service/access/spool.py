"""Downloads of reports: complete JSON files that stay until they are read."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import re
import shutil
import time
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from platui.core.dataclass import dataclass
from platui.core.errors import FileWriteError
from platui.core.locks import acquire
from platui.core.paths import write_private
from platui.core.text import shorten
from platui.models.values.feeds import Progress
from platui.models.values.reports import ReportStage, ReportState
from platui.service.access.intake import Intake
from platui.service.files.whole_file import open_new

if TYPE_CHECKING:
    from io import BufferedWriter

    from platui.api.admin_api import ReportStream
    from platui.core.clock import Clock

_EVERY: Final = 0.25  # seconds between two progress updates
_MARKS: Final = 20  # updates over which the rate is measured: five seconds
_CHECK_BYTES: Final = 64 * 1024 * 1024  # bytes between two checks of the free disk space
_MIN_FREE_BYTES: Final = 256 * 1024 * 1024  # bytes to leave free on the disk
_RECORD: Final = "spool.json"
_TEXT: Final = re.compile(r"[0-9a-f]{32}\.json")
_LOCKED: Final = 0.1  # seconds between two attempts to lock a download
_STALE: Final = 24 * 3600.0  # seconds after which a temporary file of a killed process is deleted
_OUTDATED: Final = 24 * 3600.0  # seconds after which an unread download is requested again


def part_path(folder: Path) -> Path:
    return folder / f".{os.urandom(6).hex()}.part"


def open_part(part: Path) -> BufferedWriter:
    """Create a temporary file for its owner only, and its folder; delete stale ones."""
    part.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    sweep_parts(part.parent)
    return open_new(part)


def sweep_parts(folder: Path) -> None:
    for left in folder.glob(".*.part"):
        with suppress(OSError):  # deleted by another process
            if time.time() - left.stat().st_mtime > _STALE:
                left.unlink()


@dataclass(frozen=True, slots=True)
class ReceivedReport:
    """A complete download."""

    name: str  # of the file
    origin: str  # host of the administration API
    etag: str
    received_at: str  # ISO 8601, UTC
    size: int
    digest: str  # SHA-256, hexadecimal

    @property
    def at(self) -> datetime:
        return datetime.fromisoformat(self.received_at)


class ReportSpool:
    def __init__(self, folder: Path, clock: Clock) -> None:
        self._folder = folder
        self._clock = clock

    def path(self, arrival: ReceivedReport) -> Path:
        return self._folder / arrival.name

    def pending(self) -> ReceivedReport | None:
        """Return the download to read; None: there is none, or it is older than a day."""
        try:
            arrival = ReceivedReport(**json.loads((self._folder / _RECORD).read_bytes()))
            is_valid = (
                os.sep not in arrival.name
                and self.path(arrival).stat().st_size == arrival.size
                and (self._clock.now() - arrival.at).total_seconds() <= _OUTDATED
            )
        except (OSError, ValueError, TypeError, AttributeError, RecursionError):
            return None  # missing or damaged: download again
        return arrival if is_valid else None

    @asynccontextmanager
    async def locked(self, arrival: ReceivedReport) -> AsyncIterator[None]:
        """Lock a download for the block; another process may have read and deleted it by then."""
        file = await asyncio.to_thread(_descriptor, self.path(arrival))
        try:
            while file is not None and not acquire(file):  # noqa: ASYNC110  (no event across processes)
                await asyncio.sleep(_LOCKED)
            yield
        finally:
            if file is not None:
                os.close(file)

    def discard(self, arrival: ReceivedReport) -> None:
        pending = self.pending()
        if pending == arrival:
            (self._folder / _RECORD).unlink(missing_ok=True)
        elif pending is not None and pending.name == arrival.name:
            return  # another process downloaded it too, and will read it
        self.path(arrival).unlink(missing_ok=True)

    async def receive(
        self, stream: ReportStream, origin: str
    ) -> AsyncGenerator[ReportState | ReceivedReport]:
        """Yield the progress, and at the end the download; leaves no file if interrupted.

        Raises ReportError: it cannot be a report.
        """
        part = part_path(self._folder)
        meter, digest, intake, next_check = _Meter(self._clock), hashlib.sha256(), Intake(), 0
        try:
            with await asyncio.to_thread(open_part, part) as file:
                async for chunk in stream.chunks():
                    if intake.size >= next_check:
                        if shutil.disk_usage(self._folder).free < _MIN_FREE_BYTES:
                            raise self._not_written("the disk is nearly full")
                        next_check = intake.size + _CHECK_BYTES
                    intake.take(chunk, stream.wire_received)
                    file.write(chunk)
                    digest.update(chunk)
                    if state := meter.due_state(stream.wire_received, stream.wire_total):
                        yield state
            whole = ReceivedReport(
                f"{digest.hexdigest()[:32]}.json",
                origin,
                stream.etag,
                self._clock.now().isoformat(),
                intake.size,
                digest.hexdigest(),
            )
            await asyncio.to_thread(self._save, part, whole)
        except OSError as error:
            raise self._not_written(error.strerror or type(error).__name__) from None
        finally:
            with suppress(OSError):  # the folder may be missing
                part.unlink(missing_ok=True)
        yield whole

    def _save(self, part: Path, whole: ReceivedReport) -> None:
        """Rename the file, then write its record: the record always names a complete file."""
        path = self.path(whole)
        with part.open("rb") as file:
            acquire(file.fileno())  # other processes must not take it for a stale one
            if not path.exists():  # else it is the same text, perhaps being read
                part.replace(path)
            write_private(self._folder / _RECORD, json.dumps(asdict(whole)).encode())
        self._delete_stale(path)

    def _delete_stale(self, kept: Path) -> None:
        """Delete unlocked downloads without a record: their process was killed."""
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
    """Measures the transfer rate, and limits progress updates."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._marks = deque([(clock.monotonic(), 0)], maxlen=_MARKS)
        self._reported_at = float("-inf")

    def due_state(self, received: int, total: int | None) -> ReportState | None:
        now = self._clock.monotonic()
        if now - self._reported_at < _EVERY:
            return None
        self._reported_at = now
        self._marks.append((now, received))
        began, before = self._marks[0]
        rate = (received - before) / (now - began) if now > began else 0.0
        return ReportState(ReportStage.RECEIVING, Progress(received, total), rate)
