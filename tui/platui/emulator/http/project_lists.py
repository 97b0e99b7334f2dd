"""The lists of projects that callers page through, kept so that any page of them is cheap."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from platui.emulator.http.credentials import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from platui.emulator.http.access import Access
    from platui.emulator.http.credentials import Credential
    from platui.emulator.records import Project
    from platui.emulator.world_protocol import World

_KEPT: Final = 48
"""Lists of callers, filters and orders that are kept."""

_Key = tuple[Any, ...]


class ProjectLists:
    """What each caller sees, in each order: projects are only ever added, and never change."""

    def __init__(self, world: World, access: Access) -> None:
        self._world = world
        self._access = access
        self._lists: dict[_Key, tuple[int, list[Project]]] = {}
        self._texts: dict[tuple[int, bool], str] = {}

    def of(
        self, credential: Credential, order: str, now: datetime, *, member: bool
    ) -> Sequence[Project]:
        """Return what a caller sees, or is a member of, in ascending order."""
        if order != "last_activity_at":
            return self._kept(credential, order, member=member)
        seen = self._kept(credential, "id", member=member)
        found = self._world.by_activity(now)
        if len(seen) == len(found):
            return found
        ids = {project.id for project in seen}
        return [project for project in found if project.id in ids]

    def text(self, project: Project, *, in_path: bool) -> str:
        """Return what a search looks through, in small letters."""
        key = project.id, in_path
        if key not in self._texts:
            path = project.full_path if in_path else project.path
            self._texts[key] = f"{project.name}\n{path}\n{project.description}".casefold()
        return self._texts[key]

    def _kept(self, credential: Credential, order: str, *, member: bool) -> list[Project]:
        count = len(self._world.projects())
        key = credential.kind, credential.owner_id, credential.user.id, order, member
        known, found = self._lists.pop(key, (-1, []))
        # What lets a job's token in can change at any time.
        if known != count or credential.kind is Kind.JOB:
            found = self._made(credential, order, member=member)
        self._lists[key] = count, found
        if len(self._lists) > _KEPT:
            del self._lists[next(iter(self._lists))]
        return found

    def _made(self, credential: Credential, order: str, *, member: bool) -> list[Project]:
        found = list(self._access.visible_projects(credential))
        if member:
            found = [one for one in found if self._access.level(credential, one)]
        if order != "id":
            found.sort(key=ORDERS[order])
        return found


ORDERS: Final[Mapping[str, Callable[[Project], Any]]] = {
    "id": lambda project: project.id,
    "name": lambda project: (project.name.casefold(), project.id),
    "path": lambda project: (project.path.casefold(), project.id),
    "created_at": lambda project: (project.created_at, project.id),
    "last_activity_at": lambda project: project.id,
}
"""The orders there are, by name; that of the last activity is the company's own."""
