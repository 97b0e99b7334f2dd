"""What one can ask the platform to do (spec §4.3), and how a profile guards against it.

A write goes through four hands, each with a value of its own:

    intent       what is to be done: `NewPipeline`, `NewSchedule`, `ScheduleChange`,
                 `NewProject`, `ActOn` (this module)
    `WritePlan`  what a question and a preview show of it (`values.write_plans`)
    `Confirmation(plan.key)`  the user's yes to exactly that
    states       what becomes of it, as it happens (`values.write_states`)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from platui.core.secrets import Secret
    from platui.models.values.queries import ProjectRef

PIPELINE_FILE_VARIABLE = "_PIPELINE_FILE_NAME"
"""The variable that selects the pipeline file."""


class WriteMode(StrEnum):
    """What a profile lets through."""

    OFF = "off"
    LOCKED = "locked"
    """Only after an unlock that lasts 15 minutes, and then each confirmed."""
    CONFIRM = "confirm"
    """Each confirmed."""


class Encoding(StrEnum):
    """How a payload is written, where the spec names both."""

    JSON = "json"
    FORM = "form"


@dataclass(frozen=True, slots=True)
class RunVariable:
    """A variable of a pipeline to be started; a `Secret` goes out as `secret_value`."""

    key: str
    value: str | Secret
    source: str = field(default="", compare=False)
    """Where a command was told to read a secret: `@FILE`, `env:NAME`; empty: it was typed."""


@dataclass(frozen=True, slots=True)
class NewPipeline:
    """A pipeline to be started, or triggered."""

    project: ProjectRef
    ref: str
    pipeline_file: str = ""
    """Path of the pipeline file; empty: the project's own."""
    variables: tuple[RunVariable, ...] = ()
    triggered: bool = False
    """Whether a trigger token of the project stands in for the access token."""


@dataclass(frozen=True, slots=True)
class NewSchedule:
    """A schedule to be created."""

    project: ProjectRef
    description: str
    ref: str
    cron: str
    cron_timezone: str = ""
    """Empty: the platform's default, UTC."""
    active: bool = True


@dataclass(frozen=True, slots=True)
class ScheduleChange:
    """A schedule to be changed (a neighbour); what is None stays as it is."""

    project: ProjectRef
    schedule: int
    description: str | None = None
    ref: str | None = None
    cron: str | None = None
    cron_timezone: str | None = None
    active: bool | None = None
    name: str = ""
    """Its description as it was: for people only, as all that follows."""
    before: tuple[tuple[str, str], ...] = ()
    """What the fields held that change, by the names of the command's options."""


@dataclass(frozen=True, slots=True)
class NewProject:
    """A project to be created."""

    name: str
    description: str = ""
    project_access: str = ""
    """The form field `permissions[project_access]`; empty: not sent."""
    encoding: Encoding = Encoding.JSON


class Act(StrEnum):
    """What can be done to a thing that is there. All of them are neighbours."""

    CANCEL_PIPELINE = "cancel pipeline"
    RETRY_PIPELINE = "retry pipeline"
    """Try again what failed or was canceled in it."""
    CANCEL_JOB = "cancel job"
    RETRY_JOB = "retry job"
    """Makes a job of another id."""
    PLAY_JOB = "play job"
    RUN_SCHEDULE = "run schedule"
    OWN_SCHEDULE = "take over schedule"
    DELETE_SCHEDULE = "delete schedule"

    @property
    def kind(self) -> str:
        """Return what it is done to: `pipeline`, `job` or `schedule`."""
        return self.value.rpartition(" ")[2]


@dataclass(frozen=True, slots=True)
class ActOn:
    """An act on a pipeline, job or schedule."""

    act: Act
    project: ProjectRef
    id: int
    """Of the pipeline, job or schedule."""
    name: str = ""
    """A job's name, a schedule's description, a pipeline's ref: for people only."""
    told: str = field(default="", compare=False)
    """What else is to be known of it before: `main · red since 13:04 (32m)`; for people only."""


Intent = NewPipeline | NewSchedule | ScheduleChange | NewProject | ActOn


@dataclass(frozen=True, slots=True)
class Confirmation:
    """The user's yes to one plan or write, named by its `key`."""

    key: str
