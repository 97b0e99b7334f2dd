"""A text looked for in all logs of a pipeline: what was found so far, job by job."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from datetime import datetime

    from platui.core.errors import PlatuiError
    from platui.models import Job


class Reading(StrEnum):
    """How far one log of a search has come."""

    WAITING = "waiting"
    READING = "reading"
    DONE = "done"
    MISSING = "missing"
    """It cannot be had; the search goes on without it."""


class HitLine(NamedTuple):
    """A line that was found."""

    number: int
    """In its log, from 0."""
    text: str
    """Clean."""
    ranges: tuple[tuple[int, int], ...]
    """Where in it: first character, and one after."""


@dataclass(frozen=True, slots=True)
class JobHits:
    """What was found in one job's log."""

    job: Job
    reading: Reading = Reading.WAITING
    hits: tuple[HitLine, ...] = ()
    """The first ones."""
    total: int = 0
    """How many lines have it in all."""
    next_line: int | None = None
    """The first hit that is not among `hits`."""
    error: PlatuiError | None = None
    """Why the log cannot be had."""
    fetched_at: datetime | None = None
    """When the log of a job that ran was asked for (UTC)."""


@dataclass(frozen=True, slots=True)
class PipelineHits:
    """One step of a search through all logs of a pipeline."""

    logs: tuple[JobHits, ...] = ()
    """Every job that has a log: failed ones first, then running ones, then by stage."""
    listed: bool = False
    """Whether it is known which jobs there are."""
    earlier: int = 0
    """Earlier attempts of retried jobs; their logs are not looked through."""
    stopped: bool = False
    """The user ended it; what was found stays."""
    waits: bool = False
    """It waits until others have left it something of the quota."""
    fetched_at: datetime | None = None
    """When the platform said which jobs there are (UTC)."""
    error: PlatuiError | None = None
    """Why nothing can be found, or what stands in the way for now."""

    @property
    def done(self) -> int:
        """Return how many logs were looked through, or given up."""
        return sum(log.reading in {Reading.DONE, Reading.MISSING} for log in self.logs)

    @property
    def total(self) -> int:
        """Return how many lines were found."""
        return sum(log.total for log in self.logs)

    @property
    def is_whole(self) -> bool:
        """Return whether there is nothing left to look through."""
        return self.listed and self.done == len(self.logs)
