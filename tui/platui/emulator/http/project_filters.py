"""Which projects of a list are wanted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from platui.emulator.http.access import LEVELS
from platui.emulator.http.failures import bad_parameters

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from platui.emulator.http.call import Call
    from platui.emulator.http.parameters import Parameters
    from platui.emulator.records import Project

_LEVELS: Final = frozenset({10, 15, 20, 30, 40, 50})


@dataclass(frozen=True, slots=True)
class ProjectFilter:
    """What a caller asked for."""

    nothing: bool
    """Whether only what no project here is was asked for: archived, starred, with a topic."""
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
        """Read a request's filters."""
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
