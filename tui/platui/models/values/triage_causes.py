"""Where a pipeline broke, and the cause by which that is known again.

Texts are the platform's own, not cleaned, but for those that say so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from datetime import datetime

    from platui.models.values.triage import CommitWords


@dataclass(frozen=True, slots=True)
class FailedStep:
    """A job, or a bridge to another pipeline, that failed."""

    id: int
    name: str
    stage: str = ""
    failure_reason: str = ""
    finished_at: datetime | None = None
    web_url: str = ""
    tags: tuple[str, ...] = ()
    """What it asks of a runner."""
    attempts: int = 1
    """How often it was tried."""
    downstream: Downstream | None = None
    """Of a bridge: the pipeline that failed in its stead."""
    is_bridge: bool = False
    has_log: bool = True
    """Whether there is a log to read the cause from: a bridge has none, nor what never began."""
    waited: float | None = None
    """Of what never began: seconds from its creation to its end."""


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
    commit: CommitWords | None = None


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
    passed: int
    """The job that passed; the newest of them."""
    failed: int
    """The job that failed; the newest of them."""
