"""Where one is: the address of a view, fit to be remembered, shown and typed."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from platui.models.values.queries import ProjectRef
    from platui.models.values.table import Column, Row
    from platui.models.values.triage_board import KeptBoard


class View(StrEnum):
    """The screens one can be on."""

    TRIAGE = "triage"
    PROJECTS = "projects"
    PIPELINES = "pipelines"
    JOBS = "jobs"
    LOG = "log"
    COMPARE = "compare"
    MANY = "many"
    SEARCH = "search"
    SINCE = "since"
    FILE = "file"
    SCHEDULES = "schedules"
    ACCESS = "access"
    GROUPS = "groups"
    CHANGES = "changes"
    PERSON = "person"
    MEMBERS = "members"
    RUN = "run"
    REQUESTS = "requests"


@dataclass(frozen=True, slots=True)
class Place:
    """A view and the object it shows."""

    view: View = View.PROJECTS
    project: ProjectRef | None = None
    project_name: str = ""
    """What to show for the project; its path where known."""
    pipeline: int | None = None
    job: int | None = None
    job_name: str = ""
    path: str = ""
    """Of a file in the repository; empty: the pipeline file, whichever that is."""
    ref: str = ""
    """The branch, tag or commit at which the file is read, or on which the pipeline ran."""
    line: int | None = None
    """Of a log, from 0: where it opens; None where it chooses by itself."""
    search: str = ""
    """What is looked for: in a log, or in all logs of a pipeline."""
    is_regex: bool = False
    """Whether that is a regular expression."""
    triggered: bool = False
    """Of a form: whether it opens with the trigger token chosen."""
    schedule: int | None = None
    """Of a list of schedules: the one that the cursor is put on."""
    sort: str = ""
    """Of a list: the key of the column it is sorted by, a `-` before it where that is reversed.

    Empty: in its usual order.
    """
    group: str = ""
    """Of the projects: the path of the namespace whose projects are shown; empty: of all."""
    report: str = ""
    """Of the access report: the id of an earlier one that is looked at; empty: the newest."""
    entry: str = ""
    """Of the access report: `person`, `group` or `project`, and its id."""


@dataclass(frozen=True, slots=True)
class KeptPlace:
    """The last place with the rows that were on it: enough to paint a first frame."""

    place: Place
    columns: tuple[Column, ...] = ()
    rows: tuple[Row, ...] = ()
    cursor: str = ""
    saved_at: float = 0.0
    """When the rows were told by the platform, in Unix seconds."""
    profile: str = ""
    extra: dict[str, str] = field(default_factory=dict)
    board: KeptBoard | None = None
    """Of the triage board: what the rows stand for. It is kept in a file of its own."""
