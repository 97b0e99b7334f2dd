"""The logs of many jobs as one stream of lines, as the ui sees it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from datetime import datetime

    from platui.core.errors import PlatuiError
    from platui.models.wire import Job


class Origin(NamedTuple):
    """Where a line of many logs came from."""

    job: int
    """Its id; 0 where a line belongs to no job."""
    line: int
    """Number of the line in that job's log, from 0."""


class FollowerEvent(StrEnum):
    """What happened to a job whose log is a part of the stream."""

    JOINED = "joined"  # Its lines come from here on
    FAILED_BEFORE = "failed before"
    """It had failed when following began; a part of its log comes next."""
    ENDED = "ended"
    ANEW = "anew"  # Its log was erased or is another one: what comes next is not what came before
    MISSING = "missing"  # Its log cannot be had
    PIPELINE_ENDED = "pipeline ended"


@dataclass(frozen=True, slots=True)
class FollowerNotice:
    """One thing that happened, for a line of its own."""

    event: FollowerEvent
    job: Job | None = None
    status: str = ""
    """Of the job, or of the pipeline that has ended."""
    shown: int = 0
    """Lines of the log that come next, where not all of them do."""
    total: int = 0
    from_error: bool = False
    """Whether those begin at the error it failed of rather than near its end."""
    exit_code: int | None = None
    pipeline: int | None = None
    error: PlatuiError | None = None


@dataclass(frozen=True, slots=True)
class StreamJobs:
    """The jobs of a pipeline whose logs are followed as one stream."""

    pipeline_status: str
    jobs: tuple[Job, ...] = ()
    """Those whose logs are a part of the stream, by stage."""
    waiting: int = 0
    """Jobs of the pipeline that are still to begin."""
    total: int = 0
    """Jobs of the pipeline, each counted once however often it was tried."""
    is_partial: bool = False
    """Whether of some log only a part is in the stream."""
    fetched_at: datetime | None = None
    """When the platform was last asked how the jobs stand (UTC)."""
