"""Section markers between log lines: `section_start:<unix>:<name>[options] CR ESC [0K`."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import Final

from platui.core.named_tuple import NamedTuple
from platui.core.text import clean
from platui.logs.ansi import without_escapes
from platui.models.values.log import Section

HINT: Final = b"section_"  # How every marker begins

MAX_SECTIONS: Final = 10_000  # Most sections listed; real logs have tens

_TEXT: Final = (
    rb"section_(?P<kind>start|end):(?P<time>\d{1,18}):(?P<name>[a-zA-Z0-9_.-]{1,256})"
    rb"(?P<options>\[\w+=\w+(?:, ?\w+=\w+)*\])?"
)
# The end of a line counts as CR and ESC [0K, which copied logs have lost.
_MARKER: Final = re.compile(_TEXT + rb"(?:\r\x1b\[0?K|\r?(?=\n|\Z))")
_RETURN: Final = re.compile(_TEXT + rb"\r")

MARKER_LENGTH: Final = 1024  # Longest marker in bytes, with sensible options

_ERASE: Final = b"\x1b[0K"

_LIKELY: Final = re.compile(HINT + rb"(?:(?:start|end):\d|[a-z:]{0,6}[\n\0])")
_CUT: Final = tuple(HINT[:length] for length in range(1, len(HINT)))

REACH: Final = 32  # Bytes by which the beginning of a marker is recognized

_REST: Final = (
    rb"(?:s|st|sta|star|e|en|(?:start|end)(?::\d*(?::[a-zA-Z0-9_.-]*"
    rb"(?:\[[\w=, ]*\]?)?(?:\r(?:\x1b(?:\[0?)?)?)?)?)?)?\Z"
)
_PARTIAL: Final = re.compile(HINT + _REST)
_BEGUN: Final = re.compile(rb"(?:s|se|sec|sect|secti|sectio|section)\Z|" + HINT + _REST)


class Marker(NamedTuple):
    starts: bool
    time: int
    name: str
    collapsed: bool = False


class MarkedLine(NamedTuple):
    markers: tuple[Marker, ...]
    rest: bytes  # The line without its markers
    header_of: str | None  # The last section that stays open; the line is its header

    @property
    def is_hidden(self) -> bool:
        """Return whether the line has only markers and is no section header."""
        return bool(self.markers) and self.header_of is None and not self.has_text

    @property
    def has_text(self) -> bool:
        return bool(without_escapes(self.rest.decode("utf-8", "replace")).strip())


def strip_partial_marker(line: bytes) -> bytes:
    return _PARTIAL.sub(b"", line) if HINT in line else line


def find_partial_marker(line: bytes) -> int:
    """Return where an incomplete marker at the end of a piece begins, else its length."""
    begun = _BEGUN.search(line, max(0, len(line) - MARKER_LENGTH))
    return len(line) if begun is None else begun.start()


def ends_in_marker_return(line: bytes) -> bool:
    """Return whether the carriage return at the end of a piece belongs to a marker."""
    return any(match.end() == len(line) + len(_ERASE) for match in _MARKER.finditer(line + _ERASE))


def find_marker_returns(data: bytes) -> set[int]:
    """Return the offsets of the carriage returns that belong to whole markers."""
    return {
        match.end() - 1
        for match in _RETURN.finditer(data)
        if match.end() - match.start() <= MARKER_LENGTH
    }


def may_be_hidden(line: bytes) -> bool:
    """Return whether a line that begins like this may consist of markers only."""
    return not read_markers(_BEGUN.sub(b"", line)).has_text


def read_markers(line: bytes) -> MarkedLine:
    """Split a logical line without stamps into markers and text."""
    if HINT not in line:
        return MarkedLine((), line, None)
    markers = tuple(
        Marker(
            match["kind"] == b"start",
            int(match["time"]),
            match["name"].decode("ascii"),
            b"collapsed=true" in (match["options"] or b""),
        )
        for match in _MARKER.finditer(line)
    )
    if not markers:
        return MarkedLine((), line, None)
    stack = SectionStack()
    for marker in markers:
        if marker.starts:
            stack.enter(marker.name)
        else:
            stack.leave(marker.name)
    return MarkedLine(markers, _MARKER.sub(b"", line), stack.innermost)


def find_marker_candidates(data: bytes, start: int, stop: int, undone: list[int]) -> list[int]:
    """Return where markers may begin, including ones split by `undone` breaks; ascending."""
    found: list[int] = []
    at = data.find(HINT, start, stop + len(HINT))
    while 0 <= at < stop:
        if _LIKELY.match(data, at):
            found.append(at)
        at = data.find(HINT, at + 1, stop + len(HINT))
    # The last letter rules out most; the first byte has none before it.
    cuts = [
        at
        for at in undone
        if data[at - 1] in HINT
        and start <= at < stop
        and data.endswith(_CUT, max(0, at - len(HINT)), at)
    ]
    return sorted(found + cuts) if cuts else found


class SectionStack:
    """Open sections, each with a number; entering and leaving cost the same at any depth."""

    def __init__(self) -> None:
        self._open: list[tuple[str, int]] = []
        self._names: Counter[str] = Counter()

    @property
    def depth(self) -> int:
        return len(self._open)

    @property
    def innermost(self) -> str | None:
        return self._open[-1][0] if self._open else None

    def copy(self) -> SectionStack:
        other = SectionStack()
        other._open = self._open.copy()
        other._names = self._names.copy()
        return other

    def enter(self, name: str, number: int = 0) -> None:
        self._names[name] += 1
        self._open.append((name, number))

    def leave(self, name: str) -> list[int]:
        """Close the innermost section of a name and all inside it; return them, outermost first."""
        closed: list[int] = []
        if not self._names[name]:
            return closed
        inner = ""
        while inner != name:
            inner, number = self._open.pop()
            self._names[inner] -= 1
            closed.append(number)
        return closed[::-1]


class SectionTable:
    def __init__(self) -> None:
        self._sections: list[Section] = []
        self._open = SectionStack()

    def copy(self) -> SectionTable:
        other = SectionTable()
        other._sections = self._sections.copy()
        other._open = self._open.copy()
        return other

    def snapshot(self) -> tuple[Section, ...]:
        return tuple(self._sections)

    def take(self, marker: Marker, line: int, *, has_header: bool = True) -> None:
        if not marker.starts:
            for number, at in enumerate(self._open.leave(marker.name)):
                ended = None if number else marker.time
                self._sections[at] = replace(self._sections[at], ended=ended, end=line)
        elif len(self._sections) < MAX_SECTIONS:
            self._sections.append(
                Section(
                    clean(marker.name),
                    line,
                    depth=self._open.depth,
                    started=marker.time,
                    collapsed=marker.collapsed,
                    has_header=has_header,
                )
            )
            self._open.enter(marker.name, len(self._sections) - 1)
