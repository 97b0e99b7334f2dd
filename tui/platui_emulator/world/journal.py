"""What callers added to the company: the only part of it that grows."""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from platui_emulator.records import Person, Project, Variable, WorldError

if TYPE_CHECKING:
    from platui_emulator.world.clock import Numbering
    from platui_emulator.world.plans import Run


CANCELABLE: Final = frozenset(
    {"created", "waiting_for_resource", "preparing", "waiting_for_callback", "pending", "running"}
)
"""What a job may be canceled from with its pipeline; alone, a manual one too."""

RETRYABLE: Final = frozenset({"success", "failed", "canceled", "canceling"})
RETRIED_WITH_PIPELINE: Final = frozenset({"failed", "canceled"})
COMPLETE: Final = frozenset({"success", "failed", "canceled"})


class Kind(Enum):
    """The kind of an intervention."""

    RETRY = auto()
    CANCEL = auto()
    RETRY_JOB = auto()
    CANCEL_JOB = auto()
    FORCE_CANCEL_JOB = auto()
    """Do not wait for the runner of a job that is being canceled."""
    PLAY_JOB = auto()
    ERASE_JOB = auto()
    FOLLOW = auto()
    """Caused by no user: the child pipeline changed, and its bridge follows."""


@dataclass(frozen=True, slots=True)
class Intervention:
    """Something that was done to a pipeline or to one of its jobs."""

    at: float
    kind: Kind
    who: Person
    job: int = -1
    """Index of the job; negative for the whole pipeline."""
    child_id: int | None = None
    """The number, kept free, of the pipeline that a bridge starts after this."""
    child_iid: int = 0
    variables: tuple[Variable, ...] = ()


class Interventions:
    """All that was done, by pipeline."""

    def __init__(self) -> None:
        self._of: defaultdict[int, tuple[Intervention, ...]] = defaultdict(tuple)

    def of(self, pipeline: int, until: float | None = None) -> tuple[Intervention, ...]:
        """Return the interventions in a pipeline, optionally only up to a time."""
        found = self._of.get(pipeline, ())
        return found if until is None else tuple(one for one in found if one.at <= until)

    def forget(self, pipeline: int) -> None:
        """Forget a pipeline that is gone for good."""
        self._of.pop(pipeline, None)

    def add(self, pipeline: int, act: Intervention) -> None:
        self._of[pipeline] += (act,)


class Journal:
    """Added pipelines and projects, and the interventions in any pipeline."""

    def __init__(self, numbering: Numbering) -> None:
        self.numbering = numbering
        self.interventions = Interventions()
        self.titles: dict[int, tuple[float, str]] = {}
        self.deleted: dict[int, list[int]] = {}
        self._parents: dict[int, dict[int, int]] = {}
        self.projects: dict[int, Project] = {}
        self._runs: dict[int, dict[int, Run]] = {}
        self._numbers: dict[int, list[int]] = {}
        self._lanes: dict[int, int] = {}

    def reserve(self, minute: int, count: int) -> int:
        """Return the first of some free pipeline numbers that follow each other."""
        first, lanes = self.numbering.first_added_lane, self.numbering.lanes
        while (lane := self._lanes.get(minute, first)) + count > lanes:
            minute += 1
        self._lanes[minute] = lane + count
        return self.numbering.pipeline_id(minute, lane)

    def add_run(self, run: Run) -> None:
        self._runs.setdefault(run.blueprint.id, {})[run.id] = run
        numbers = self._numbers.setdefault(run.blueprint.id, [])
        insort(numbers, run.id)
        if run.child_id is not None:
            insort(numbers, run.child_id)

    def drop_run(self, project_id: int, pipeline: int) -> None:
        """Remove a pipeline, its child, and their interventions."""
        run = self._runs[project_id].pop(pipeline)
        for number in (run.id, run.child_id):
            if number is not None:
                self._numbers[project_id].remove(number)
                self.interventions.forget(number)
                self.titles.pop(number, None)

    def adopt(self, project_id: int, minute: int, parent: int) -> int:
        """Reserve the number of a pipeline that a bridge starts after an intervention."""
        child = self.reserve(minute, 1)
        self._parents.setdefault(project_id, {})[child] = parent
        insort(self._numbers.setdefault(project_id, []), child)
        return child

    def parent_of(self, project_id: int, child: int) -> int | None:
        """Return the pipeline for whose child a number was kept free."""
        return self._parents.get(project_id, {}).get(child)

    def parents(self, project_id: int) -> set[int]:
        """Return the pipelines for whose children numbers were kept free."""
        return set(self._parents.get(project_id, {}).values())

    def delete(self, project_id: int, pipeline: int) -> None:
        """Note that a pipeline is gone; its children stay."""
        insort(self.deleted.setdefault(project_id, []), pipeline)

    def is_deleted(self, project_id: int, pipeline: int) -> bool:
        gone = self.deleted.get(project_id, [])
        place = bisect_left(gone, pipeline)
        return place < len(gone) and gone[place] == pipeline

    def run(self, project_id: int, pipeline: int) -> Run | None:
        return self._runs.get(project_id, {}).get(pipeline)

    def active(self) -> list[int]:
        """Return the projects that pipelines were added to."""
        return list(self._runs)

    def runs(self, project_id: int, now: float) -> list[Run]:
        """Return the pipelines added to a project by then, the newest first."""
        found = self._runs.get(project_id, {})
        numbers = reversed(self._numbers.get(project_id, []))
        runs = (found[number] for number in numbers if number in found)
        return [run for run in runs if run.created <= now]

    def count_before(self, project_id: int, pipeline: int) -> int:
        """Return how many pipelines with smaller numbers were added to a project."""
        return bisect_left(self._numbers.get(project_id, []), pipeline)

    def add_project(self, name: str, description: str, creator: Person, now: datetime) -> Project:
        """Keep a project of the creator. Raises WorldError: the name is taken or makes no path."""
        path = slug(name)
        full_path = f"{creator.username}/{path}"
        if not path:
            raise WorldError("can't be blank")
        if any(one.full_path == full_path for one in self.projects.values()):
            raise WorldError("has already been taken")
        project = Project(
            id=self.numbering.first_added_project + len(self.projects),
            name=name,
            path=path,
            full_path=full_path,
            group_id=creator.id,
            description=description,
            created_at=now,
        )
        self.projects[project.id] = project
        return project


def slug(name: str) -> str:
    """Return the path that a project's name makes."""
    return re.sub(r"[^a-z0-9_.]+", "-", name.lower()).strip("-.")
