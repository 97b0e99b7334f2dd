"""Looking for a text in a text, as the ui sees it: what is looked for, and where it was found."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from platui.core.errors import PlatuiError
    from platui.models.wire import Job


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """What is looked for. Small letters find large ones too; a large one asks for itself."""

    text: str
    is_regex: bool = False


class TextPattern(Protocol):
    """A query made ready: it tells where in one line it is found.

    Attributes:
        query: what it was made of.
    """

    query: SearchQuery

    def ranges(self, line: str) -> Sequence[tuple[int, int]]:
        """Return where in a line of clean text it is found: first character, and one after."""


@dataclass(frozen=True, slots=True)
class SearchState:
    """How far a search has come."""

    pattern: TextPattern
    lines: Sequence[int]
    """Lines it is found in, ascending; grows in place of being copied."""
    progress: float
    """Part of the text that was looked through, 0 to 1."""
    first: int | None = None
    """A line with it that was found ahead of the rest: about the next one in reading order."""
    known: tuple[tuple[int, int], ...] = ()
    """Which parts were looked through, ascending: the first line of each, and one after."""
    is_full: bool = False
    """Whether it ended because `lines` are as many as are kept."""

    @property
    def is_whole(self) -> bool:
        """Return whether all there is was looked through."""
        return self.progress >= 1.0


class ReadState(StrEnum):
    """How far one log of a search has come."""

    WAITING = "waiting"
    READING = "reading"
    DONE = "done"
    MISSING = "missing"
    """It cannot be had; the search goes on without it."""


class HitLine(NamedTuple):
    """A line that was found."""

    number: int  # In its log, from 0
    text: str  # Clean
    ranges: tuple[tuple[int, int], ...]  # Where in it: first character, and one after


@dataclass(frozen=True, slots=True)
class JobHits:
    """What was found in one job's log."""

    job: Job
    state: ReadState = ReadState.WAITING
    hits: tuple[HitLine, ...] = ()  # The first ones
    total: int = 0  # How many lines have it in all
    next_line: int | None = None  # The first hit that is not among `hits`
    error: PlatuiError | None = None  # Why the log cannot be had
    fetched_at: datetime | None = None  # When the log of a job that ran was asked for (UTC)


@dataclass(frozen=True, slots=True)
class PipelineHits:
    """One step of a search through all logs of a pipeline."""

    logs: tuple[JobHits, ...] = ()
    """Every job that has a log: failed ones first, then running ones, then by stage."""
    listed: bool = False  # Whether it is known which jobs there are
    earlier: int = 0  # Earlier attempts of retried jobs; their logs are not looked through
    stopped: bool = False  # The user ended it; what was found stays
    waits: bool = False  # It waits until others have left it something of the quota
    fetched_at: datetime | None = None  # When the platform said which jobs there are (UTC)
    error: PlatuiError | None = None  # Why nothing can be found, or what stands in the way for now

    @property
    def done(self) -> int:
        return sum(log.state in {ReadState.DONE, ReadState.MISSING} for log in self.logs)

    @property
    def total(self) -> int:
        return sum(log.total for log in self.logs)

    @property
    def is_whole(self) -> bool:
        """Return whether there is nothing left to look through."""
        return self.listed and self.done == len(self.logs)
