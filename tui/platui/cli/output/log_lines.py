"""Select the lines of a growing log to print."""

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

_NAMED: Final = 20  # Sections in an error message


class Lines:
    """Yields all lines once, in order; subclasses select some."""

    def __init__(self) -> None:
        self._next = 0

    def ready(self, document: LogDocument, stop: int, *, ended: bool) -> Iterator[range]:
        """Yield new lines before `stop`; they cannot change any more."""
        del document, ended
        if stop > self._next:
            lines = range(self._next, stop)
            self._next = stop
            yield lines

    def begin(self) -> None:
        """Restart at the first line: the log was rewritten."""
        self._next = 0

    def missing(self, document: LogDocument) -> CommandError | None:
        """Return an error if the requested lines do not exist."""
        del document
        return None


class SectionLines(Lines):
    """Yields the lines of all sections of a name."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        self._seen = False

    def ready(self, document: LogDocument, stop: int, *, ended: bool) -> Iterator[range]:
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
            f"Section {shorten(self._name, 60)} not found in this log.",
            hint=f"Sections: {listed(names, _NAMED)}." if names else "The log has no sections.",
        )


class ErrorLines(Lines):
    """Yields error lines with context, once the context is complete."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0
        self._after = 0
        self._error_lines: Container[int] = ()

    def ready(self, document: LogDocument, stop: int, *, ended: bool) -> Iterator[range]:
        marks = document.errors
        # By line, because the list drops old errors if there are too many.
        for at in range(bisect_left(marks, self._after, key=lambda mark: mark.first), len(marks)):
            mark = marks[at]
            if not ended and mark.end + CONTEXT > stop:
                return
            self.count += 1
            self._after = mark.first + 1
            start = max(self._next, mark.first - CONTEXT)
            following = marks[at + 1].first if at + 1 < len(marks) else stop
            end = min(mark.end + CONTEXT, stop, max(following, mark.end))
            self._error_lines = range(mark.first, mark.end)
            if end > start:
                self._next = end
                yield range(start, end)

    def is_error(self, y: int) -> bool:
        """Return whether a line of the last block belongs to the error itself."""
        return y in self._error_lines

    def begin(self) -> None:
        self.count = self._next = self._after = 0
