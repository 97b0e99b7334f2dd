"""A job's log as the ui sees it: lines of clean spans, asked for one by one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
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


class LogDocument(Protocol):
    """The lines of a log. `y` counts displayed lines from 0; cheap at any size.

    Lines only ever grow at the end, the last one may change, and a reset is a new document.
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
    last_growth: datetime | None = None
    """When bytes came last (UTC)."""
    error: PlatuiError | None = None
    from_cache: bool = False
