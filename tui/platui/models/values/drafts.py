"""Run form drafts and previously sent pipelines and schedules, without secret values."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from platui.core.dataclass import dataclass
from platui.core.secrets import Secret
from platui.models.values.writes import PIPELINE_FILE_VARIABLE, NewPipeline, RunVariable

if TYPE_CHECKING:
    from platui.models.values.queries import ProjectRef
    from platui.models.values.writes import NewSchedule

WITH: Final = "with"  # The form field that selects the credential
TOKEN: Final = "token"  # noqa: S105  (a name)
"""The form field of the trigger token; its text is never in the form."""
REF: Final = "ref"
FILE: Final = "file"
ADD: Final = "add"  # The row below the last variable
_VARIABLE: Final = "variable:"

_KEY: Final = re.compile(r"[A-Za-z0-9_]+")
_LONGEST_KEY: Final = 255
_STEERING: Final = re.compile(r"[\x00-\x1f\x7f]")


class DraftSource(StrEnum):
    """Origin of a draft's pipeline file and variables."""

    SENT = "the request that platui sent for"
    VARIABLES = "the variables of"
    SCHEDULE = "the schedule of"
    NOTHING = "only the ref of"


@dataclass(frozen=True, slots=True)
class RunDraft:
    """A prefilled run form."""

    new: NewPipeline  # Secret variables have an empty `Secret`
    source: DraftSource
    knows_file: bool
    """Whether the pipeline file, or that it is the default, is known.

    If not, the user must choose: an empty `new.pipeline_file` would silently mean the default.
    """
    knows_variables: bool  # Whether all variables are known
    files: frozenset[str] = frozenset()
    """Keys of variables of another type than `env_var`, as which all are sent (GitLab: a file)."""


@dataclass(frozen=True, slots=True)
class RunHistory:
    """Earlier input for runs of one project: unique values, newest first."""

    refs: tuple[str, ...] = ()
    pipeline_files: tuple[str, ...] = ()
    variables: tuple[tuple[RunVariable, ...], ...] = ()
    """Sets of variables; secrets have an empty `Secret`"""


@dataclass(frozen=True, slots=True)
class SentPipeline:
    """A pipeline that platui started or triggered."""

    new: NewPipeline  # Secret variables have an empty `Secret`
    at: datetime
    pipeline: int | None = None  # None: the response was lost
    project_id: int | None = None  # The project may be given by path

    def is_of(self, names: frozenset[ProjectRef]) -> bool:
        return self.new.project in names or self.project_id in names


@dataclass(frozen=True, slots=True)
class SentSchedule:
    """A schedule that platui created; the platform may not list schedules."""

    new: NewSchedule
    at: datetime
    schedule: int | None = None  # None: the response has no id


def variable_field(index: int) -> str:
    return f"{_VARIABLE}{index}"


def variable_in(field: str) -> int | None:
    return int(field.removeprefix(_VARIABLE)) if field.startswith(_VARIABLE) else None


@dataclass(frozen=True, slots=True)
class RunForm:
    """The contents of the run form; `problems` validates it."""

    project: ProjectRef
    ref: str = ""
    pipeline_file: str = ""  # Empty: the project's own
    file_is_known: bool = True  # Whether the file is known; if not, nothing is sent
    variables: tuple[RunVariable, ...] = ()
    triggered: bool = False

    def filled_from(self, draft: RunDraft) -> RunForm:
        """Return the form with what it lacks; what was typed or asked for stays."""
        new, keys = draft.new, {item.key for item in self.variables}
        missing = tuple(item for item in new.variables if item.key not in keys)
        return RunForm(
            self.project,
            self.ref or new.ref,
            self.pipeline_file if self.file_is_known else new.pipeline_file,
            self.file_is_known or draft.knows_file,
            self.variables + missing,
            self.triggered or new.triggered,
        )

    @property
    def intent(self) -> NewPipeline:
        return NewPipeline(
            self.project, self.ref, self.pipeline_file, self.variables, self.triggered
        )

    @property
    def secrets(self) -> int:
        return sum(isinstance(item.value, Secret) for item in self.variables)

    def with_file(self, path: str) -> RunForm:
        """Return the form with a chosen file; empty: the project's default."""
        return replace(self, pipeline_file=path, file_is_known=True)

    def with_variable(self, index: int, variable: RunVariable) -> RunForm:
        """Return the form with a variable replaced, or appended after the last."""
        kept = self.variables
        return replace(self, variables=(*kept[:index], variable, *kept[index + 1 :]))

    def with_all(self, variables: Iterable[RunVariable]) -> RunForm:
        """Return the form with more variables; a secret stays secret and keeps its value."""
        places = {item.key: at for at, item in enumerate(self.variables)}
        merged = list(self.variables)
        for item in variables:
            at = places.get(item.key)
            if at is None:
                places[item.key] = len(merged)
                merged.append(item)
            else:
                merged[at] = _over(merged[at], item)
        return replace(self, variables=tuple(merged))

    def problems(self) -> Mapping[str, str]:
        """Return validation errors by field, in the order of the form."""
        found: dict[str, str] = {}
        if not self.ref:
            found[REF] = "Choose a branch or tag."
        elif _STEERING.search(self.ref) or self.ref != self.ref.strip():
            found[REF] = (
                "A branch or tag name has no leading or trailing spaces or control characters."
            )
        if not self.file_is_known:
            found[FILE] = "Pipeline file unknown: choose a file, or the project's default."
        elif _STEERING.search(self.pipeline_file):
            found[FILE] = "A file name has no control characters."
        keys = Counter(item.key for item in self.variables)
        for at, item in enumerate(self.variables):
            problem = key_problem(item.key)
            if not problem and keys[item.key] > 1:
                problem = "Duplicate key."
            if not problem and isinstance(item.value, Secret) and not item.value:
                problem = "Enter the value again: secrets are not saved."
            if problem:
                found[variable_field(at)] = problem
        return found


def key_problem(key: str) -> str:
    """Return why a key is invalid; empty if it is valid."""
    if not key:
        return "Enter a key."
    if key == PIPELINE_FILE_VARIABLE:
        return "This key selects the pipeline file: choose the file above."
    if not _KEY.fullmatch(key):
        return "Use only letters, digits and _ in a key."
    if len(key) > _LONGEST_KEY:
        return f"A key has at most {_LONGEST_KEY} characters."
    return ""


def _over(old: RunVariable, new: RunVariable) -> RunVariable:
    if isinstance(new.value, Secret):
        return old if not new.value and isinstance(old.value, Secret) else new
    return replace(new, value=Secret(new.value)) if isinstance(old.value, Secret) else new
