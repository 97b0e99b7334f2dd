"""Incidents and their causes, with text of the platform (not cleaned) and aware times."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from platui.core.dataclass import dataclass
from platui.core.named_tuple import NamedTuple
from platui.models.values.log import CauseSource, Confidence

if TYPE_CHECKING:
    from platui.models.values.queries import ProjectRef


class Lane(NamedTuple):
    """Pipelines of one kind and ref: a successful one ends an incident."""

    project: ProjectRef
    ref: str  # A branch; empty for all tags together
    way: str = ""  # The pipeline's name or source; empty: unknown


class PipelineRun(NamedTuple):
    id: int
    status: str
    ref: str = ""
    sha: str = ""
    source: str = ""
    name: str = ""
    created_at: datetime | None = None
    ended_at: datetime | None = None  # The approximate end; None while it runs
    web_url: str = ""
    changed_at: datetime | None = None  # When the status of one that runs last changed

    @property
    def at(self) -> datetime | None:
        return self.ended_at or self.created_at

    def ended_before(self, other: datetime | None) -> PipelineRun:
        """Return it with the earlier of two ends, as a retry moves its end."""
        ends = [one for one in (self.ended_at, other) if one is not None]
        return self._replace(ended_at=min(ends, default=None))

    @property
    def seconds(self) -> float | None:
        if self.created_at is None or self.ended_at is None:
            return None
        return (self.ended_at - self.created_at).total_seconds()


@dataclass(frozen=True, slots=True)
class CommitSummary:
    """A commit as the jobs of a pipeline describe it."""

    sha: str
    title: str = ""
    author: str = ""


@dataclass(frozen=True, slots=True)
class CommitRange:
    """The commits between two pipelines."""

    before: str  # The last successful commit
    after: str  # The first failed commit

    @property
    def is_empty(self) -> bool:
        """Return whether both are the same commit: no code change."""
        return self.before == self.after


@dataclass(frozen=True, slots=True)
class Incident:
    """Consecutive failed pipelines of one lane, without a later success."""

    lane: Lane
    first_red: PipelineRun
    newest_red: PipelineRun
    streak: int  # Number of failed pipelines, without canceled and skipped ones
    reds: tuple[int, ...] = ()  # Loaded failed pipelines, newest first
    last_green: PipelineRun | None = None  # None: no success, or not loaded
    is_at_least: bool = False
    """Whether the list ends before the last success: streak and start may be earlier."""
    on_top: PipelineRun | None = None
    """The newest pipeline, if newer than `newest_red`: running, canceled…"""
    is_main: bool = False  # Whether it is the default branch
    commit: CommitSummary | None = None  # The commit of `first_red`, once its jobs are known

    @property
    def key(self) -> tuple[ProjectRef, int]:
        """Return a stable identity: project and first failed pipeline."""
        return (self.lane.project, self.first_red.id)

    @property
    def red_ids(self) -> set[int]:
        return {self.first_red.id, self.newest_red.id, *self.reds}

    @property
    def since(self) -> datetime | None:
        return self.first_red.at

    @property
    def commits(self) -> CommitRange | None:
        """Return the commits between the last success and the first failure, or None if unknown."""
        green, red = self.last_green, self.first_red
        if green is None or not green.sha or not red.sha:
            return None
        return CommitRange(green.sha, red.sha)


@dataclass(frozen=True, slots=True)
class Recovery:
    """A lane that is successful again."""

    lane: Lane
    first_red: PipelineRun
    streak: int
    green: PipelineRun
    is_at_least: bool = False
    is_main: bool = False
    newest_red: PipelineRun | None = None  # None: only the first is known

    @property
    def key(self) -> tuple[ProjectRef, int]:
        return (self.lane.project, self.first_red.id)

    @property
    def since(self) -> datetime | None:
        """Return the start of the failure; of a parallel or retried run its creation."""
        red, over = self.first_red, self.green.at
        is_before = red.ended_at is None or over is None or red.ended_at <= over
        return red.at if is_before else red.created_at


@dataclass(frozen=True, slots=True)
class IncidentTimeline(Incident):
    """An open or closed incident with the runs before, within and after it."""

    runs: tuple[PipelineRun, ...] = ()  # Loaded runs of the lane, oldest first
    over: PipelineRun | None = None  # The success that ended it; None: it is open

    @property
    def since(self) -> datetime | None:
        """Return the first end of a failed run; of parallel ones a newer may fail first."""
        first, last = self.first_red.id, self.newest_red.id
        reds = (one for one in self.runs if one.status == "failed" and first <= one.id <= last)
        return min((one.ended_at for one in reds if one.ended_at), default=self.first_red.at)


@dataclass(frozen=True, slots=True)
class FailedStep:
    """A failed job, or a bridge to another pipeline."""

    id: int
    name: str
    stage: str = ""
    failure_reason: str = ""
    finished_at: datetime | None = None
    web_url: str = ""
    tags: tuple[str, ...] = ()  # Required runner tags
    attempts: int = 1  # Number of attempts
    downstream: Downstream | None = None  # The failed pipeline of a bridge
    is_bridge: bool = False
    has_log: bool = True  # False for bridges and jobs that never started
    waited: float | None = None  # Seconds from creation to end if it never started


class Downstream(NamedTuple):
    pipeline: int
    project: int | None = None


@dataclass(frozen=True, slots=True)
class FailurePoint:
    """The jobs at which a pipeline failed."""

    step: FailedStep | None  # The first independent failure; None: no job failed
    beside: tuple[FailedStep, ...] = ()  # Later independent failures in the same stage
    flakes: tuple[str, ...] = ()  # Names of jobs that failed first and passed on retry
    flaky: tuple[Flaky, ...] = ()  # Known jobs of the lane that passed and failed on one commit
    words: str = ""  # The reason if there is no job, such as an invalid pipeline file
    commit: CommitSummary | None = None


@dataclass(frozen=True, slots=True)
class Signature:
    """Identifies the cause of a failure."""

    key: str  # Equal for failures with the same cause; short, and independent of the machine
    line: str  # The message of this failure, clean, for one row
    shared: str  # The common message of all failures with this signature, clean
    kind: str = ""  # Name of the kind of cause (`host unreachable`…); empty: unknown
    is_local: bool = False  # Whether it is too unspecific to match across projects
    is_symptom: bool = False
    """Whether it is a consequence: it matches only simultaneous failures of the job."""
    source: CauseSource = CauseSource.VERDICT  # What found the line in the log
    confidence: Confidence = Confidence.HIGH
    line_number: int | None = None  # The line of the log, from 0; None: not from a log
    was_compared: bool = False
    """Whether a successful run helped to find it: the log alone may name another line."""

    @property
    def compared_line(self) -> int | None:
        """Return the line of the log if a comparison with a successful run found it."""
        return self.line_number if self.was_compared else None


class Cause(NamedTuple):
    point: FailurePoint
    signature: Signature | None  # None: the failed job is unknown


class Flaky(NamedTuple):
    """A job that passed and failed on one commit."""

    name: str
    sha: str
    passed: int  # Newest passed job
    failed: int  # Newest failed job


class ChangedVariable(NamedTuple):
    """A changed variable, without its values, which may be secret."""

    key: str
    change: str  # `added`, `removed` or `changed`
