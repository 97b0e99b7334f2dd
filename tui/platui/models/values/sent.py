"""What platui sent, as it is remembered: to do the same again. Never a secret's value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from platui.models.values.queries import ProjectRef
    from platui.models.values.writes import NewPipeline, NewSchedule


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
        """Return whether it is of the project with one of these names."""
        return self.new.project in names or self.project_id in names


@dataclass(frozen=True, slots=True)
class SentSchedule:
    """A schedule that platui created; the platform may not list those it has."""

    new: NewSchedule
    at: datetime
    schedule: int | None = None
    """Its id; None where the platform's answer does not say."""
