"""Sections of a log: the markers that a runner writes between its lines, and their table.

`section_start:<unix>:<name>[options] CR ESC [0K` begins one, `section_end:…` ends it.
Several can stand on one line; they nest, repeat, stay open and come without a beginning.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final, NamedTuple

from platui.core.text import clean
from platui.logs.ansi import without_escapes
from platui.models.values.log import Section

HINT: Final = b"section_"
"""What every marker begins with: a line without it needs no closer look."""

MAX_SECTIONS: Final = 10_000
"""Sections that are listed; markers beyond are still not shown. Real logs have tens."""

# The end of a line stands in for CR and ESC [0K: logs that were copied have lost them.
_MARKER: Final = re.compile(
    rb"section_(?P<kind>start|end):(?P<time>\d{1,18}):(?P<name>[a-zA-Z0-9_.-]{1,256})"
    rb"(?P<options>\[\w+=\w+(?:, ?\w+=\w+)*\])?"
    rb"(?:\r\x1b\[0?K|\r?(?=\n|\Z))",
)

_REST: Final = (
    rb"(?:s|st|sta|star|e|en|(?:start|end)(?::\d*(?::[a-zA-Z0-9_.-]*"
    rb"(?:\[[\w=, ]*\]?)?(?:\r(?:\x1b(?:\[0?)?)?)?)?)?)?\Z"
)
_PARTIAL: Final = re.compile(HINT + _REST)
_BEGUN: Final = re.compile(rb"(?:s|se|sec|sect|secti|sectio|section)\Z|" + HINT + _REST)


class Marker(NamedTuple):
    """One beginning or end."""

    starts: bool
    time: int
    name: str
    collapsed: bool = False


class MarkedLine(NamedTuple):
    """A logical line taken apart."""

    markers: tuple[Marker, ...]
    rest: bytes
    """The line without its markers."""
    header_of: str | None
    """Name of the section that the line is the header of: the last that stays open."""

    @property
    def is_hidden(self) -> bool:
        """Return whether there were markers only, and no section to be the header of."""
        return bool(self.markers) and self.header_of is None and not self.has_text

    @property
    def has_text(self) -> bool:
        """Return whether there is anything to see beside the markers."""
        return bool(self._visible())

    def _visible(self) -> str:
        return without_escapes(self.rest.decode("utf-8", "replace")).strip()


def without_partial(line: bytes) -> bytes:
    """Return the beginning of a line without the beginning of a marker at its end."""
    return _PARTIAL.sub(b"", line) if HINT in line else line


def may_vanish(line: bytes) -> bool:
    """Return whether a line that begins so may turn out to be markers only.

    A section that begins on it may end on it, too.
    """
    return not read_markers(_BEGUN.sub(b"", line)).has_text


def read_markers(line: bytes) -> MarkedLine:
    """Take the markers out of a logical line (which holds no stamps any more)."""
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
    return MarkedLine(markers, _MARKER.sub(b"", line), _left_open(markers))


def _left_open(markers: tuple[Marker, ...]) -> str | None:
    open_names: list[str] = []
    for marker in markers:
        if marker.starts:
            open_names.append(marker.name)
        elif marker.name in open_names:
            del open_names[_last(open_names, marker.name) :]
    return open_names[-1] if open_names else None


def _last(names: list[str], name: str) -> int:
    return len(names) - 1 - names[::-1].index(name)


class SectionTable:
    """The sections of a log in the order of their beginnings, as the markers come."""

    def __init__(self) -> None:
        self._sections: list[Section] = []
        self._open: list[int] = []

    def snapshot(self) -> tuple[Section, ...]:
        """Return the sections so far."""
        return tuple(self._sections)

    def take(self, marker: Marker, line: int) -> None:
        """Take the next marker; `line` is the displayed line that it stands on or before."""
        if not marker.starts:
            self._end(marker, line)
        elif len(self._sections) < MAX_SECTIONS:
            self._open.append(len(self._sections))
            self._sections.append(
                Section(
                    clean(marker.name),
                    line,
                    depth=len(self._open) - 1,
                    started=marker.time,
                    collapsed=marker.collapsed,
                )
            )

    def _end(self, marker: Marker, line: int) -> None:
        """End the innermost open section of that name, and those inside that never ended."""
        names = [self._sections[at].name for at in self._open]
        if marker.name not in names:
            return
        first = _last(names, marker.name)
        for at in self._open[first + 1 :]:
            self._sections[at] = replace(self._sections[at], end=line)
        at = self._open[first]
        self._sections[at] = replace(self._sections[at], ended=marker.time, end=line)
        del self._open[first:]
