"""A pipeline to be run again, before one has looked at it; and what was typed before."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from platui.models.values.writes import NewPipeline, RunVariable


class DraftSource(StrEnum):
    """Where a draft's pipeline file and variables come from."""

    SENT = "what platui sent for it"
    VARIABLES = "its variables"
    SCHEDULE = "its schedule's variables"
    NOTHING = "its ref alone"


@dataclass(frozen=True, slots=True)
class RunDraft:
    """A run form, filled in as far as it is known."""

    new: NewPipeline
    """A secret variable has an empty `Secret`, to be typed again."""
    source: DraftSource
    knows_file: bool
    """Whether the pipeline file is known, if only to be the project's own.

    Where it is not, nothing may be sent before somebody has said which: an empty
    `new.pipeline_file` would quietly mean the project's own."""
    knows_variables: bool
    """Whether these are all the variables."""

    @property
    def secrets(self) -> tuple[str, ...]:
        """Return the keys of the secrets that are to be typed again."""
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
