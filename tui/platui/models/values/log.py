"""A job's log: lines of clean spans, read one by one."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import AsyncIterator, Iterator, Sequence
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from platui.core.dataclass import dataclass
from platui.core.named_tuple import NamedTuple

if TYPE_CHECKING:
    from platui.core.errors import PlatuiError
    from platui.models.values.many_logs import Origin, StreamJobs


class SpanStyle(NamedTuple):
    """Style of a span. Colours are names or `#rrggbb`; the theme makes them readable."""

    foreground: str = ""
    """Empty, one of black red green yellow blue magenta cyan white (with `bright-`), `#rrggbb`."""
    background: str = ""
    bold: bool = False
    dim: bool = False
    italic: bool = False
    underline: bool = False
    strike: bool = False
    reverse: bool = False
    role: str = ""  # A role that overrides the colours: `section`, `muted`, `error`


PLAIN = SpanStyle()


class Span(NamedTuple):
    text: str
    style: SpanStyle = PLAIN


@dataclass(frozen=True, slots=True)
class Section:
    """A named section of a log. Lines are displayed lines from 0; `end` is exclusive."""

    name: str
    start: int
    depth: int
    started: int  # Unix seconds
    ended: int | None = None  # Unix seconds; None while it runs or without an end marker
    end: int | None = None
    collapsed: bool = False  # Whether the log requests folding
    has_header: bool = True
    """Whether its first line is shown as a header; False for tangled markers."""

    @property
    def seconds(self) -> int | None:
        return None if self.ended is None else max(0, self.ended - self.started)


class ErrorMark(NamedTuple):
    """The lines of one error, such as a traceback."""

    first: int  # First line, from 0
    end: int  # Exclusive
    rule: str  # Name of the matching rule
    rank: int = 0
    """Closeness to the cause, 0 to 100: a message "job failed" only follows from an error."""
    message_offset: int = 0  # Lines from the first to the error message

    @property
    def message_line(self) -> int:
        return self.first + self.message_offset


def error_at(marks: Sequence[ErrorMark], line: int) -> int | None:
    """Return the index of the error that contains a line; marks are sorted by first line."""
    at = bisect_left(marks, (line + 1,)) - 1
    return at if at >= 0 and line < marks[at].end else None


class CauseSource(StrEnum):
    """What found the cause in a log."""

    RULE = "rule"  # An error rule
    NOVELTY = "novelty"  # A line that the last successful run did not have
    LAST_LINE = "last_line"  # The last line of the script
    VERDICT = "verdict"  # The runner's final line


class Confidence(StrEnum):
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class ErrorExcerpt(NamedTuple):
    mark: ErrorMark
    lines: tuple[str, ...]  # Lines of the error; clean
    message: str  # The error message
    source: CauseSource
    confidence: Confidence


class LogFailure(NamedTuple):
    error: ErrorMark | None  # None: no error line found
    sections: tuple[int, ...]  # Indexes of the sections open at the failure, outermost first
    source: CauseSource = CauseSource.VERDICT
    confidence: Confidence = Confidence.LOW


class ErrorBlock(Protocol):
    """An error being read line by line; its first line is known."""

    @property
    def rule(self) -> str: ...

    @property
    def rank(self) -> int: ...

    @property
    def length(self) -> int:
        """Return the number of lines that certainly belong to it."""

    @property
    def message_offset(self) -> int:
        """Return the number of lines from the first to the error message."""

    def take(self, line: str) -> bool:
        """Take the next line of clean text; return whether the error may continue after it."""


class ErrorRules(Protocol):
    """Rules that recognize errors by their text."""

    @property
    def hints(self) -> Sequence[str]:
        """Return words of three letters or more, of which each first line of an error has one."""

    def begin(self, line: str) -> ErrorBlock | None: ...

    def unmarked_cause(self, document: LogDocument) -> ErrorMark | None:
        """Return the line that failed a finished log, if no rule marked it."""

    @property
    def disabled_rules(self) -> Sequence[str]: ...


class LogDocument(Protocol):
    """The lines of a log; `y` counts displayed lines from 0. Fast at any size.

    Lines are only appended, the last one may change, and a reset creates a new document.
    """

    @property
    def line_count(self) -> int: ...

    @property
    def settled_count(self) -> int:
        """Return the number of lines that cannot change any more."""
        return self.line_count

    @property
    def size(self) -> int:
        """Return the size in bytes."""

    @property
    def version(self) -> int:
        """Return a number that changes with every change."""

    def spans(self, y: int) -> tuple[Span, ...]:
        """Return the spans of line `y`, without control characters, markers and timestamp."""

    def text(self, y: int) -> str: ...

    def beginning(self, y: int) -> str:
        """Return the first 500 characters of a line; fast also for a line of any length."""
        return self.text(y)[:500]

    def piece(self, y: int, number: int) -> tuple[Span, ...] | None:
        """Return piece `number` of a line that `spans` truncates, else the line; None: past it."""
        return None if number else self.spans(y)

    def whole(self, y: int) -> Iterator[tuple[Span, ...]]:
        """Yield all pieces of line `y`, also where `spans` truncates it."""
        yield self.spans(y)

    def is_section(self, y: int) -> bool:
        """Return whether line `y` is a section header."""

    def read(self, start: int, end: int) -> bytes:
        """Return the raw bytes from `start` to `end`, or fewer at the end of the log."""
        del start, end
        return b""

    @property
    def sections(self) -> Sequence[Section]:
        """Return the sections by start."""
        return ()

    @property
    def errors(self) -> Sequence[ErrorMark]:
        """Return the errors by first line; not all of very many."""
        return ()

    @property
    def error_count(self) -> int:
        """Return the number of errors, including unlisted ones."""
        return len(self.errors)

    @property
    def has_all_errors(self) -> bool:
        """Return whether all errors are listed; the newest always are."""
        return True

    def find_errors(self) -> None:
        """Find the unlisted errors; takes seconds, call it in a thread."""
        return

    @property
    def disabled_rules(self) -> Sequence[str]:
        """Return the names of error patterns that are disabled because they were too slow."""
        return ()

    @property
    def has_timestamps(self) -> bool:
        """Return whether lines have timestamps."""
        return False

    def origin(self, y: int) -> Origin | None:
        """Return the origin of line `y` in a merged log; None in a log of one job."""
        del y
        return None

    def stamp(self, y: int) -> float | None:
        """Return the timestamp of line `y` in Unix seconds, or None."""
        del y
        return None


class EmptyLog(LogDocument):
    line_count = 0
    size = 0
    version = 0

    def spans(self, y: int) -> tuple[Span, ...]:
        raise IndexError(y)

    def text(self, y: int) -> str:
        raise IndexError(y)

    def is_section(self, y: int) -> bool:
        raise IndexError(y)


class LogState(StrEnum):
    OPENING = "opening"
    FOLLOWING = "following"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class LogUpdate:
    """One update of a followed log."""

    document: LogDocument
    state: LogState
    job_status: str
    reset: bool = False  # The log shrank or changed; `document` is new
    is_tail: bool = False
    """Whether `document` is only the end of the log; the whole log follows without a reset."""
    shift: int = 0  # Lines before the first line of the tail shown before
    progress: float = 1.0  # Loaded part of the log, 0 to 1, while only its end is shown
    last_growth: datetime | None = None  # Time of the last new bytes (UTC)
    next_poll: datetime | None = None  # Time of the next poll (UTC); None: too soon to show
    fetched_at: datetime | None = None  # Time of the last response (UTC); None: unknown
    error: PlatuiError | None = None
    unread: int = 0  # Bytes of a file beyond `document`, which is not followed
    is_current: bool = False  # Whether everything from the last poll is loaded
    stream: StreamJobs | None = None
    """The jobs of a merged log; `job_status` is the pipeline's status then."""


class LogFeed(Protocol):
    """A followed log. Iterating starts it, leaving stops it."""

    def __aiter__(self) -> AsyncIterator[LogUpdate]:
        """Yield the cached state at once, then every growth, then the end."""

    def refresh(self) -> None:
        """Request new bytes now, on behalf of the user."""

    def hold(self, held: bool) -> None:  # noqa: FBT001  (a switch)
        """Pause (or resume) polling; `refresh` still works."""
