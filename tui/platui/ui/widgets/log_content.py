"""The lines of a log that are shown: all but those in folds, or those that a filter leaves."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from platui.models.values.log import EmptyLog
from platui.present.logs.lines import ChosenLines, FoldedLines, OtherLines, ShownLines
from platui.present.logs.sections import SectionMap

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from platui.models.values.log import ErrorMark, LogDocument
    from platui.models.values.search import TextPattern


class Choice(NamedTuple):
    """Which lines a filter leaves."""

    lines: Sequence[int]
    context: int
    inverse: bool
    until: int | None

    def extends(self, other: Choice | None) -> bool:
        """Return whether it is the same one, of which more may be known by now."""
        return (
            other is not None
            and self.lines is other.lines
            and (self.context, self.inverse) == (other.context, other.inverse)
        )


class LogContent:
    """What is shown of one document; every line number is the document's, from 0."""

    def __init__(self) -> None:
        self.document: LogDocument = EmptyLog()
        self.sections = SectionMap()
        self.errors: Sequence[ErrorMark] = ()
        self.folded: set[int] = set()
        self._folds_finished = False  # Whether what has ended when it is first seen starts folded
        self._stays_open = False
        """Whether what comes now is read as it comes: nothing that one reads goes away."""
        self.lines = 0  # Lines of the document, when it was last asked
        self.shown: ShownLines = FoldedLines(0)
        self.choice: Choice | None = None
        self.pattern: TextPattern | None = None  # What is searched for
        self.hits: Sequence[int] = ()  # The lines in which it was found so far

    # The document

    def show(self, document: LogDocument) -> None:
        """Take another document, with nothing folded by hand."""
        self.document = document
        self.sections, self.folded = SectionMap(), set()
        self.choice = None
        self.hits = ()
        self.lines = 0
        self.shown = FoldedLines(0)

    def grow(self) -> bool:
        """Take in what came; return whether that was all there is to take in."""
        document = self.document
        self.lines, self.errors = document.line_count, document.errors
        known = len(self.sections)
        changed = self.sections.take(document.sections)
        folds = [at for at in range(known, len(self.sections)) if self._starts_folded(at)]
        rebuild = not self.folded.isdisjoint(changed)
        self.folded.update(folds)
        if self.choice is None:
            if rebuild:
                self.shown = self.sections.folded(self.folded, self.lines)
            elif isinstance(self.shown, FoldedLines):
                for at in folds:
                    self.sections.hide(self.shown, at)
        return self.shown.grow(self.lines)

    def set_folding(self, *, finished: bool, stays_open: bool) -> None:
        """Decide which sections start folded: those that have ended; none that comes now."""
        self._folds_finished, self._stays_open = finished, stays_open

    def _starts_folded(self, section: int) -> bool:
        if self._stays_open:
            return False
        if self.sections[section].collapsed:
            # But not the one that a running job is writing.
            return self.sections[section].end is not None or not self._folds_finished
        return self._folds_finished and self.sections.ended_well(section, self.errors)

    # Which lines are shown

    def choose(self, choice: Choice | None) -> None:
        goes_on = choice is not None and choice.extends(self.choice)
        self.choice = choice
        if not goes_on:
            self._lay_out()
        elif choice is not None and isinstance(self.shown, OtherLines):
            self.shown.until = choice.until

    def fold(self, sections: Iterable[int]) -> None:
        self.folded = set(sections).intersection(range(len(self.sections)))
        if self.choice is None:
            self._lay_out()

    def unfold(self, line: int) -> bool:
        """Open every section that hides a line; return whether there was one."""
        if self.choice is not None or self.shown.shows(line):
            return False
        at = self.sections.at(line)
        around = () if at is None else self.sections.around(at)
        self.fold(self.folded.difference(at for at in around if self.sections[at].start < line))
        return True

    @property
    def is_empty(self) -> bool:
        return self.shown.count == 0

    def next_shown_line(self, line: int, *, back: bool) -> int | None:
        """Return the next line after one, or the last before it, that no filter or fold hides."""
        shown = self.shown
        place = shown.place(line) - back
        place += not back and shown.shows(line)
        return shown.line(place) if 0 <= place < shown.count else None

    def _lay_out(self) -> None:
        choice, lines = self.choice, self.lines
        if choice is None:
            self.shown = self.sections.folded(self.folded, lines)
        elif choice.inverse:
            self.shown = OtherLines(choice.lines, choice.until, lines)
        else:
            self.shown = ChosenLines(choice.lines, choice.context, lines)

    def is_folded(self, at: int) -> bool:
        """Return whether the section is folded, or one that begins on the same line."""
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
        """Return whether rows stand for lines that a filter leaves out."""
        choice = self.choice
        return choice is not None and choice.context > 0 and not choice.inverse

    def is_aside(self, line: int) -> bool:
        """Return whether a shown line is there only because a filter found one near it."""
        choice = self.choice
        if choice is None or not self.has_breaks:
            return False
        at = bisect_left(choice.lines, line)
        return at == len(choice.lines) or choice.lines[at] != line

    def left_out_below(self, line: int) -> int:
        """Return how many lines a filter leaves out below the last line of a group."""
        if not self.has_breaks:
            return 0
        place = self.shown.place(line) + 1
        return self.shown.line(place) - line - 1 if place < self.shown.count else 0

    def place_near(self, line: int) -> int:
        """Return the place of a line; of what stands for it where it is not shown."""
        place = self.shown.place(line)
        if self.shown.shows(line):
            return place
        # In a fold that is its header; under a filter what comes next.
        return max(0, place - 1 if self.choice is None else min(place, self.shown.count - 1))
