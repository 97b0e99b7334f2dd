"""Locate the sections of a log by line."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from operator import is_
from typing import TYPE_CHECKING, Final

from platui.present.logs.lines import FoldedLines

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from platui.models.values.log import ErrorMark, Section

_BEYOND: Final = 1 << 62  # Larger than any line number


class SectionMap:
    """Finds sections by line, by their index in the document; sections are only added, in order."""

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
