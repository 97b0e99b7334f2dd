"""Objects of the platform that are known without a request, to jump to."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

from platui.core.dataclass import dataclass

if TYPE_CHECKING:
    from platui.models.values.queries import ProjectRef


class Kind(StrEnum):
    """Kinds of objects, in the order in which equal matches are listed."""

    PROJECT = "project"
    GROUP = "group"
    PIPELINE = "pipeline"
    JOB = "job"
    SCHEDULE = "schedule"
    REPORT = "report"


PLACES: Final = (Kind.PROJECT, Kind.GROUP)

_LONGEST: Final = 500  # Characters of a text that are searched: each key searches all texts


@dataclass(frozen=True, slots=True)
class Known:
    """An object with its searchable texts; all text is clean."""

    kind: Kind
    id: int | str  # Of a project that was only visited, its path; of a report, its folder
    name: str
    path: str = ""  # Full path of a project or group; of anything else, of its project
    project: ProjectRef | None = None
    pipeline: int | None = None  # Of a job
    status: str = ""
    label: str = ""  # What is shown as its name, in lower case
    text: str = ""  # All that is searched, in lower case; begins with the label

    @property
    def key(self) -> tuple[Kind, int | str]:
        return self.kind, self.id


def known(
    kind: Kind,
    id_: int | str,
    name: str,
    path: str = "",
    *,
    project: ProjectRef | None = None,
    pipeline: int | None = None,
    status: str = "",
    other: str = "",
) -> Known:
    """Return an object with its searchable texts; `other` is searched, not shown."""
    name, status = name[:_LONGEST], status[:_LONGEST]
    label = f"{name} #{id_}".lower() if kind is Kind.JOB else name.lower()
    text = f"{label}\n{path[-_LONGEST:]}\n#{id_}\n{other[:_LONGEST]}".lower()
    return Known(kind, id_, name, path, project, pipeline, status, label, text)
