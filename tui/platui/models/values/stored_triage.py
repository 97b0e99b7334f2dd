"""Saved local state of the triage board: watch list, marks, history."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from platui.core.dataclass import dataclass
from platui.core.named_tuple import NamedTuple

if TYPE_CHECKING:
    from platui.models.values.queries import ProjectRef
    from platui.models.values.triage import Incident
    from platui.models.values.triage_board import Mark

    IncidentKey = tuple[ProjectRef, int]  # Project and first failed pipeline


MAX_NOTE_LENGTH: Final = 2000  # Characters
MAX_OWNER_LENGTH: Final = 100


class Watchable(NamedTuple):
    project: ProjectRef
    path: str = ""  # Full path; empty: unknown
    label: str = ""  # Displayed name, clean


@dataclass(frozen=True, slots=True)
class WatchChange:
    """Projects and groups to add to and remove from the watch list."""

    watch: tuple[int, ...] = ()
    watch_groups: tuple[str, ...] = ()
    unwatch: tuple[int, ...] = ()
    unwatch_groups: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.watch or self.watch_groups or self.unwatch or self.unwatch_groups)


class WatchSelection(NamedTuple):
    projects: tuple[int, ...] = ()  # Ids in the order of selection, unique
    groups: tuple[str, ...] = ()
    """Full paths of groups; all their projects are watched, including new ones."""
    is_chosen: bool = False
    """Whether the user ever changed it: an emptied list differs from the default."""

    @property
    def is_empty(self) -> bool:
        return not (self.projects or self.groups)

    def group_of(self, path: str) -> str:
        """Return the outermost watched group above this path; empty: none."""
        found = [group for group in self.groups if path.startswith(f"{group}/")]
        return min(found, key=len, default="")

    def holds(self, project: int | str, path: str) -> bool:
        """Return whether a project is watched, directly or by its group; `path` may be empty."""
        return project in self.projects or bool(self.groups and self.group_of(path))


NOTHING_WATCHED: Final = WatchSelection()


@dataclass(frozen=True, slots=True)
class PastIncident:
    """An open or closed incident as last seen."""

    incident: Incident  # Without commit and later pipelines
    opened_at: datetime  # First seen
    recovered_at: datetime | None = None  # None: open
    signature: str = ""  # Key of the cause; empty: unknown
    cause: str = ""  # Common message of the cause, clean

    @property
    def key(self) -> IncidentKey:
        return self.incident.key


@dataclass(frozen=True, slots=True)
class StoredTriage:
    """All saved triage data of one profile."""

    watched: WatchSelection = NOTHING_WATCHED
    marks: Mapping[IncidentKey, Mark] = field(default_factory=lambda: MappingProxyType({}))
    history: Mapping[IncidentKey, PastIncident] = field(
        default_factory=lambda: MappingProxyType({})
    )  # The last changed incident comes last
    hides_branches: bool = False  # Whether the board shows default branches only
