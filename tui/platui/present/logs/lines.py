"""Map visible lines to lines of a text, and find sections; a *place* is a visible line."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import accumulate, chain, repeat
from operator import is_, sub
from typing import TYPE_CHECKING, Final, Protocol, overload

if TYPE_CHECKING:
    from platui.models.values.log import ErrorMark, Section

_BEYOND: Final = 1 << 62  # Larger than any line number
AT_ONCE: Final = 20_000  # Chosen lines processed per call: a few milliseconds


class ShownLines(Protocol):
    @property
    def count(self) -> int:
        """Return the number of visible lines."""

    def line(self, place: int) -> int:
        """Return the line at an index from 0 to `count` - 1."""

    def place(self, line: int) -> int:
        """Return the number of visible lines before a line."""

    def shows(self, line: int) -> bool:
        place = self.place(line)
        return place < self.count and self.line(place) == line

    def grow(self, lines: int) -> bool:
        """Set the number of lines; return whether all are processed."""


class FoldedLines(ShownLines):
    """All lines except hidden ranges."""

    def __init__(self, lines: int, runs: Iterable[tuple[int, int]] = ()) -> None:
        """`runs` are the ranges to hide, in order."""
        self._lines = lines
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._before: list[int] = []  # visible lines before each range
        place = reach = 0
        for start, end in runs:
            if reach < start < end:
                place += start - reach
                self._starts.append(start)
                self._ends.append(end)
                self._before.append(place)
                reach = end
            elif end > max(start, reach):
                self.hide(start, end)
                reach = end

    def hide(self, start: int, end: int) -> None:
        """Hide lines before `end`, which may be beyond the last line; ranges come in order."""
        if self._ends:
            start = max(start, self._ends[-1])
        if start >= end:
            return
        if self._ends and start == self._ends[-1]:
            self._ends[-1] = end
            return
        after = self._before[-1] - self._ends[-1] if self._ends else 0
        self._before.append(start + after)
        self._starts.append(start)
        self._ends.append(end)

    @property
    def count(self) -> int:
        return self.place(self._lines)

    def line(self, place: int) -> int:
        run = bisect_right(self._before, place) - 1
        return place if run < 0 else place - self._before[run] + self._ends[run]

    def place(self, line: int) -> int:
        run = bisect_left(self._starts, line) - 1
        return line if run < 0 else self._before[run] + max(0, line - self._ends[run])

    def grow(self, lines: int) -> bool:
        self._lines = lines
        return True


class ChosenLines(ShownLines):
    def __init__(self, chosen: Sequence[int], context: int, lines: int) -> None:
        """`chosen` is ascending, and may grow at its end between calls."""
        self._chosen = chosen
        self._context = context
        self._lines = lines
        self._taken = 0
        # For each chosen line, the visible lines up to the end of its context; empty without
        # context.
        self._ends = array("q")
        self.grow(lines)

    @property
    def count(self) -> int:
        if not self._taken:
            return 0
        beyond = self._chosen[self._taken - 1] + self._context + 1 - self._lines
        return self._end(self._taken - 1) - max(0, beyond)

    def line(self, place: int) -> int:
        if not self._context:
            return self._chosen[place]
        at = bisect_right(self._ends, place)
        return self._start(at) + place - self._end(at - 1)

    def place(self, line: int) -> int:
        at = bisect_left(self._chosen, line - self._context, hi=self._taken)
        if at == self._taken:
            return self.count
        return self._end(at - 1) + max(0, line - self._start(at))

    def grow(self, lines: int) -> bool:
        self._lines = lines
        start, known = self._taken, bisect_left(self._chosen, lines)
        if not self._context:
            self._taken = max(start, known)
            return True
        stop = min(known, start + AT_ONCE)
        if stop > start:
            new = self._chosen[start:stop]
            before = self._chosen[start - 1] if start else -self._context - 1
            widths = map(min, repeat(2 * self._context + 1), map(sub, new, chain((before,), new)))
            sums = accumulate(widths, initial=self._end(start - 1))
            next(sums)
            self._ends.extend(sums)
            self._taken = stop
        return stop >= known

    def _end(self, at: int) -> int:
        if at < 0:
            return 0
        return self._ends[at] if self._context else at + 1

    def _start(self, at: int) -> int:
        chosen, context = self._chosen[at], self._context
        return max(chosen - context, self._chosen[at - 1] + context + 1 if at else 0)


class OtherLines(ShownLines):
    def __init__(self, named: Sequence[int], until: int | None, lines: int) -> None:
        """`named` is ascending and may grow; lines from `until` on are undecided, and hidden."""
        self._named = named
        self.until = until
        self._taken = 0
        self._lines = 0
        self.grow(lines)

    @property
    def count(self) -> int:
        return self._lines - self._taken

    def line(self, place: int) -> int:
        named = self._named
        return place + bisect_right(range(self._taken), place, key=lambda at: named[at] - at)

    def place(self, line: int) -> int:
        line = min(line, self._lines)
        return line - bisect_left(self._named, line, hi=self._taken)

    def grow(self, lines: int) -> bool:
        self._lines = lines if self.until is None else min(lines, self.until)
        self._taken = bisect_left(self._named, self._lines)
        return True


class LinesAt(Sequence[int]):
    def __init__(self, shown: ShownLines, places: range) -> None:
        self._shown = shown
        self._places = places

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, at: int) -> int: ...
    @overload
    def __getitem__(self, at: slice) -> LinesAt: ...
    def __getitem__(self, at: int | slice) -> int | LinesAt:
        if isinstance(at, slice):
            return LinesAt(self._shown, self._places[at])
        return self._shown.line(self._places[at])


class SectionMap:
    """Finds sections by line, by their index in the document.

    Sections are added in order; the last one is gone if the last line of a log that ended goes on.
    """

    def __init__(self) -> None:
        self._sections: Sequence[Section] = ()
        self._starts: list[int] = []
        self._parents: list[int] = []
        self._latest: list[int] = []  # the last begun section by depth

    def __len__(self) -> int:
        return len(self._starts)

    def __getitem__(self, at: int) -> Section:
        return self._sections[at]

    def take(self, sections: Sequence[Section]) -> Sequence[int]:
        """Update the sections; return the known ones that have ended since."""
        known = len(self._starts)
        if len(sections) < known or (known and sections[known - 1].start != self._starts[-1]):
            self._sections, self._starts, self._parents, self._latest, known = (), [], [], [], 0
        changed: Sequence[int] = ()
        if not all(map(is_, self._sections, sections)):
            pairs = zip(self._sections, sections, strict=False)
            changed = [at for at, (before, now) in enumerate(pairs) if before is not now]
        self._sections = sections
        for at in range(known, len(sections)):
            depth = sections[at].depth
            self._parents.append(self._latest[depth - 1] if 0 < depth <= len(self._latest) else -1)
            self._starts.append(sections[at].start)
            self._latest[depth:] = [at]
        return changed

    def at(self, line: int) -> int | None:
        """Return the innermost section of a line, headers included."""
        at = bisect_right(self._starts, line) - 1
        while at >= 0 and self.end(at, _BEYOND) <= line:
            at = self._parents[at]
        return at if at >= 0 else None

    def around(self, at: int) -> Iterator[int]:
        while at >= 0:
            yield at
            at = self._parents[at]

    def header_at(self, line: int) -> int | None:
        at = self.at(line)
        if at is None or self._starts[at] != line or self._lacks_header(at):
            return None
        return at

    def header_before(self, line: int) -> int | None:
        at = bisect_left(self._starts, line) - 1
        while at >= 0 and self._lacks_header(at):
            at -= 1
        return self._starts[at] if at >= 0 else None

    def header_from(self, line: int) -> int | None:
        at = bisect_left(self._starts, line)
        while at < len(self) and self._lacks_header(at):
            at += 1
        return self._starts[at] if at < len(self) else None

    def end(self, at: int, lines: int) -> int:
        end = self._sections[at].end
        return lines if end is None else end

    def folded(self, sections: Collection[int], lines: int) -> FoldedLines:
        known = self._sections
        return FoldedLines(lines, (_below(known[at]) for at in sorted(sections)))

    def hide(self, shown: FoldedLines, at: int) -> None:
        shown.hide(*_below(self._sections[at]))

    def ended_well(self, at: int, errors: Sequence[ErrorMark]) -> bool:
        section = self._sections[at]
        if section.ended is None or section.end is None:
            return False
        first = bisect_left(errors, (section.start,))
        return first == len(errors) or errors[first].first >= section.end

    def _lacks_header(self, at: int) -> bool:
        section = self._sections[at]
        is_empty = section.end is not None and section.end <= section.start
        return is_empty or not section.has_header


def _below(section: Section) -> tuple[int, int]:
    # An open section hides lines to come as well.
    return section.start + 1, _BEYOND if section.end is None else section.end
