"""Drafts of pipelines: the fields of the run form, and what platui sent before.

What was sent holds no secret's value.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from platui.core.secrets import Secret
from platui.models.values.writes import PIPELINE_FILE_VARIABLE, NewPipeline, RunVariable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from platui.models.values.queries import ProjectRef
    from platui.models.values.writes import NewSchedule

WITH: Final = "with"
"""The field that says with which credential it is run."""
TOKEN: Final = "token"  # noqa: S105  (a name)
"""The field of the trigger token, where one is used. Its text is never in the form."""
REF: Final = "ref"
FILE: Final = "file"
ADD: Final = "add"  # Below the last variable
_VARIABLE: Final = "variable:"

_KEY: Final = re.compile(r"[A-Za-z0-9_]+")
_LONGEST_KEY: Final = 255
_STEERING: Final = re.compile(r"[\x00-\x1f\x7f]")


class DraftSource(StrEnum):
    """Where a draft's pipeline file and variables come from."""

    SENT = "what platui sent for it"
    VARIABLES = "its variables"
    SCHEDULE = "its schedule's variables"
    NOTHING = "its ref alone"


@dataclass(frozen=True, slots=True)
class RunDraft:
    """A run form, filled in as far as it is known."""

    new: NewPipeline  # A secret variable has an empty `Secret`, to be typed again
    source: DraftSource
    knows_file: bool
    """Whether the pipeline file is known, if only to be the project's own.

    Where it is not, nothing may be sent before somebody has said which: an empty
    `new.pipeline_file` would quietly mean the project's own."""
    knows_variables: bool  # Whether these are all the variables

    @property
    def secrets(self) -> tuple[str, ...]:
        return tuple(item.key for item in self.new.variables if not isinstance(item.value, str))

    @property
    def unknown(self) -> tuple[str, ...]:
        """Return what is not known, in words: to be named before anything is sent."""
        named = ", ".join(self.secrets)
        words = (
            ("the pipeline file", not self.knows_file),
            ("other variables", not self.knows_variables),
            (f"the value of {named}", bool(self.secrets)),
        )
        return tuple(word for word, holds in words if holds)


@dataclass(frozen=True, slots=True)
class RunHistory:
    """What was typed for runs of one project; newest first, each once."""

    refs: tuple[str, ...] = ()
    pipeline_files: tuple[str, ...] = ()
    variables: tuple[tuple[RunVariable, ...], ...] = ()
    """Sets of variables that were sent; a secret is there with an empty `Secret`."""


@dataclass(frozen=True, slots=True)
class SentPipeline:
    """A pipeline that platui started or triggered."""

    new: NewPipeline
    """As it was sent; a secret variable is there with an empty `Secret`."""
    at: datetime
    pipeline: int | None = None
    """Its id; None where the platform's answer was lost."""
    project_id: int | None = None
    """Of its project, which may have been named by its path."""

    def is_of(self, names: frozenset[ProjectRef]) -> bool:
        return self.new.project in names or self.project_id in names


@dataclass(frozen=True, slots=True)
class SentSchedule:
    """A schedule that platui created; the platform may not list those it has."""

    new: NewSchedule
    at: datetime
    schedule: int | None = None
    """Its id; None where the platform's answer does not say."""


def variable_field(index: int) -> str:
    return f"{_VARIABLE}{index}"


def variable_in(field: str) -> int | None:
    return int(field.removeprefix(_VARIABLE)) if field.startswith(_VARIABLE) else None


@dataclass(frozen=True, slots=True)
class RunForm:
    """What is to be run. Nothing typed is refused on the way: `problems` says what is wrong."""

    project: ProjectRef
    ref: str = ""
    pipeline_file: str = ""  # Empty: the project's own
    file_is_known: bool = True
    """Whether somebody, or what is remembered, has said which file; if not, nothing is sent."""
    variables: tuple[RunVariable, ...] = ()
    triggered: bool = False

    @classmethod
    def of_draft(cls, draft: RunDraft) -> RunForm:
        new = draft.new
        return cls(
            new.project, new.ref, new.pipeline_file, draft.knows_file, new.variables, new.triggered
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
        """Return the form with the file that somebody chose; empty: the project's own."""
        return replace(self, pipeline_file=path, file_is_known=True)

    def with_variable(self, index: int, variable: RunVariable) -> RunForm:
        """Return the form with another variable in the place of one, or below the last."""
        kept = self.variables
        return replace(self, variables=(*kept[:index], variable, *kept[index + 1 :]))

    def without_variable(self, index: int) -> RunForm:
        kept = self.variables
        return replace(self, variables=(*kept[:index], *kept[index + 1 :]))

    def with_all(self, variables: Iterable[RunVariable]) -> RunForm:
        """Return the form with more variables; those of a key that is there take its place.

        A secret that is there stays one, and a secret without a value takes no value away.
        """
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
        """Return what keeps it from being sent: the field -> a sentence, from the top down."""
        found: dict[str, str] = {}
        if not self.ref:
            found[REF] = "Choose a branch or tag."
        elif _STEERING.search(self.ref) or self.ref != self.ref.strip():
            found[REF] = "No branch or tag has such a name: it has blanks or control characters."
        if not self.file_is_known:
            found[FILE] = "Which file it ran from is not known: choose one, or the project's own."
        elif _STEERING.search(self.pipeline_file):
            found[FILE] = "No file has such a name: it has control characters."
        keys = Counter(item.key for item in self.variables)
        for at, item in enumerate(self.variables):
            problem = key_problem(item.key)
            if not problem and keys[item.key] > 1:
                problem = "There are several of this key."
            if not problem and isinstance(item.value, Secret) and not item.value:
                problem = "Its value is to be typed again: secrets are never kept."
            if problem:
                found[variable_field(at)] = problem
        return found


def key_problem(key: str) -> str:
    """Return why no variable can have this key; empty where one can."""
    if not key:
        return "A variable has a key."
    if key == PIPELINE_FILE_VARIABLE:
        return "This one selects the pipeline file: it is chosen above."
    if not _KEY.fullmatch(key):
        return "A key has letters without accents, digits and _ only."
    if len(key) > _LONGEST_KEY:
        return f"A key has {_LONGEST_KEY} characters at most."
    return ""


def _over(old: RunVariable, new: RunVariable) -> RunVariable:
    if isinstance(new.value, Secret):
        return old if not new.value and isinstance(old.value, Secret) else new
    return replace(new, value=Secret(new.value)) if isinstance(old.value, Secret) else new
