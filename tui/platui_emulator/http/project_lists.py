"""The lists of projects that callers page through, kept so that any page of them is cheap."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from platui_emulator.http.access import LEVELS, Access
from platui_emulator.http.credentials import Credential, Kind
from platui_emulator.http.failures import bad_parameters

if TYPE_CHECKING:
    from platui_emulator.http.call import Call
    from platui_emulator.http.parameters import Parameters
    from platui_emulator.records import Project
    from platui_emulator.world.company import Company


_KEPT: Final = 48

_Key = tuple[Any, ...]


class ProjectLists:
    """What each caller sees, in each order: projects are only ever added, and never change."""

    def __init__(self, world: Company, access: Access) -> None:
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


_LEVELS: Final = frozenset({10, 15, 20, 30, 40, 50})


@dataclass(frozen=True, slots=True)
class ProjectFilter:
    """The filters of a request."""

    nothing: bool
    """Whether a filter matches no project of the emulator: archived, starred, with a topic."""
    search: str
    in_path: bool
    visibility: str | None
    least_level: int
    id_after: int | None
    id_before: int | None
    active_after: datetime | None
    active_before: datetime | None

    @classmethod
    def of(cls, call: Call) -> ProjectFilter:
        params = call.params
        owned = params.flag("owned", default=False)
        return cls(
            nothing=(
                params.flag("archived", default=False)
                or params.flag("starred", default=False)
                or not params.flag("active", default=True)
                or bool(params.text("topic"))
            ),
            search=(params.text("search") or "").casefold(),
            in_path=params.flag("search_namespaces", default=False),
            visibility=params.choice("visibility", ("private", "internal", "public")),
            least_level=max(_level(params), LEVELS["OWNER"] if owned else 0),
            id_after=_number(params, "id_after"),
            id_before=_number(params, "id_before"),
            active_after=params.moment("last_activity_after"),
            active_before=params.moment("last_activity_before"),
        )

    def applied(self, call: Call, found: Sequence[Project]) -> Sequence[Project]:
        """Return those of a list that are wanted, in its order."""
        if self.nothing:
            return []
        if self.search:
            text = call.platform.lists.text
            found = [one for one in found if self.search in text(one, in_path=self.in_path)]
        if self.visibility is not None:
            found = [one for one in found if one.visibility == self.visibility]
        if self.id_after is not None:
            found = [one for one in found if one.id > self.id_after]
        if self.id_before is not None:
            found = [one for one in found if one.id < self.id_before]
        if self.least_level:
            level, who = call.platform.access.level, call.credential
            found = [one for one in found if level(who, one) >= self.least_level]
        if self.active_after is not None or self.active_before is not None:
            found = [one for one in found if self._is_active(call, one)]
        return found

    def _is_active(self, call: Call, project: Project) -> bool:
        when = call.world.last_activity(project.id, call.now)
        return (self.active_after is None or when >= self.active_after) and (
            self.active_before is None or when <= self.active_before
        )


def _level(params: Parameters) -> int:
    level = params.number("min_access_level", 0)
    if level and level not in _LEVELS:
        raise bad_parameters("min_access_level does not have a valid value")
    return level


def _number(params: Parameters, name: str) -> int | None:
    return params.number(name, 0) if name in params else None
