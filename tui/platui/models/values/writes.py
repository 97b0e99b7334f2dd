"""Writes to the platform (spec §4.3), shared by dashboard and command line.

intent          `NewPipeline`, `NewSchedule`, `ScheduleChange`, `ScheduleVariable`, `NewProject`,
                `RecordAction`
`WriteRequest`  one or more intents, as shown for confirmation
`Confirmation`  the user's consent to exactly that request, checked by the guard
`WriteTask`     sends it once and determines the outcome (`service.writes.task`)
"""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from typing import TYPE_CHECKING, Self

from platui.core.dataclass import dataclass

if TYPE_CHECKING:
    from platui.core.secrets import Secret
    from platui.models.values.queries import ProjectRef


PIPELINE_FILE_VARIABLE = "_PIPELINE_FILE_NAME"


class WriteMode(StrEnum):
    OFF = "off"
    LOCKED = "locked"  # Confirmed, and only within 15 minutes after an unlock
    CONFIRM = "confirm"  # Each confirmed


class Encoding(StrEnum):
    """Encodings of a payload, where the spec allows both."""

    JSON = "json"
    FORM = "form"


@dataclass(frozen=True, slots=True)
class RunVariable:
    """A variable of a new pipeline; a `Secret` is sent as `secret_value`."""

    key: str
    value: str | Secret
    source: str = field(default="", compare=False)
    """Source of a secret: `@FILE`, `env:NAME`; empty: typed."""


@dataclass(frozen=True, slots=True)
class NewPipeline:
    """Start or trigger a pipeline."""

    project: ProjectRef
    ref: str
    pipeline_file: str = ""  # Path of the pipeline file; empty: the project's default
    variables: tuple[RunVariable, ...] = ()
    triggered: bool = False  # Whether a trigger token replaces the access token
    rerun_of: int | None = field(default=None, compare=False)
    """Pipeline that is run again; display only."""

    @property
    def all_variables(self) -> tuple[RunVariable, ...]:
        """Return the variables as they are sent: that of the pipeline file first."""
        if not self.pipeline_file:
            return self.variables
        return (RunVariable(PIPELINE_FILE_VARIABLE, self.pipeline_file), *self.variables)


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
    name: str = ""  # Old description, for display only
    before: tuple[tuple[str, str], ...] = ()
    """Old values of changed fields by option name, for display only."""


@dataclass(frozen=True, slots=True)
class ScheduleVariable:
    """Set or remove a variable of a schedule (optional endpoint)."""

    project: ProjectRef
    schedule: int
    key: str
    value: str | Secret | None  # None: remove it
    source: str = field(default="", compare=False)  # Of a secret, as in `RunVariable`
    exists: bool = False  # Whether the schedule has it: its value is changed


@dataclass(frozen=True, slots=True)
class NewProject:
    """Create a project."""

    name: str
    description: str = ""
    project_access: str = ""  # The form field `permissions[project_access]`; empty: not sent
    encoding: Encoding = Encoding.JSON

    @property
    def is_form(self) -> bool:
        return self.encoding is Encoding.FORM


class WriteAction(StrEnum):
    """Actions on existing records; all use optional endpoints.

    Attributes:
        doing: progress verb, before the target.
        done: past verb.
        effect: description, before the number of the target.
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
    RETRY_PIPELINE = "retry pipeline", "Retrying", "Retried", "Retry failed jobs of pipeline"
    CANCEL_JOB = "cancel job", "Canceling", "Canceled", "Cancel job"
    RETRY_JOB = "retry job", "Retrying", "Retried", "Retry job"  # Creates a job with another id
    PLAY_JOB = "play job", "Starting", "Started", "Start manual job"
    RUN_SCHEDULE = "run schedule", "Running", "Ran", "Run schedule"
    OWN_SCHEDULE = (
        "take over schedule", "Taking ownership of", "Took ownership of",
        "Take ownership of schedule",
    )  # fmt: skip
    DELETE_SCHEDULE = "delete schedule", "Deleting", "Deleted", "Permanently delete schedule"

    @property
    def kind(self) -> str:
        """Return the kind of its target: `pipeline`, `job` or `schedule`."""
        return self.value.rpartition(" ")[2]

    @property
    def verb(self) -> str:
        return self.value.rpartition(" ")[0]


@dataclass(frozen=True, slots=True)
class RecordAction:
    """An action on a pipeline, job or schedule."""

    action: WriteAction
    project: ProjectRef
    id: int  # Of the pipeline, job or schedule
    name: str = ""  # Job name, schedule description or ref, for display
    details: str = field(default="", compare=False)
    """Details for the confirmation: `main · failed since 13:04 (32m)`; display only."""
    last_pipeline: int | None = field(default=None, compare=False)
    """Last known pipeline of a schedule; a newer one is its run. Display only."""


Intent = NewPipeline | NewSchedule | ScheduleChange | ScheduleVariable | NewProject | RecordAction


@dataclass(frozen=True, slots=True)
class MaskedRequest:
    """One HTTP request with masked secrets."""

    method: str
    target: str  # Path and query below the API's base
    body: str  # Payload as indented JSON, also of a form; may be empty
    encoding: str  # `json` or `form`; empty without a payload
    digest: str = field(default="", repr=False, compare=False)
    """Of the request with its secrets; the guard compares it with the write."""


@dataclass(frozen=True, slots=True)
class WriteRequest:
    """One or more writes that are confirmed together."""

    intents: tuple[Intent, ...]  # May hold secrets, which are not in repr
    effect: str  # One line: `Start a pipeline on main from etl-ci.yml`
    effects: tuple[str, ...]  # For each intent, in order
    profile: str
    production: bool
    project: ProjectRef | None  # Common project of all intents; None: different or new
    called: str  # Path or name of that project
    http_requests: tuple[MaskedRequest, ...]  # One per intent, in order
    commands: tuple[str, ...]  # Equivalent `platui …` commands; secrets appear by name only
    credential: str  # `access token`, or `trigger token of group/name from environment`
    problem: str = ""  # Why it cannot be sent now, one sentence: off, locked or not supported
    is_supported: bool = True  # False: the platform does not support the operation
    trigger_source: str = ""  # Where the trigger token comes from; empty: none


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Confirmation:
    """The user's consent to one write request: each part may be sent once.

    Fewer parts may be sent, after an error or a stop; nothing is added, changed or repeated.
    Created only where the user confirms. Compared by identity: a second consent is another one.
    """

    request: WriteRequest

    @property
    def profile(self) -> str:
        return self.request.profile

    @property
    def digests(self) -> tuple[str, ...]:
        """Return the digests of all allowed writes, repeated where one may be sent twice."""
        return tuple(http.digest for http in self.request.http_requests)
