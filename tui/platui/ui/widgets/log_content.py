"""Which lines of a log are shown, by folds or by a filter."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from platui.core.named_tuple import NamedTuple
from platui.models.values.log import EmptyLog, ErrorMark, LogDocument
from platui.present.logs.lines import ChosenLines, FoldedLines, OtherLines, SectionMap, ShownLines

if TYPE_CHECKING:
    from platui.models.values.search import TextPattern

_NOTICES: Final = 200  # Most lines at the top that have no time


class FilterResult(NamedTuple):
    lines: Sequence[int]
    context: int = 0  # Lines shown around each
    inverse: bool = False  # Whether all other lines are shown
    until: int | None = None  # The end of those

    def extends(self, other: FilterResult | None) -> bool:
        """Return whether it is the same result, possibly with more lines."""
        return (
            other is not None
            and self.lines is other.lines
            and (self.context, self.inverse) == (other.context, other.inverse)
        )


class LogContent:
    """The shown lines of one document; line numbers are the document's, from 0."""

    def __init__(self) -> None:
        self.document: LogDocument = EmptyLog()
        self.sections = SectionMap()
        self.errors: Sequence[ErrorMark] = ()
        self.folded: set[int] = set()
        self._folds_finished = False  # Whether finished sections start folded
        self._stays_open = False  # Whether new sections stay open, since they are read live
        self.lines = 0  # Lines of the document at the last update
        self.shown: ShownLines = FoldedLines(0)
        self.filter_result: FilterResult | None = None
        self.pattern: TextPattern | None = None  # The search
        self.hits: Sequence[int] = ()  # Lines that match the search so far

    def show(self, document: LogDocument) -> None:
        """Replace the document, without folds or filter."""
        self.document = document
        self.sections, self.folded = SectionMap(), set()
        self.filter_result = None
        self.hits = ()
        self.lines = 0
        self.shown = FoldedLines(0)

    def grow(self) -> bool:
        """Add new lines; return whether all of them were added."""
        document = self.document
        self.lines, self.errors = document.line_count, document.errors
        known, folded = len(self.sections), len(self.folded)
        changed = self.sections.take(document.sections)
        folds = [at for at in range(known, len(self.sections)) if self._starts_folded(at)]
        self.folded.intersection_update(range(len(self.sections)))
        rebuild = len(self.folded) < folded or not self.folded.isdisjoint(changed)
        self.folded.update(folds)
        if self.filter_result is None:
            if rebuild:
                self.shown = self.sections.folded(self.folded, self.lines)
            elif isinstance(self.shown, FoldedLines):
                for at in folds:
                    self.sections.hide(self.shown, at)
        return self.shown.grow(self.lines)

    def set_folding(self, *, finished: bool, stays_open: bool) -> None:
        """Set which new sections start folded: `finished` ones; none with `stays_open`."""
        self._folds_finished, self._stays_open = finished, stays_open

    def _starts_folded(self, section: int) -> bool:
        if self._stays_open or not self.sections[section].has_header:
            return False
        if self.sections[section].collapsed:
            # Not a section that a running job is writing.
            return self.sections[section].end is not None or not self._folds_finished
        return self._folds_finished and self.sections.ended_well(section, self.errors)

    def apply_filter(self, filter_result: FilterResult | None) -> None:
        goes_on = filter_result is not None and filter_result.extends(self.filter_result)
        self.filter_result = filter_result
        if not goes_on:
            self._lay_out()
        elif filter_result is not None and isinstance(self.shown, OtherLines):
            self.shown.until = filter_result.until

    def fold(self, sections: Iterable[int]) -> None:
        known = set(sections).intersection(range(len(self.sections)))
        # Without a header nothing would show that lines are hidden.
        self.folded = {at for at in known if self.sections[at].has_header}
        if self.filter_result is None:
            self._lay_out()

    def foldable_at(self, line: int) -> int | None:
        """Return the innermost section of a line that has a header."""
        at = self.sections.at(line)
        around = () if at is None else self.sections.around(at)
        return next((one for one in around if self.sections[one].has_header), None)

    def unfold(self, line: int) -> bool:
        """Open the sections that hide a line; return whether there was one."""
        if self.filter_result is not None or self.shown.shows(line):
            return False
        at = self.sections.at(line)
        around = () if at is None else self.sections.around(at)
        self.fold(self.folded.difference(at for at in around if self.sections[at].start < line))
        return True

    @property
    def is_empty(self) -> bool:
        return self.shown.count == 0

    def next_shown_line(self, line: int, *, back: bool) -> int | None:
        """Return the next shown line after a line, or with `back` the previous one."""
        shown = self.shown
        place = shown.place(line) - back
        place += not back and shown.shows(line)
        return shown.line(place) if 0 <= place < shown.count else None

    def _lay_out(self) -> None:
        filter_result, lines = self.filter_result, self.lines
        if filter_result is None:
            self.shown = self.sections.folded(self.folded, lines)
        elif filter_result.inverse:
            self.shown = OtherLines(filter_result.lines, filter_result.until, lines)
        else:
            self.shown = ChosenLines(filter_result.lines, filter_result.context, lines)

    def started_before(self, line: int) -> float | None:
        """Return the start time of the section of a line, or of the log without a section."""
        at = self.sections.at(line)
        if at is None:  # merged logs begin with notices, which have no time
            stamps = map(self.document.stamp, range(min(self.lines, _NOTICES)))
            return next((stamp for stamp in stamps if stamp is not None), None)
        section = self.sections[at]
        began = self.document.stamp(section.start)
        return section.started if began is None else began

    def is_folded(self, at: int) -> bool:
        return not self.folded.isdisjoint(self.heads(at))

    def heads(self, at: int) -> list[int]:
        start = self.sections[at].start
        return [one for one in self.sections.around(at) if self.sections[one].start == start]

    def hidden_below(self, line: int) -> int:
        """Return how many lines are hidden between a shown line and the next one."""
        place = self.shown.place(line) + 1
        after = self.shown.line(place) if place < self.shown.count else self.lines
        return max(0, after - line - 1)

    @property
    def has_breaks(self) -> bool:
        """Return whether rows replace lines that the filter hides."""
        filter_result = self.filter_result
        return filter_result is not None and filter_result.context > 0 and not filter_result.inverse

    def is_context(self, line: int) -> bool:
        """Return whether a shown line is only context of a match."""
        filter_result = self.filter_result
        if filter_result is None or not self.has_breaks:
            return False
        at = bisect_left(filter_result.lines, line)
        return at == len(filter_result.lines) or filter_result.lines[at] != line

    def omitted_below(self, line: int) -> int:
        """Return how many lines the filter hides below the last line of a group."""
        if not self.has_breaks:
            return 0
        place = self.shown.place(line) + 1
        return self.shown.line(place) - line - 1 if place < self.shown.count else 0

    def place_near(self, line: int) -> int:
        place = self.shown.place(line)
        if self.shown.shows(line):
            return place
        # In a fold it is the header, in a filter the next line.
        return max(0, place - 1 if self.filter_result is None else min(place, self.shown.count - 1))
