"""Local state of the triage board: what is watched, marked and over; changes to the watch list."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from platui.models.values.queries import ProjectRef
    from platui.models.values.triage import Incident
    from platui.models.values.triage_board import Mark

    IncidentKey = tuple[ProjectRef, int]
    """A project, and the first red pipeline of an incident in it."""


class Watchable(NamedTuple):
    """A project as a view knows it."""

    project: ProjectRef
    path: str = ""  # Its full path as the platform tells it; empty where that is not known
    label: str = ""  # What it is called there, clean


@dataclass(frozen=True, slots=True)
class WatchChange:
    """Projects and groups that are to be watched, and such that are not to be any more."""

    watch: tuple[int, ...] = ()
    watch_groups: tuple[str, ...] = ()
    unwatch: tuple[int, ...] = ()
    unwatch_groups: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Return whether anything is to change."""
        return bool(self.watch or self.watch_groups or self.unwatch or self.unwatch_groups)


class WatchSelection(NamedTuple):
    """What the board is over."""

    projects: tuple[int, ...] = ()
    """Ids, in the order in which they were chosen, each once."""
    groups: tuple[str, ...] = ()
    """Full paths of groups of which every project is watched, those that join later as well."""
    is_chosen: bool = False
    """Whether anybody ever chose: a list that was emptied is another thing than none."""

    def group_of(self, path: str) -> str:
        """Return the watched group that a project or group of this path is in; empty: none.

        A group is not in itself. Where several hold it, it is the outermost.
        """
        found = [group for group in self.groups if path.startswith(f"{group}/")]
        return min(found, key=len, default="")

    def holds(self, project: int | str, path: str) -> bool:
        """Return whether a project is watched, by itself or with a group.

        `path` is empty where it is not known.
        """
        return project in self.projects or bool(self.groups and self.group_of(path))


NOTHING_WATCHED: Final = WatchSelection()


@dataclass(frozen=True, slots=True)
class PastIncident:
    """An incident as it was seen last: open, or over."""

    incident: Incident  # Without its commit and without what ran after the newest red one
    opened_at: datetime  # When it was seen first
    recovered_at: datetime | None = None  # When it was seen to be over; None while it is open
    signature: str = ""  # Key of the cause; empty while it is not known
    cause: str = ""  # What all failures of that cause say, clean

    @property
    def key(self) -> IncidentKey:
        return self.incident.key


@dataclass(frozen=True, slots=True)
class StoredTriage:
    """All that is remembered of one profile, at one moment."""

    watched: WatchSelection = NOTHING_WATCHED
    marks: Mapping[IncidentKey, Mark] = field(default_factory=lambda: MappingProxyType({}))
    history: Mapping[IncidentKey, PastIncident] = field(
        default_factory=lambda: MappingProxyType({})
    )
    """The one that was changed last comes last."""
