"""How a log is put together, and how it is written: with times in front of its lines or without.

A log is drafted as three lists of lines, each with the share of time that passes before it. Only
when the times are known are the lines written, because many of them say what time it is.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum, auto
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

ESC: Final = "\x1b"
RESET: Final = "\x1b[0;m"
CLEAR: Final = "\x1b[0K"
_END: Final = f"\r{CLEAR}"


class Kind(Enum):
    """What kind of line it is, which decides how it is written."""

    PLAIN = auto()
    ERROR = auto()
    """Standard error of the script."""
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
        """Add a line."""
        self.place.append(Line(share, kind, text))

    def block(self, text: str, share: float = 0.02, kind: Kind = Kind.PLAIN) -> None:
        """Add lines that come at once."""
        self.place.extend(Line(share, kind, line) for line in text.splitlines())

    def clock(self, text: str, share: float = 1.0) -> None:
        """Add a line that begins with the time of day."""
        self.place.append(Line(share, Kind.CLOCK, text))

    def logged(self, text: str, share: float = 1.0) -> None:
        """Add a line that begins with date and time."""
        self.place.append(Line(share, Kind.LOGGED, text))

    def command(self, text: str) -> None:
        """Add a line of the script, as it is echoed."""
        self.place.append(Line(0.3, Kind.COMMAND, text))

    def runner(self, text: str, share: float = 0.1) -> None:
        """Add a line of the runner."""
        self.place.append(Line(share, Kind.RUNNER, text))

    def begin(self, section: str, header: str, share: float = 0.1) -> None:
        """Open a section."""
        self.place.append(Line(share, Kind.BEGIN, section))
        self.place.append(Line(0.001, Kind.RUNNER, f"{ESC}[36;1m{header}{RESET}"))

    def end(self, section: str, share: float = 0.1) -> None:
        """Close a section."""
        self.place.append(Line(share, Kind.END, section))


@dataclass(frozen=True, slots=True)
class Written:
    """A finished log: its bytes, and how much of them is there at which time."""

    data: bytes
    times: tuple[float, ...]
    ends: tuple[int, ...]

    def at(self, now: float) -> bytes:
        """Return what is written by then: whole lines only."""
        if not self.times or now >= self.times[-1]:
            return self.data
        lines = bisect_right(self.times, now)
        return self.data[: self.ends[lines - 1]] if lines else b""


def write(draft: Draft, start: float, end: float, *, stamped: bool) -> Written:
    """Write a draft down for a job that ran from start to end."""
    pieces = list((_stamped if stamped else _bare)(_timed(draft, start, end)))
    data, times, ends, length = [], [], [], 0
    for when, piece in pieces:
        raw = piece.encode()
        length += len(raw)
        data.append(raw)
        times.append(when)
        ends.append(length)
    return Written(b"".join(data), tuple(times), tuple(ends))


def _timed(draft: Draft, start: float, end: float) -> Iterator[tuple[float, Line]]:
    """Yield the lines with the times they are written at."""
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
        whole = sum(line.share for line in lines) or 1.0
        step, when = span / whole, since
        for line in lines:
            when += line.share * step
            yield min(round(when, 3), end), line


def _text(when: float, line: Line) -> str:
    match line.kind:
        case Kind.CLOCK:
            return f"{_moment(when):%H:%M:%S}  {line.text}"
        case Kind.LOGGED:
            moment = _moment(when)
            return f"{moment:%Y-%m-%d %H:%M:%S},{moment.microsecond // 1000:03d} {line.text}"
        case Kind.COMMAND:
            return f"{ESC}[32;1m$ {line.text}{RESET}"
        case Kind.RUNNER:
            return f"{CLEAR}{line.text}"
        case Kind.BEGIN:
            return f"section_start:{int(when)}:{line.text}{_END}"
        case Kind.END:
            return f"section_end:{int(when)}:{line.text}{_END}"
        case _:
            return line.text


def _bare(lines: Iterator[tuple[float, Line]]) -> Iterator[tuple[float, str]]:
    """Yield whole lines without stamps: markers stand before the line that follows them."""
    carried, when = "", 0.0
    for when, line in lines:
        text = _text(when, line)
        if line.kind in {Kind.BEGIN, Kind.END}:
            carried += text
        elif line.kind is Kind.RUNNER:
            # The runner ends its colour only after the line break.
            yield when, f"{carried}{text}\n"
            carried = RESET
        else:
            yield when, f"{carried}{text}\n"
            carried = ""
    if carried:
        yield when, carried


def _stamped(lines: Iterator[tuple[float, Line]]) -> Iterator[tuple[float, str]]:
    """Yield lines with their time, stream and whether they continue the one before."""
    after_marker = False
    for when, line in lines:
        stamp = f"{_moment(when):%Y-%m-%dT%H:%M:%S.%f}"[:-1] + f"{len(line.text) % 10}Z"
        mark = "+" if after_marker and line.kind in {Kind.BEGIN, Kind.END, Kind.RUNNER} else " "
        text = _text(when, line)
        after_marker = line.kind in {Kind.BEGIN, Kind.END}
        if line.kind is Kind.PROGRESS:
            yield when, _continued(f"{stamp} 01E", text)
        elif line.kind is Kind.RUNNER or after_marker:
            yield when, f"{stamp} 00O{mark}{text}{'' if after_marker else RESET}\n"
        else:
            yield when, f"{stamp} 01{'E' if line.kind is Kind.ERROR else 'O'} {text}\n"


def _continued(stamp: str, text: str) -> str:
    """Return a line of several states: each is flushed alone and continues the one before."""
    *states, last = text.split("\r")
    lines = [f"{stamp}{'+' if rank else ' '}{state}\r\n" for rank, state in enumerate(states)]
    return "".join(lines) + f"{stamp}{'+' if states else ' '}{last}\n"


def _moment(when: float) -> datetime:
    return datetime.fromtimestamp(when, UTC)
