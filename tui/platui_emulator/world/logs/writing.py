"""Drafts of logs, lines with shares of time, and how they are written: with times or without."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum, auto
from itertools import accumulate
from typing import Final, NamedTuple

ESC: Final = "\x1b"
RESET: Final = "\x1b[0;m"
CLEAR: Final = "\x1b[0K"
_SILENCE: Final = 2.5
"""Maximum seconds without output, for scripts that report progress."""
_DAY: Final = 86_400
_END: Final = f"\r{CLEAR}"
_TWO: Final = tuple(f"{number:02d}" for number in range(60))


class Kind(Enum):
    """What kind of line it is, which decides how it is written."""

    PLAIN = auto()
    ERROR = auto()
    CLOCK = auto()
    """Begins with the time of day, as dbt writes it."""
    LOGGED = auto()
    """Begins with date and time, as Python's logging writes it."""
    RUNNER = auto()
    COMMAND = auto()
    BEGIN = auto()
    """Opens a section; the text is `name[options]`."""
    END = auto()
    PROGRESS = auto()
    """Several states of one line, parted by carriage returns."""


class Line(NamedTuple):
    """A line of a draft: the time before it as a share, its kind, its text."""

    share: float
    kind: Kind
    text: str


class Draft:
    """A log while it is being put together."""

    def __init__(self) -> None:
        self.before: list[Line] = []
        self.script: list[Line] = []
        self.after: list[Line] = []
        self.place = self.script

    def add(self, text: str, share: float = 1.0, kind: Kind = Kind.PLAIN) -> None:
        self.place.append(Line(share, kind, text))

    def block(self, text: str, share: float = 0.02, kind: Kind = Kind.PLAIN) -> None:
        self.place.extend(Line(share, kind, line) for line in text.splitlines())

    def clock(self, text: str, share: float = 1.0) -> None:
        """Add a line that begins with the time of day."""
        self.place.append(Line(share, Kind.CLOCK, text))

    def logged(self, text: str, share: float = 1.0) -> None:
        """Add a line that begins with date and time."""
        self.place.append(Line(share, Kind.LOGGED, text))

    def command(self, text: str) -> None:
        """Add a line of the script, as the shell echoes it."""
        self.place.append(Line(0.3, Kind.COMMAND, text))

    def runner(self, text: str, share: float = 0.1) -> None:
        self.place.append(Line(share, Kind.RUNNER, text))

    def begin(self, section: str, header: str, share: float = 0.1) -> None:
        self.place.append(Line(share, Kind.BEGIN, section))
        self.place.append(Line(0.001, Kind.RUNNER, f"{ESC}[36;1m{header}{RESET}"))

    def end(self, section: str, share: float = 0.1) -> None:
        self.place.append(Line(share, Kind.END, section))

    def keep_talking(self, seconds: float, text: str) -> None:
        """Break long silences of a script that will take so many seconds."""
        step = seconds / (sum(line.share for line in self.script) or 1.0)
        lines: list[Line] = []
        for line in self.script:
            pauses = int(line.share * step / _SILENCE)
            if not pauses:
                lines.append(line)
                continue
            share = line.share / (pauses + 1)
            lines += [Line(share, Kind.CLOCK, text)] * pauses
            lines.append(Line(share, line.kind, line.text))
        self.script[:] = lines


@dataclass(frozen=True, slots=True)
class Written:
    """A finished log: its bytes, and their number at each time."""

    data: bytes
    times: Sequence[float]
    ends: Sequence[int]

    def at(self, now: float) -> bytes:
        """Return the log up to then: whole lines only."""
        if not self.times or now >= self.times[-1]:
            return self.data
        lines = bisect_right(self.times, now)
        return self.data[: self.ends[lines - 1]] if lines else b""


def write(draft: Draft, start: float, end: float, *, stamped: bool) -> Written:
    """Write a draft down for a job that ran from start to end."""
    writer = _Stamped() if stamped else _Bare()
    texts: list[str] = []
    times = array("d")
    for when, line in _timed(draft, start, end):
        text = writer.write(when, line)
        if text:
            texts.append(text)
            times.append(when)
    if rest := writer.rest():
        texts.append(rest)
        times.append(end)
    whole = "".join(texts)
    data = whole.encode()
    ascii_only = len(data) == len(whole)
    lengths = map(len, texts) if ascii_only else (len(text.encode()) for text in texts)
    return Written(data, times, array("Q", accumulate(lengths)))


def _timed(draft: Draft, start: float, end: float) -> Iterator[tuple[float, Line]]:
    total = end - start
    before = min(sum(line.share for line in draft.before), total * 0.3)
    after = min(sum(line.share for line in draft.after), total * 0.15)
    if not draft.script and not draft.after:
        before = total
    parts = (
        (draft.before, start, before),
        (draft.script, start + before, total - before - after),
        (draft.after, end - after, after),
    )
    for lines, since, span in parts:
        step, when = span / (sum(line.share for line in lines) or 1.0), since
        for line in lines:
            when += line.share * step
            yield (min(when, end)), line


class _Texts:
    """Writes the text of lines, most of which say what time it is."""

    def __init__(self) -> None:
        self._second = 0
        self._day = self._clock = ""

    def text(self, when: float, line: Line) -> str:
        kind = line.kind
        second = int(when)
        if second != self._second:
            self._turn_to(second)
        if kind is _CLOCK:
            return f"{self._clock}  {line.text}"
        if kind is _LOGGED:
            return f"{self._day} {self._clock},{int((when - second) * 1000):03d} {line.text}"
        if kind is _RUNNER:
            return f"{CLEAR}{line.text}"
        if kind is _BEGIN:
            return f"section_start:{second}:{line.text}{_END}"
        if kind is _CLOSE:
            return f"section_end:{second}:{line.text}{_END}"
        return f"{ESC}[32;1m$ {line.text}{RESET}" if kind is _COMMAND else line.text

    def _turn_to(self, second: int) -> None:
        """Make ready what the lines of one second say, because formatting is what takes time."""
        if second // _DAY != self._second // _DAY or not self._day:
            self._day = f"{datetime.fromtimestamp(second, UTC):%Y-%m-%d}"
        minutes, seconds = divmod(second % _DAY, 60)
        hours, minutes = divmod(minutes, 60)
        self._clock = f"{_TWO[hours]}:{_TWO[minutes]}:{_TWO[seconds]}"
        self._second = second

    def stamp(self, when: float) -> str:
        """Return the time of the line just written, in microseconds."""
        part = min(round((when - self._second) * 1_000_000), 999_999)
        return f"{self._day}T{self._clock}.{part:06d}Z"


class _Bare(_Texts):
    """Writes lines without stamps: markers stand before the line that follows them."""

    def __init__(self) -> None:
        super().__init__()
        self._carried = ""

    def write(self, when: float, line: Line) -> str:
        """Return the bytes of a line; empty for a marker."""
        carried, text = self._carried, self.text(when, line)
        if line.kind is _BEGIN or line.kind is _CLOSE:
            self._carried = carried + text
            return ""
        # The runner ends its colour only after the line break.
        self._carried = RESET if line.kind is _RUNNER else ""
        return f"{carried}{text}\n"

    def rest(self) -> str:
        """Return the final bytes."""
        return self._carried


class _Stamped(_Texts):
    """Writes lines with their time, stream and whether they continue the one before."""

    def __init__(self) -> None:
        super().__init__()
        self._after_marker = False

    def write(self, when: float, line: Line) -> str:
        kind, text = line.kind, self.text(when, line)
        stamp = self.stamp(when)
        marker = kind is _BEGIN or kind is _CLOSE
        if marker or kind is _RUNNER:
            mark = "+" if self._after_marker else " "
            self._after_marker = marker
            return f"{stamp} 00O{mark}{text}{'' if marker else RESET}\n"
        self._after_marker = False
        if kind is _PROGRESS:
            return _continued(f"{stamp} 01E", text)
        return f"{stamp} 01{'E' if kind is _ERROR else 'O'} {text}\n"

    def rest(self) -> str:
        """Return no final bytes."""
        return ""


def _continued(stamp: str, text: str) -> str:
    """Return a line of several states: each is flushed alone and continues the one before."""
    *states, last = text.split("\r")
    lines = [f"{stamp}{'+' if rank else ' '}{state}\r\n" for rank, state in enumerate(states)]
    return "".join(lines) + f"{stamp}{'+' if states else ' '}{last}\n"


# Looked up once: a log has thousands of lines.
_CLOCK, _LOGGED, _RUNNER = Kind.CLOCK, Kind.LOGGED, Kind.RUNNER
_BEGIN, _CLOSE, _COMMAND = Kind.BEGIN, Kind.END, Kind.COMMAND
_PROGRESS, _ERROR = Kind.PROGRESS, Kind.ERROR
