"""Follow running pipelines that the newest page of their project does not list any more."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from collections.abc import Set as AbstractSet
from math import inf
from typing import TYPE_CHECKING, Final

from platui.core.errors import HIDDEN, PlatuiError
from platui.service import resources
from platui.service.triage.tasks import BoardStatus, first_due

if TYPE_CHECKING:
    from platui.models.values.connection import Urgency
    from platui.service.feeds.read_context import ReadContext
    from platui.service.triage.project import WatchedProject

_Key = tuple[int, int]  # project and pipeline

EVERY: Final = 60.0  # seconds between two requests for one pipeline


class OlderPipelines:
    """Fetches each of them once a minute until it has ended."""

    at_once = 2

    def __init__(
        self,
        context: ReadContext,
        board_status: BoardStatus,
        ask: Callable[[], Urgency],
        found: Callable[[WatchedProject], Awaitable[None]],
    ) -> None:
        self._context = context
        self._board_status = board_status
        self._ask = ask
        self._found = found
        self._projects: dict[_Key, WatchedProject] = {}
        self._asked: dict[_Key, float] = {}  # monotonic second of the last request

    @property
    def keys(self) -> AbstractSet[_Key]:
        return self._projects.keys()

    def set_projects(self, projects: Iterable[WatchedProject]) -> None:
        self._projects = {
            (project.id, number): project
            for project in projects
            if project.is_live
            for number in project.older_running
        }
        self._asked = {key: at for key, at in self._asked.items() if key in self._projects}

    def due(self, under_way: AbstractSet[_Key]) -> tuple[_Key | None, float | None]:
        now = self._context.conditions.clock.monotonic()
        return first_due(
            (key, self._asked.get(key, -inf) + EVERY - now)
            for key in self._projects
            if key not in under_way
        )

    async def renew(self, key: _Key) -> None:
        project, (_, number) = self._projects[key], key
        self._asked[key] = self._context.conditions.clock.monotonic()
        reading = self._context.reading(resources.pipelines.ending(*key))
        try:
            await reading.renew(self._ask())
        except HIDDEN:
            pass  # it was deleted
        except PlatuiError as error:
            self._board_status.answered(error)
            return
        self._board_status.answered(None)
        await project.update(number, reading.value)
        await self._found(project)
