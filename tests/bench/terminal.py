"""A terminal without a screen: starts a program in a pty and times what it writes."""

from __future__ import annotations

import os
import re
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, Self

import pexpect
import pyte
from tests.support.relay import SlowLine
from tests.support.session import Wire

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tests.support.session import Line

FRAME_END: Final = b"\x1b[?2026l"
"""What closes a synchronized update: Textual brackets each frame when the terminal may."""

_ANSWERS: Final = (
    (re.compile(rb"\x1b\[\?2026\$p"), b"\x1b[?2026;2$y"),  # synchronized output: known, off
    (re.compile(rb"\x1b\[\?2048\$p"), b"\x1b[?2048;0$y"),  # resize reports in band: unknown
    (re.compile(rb"\x1b\[0?c"), b"\x1b[?62;22c"),  # what are you: a VT220 with colours
    (re.compile(rb"\x1b\[6n"), b"\x1b[1;1R"),  # where is the cursor
    (re.compile(rb"\x1b\[\?u"), b"\x1b[?0u"),  # the kitty keyboard: not in use
)

# What pyte would print as text: private modes, keyboard protocol, strings to the terminal.
_UNKNOWN_TO_PYTE: Final = re.compile(
    rb"\x1b\[[><=?][0-9;]*[a-zA-Z$]+|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1bP[^\x1b]*\x1b\\"
)

_BREATH: Final = 0.02
"""Seconds without a byte after which a burst of output is over."""

_TERMINATION: Final = 0.5
"""Seconds to end after each signal, from a hang-up to a kill; 0.1 were too few now and then."""

_OUTSIDE: Final = frozenset(
    {"NO_COLOR", "TEXTUAL", "TEXTUAL_COLOR_SYSTEM", "PYTHONPATH", "PYTHONUNBUFFERED",
     # An uncompiled start is four times slower, and not what users have.
     "PYTHONDONTWRITEBYTECODE", "LINES", "COLUMNS"}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Stroke:
    """What came of one key."""

    milliseconds: float
    """From the key being written to the last byte of the first frame."""
    size: int
    """Bytes of everything the program wrote for it."""


class Settled(NamedTuple):
    """What came of keys."""

    seconds: float
    """From the first key to the last byte of what they led to."""
    size: int
    """Bytes written meanwhile."""


@dataclass(frozen=True, slots=True)
class _Chunk:
    at: float
    data: bytes


class Terminal:
    """A program on a terminal of its own."""

    def __init__(
        self,
        argv: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        columns: int = 120,
        lines: int = 40,
        rate: int = 0,
        round_trip: float = 0.0,
    ) -> None:
        """Start a program.

        Args:
            argv: the command.
            environment: what differs from the caller's environment.
            columns: width of the terminal.
            lines: height of the terminal.
            rate: bytes a second that the line to the terminal carries; 0: any number.
            round_trip: seconds of a byte there and back, on such a line.
        """
        inherited = {name: value for name, value in os.environ.items() if name not in _OUTSIDE}
        self._columns, self._lines = columns, lines
        self._chunks: list[_Chunk] = []
        self._replay = self._blank()
        self._done = 0
        self.started = time.perf_counter()
        self._process = pexpect.spawn(
            argv[0],
            list(argv[1:]),
            env={
                **inherited,
                "TERM": "xterm-256color",
                "COLORTERM": "truecolor",
                "LC_ALL": "C.UTF-8",
                **(environment or {}),
            },
            dimensions=(lines, columns),
            echo=False,
        )
        self._process.ptyproc.delayafterterminate = _TERMINATION  # type: ignore[attr-defined]
        fd, way = self._process.child_fd, round_trip / 2
        self._line: Line = SlowLine(fd, way, rate, back=way) if rate else Wire(fd)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def pid(self) -> int:
        """Return the program's process."""
        assert self._process.pid is not None
        return int(self._process.pid)

    @property
    def size(self) -> int:
        """Return the bytes written so far."""
        return sum(len(chunk.data) for chunk in self._chunks)

    @property
    def newest(self) -> float:
        """Return when the newest bytes came, by `time.perf_counter`."""
        return self._chunks[-1].at

    def close(self) -> None:
        """End the program, by force if it has to be."""
        self._line.close()
        self._process.close(force=True)

    def write(self, data: bytes) -> None:
        """Type."""
        self._line.write(data)

    def read(self, seconds: float) -> bytes:
        """Return what the program writes next, answering its questions; b"" in vain."""
        data = self._line.read(max(0.0, seconds))
        if data is None:
            raise EOFError("the program ended:\n" + "\n".join(self.screen()).rstrip())
        if not data:
            return b""
        self._chunks.append(_Chunk(time.perf_counter(), data))
        for question, answer in _ANSWERS:
            if question.search(data):
                self.write(answer)
        return data

    def wait_end(self, limit: float = 10.0) -> None:
        """Read until the program has ended.

        Raises:
            TimeoutError: it goes on.
        """
        end = time.perf_counter() + limit
        while time.perf_counter() < end:
            try:
                self.read(0.5)
            except EOFError:
                return
        raise TimeoutError("the program does not end:\n" + "\n".join(self.screen()))

    def listen(self, seconds: float) -> int:
        """Read for some time; returns the bytes that came."""
        before = self.size
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            self.read(left)
        return self.size - before

    def wait_quiet(self, quiet: float = 0.5, limit: float = 20.0) -> None:
        """Read until nothing has come for some time.

        Raises:
            TimeoutError: the program never stops writing.
        """
        end = time.perf_counter() + limit
        while self.read(quiet):
            if time.perf_counter() > end:
                raise TimeoutError(f"still writing after {limit:.0f} s")

    def wait_for(self, text: str, limit: float = 20.0) -> float:
        """Read until the screen shows a text; returns the seconds from the start until then."""
        return self.wait_until(lambda lines: any(text in line for line in lines), limit)

    def wait_until(self, shows: Callable[[Sequence[str]], bool], limit: float = 20.0) -> float:
        """Read until the screen's lines please; returns the seconds from the start until then.

        Raises:
            TimeoutError: they never do.
        """
        end = time.perf_counter() + limit
        screen = self._replay[0]
        if self._done and shows(screen.display):
            return self._chunks[self._done - 1].at - self.started
        while True:
            for chunk in self._new_chunks():
                if shows(screen.display):
                    return chunk.at - self.started
            if time.perf_counter() > end:
                raise TimeoutError("not in time:\n" + "\n".join(screen.display))
            # Replaying takes longer than writing: while it runs, nobody would be reading.
            seconds = 0.5
            while self.read(seconds):
                seconds = _BREATH

    def catch_up(self) -> None:
        """Replay what came, so that what comes next is read, and timed, the moment it does."""
        for _ in self._new_chunks():
            pass

    def key(self, data: bytes, *, quiet: float = 0.06, limit: float = 5.0) -> Stroke:
        """Type a key and measure what it leads to.

        Raises:
            TimeoutError: nothing.
        """
        before = len(self._chunks)
        typed = time.perf_counter()
        self.write(data)
        seen, first = b"", None
        while first is None:
            if time.perf_counter() - typed > limit:
                raise TimeoutError(f"no frame within {limit:.0f} s of {data!r}")
            seen = (seen + self.read(0.5))[-(1 << 16) :]
            if FRAME_END in seen:
                first = self._chunks[-1].at
        while self.read(quiet):
            pass
        size = sum(len(chunk.data) for chunk in self._chunks[before:])
        return Stroke((first - typed) * 1000, size)

    def burst(self, data: bytes, *, quiet: float = _BREATH, limit: float = 5.0) -> float:
        """Type a key; returns the seconds until the last byte of the first burst it leads to.

        For programs that don't bracket their frames.

        Raises:
            TimeoutError: nothing came.
        """
        typed = time.perf_counter()
        self.write(data)
        if not self.read(limit):
            raise TimeoutError(f"nothing within {limit:.0f} s of {data!r}")
        while self.read(quiet):
            pass
        return self._chunks[-1].at - typed

    def change(self, data: bytes, rows: slice, *, limit: float = 5.0) -> float:
        """Type a key; returns the seconds until some rows of the screen differ from before.

        For programs that write all the time, whatever one types.

        Raises:
            TimeoutError: they don't.
        """
        before = self.screen()[rows]
        typed = time.perf_counter()
        self.write(data)
        while time.perf_counter() < typed + limit:
            if not self.read(0.5):
                continue
            if self.screen()[rows] != before:
                return self._chunks[-1].at - typed
        raise TimeoutError(f"nothing changed within {limit:.0f} s of {data!r}")

    def _new_chunks(self) -> Iterator[_Chunk]:
        """Yield each chunk that was not replayed yet, when it has been."""
        _, stream = self._replay
        while self._done < len(self._chunks):
            chunk = self._chunks[self._done]
            self._done += 1
            stream.feed(_UNKNOWN_TO_PYTE.sub(b"", chunk.data))
            yield chunk

    def settle(self, data: bytes, quiet: float = 1.0) -> Settled:
        """Type keys, and wait for all that they lead to."""
        before, typed = self.size, time.perf_counter()
        self.write(data)
        self.wait_quiet(quiet)
        seconds = self.newest - typed if self.size > before else 0.0
        return Settled(seconds, self.size - before)

    def frames(self, begin: bytes, end: bytes) -> list[tuple[float, float]]:
        """Return when each frame began and ended, by the marks around it."""
        found: list[tuple[float, float]] = []
        began: float | None = None
        for chunk in self._chunks:
            for mark in re.findall(re.escape(begin) + b"|" + re.escape(end), chunk.data):
                if mark == begin:
                    began = chunk.at
                elif began is not None:
                    found.append((began, chunk.at))
                    began = None
        return found

    def screen(self) -> list[str]:
        """Return the lines that the terminal shows."""
        self.catch_up()
        return list(self._replay[0].display)

    def grounds(self) -> list[str]:
        """Return the background of each line, at its second cell, as far as it was replayed."""
        buffer = self._replay[0].buffer
        return [str(buffer[y][1].bg) for y in range(self._lines)]

    def _blank(self) -> tuple[pyte.Screen, pyte.ByteStream]:
        screen = pyte.Screen(self._columns, self._lines)
        return screen, pyte.ByteStream(screen)
