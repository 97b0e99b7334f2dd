"""What one can ask the platform to do (spec §4.3), before it is a request."""

from __future__ import annotations

from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class NewPipeline:
    """A pipeline to be started, or triggered."""

    project: ProjectRef
    ref: str
    pipeline_file: str = ""
    """Path of the pipeline file; empty: the project's own."""
    variables: tuple[RunVariable, ...] = ()


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
class NewProject:
    """A project to be created."""

    name: str
    description: str = ""
    project_access: str = ""
    """The form field `permissions[project_access]`; empty: not sent."""


@dataclass(frozen=True, slots=True)
class Confirmation:
    """The user's yes to one write, named by that write's `key`."""

    key: str
