"""Text search: queries and results."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from platui.core.dataclass import dataclass
from platui.core.named_tuple import NamedTuple

if TYPE_CHECKING:
    from platui.core.errors import PlatuiError
    from platui.models.wire import Job


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """A text or expression; lower-case text ignores case, upper-case text does not."""

    text: str
    is_regex: bool = False


class TextPattern(Protocol):
    query: SearchQuery

    def ranges(self, line: str) -> Sequence[tuple[int, int]]:
        """Return the matches in a line of clean text, as character ranges."""


@dataclass(frozen=True, slots=True)
class SearchState:
    """The progress of a search."""

    pattern: TextPattern
    lines: Sequence[int]  # Matching lines, ascending; grows in place
    progress: float  # Searched part, 0 to 1
    first: int | None = None  # A match found ahead of the rest, near the next one in reading order
    known: tuple[tuple[int, int], ...] = ()  # Searched line ranges, ascending
    is_full: bool = False  # Whether the search stopped at the maximum number of lines

    @property
    def is_whole(self) -> bool:
        return self.progress >= 1.0


class ReadState(StrEnum):
    WAITING = "waiting"
    READING = "reading"
    DONE = "done"
    MISSING = "missing"  # Not available; the search continues without it


class HitLine(NamedTuple):
    number: int  # In its log, from 0
    text: str  # Clean
    ranges: tuple[tuple[int, int], ...]  # Character ranges


@dataclass(frozen=True, slots=True)
class JobHits:
    """The matches in one job's log."""

    job: Job
    state: ReadState = ReadState.WAITING
    hits: tuple[HitLine, ...] = ()  # The first ones
    total: int = 0  # All matching lines
    next_line: int | None = None  # The first match beyond `hits`
    error: PlatuiError | None = None  # Why the log is not available
    fetched_at: datetime | None = None  # When the log of a running job was fetched (UTC)


@dataclass(frozen=True, slots=True)
class PipelineHits:
    """One update of a search through all logs of a pipeline."""

    logs: tuple[JobHits, ...] = ()
    """Jobs with a log: failed ones first, then running ones, then by stage."""
    listed: bool = False  # Whether the jobs are loaded
    earlier: int = 0  # Earlier attempts of retried jobs, not searched
    stopped: bool = False  # Stopped by the user; results stay
    waits: bool = False  # Waits for quota
    fetched_at: datetime | None = None  # When the jobs were loaded (UTC)
    error: PlatuiError | None = None  # Why the search failed or waits
    active: int = 0  # Jobs that ran or waited when they were loaded

    @property
    def done(self) -> int:
        return sum(log.state in {ReadState.DONE, ReadState.MISSING} for log in self.logs)

    @property
    def total(self) -> int:
        return sum(log.total for log in self.logs)

    @property
    def is_whole(self) -> bool:
        return self.listed and self.done == len(self.logs)
