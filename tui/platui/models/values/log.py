"""A job's log as the ui sees it: lines of clean spans, asked for one by one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from platui.core.errors import PlatuiError


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
    started: int
    """Unix seconds."""
    ended: int | None = None
    """Unix seconds; None while it runs, and where its end is missing."""
    end: int | None = None
    collapsed: bool = False
    """Whether the log asks to show it folded."""

    @property
    def seconds(self) -> int | None:
        """Return how long it took; None while it is not known."""
        return None if self.ended is None else max(0, self.ended - self.started)


class ErrorMark(NamedTuple):
    """Lines that tell of one error; a traceback is one."""

    first: int
    """The line that shows it, from 0."""
    end: int
    """The line after its last."""
    rule: str
    """Name of the rule that knew it."""


class LogDocument(Protocol):
    """The lines of a log. `y` counts displayed lines from 0; cheap at any size.

    Lines only ever grow at the end, the last one may change, and a reset is a new document.
    What a text need not have (sections, errors, stamps) is absent unless a class says otherwise.
    """

    @property
    def line_count(self) -> int:
        """Return how many lines there are now."""
        ...

    @property
    def size(self) -> int:
        """Return how many bytes there are now."""
        ...

    @property
    def version(self) -> int:
        """Return a number that changes when any line did."""
        ...

    def spans(self, y: int) -> tuple[Span, ...]:
        """Return the spans of line `y`: no control character, no marker, no stamp."""
        ...

    def text(self, y: int) -> str:
        """Return the clean text of line `y`."""
        ...

    def is_section(self, y: int) -> bool:
        """Return whether line `y` is the header of a section."""
        ...

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
        """Return the errors so far, in the order of their first lines."""
        return ()

    @property
    def is_stamped(self) -> bool:
        """Return whether lines have a time of their own."""
        return False

    def stamp(self, y: int) -> float | None:
        """Return when line `y` was written, in Unix seconds; None where nobody knows."""
        del y
        return None


class NoLog(LogDocument):
    """A log of which nothing is known."""

    @property
    def line_count(self) -> int:
        """Return 0."""
        return 0

    @property
    def size(self) -> int:
        """Return 0."""
        return 0

    @property
    def version(self) -> int:
        """Return 0: it does not change."""
        return 0

    def spans(self, y: int) -> tuple[Span, ...]:
        """Refuse: there is no line."""
        raise IndexError(y)

    def text(self, y: int) -> str:
        """Refuse: there is no line."""
        raise IndexError(y)

    def is_section(self, y: int) -> bool:
        """Refuse: there is no line."""
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
    reset: bool = False
    """The platform's log shrank or changed: `document` is a new one."""
    is_tail: bool = False
    """Only the end is there yet: the next document is the whole log, and no reset."""
    shift: int = 0
    """Lines that the whole log has before the first of the tail that was shown before it."""
    last_growth: datetime | None = None
    """When bytes came last (UTC)."""
    error: PlatuiError | None = None
    from_cache: bool = False
    is_current: bool = False
    """All that there was at the last look is there; not so while it is on its way."""
