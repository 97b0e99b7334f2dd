"""The log of a file or of standard input, shown like that of a job."""

from __future__ import annotations

import asyncio
import os
import stat
import sys
from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING, Final

from platui.core.errors import FileReadError
from platui.core.named_tuple import NamedTuple
from platui.core.open_file import OpenFile
from platui.core.text import shorten
from platui.logs import Log
from platui.logs.preview import MIN_PREVIEW_BYTES, preview
from platui.logs.spool import LogSpool
from platui.models.values.log import ErrorRules, LogFeed, LogState, LogUpdate
from platui.service.feeds.wake_up import WakeUp
from platui.service.logs.errors import error_rules
from platui.service.logs.indexing import LogIndexer
from platui.service.logs.pipe import PipeFeed

if TYPE_CHECKING:
    from platui.config.settings import ErrorPattern
    from platui.core.clock import Clock

QUICK: Final = 0.3  # seconds between two checks of a growing file
CALM: Final = 2.0  # seconds between two checks of a file that has stopped growing

_SLOWER: Final = 1.15
_SNIFFED: Final = 8 * 1024
_ODD_SHARE: Final = 0.04
_TEXT_CONTROLS: Final = b"\t\n\v\f\r\b\a\x1b\x00"
_ODD: Final = bytes(set(range(32)) - set(_TEXT_CONTROLS))
_NUL_SHARE: Final = 0.2
_ENDS: Final = 256


def follow_file(
    path: Path | None,
    clock: Clock,
    own_errors: Sequence[ErrorPattern] = (),
    *,
    follow: bool = False,
) -> LogFeed:
    """Return the feed of a file, or of standard input without a path."""
    try:
        file = _standard_input() if path is None else OpenFile.open(path)
    except (OSError, ValueError) as error:
        raise FileReadError(_sentence(path, error)) from None
    kind = file.status.st_mode
    if stat.S_ISREG(kind):
        _refuse_binary(file, _name(path))
        return FileFeed(
            path, file, clock, error_rules(own_errors), follow=follow and path is not None
        )
    if stat.S_ISDIR(kind):
        raise FileReadError(f"{_name(path)} is a folder.", hint="Name a file in it.")
    return PipeFeed(file, clock, error_rules(own_errors))


class FileFeed:
    """The feed of a regular file: its end first, then all of it, then additions."""

    def __init__(
        self,
        path: Path | None,
        file: OpenFile,
        clock: Clock,
        errors: ErrorRules,
        *,
        follow: bool,
    ) -> None:
        self._path = path
        self._clock = clock
        self._errors = errors
        self._follow = follow
        self._wake_up = WakeUp(clock)
        self._held = False
        self._refresh = False
        self._file = file
        self._taken = _NOTHING
        self._last_growth: datetime | None = None
        self._unread = 0  # bytes added while the file is not followed
        self._error: FileReadError | None = None
        self._pause = QUICK
        self._checking: asyncio.Future[_Change] | None = None

    async def __aiter__(self) -> AsyncIterator[LogUpdate]:
        if self._taken is _NOTHING:
            async for update in self._open(reset=False):
                yield update
        else:
            yield self._update()
        followed = self._follow
        while True:
            error = self._error
            if not await self._next_check():
                continue
            if not self._follow and not self._refresh:
                yield self._update()
                continue
            self._refresh = False
            if self._checking is None:
                self._checking = asyncio.ensure_future(asyncio.to_thread(self._check))
            # The waiter may be cancelled; the thread continues, and its result is kept.
            change = await asyncio.shield(self._checking)
            self._checking = None
            self._unread = 0
            if change is _Change.ANOTHER:
                async for update in self._open(reset=True):
                    yield update
            elif (
                change is _Change.GROWN or self._error is not error or self._follow is not followed
            ):
                followed = self._follow
                yield self._update()

    def refresh(self) -> None:
        self._refresh = True
        self._wake_up.set()

    def hold(self, held: bool) -> None:  # noqa: FBT001  (a switch)
        self._held = held
        self._wake_up.set()

    def go_on(self) -> None:
        if not self._follow:
            self._follow, self._pause = True, QUICK
            self.refresh()

    async def _next_check(self) -> bool:
        if self._refresh:
            return True
        pause = self._pause if self._follow else CALM
        was_set = await self._wake_up.wait(None if self._held else pause)
        if self._refresh or self._follow:
            return self._refresh or not was_set
        if was_set:
            return False
        unread = await asyncio.to_thread(self._count_unread)
        if unread is None:
            self._refresh = True
            return True
        grew, self._unread = unread != self._unread, unread
        return grew

    async def _open(self, *, reset: bool) -> AsyncIterator[LogUpdate]:
        file = self._file
        size = file.size
        spool = LogSpool(file, size)
        first = preview(size, spool.read) if size >= MIN_PREVIEW_BYTES else None
        if first is not None:
            yield LogUpdate(
                first.document, LogState.OPENING, "", reset=reset, is_tail=True, error=self._error
            )
        log = Log(spool=spool, errors=self._errors)
        await LogIndexer(log).index_lines()
        if not self._follow:
            log.finish()
        self._taken = _Taken(log, size, _ends_of(file, size))
        shift = log.line_at(first.start) if first is not None else 0
        yield self._update(reset=reset and first is None, shift=shift)

    def _check(self) -> _Change:
        """Check whether the file has grown or was replaced; called in a thread."""
        other = self._replacement()
        try:
            change = self._grown(is_rotated=other is not None)
        except OSError as error:
            if other is None and self._error is None:
                self._note(error)
            change = _Change.SAME
        if other is not None and change is not _Change.GROWN:
            self._file = other
            return _Change.ANOTHER
        return change

    def _grown(self, *, is_rotated: bool) -> _Change:
        """Take what was written to the open file; `is_rotated`: its path names another one."""
        taken, size = self._taken, self._file.size
        if self._is_rewritten(size):
            return _Change.ANOTHER
        if size == taken.size:
            self._pause = min(CALM, self._pause * _SLOWER)
            return _Change.SAME
        self._pause = QUICK
        if not taken.log.grew(size):
            return _Change.ANOTHER
        if is_rotated or not self._follow:
            taken.log.finish()
        self._taken = _Taken(taken.log, size, _ends_of(self._file, size))
        self._last_growth = self._clock.now()
        return _Change.GROWN

    def _count_unread(self) -> int | None:
        """Return by how many bytes the file has grown; None if it was rewritten, or is gone."""
        try:
            size = self._file.size
        except OSError:
            return None
        return None if self._is_rewritten(size) else size - self._taken.size

    def _is_rewritten(self, size: int) -> bool:
        """Return whether the file, now of `size` bytes, does not begin with what was read."""
        taken = self._taken
        return size < taken.size or _ends_of(self._file, taken.size) != taken.ends

    def _replacement(self) -> OpenFile | None:
        """Return the file that the path names now, if it is another one."""
        if self._path is None:
            return None
        try:
            if self._is_open(self._path.stat()):
                self._error = None
                return None
            other = OpenFile.open(self._path)
        except OSError as error:
            self._note(error)
            return None
        self._error = None
        return other

    def _is_open(self, there: os.stat_result) -> bool:
        try:
            ours = self._file.status
        except OSError:  # such as a handle that a network file system has forgotten
            return False
        return (there.st_dev, there.st_ino) == (ours.st_dev, ours.st_ino)

    def _note(self, error: OSError) -> None:
        """Keep what was read, and report each error once."""
        sentence = _sentence(self._path, error)
        if self._error is None or self._error.sentence != sentence:
            self._error = FileReadError(sentence)

    def _update(self, *, reset: bool = False, shift: int = 0) -> LogUpdate:
        return LogUpdate(
            self._taken.log,
            LogState.FOLLOWING if self._follow else LogState.ENDED,
            "",
            reset=reset,
            last_growth=self._last_growth,
            fetched_at=self._clock.now(),
            error=self._error,
            unread=self._unread,
            is_current=True,
            shift=shift,
        )


class _Taken(NamedTuple):
    log: Log
    size: int
    ends: bytes


class _Change(Enum):
    SAME = auto()
    GROWN = auto()
    ANOTHER = auto()


_NOTHING: Final = _Taken(Log(), 0, b"")


def _ends_of(file: OpenFile, size: int) -> bytes:
    try:
        return file.read(0, min(size, _ENDS)) + file.read(max(0, size - _ENDS), size)
    except OSError:
        return b""


def _standard_input() -> OpenFile:
    try:
        descriptor = os.dup(sys.__stdin__.fileno() if sys.__stdin__ is not None else 0)
    except (OSError, ValueError):
        raise FileReadError("Standard input is closed.") from None
    if os.isatty(descriptor):
        os.close(descriptor)
        raise FileReadError(
            "Standard input is a terminal.", hint="Name a file, or pipe a log into it."
        )
    return OpenFile(descriptor)


def _refuse_binary(file: OpenFile, name: str) -> None:
    try:
        data = file.read(0, min(_SNIFFED, file.size))
    except OSError as error:
        raise FileReadError(f"{name} cannot be read: {error.strerror}.") from None
    odd = len(data) - len(data.translate(None, _ODD))
    if odd > _ODD_SHARE * len(data) or data.count(0) > _NUL_SHARE * len(data):
        raise FileReadError(f"{name} is a binary file.", hint="Unpack it, or convert it to UTF-8.")


def _name(path: Path | None) -> str:
    return "Standard input" if path is None else shorten(str(path), 200)


def _sentence(path: Path | None, error: OSError | ValueError) -> str:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else "no such name"
    return f"{_name(path)} cannot be read: {reason}."
