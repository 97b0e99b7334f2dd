"""Choose the lines of a growing log to print, and when."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Final

from platui.cli.suggestions import listed
from platui.core.errors import CommandError
from platui.core.text import shorten

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from platui.models.values.log import LogDocument

CONTEXT: Final = 2

_NAMED: Final = 20
"""Sections that an error lists, about."""


class Lines:
    """A choice of lines, each handed out once, in order: here every line."""

    def __init__(self) -> None:
        self._next = 0

    def ready(self, document: LogDocument, stop: int, *, ended: bool) -> Iterator[range]:
        """Yield the lines to print now, of those before `stop`, which cannot change any more."""
        del document, ended
        if stop > self._next:
            lines = range(self._next, stop)
            self._next = stop
            yield lines

    def begin(self) -> None:
        """Begin at the first line: the log was written anew."""
        self._next = 0

    def missing(self, document: LogDocument) -> CommandError | None:
        """Return why, at the end, none of the lines that were asked for are there."""
        del document
        return None


class SectionLines(Lines):
    """The lines of every section of one name."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        self._seen = False

    def ready(self, document: LogDocument, stop: int, *, ended: bool) -> Iterator[range]:
        """Yield what came since of sections of that name; one in another is not told twice."""
        del ended
        for section in document.sections:
            if section.name != self._name or section.start >= stop:
                continue
            self._seen = True
            start = max(section.start, self._next)
            end = stop if section.end is None else min(section.end, stop)
            if end > start:
                self._next = end
                yield range(start, end)
        self._next = max(self._next, stop)

    def begin(self) -> None:
        self._next, self._seen = 0, False

    def missing(self, document: LogDocument) -> CommandError | None:
        if self._seen:
            return None
        names = list(dict.fromkeys(one.name for one in document.sections))
        return CommandError(
            f"There is no section {shorten(self._name, 60)} in this log.",
            hint=f"Its sections: {listed(names, _NAMED)}." if names else "It has none.",
        )


class ErrorLines(Lines):
    """The lines that tell of errors, with some around them. Told once what is around is there."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0
        self._after = 0
        self._told: Container[int] = ()

    def ready(self, document: LogDocument, stop: int, *, ended: bool) -> Iterator[range]:
        """Yield blocks; two that touch are yielded one after the other without a gap."""
        marks = document.errors
        # By its line: of very many errors some are not listed any more, which moves the others.
        for at in range(bisect_left(marks, self._after, key=lambda mark: mark.first), len(marks)):
            mark = marks[at]
            if not ended and mark.end + CONTEXT > stop:
                return
            self.count += 1
            self._after = mark.first + 1
            start = max(self._next, mark.first - CONTEXT)
            following = marks[at + 1].first if at + 1 < len(marks) else stop
            end = min(mark.end + CONTEXT, stop, max(following, mark.end))
            self._told = range(mark.first, mark.end)
            if end > start:
                self._next = end
                yield range(start, end)

    def is_error(self, y: int) -> bool:
        """Return whether a line of the block yielded last tells of the error itself."""
        return y in self._told

    def begin(self) -> None:
        self.count = self._next = self._after = 0
