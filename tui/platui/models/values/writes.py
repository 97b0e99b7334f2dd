"""Writes to the platform (spec §4.3), and the modes in which a profile allows them.

Dashboard and command line share one path:

    intent          what is to be done: `NewPipeline`, `NewSchedule`, `ScheduleChange`,
                    `NewProject`, `RecordAction`
    `WriteRequest`  one or several of them together: what is sent, and what a question shows of it
    `Confirmation`  the user's yes to exactly that, which the guard of `api` asks for
    `WriteTask`     sends it once and knows what becomes of it (`service.writes.task`)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from platui.core.secrets import Secret
    from platui.models.values.queries import ProjectRef


PIPELINE_FILE_VARIABLE = "_PIPELINE_FILE_NAME"
"""The variable that selects the pipeline file."""


class WriteMode(StrEnum):
    """When a profile allows writes."""

    OFF = "off"
    LOCKED = "locked"  # Only after an unlock that lasts 15 minutes, and then each confirmed
    CONFIRM = "confirm"  # Each confirmed


class Encoding(StrEnum):
    """The encoding of a payload, where the spec allows both."""

    JSON = "json"
    FORM = "form"


@dataclass(frozen=True, slots=True)
class RunVariable:
    """A variable of a new pipeline; a `Secret` is sent as `secret_value`."""

    key: str
    value: str | Secret
    source: str = field(default="", compare=False)
    """The source of a secret in a command: `@FILE`, `env:NAME`; empty if it was typed."""


@dataclass(frozen=True, slots=True)
class NewPipeline:
    """Start or trigger a pipeline."""

    project: ProjectRef
    ref: str
    pipeline_file: str = ""
    """Path of the pipeline file; empty: the project's own."""
    variables: tuple[RunVariable, ...] = ()
    triggered: bool = False
    """Whether a trigger token of the project is used, not the access token."""


@dataclass(frozen=True, slots=True)
class NewSchedule:
    """Create a schedule."""

    project: ProjectRef
    description: str
    ref: str
    cron: str
    cron_timezone: str = ""  # Empty: the platform's default, UTC
    active: bool = True


@dataclass(frozen=True, slots=True)
class ScheduleChange:
    """Change a schedule (optional endpoint); None leaves a field unchanged."""

    project: ProjectRef
    schedule: int
    description: str | None = None
    ref: str | None = None
    cron: str | None = None
    cron_timezone: str | None = None
    active: bool | None = None
    name: str = ""
    """Its old description; only shown, like `before`."""
    before: tuple[tuple[str, str], ...] = ()
    """The old values of the changed fields, by the names of the command's options."""


@dataclass(frozen=True, slots=True)
class NewProject:
    """Create a project."""

    name: str
    description: str = ""
    project_access: str = ""
    """The form field `permissions[project_access]`; empty: not sent."""
    encoding: Encoding = Encoding.JSON


class WriteAction(StrEnum):
    """Actions on existing records, and how each is told; all of them are optional endpoints.

    Attributes:
        doing: what is said while it is done, before the target.
        done: the same afterwards.
        effect: what it will do, up to the number of the target.
    """

    doing: str
    done: str
    effect: str

    def __new__(cls, value: str, doing: str, done: str, effect: str) -> Self:
        act = str.__new__(cls, value)
        act._value_ = value
        act.doing, act.done, act.effect = doing, done, effect
        return act

    CANCEL_PIPELINE = "cancel pipeline", "Canceling", "Canceled", "Cancel pipeline"
    # Try again what failed or was canceled in it
    RETRY_PIPELINE = "retry pipeline", "Retrying", "Retried", "Try again what failed in pipeline"
    CANCEL_JOB = "cancel job", "Canceling", "Canceled", "Cancel job"
    RETRY_JOB = "retry job", "Retrying", "Retried", "Try again job"  # Makes a job of another id
    PLAY_JOB = "play job", "Starting", "Started", "Start manual job"
    RUN_SCHEDULE = "run schedule", "Running", "Ran", "Run now what is started by schedule"
    OWN_SCHEDULE = (
        "take over schedule", "Taking over", "Took over", "Make you the owner of schedule"
    )  # fmt: skip
    DELETE_SCHEDULE = "delete schedule", "Deleting", "Deleted", "Delete for good schedule"

    @property
    def kind(self) -> str:
        """Return the kind of its target: `pipeline`, `job` or `schedule`."""
        return self.value.rpartition(" ")[2]

    @property
    def verb(self) -> str:
        return self.value.rpartition(" ")[0]


@dataclass(frozen=True, slots=True)
class RecordAction:
    """An act on a pipeline, job or schedule."""

    action: WriteAction
    project: ProjectRef
    id: int  # Of the pipeline, job or schedule
    name: str = ""  # A job's name, a schedule's description, a pipeline's ref: only shown
    details: str = field(default="", compare=False)
    """Details for the question: `main · red since 13:04 (32m)`; only shown."""


Intent = NewPipeline | NewSchedule | ScheduleChange | NewProject | RecordAction


@dataclass(frozen=True, slots=True)
class MaskedRequest:
    """One HTTP request, as it will be sent, with every secret masked."""

    method: str
    target: str  # Path and query below the API's base
    body: str  # The payload as indented JSON, also where a form is sent; empty where there is none
    encoding: str  # `json` or `form`; empty without a payload
    digest: str = field(default="", repr=False, compare=False)
    """Of the request with its secrets; the guard compares it with that of the write."""


@dataclass(frozen=True, slots=True)
class WriteRequest:
    """One write, or several that are confirmed together."""

    intents: tuple[Intent, ...]  # As given: these may hold secrets, which show in no repr
    effect: str  # One line: `Start a pipeline on main from etl-ci.yml`
    effects: tuple[str, ...]  # The same for each intent, in their order
    profile: str
    production: bool
    project: ProjectRef | None
    """Of all intents; None if they differ, or if the project is to be created."""
    called: str  # The name of that project: its path where known; empty without one
    http_requests: tuple[MaskedRequest, ...]  # One for each intent, in their order
    commands: tuple[str, ...]
    """The equivalent `platui …` commands; secrets appear by name only."""
    credential: str  # `access token`, or `trigger token of group/name from environment`
    problem: str = ""
    """Why it cannot be sent now, in one sentence: writes are off, locked or not supported."""
    is_supported: bool = True
    """False: the problem is that the platform does not support the operation."""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Confirmation:
    """The user's yes to one write request: each of its parts may be sent once, and nothing else.

    Less may be sent than was confirmed: what comes after a refusal that concerns all, or after the
    user stops it, is left out. Nothing is added, changed or sent a second time.

    Made where the user answers, and only there. Compared by identity, because a second yes to the
    same request is another one.
    """

    request: WriteRequest

    @property
    def profile(self) -> str:
        """Return the profile whose platform it is sent to."""
        return self.request.profile

    @property
    def digests(self) -> tuple[str, ...]:
        """Return the digests of all that may be sent; the same one twice where it may go twice."""
        return tuple(http.digest for http in self.request.http_requests)
