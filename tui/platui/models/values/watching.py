"""What is wanted of the watch list: which projects and groups, and what a key makes of that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from platui.models.values.queries import ProjectRef


class Watchable(NamedTuple):
    """A project as a view knows it."""

    project: ProjectRef
    path: str = ""
    """Its full path as the platform tells it; empty where that is not known."""
    label: str = ""
    """What it is called there, clean."""


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
