"""Routes: a view and the object it shows."""

from __future__ import annotations

from dataclasses import field, fields
from typing import TYPE_CHECKING, Final

from platui.core.dataclass import dataclass

if TYPE_CHECKING:
    from platui.models.values.queries import ProjectRef
    from platui.models.values.table import Column, Row
    from platui.models.values.triage_board import SavedBoard


@dataclass(frozen=True, slots=True)
class Route:
    """A view and the object it shows."""

    view: str = "projects"  # The id of the view, see `platui.ui.views`
    project: ProjectRef | None = None
    project_name: str = ""  # The displayed name; its path where known
    pipeline: int | None = None
    job: int | None = None
    job_name: str = ""
    path: str = ""  # A file of the repository; empty: the pipeline file
    ref: str = ""  # The branch, tag or commit of the file or pipeline
    line: int | None = None  # First line to show, from 0; None: the view chooses
    search: str = ""  # The search in a log, or in all logs of a pipeline
    is_regex: bool = False  # Whether `search` is a regular expression
    triggered: bool = False  # Whether the run form opens with the trigger token chosen
    schedule: int | None = None  # The schedule under the cursor
    sort: str = ""
    """The key of the column that a list is sorted by, after a `-` if reversed; empty: default."""
    group: str = ""  # The namespace whose projects are listed; empty: all projects
    report: str = ""  # The id of an earlier access report; empty: the newest
    entry: str = ""  # An entry of the access report: `person`, `group` or `project`, and its id


_TYPES: Final = {
    "ProjectRef | None": (int, str, type(None)),
    "int | None": (int, type(None)),
    "str": (str,),
    "bool": (bool,),
}
FIELD_TYPES: Final = {one.name: _TYPES[str(one.type)] for one in fields(Route)}
"""Fields of a route and their types, in the order of saved files: append only."""

NAME_FIELDS: Final = frozenset({"project_name", "job_name"})
"""Fields with text of the platform, for display only."""


@dataclass(frozen=True, slots=True)
class SavedView:
    """A route with its rows, saved for the first frame of the next start."""

    route: Route
    columns: tuple[Column, ...] = ()
    rows: tuple[Row, ...] = ()
    cursor: str = ""
    saved_at: float = 0.0  # When the rows were fetched (Unix seconds)
    profile: str = ""
    extra: dict[str, str] = field(default_factory=dict)
    board: SavedBoard | None = None  # The incidents of the triage board; saved in a separate file
