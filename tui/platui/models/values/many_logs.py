"""The logs of many jobs merged into one stream of lines."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from platui.core.dataclass import dataclass
from platui.core.named_tuple import NamedTuple

if TYPE_CHECKING:
    from platui.core.errors import PlatuiError
    from platui.models.wire import Job


class Origin(NamedTuple):
    job: int  # Job id; 0: no job
    line: int  # Line number in that log, from 0


class FollowerEvent(StrEnum):
    JOINED = "joined"  # Its lines follow
    FAILED_BEFORE = "failed before"  # It had failed before following began; part of its log follows
    ENDED = "ended"
    ANEW = "anew"  # Its log was erased or replaced and restarts
    MISSING = "missing"  # Its log is not available
    PIPELINE_ENDED = "pipeline ended"


@dataclass(frozen=True, slots=True)
class FollowerNotice:
    """One event, shown as a separate line."""

    event: FollowerEvent
    job: Job | None = None
    status: str = ""  # Of the job or the finished pipeline
    shown: int = 0  # Following lines of the log, if not all
    total: int = 0
    from_error: bool = False  # Whether those lines start at the error rather than near the end
    exit_code: int | None = None
    pipeline: int | None = None
    error: PlatuiError | None = None


@dataclass(frozen=True, slots=True)
class StreamJobs:
    """The jobs of a pipeline whose logs are followed as one stream."""

    pipeline_status: str
    jobs: tuple[Job, ...] = ()  # By stage
    waiting: int = 0  # Jobs that have not started
    total: int = 0  # Jobs of the pipeline, without retries
    is_partial: bool = False  # Whether only part of some log is in the stream
    fetched_at: datetime | None = None  # Last refresh of the job statuses (UTC)
