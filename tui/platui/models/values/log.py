"""A job's log as the ui sees it: lines of clean spans, asked for one by one."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence
    from datetime import datetime

    from platui.core.errors import PlatuiError
    from platui.models.values.many_logs import Origin, StreamJobs


class SpanStyle(NamedTuple):
    """How a span was meant. Colours are names or `#rrggbb`; the theme makes them readable."""

    foreground: str = ""
    """Empty, one of black red green yellow blue magenta cyan white (with `bright-`), `#rrggbb`."""
    background: str = ""
    bold: bool = False
    dim: bool = False
    italic: bool = False
    underline: bool = False
    strike: bool = False
    reverse: bool = False
    role: str = ""
    """A meaning of our own that beats the colours: `section`, `muted`, `error`."""


PLAIN = SpanStyle()


class Span(NamedTuple):
    """A run of clean text in one style."""

    text: str
    style: SpanStyle = PLAIN


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a log that has a name.

    Lines are displayed ones, from 0; `end` is the line after the last.
    """

    name: str
    start: int
    depth: int
    started: int  # Unix seconds
    ended: int | None = None  # Unix seconds; None while it runs, and where its end is missing
    end: int | None = None
    collapsed: bool = False  # Whether the log asks to show it folded
    has_header: bool = True
    """Whether its first line is shown as its header; one in a tangle of markers is not."""

    @property
    def seconds(self) -> int | None:
        return None if self.ended is None else max(0, self.ended - self.started)


class ErrorMark(NamedTuple):
    """Lines that tell of one error; a traceback is one."""

    first: int  # The line that shows it, from 0
    end: int  # The line after its last
    rule: str  # Name of the rule that knew it
    rank: int = 0
    """How near to the cause, 0 to 100: a job that failed is only what follows from an error."""
    message_offset: int = (
        0  # How many lines after the first the one comes that says it: a traceback's last
    )

    @property
    def message_line(self) -> int:
        """Return the line that says it."""
        return self.first + self.message_offset


def error_at(marks: Sequence[ErrorMark], line: int) -> int | None:
    """Return which error a line is a part of; they stand in the order of their first lines."""
    at = bisect_left(marks, (line + 1,)) - 1
    return at if at >= 0 and line < marks[at].end else None


class ErrorExcerpt(NamedTuple):
    """An error with its words."""

    mark: ErrorMark
    first: int  # The number of the first of `lines`, from 0
    lines: tuple[str, ...]  # Its lines, and those around it that were asked for; clean
    message: str  # The line of it that says what is wrong


class LogFailure(NamedTuple):
    """Where a failed job went wrong, as far as its log tells."""

    error: ErrorMark | None
    """The first of the errors that are nearest to the cause; None where no line tells one."""
    sections: tuple[int, ...]
    """What was going on then, by place in the list of sections, the outermost first."""


class ErrorBlock(Protocol):
    """One error while its lines are being read; the first of them is known already."""

    @property
    def rule(self) -> str: ...

    @property
    def rank(self) -> int: ...

    @property
    def length(self) -> int:
        """Return how many lines surely belong to it."""

    @property
    def message_offset(self) -> int:
        """Return how many lines after the first the one comes that says it."""

    def take(self, line: str) -> bool:
        """Take the next line of clean text; return whether the error may go on after it.

        A line that is refused does not belong to it, and may begin another one. A line that
        is taken but does not count in `length` yet never begins one.
        """


class ErrorRules(Protocol):
    """What knows errors by their text."""

    @property
    def hints(self) -> Sequence[str]:
        """Return words of which one is in every line that begins an error.

        Only their letters a to z count, and the letters of a line, whatever their case and
        whatever stands between them: `no such` is in `No_such`. Three letters at least.
        """

    def begin(self, line: str) -> ErrorBlock | None: ...

    @property
    def disabled_rules(self) -> Sequence[str]: ...


class LogDocument(Protocol):
    """The lines of a log. `y` counts displayed lines from 0; cheap at any size.

    Lines only ever grow at the end, the last one may change, and a reset is a new document.
    What a text need not have (sections, errors, stamps) is absent unless a class says otherwise.
    """

    @property
    def line_count(self) -> int:
        """Return how many lines there are now."""

    @property
    def size(self) -> int:
        """Return how many bytes there are now."""

    @property
    def version(self) -> int:
        """Return a number that changes when any line did."""

    def spans(self, y: int) -> tuple[Span, ...]:
        """Return the spans of line `y`: no control character, no marker, no stamp."""

    def text(self, y: int) -> str:
        """Return the clean text of line `y`."""

    def piece(self, y: int, number: int) -> tuple[Span, ...] | None:
        """Return a piece of line `y`, counted from 0: all of it, unless `spans` cuts it short.

        None behind the last piece. A piece may be empty, and others come all the same.
        """
        return None if number else self.spans(y)

    def whole(self, y: int) -> Iterator[tuple[Span, ...]]:
        """Yield the spans of line `y` piece by piece, also where `spans` cuts it short."""
        yield self.spans(y)

    def is_section(self, y: int) -> bool:
        """Return whether line `y` is the header of a section."""

    def read(self, start: int, end: int) -> bytes:
        """Return the bytes as they came, from `start` up to `end`; fewer where there are no more.

        A text that was not made of bytes has none to give.
        """
        del start, end
        return b""

    @property
    def sections(self) -> Sequence[Section]:
        """Return the sections so far, in the order of their beginnings."""
        return ()

    @property
    def errors(self) -> Sequence[ErrorMark]:
        """Return the errors so far, in the order of their first lines; of very many not all."""
        return ()

    @property
    def error_count(self) -> int:
        """Return how many errors there are, listed or not."""
        return len(self.errors)

    @property
    def has_all_errors(self) -> bool:
        """Return whether these are all so far; if not, the newest are among them all the same."""
        return True

    def find_errors(self) -> None:
        """Find the others; in a thread, because it may take seconds."""
        return

    @property
    def disabled_rules(self) -> Sequence[str]:
        """Return the names of error patterns that took too long, and are not tried any more."""
        return ()

    @property
    def has_timestamps(self) -> bool:
        """Return whether lines have a time of their own."""
        return False

    def origin(self, y: int) -> Origin | None:
        """Return where line `y` of many logs came from; None in a log of one job."""
        del y
        return None

    def stamp(self, y: int) -> float | None:
        """Return when line `y` was written, in Unix seconds; None where nobody knows."""
        del y
        return None


class EmptyLog(LogDocument):
    """A log of which nothing is known."""

    @property
    def line_count(self) -> int:
        return 0

    @property
    def size(self) -> int:
        return 0

    @property
    def version(self) -> int:
        return 0

    def spans(self, y: int) -> tuple[Span, ...]:
        raise IndexError(y)

    def text(self, y: int) -> str:
        raise IndexError(y)

    def is_section(self, y: int) -> bool:
        raise IndexError(y)


class LogState(StrEnum):
    """Whether more is to be expected."""

    OPENING = "opening"
    FOLLOWING = "following"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class LogUpdate:
    """One step of following a log."""

    document: LogDocument
    state: LogState
    job_status: str
    reset: bool = False  # The platform's log shrank or changed: `document` is a new one
    is_tail: bool = False
    """Only the end is there yet: the next document is the whole log, and no reset."""
    shift: int = 0
    """Lines that the whole log has before the first of the tail that was shown before it."""
    progress: float = 1.0  # Which part of the log is there, 0 to 1, while only its end is shown
    last_growth: datetime | None = None  # When bytes came last (UTC)
    next_poll: datetime | None = None
    """When it is looked at again (UTC); None where that is so often that nobody need know."""
    error: PlatuiError | None = None
    unread: int = 0  # Bytes that a file has more than `document` holds: nobody follows it
    is_current: bool = False
    """All that there was at the last look is there; not so while it is on its way."""
    stream: StreamJobs | None = None
    """Of the logs of many jobs: those jobs. `job_status` is that of the pipeline then."""


class LogFeed(Protocol):
    """A log, followed to its end. Iterating starts it, leaving stops it."""

    def __aiter__(self) -> AsyncIterator[LogUpdate]:
        """Yield what is known at once, then every growth, then the end."""

    def refresh(self) -> None:
        """Ask for newer bytes now, because the user wants them."""

    def hold(self, held: bool) -> None:  # noqa: FBT001  (a switch)
        """Stop (or resume) polling; `refresh` still works."""
