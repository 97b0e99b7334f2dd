"""What is broken, since when and by which cause, for the triage board, its command and its memory.

Texts are the platform's own, not cleaned, but for those that say so; moments are aware. Nothing
here knows where the board keeps or shows it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from datetime import datetime

    from platui.models.values.queries import ProjectRef


class Lane(NamedTuple):
    """Pipelines that follow each other: a green one of them says that the red ones are over."""

    project: ProjectRef
    ref: str
    """A branch; of versions that were tagged all are one lane, and this is empty."""
    way: str = ""
    """The pipeline's name, or what starts it; empty where the platform tells neither."""


class PipelineRun(NamedTuple):
    """One pipeline, as far as triage speaks of it."""

    id: int
    status: str
    ref: str = ""
    sha: str = ""
    source: str = ""
    name: str = ""
    created_at: datetime | None = None
    ended_at: datetime | None = None
    """When it was over, as near as the platform tells; None while it is not."""
    web_url: str = ""

    @property
    def at(self) -> datetime | None:
        return self.ended_at or self.created_at


class LastRun(NamedTuple):
    """The newest pipeline of all that is watched."""

    lane: Lane
    ran: PipelineRun


@dataclass(frozen=True, slots=True)
class CommitSummary:
    """A commit in words, as the jobs of a pipeline tell it."""

    sha: str
    title: str = ""
    author: str = ""


@dataclass(frozen=True, slots=True)
class CommitRange:
    """What came between two pipelines."""

    before: str  # The commit that was still good
    after: str  # The first that was not

    @property
    def is_empty(self) -> bool:
        """Return whether the same commit was good and then bad: nobody changed the code."""
        return self.before == self.after


def commits_between(green: PipelineRun | None, red: PipelineRun) -> CommitRange | None:
    """Return what came between a green and a red pipeline, where the commits of both are known."""
    if green is None or not green.sha or not red.sha:
        return None
    return CommitRange(green.sha, red.sha)


@dataclass(frozen=True, slots=True)
class Incident:
    """A run of red pipelines of one lane that no green one has ended yet."""

    lane: Lane
    first_red: PipelineRun
    newest_red: PipelineRun
    streak: int
    """How many red ones; canceled and skipped ones do not count."""
    reds: tuple[int, ...] = ()
    """Those of them that the list holds, the newest first."""
    last_green: PipelineRun | None = None
    """None where there was none, or the list does not reach back to it."""
    is_at_least: bool = False
    """Whether the list ends before the last green: the streak may be longer, the start older."""
    on_top: PipelineRun | None = None
    """The newest pipeline, where it is newer than the newest red: it runs, or was canceled…"""
    is_main: bool = False
    """Whether it is the project's default branch."""
    commit: CommitSummary | None = None
    """The first red's commit, once its jobs are known."""

    @property
    def key(self) -> tuple[ProjectRef, int]:
        """Return what it is known by: the same in every round, whatever its lane is called."""
        return (self.lane.project, self.first_red.id)

    @property
    def since(self) -> datetime | None:
        return self.first_red.at

    @property
    def never_green(self) -> bool:
        """Return whether this lane was never green: all of it is known, and all of it is red."""
        return self.last_green is None and not self.is_at_least

    @property
    def commits(self) -> CommitRange | None:
        """Return what came between the last green and the first red, where both are known."""
        return commits_between(self.last_green, self.first_red)


@dataclass(frozen=True, slots=True)
class Recovery:
    """A lane that turned green again."""

    lane: Lane
    first_red: PipelineRun
    streak: int
    green: PipelineRun
    is_at_least: bool = False
    is_main: bool = False
    newest_red: PipelineRun | None = None  # None where only the first one is known

    @property
    def key(self) -> tuple[ProjectRef, int]:
        return (self.lane.project, self.first_red.id)

    @property
    def since(self) -> datetime | None:
        """Return since when it was red, which is before it was green again.

        A red pipeline that ended later than the green one ran beside it, or was tried again: when
        it was red first is not known then, and it is told when it began.
        """
        red, over = self.first_red, self.green.at
        is_before = red.ended_at is None or over is None or red.ended_at <= over
        return red.at if is_before else red.created_at


@dataclass(frozen=True, slots=True)
class IncidentTimeline:
    """An incident in its lane, open or over: what came before, within and after it."""

    lane: Lane
    runs: tuple[PipelineRun, ...]
    """Of the lane, as far as the list holds them, the oldest first."""
    first_red: PipelineRun
    newest_red: PipelineRun
    streak: int
    """How many red ones; canceled and skipped ones do not count."""
    last_green: PipelineRun | None = None
    """None where there was none, or the list does not reach back to it."""
    over: PipelineRun | None = None
    """The green one that ended it; None while it goes on."""
    on_top: PipelineRun | None = None
    """The newest pipeline of the lane, where that is none of the red ones and nothing ended it."""
    is_at_least: bool = False
    """Whether the list ends before the last green: the streak may be longer, the start older."""

    @property
    def commits(self) -> CommitRange | None:
        return commits_between(self.last_green, self.first_red)


@dataclass(frozen=True, slots=True)
class FailedStep:
    """A job, or a bridge to another pipeline, that failed."""

    id: int
    name: str
    stage: str = ""
    failure_reason: str = ""
    finished_at: datetime | None = None
    web_url: str = ""
    tags: tuple[str, ...] = ()  # What it asks of a runner
    attempts: int = 1  # How often it was tried
    downstream: Downstream | None = None  # Of a bridge: the pipeline that failed in its stead
    is_bridge: bool = False
    has_log: bool = True
    """Whether there is a log to read the cause from: a bridge has none, nor what never began."""
    waited: float | None = None  # Of what never began: seconds from its creation to its end


class Downstream(NamedTuple):
    """A pipeline that another one started."""

    pipeline: int
    project: int | None = None


@dataclass(frozen=True, slots=True)
class FailurePoint:
    """Where a pipeline broke."""

    step: FailedStep | None
    """What failed first and by itself; None where no job did."""
    beside: tuple[FailedStep, ...] = ()
    """What failed by itself in the same stage, later."""
    flakes: tuple[str, ...] = ()
    """Names of jobs that failed at first, and passed when they were tried again."""
    flaky: tuple[Flaky, ...] = ()
    """Jobs that passed and failed on one commit, as far as the jobs of the lane are known."""
    words: str = ""
    """Why there is no job to show: what is wrong with the pipeline file, for one."""
    commit: CommitSummary | None = None


@dataclass(frozen=True, slots=True)
class Signature:
    """The cause of a failure, by which it is known again."""

    key: str
    """Equal for failures that have the same cause; short, and the same on every machine."""
    line: str
    """What this failure says, clean, for one row."""
    shared: str
    """What all failures of this signature have in common, clean: the same for each of them."""
    kind: str = ""
    """What sort of cause it is (`missing relation`, `unreachable`…); empty where none is known."""
    is_local: bool = False
    """Whether it says too little for two projects that say it to have one cause."""
    is_symptom: bool = False
    """Whether it says what became of a job, and not why: that of the same job elsewhere in the
    project has one cause with it only if it was at about the same time."""


class Cause(NamedTuple):
    """Where a pipeline broke, and why."""

    point: FailurePoint
    signature: Signature | None
    """None where the platform does not tell what failed."""


class Flaky(NamedTuple):
    """A job that passed and failed on one commit."""

    name: str
    sha: str
    passed: int  # The job that passed; the newest of them
    failed: int  # The job that failed; the newest of them


class ChangedJob(NamedTuple):
    """A job whose status is another one than in the last green pipeline."""

    name: str
    stage: str
    before: str
    """Its status in the green pipeline; empty where it was not there."""
    after: str
    """Its status in the first red one; empty where it is not there."""


class ChangedVariable(NamedTuple):
    """A variable that differs. Values are not told: they may be secrets."""

    key: str
    change: str  # `added`, `removed` or `changed`
