"""Find the start of an incident before the listed pipelines, in the list of its branch."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Final

from platui.core.errors import PlatuiError
from platui.models.values.queries import PipelinesQuery
from platui.service import resources
from platui.service.logs.job_logs import is_refusal
from platui.service.lru_cache import LruCache
from platui.service.triage.tasks import BoardStatus, Retries, first_due

if TYPE_CHECKING:
    from platui.models.values.connection import Urgency
    from platui.models.values.feeds import Listing
    from platui.models.values.stored_triage import IncidentKey
    from platui.models.values.triage import Incident
    from platui.models.wire import Pipeline
    from platui.service.feeds.read_context import ReadContext
    from platui.service.triage.project import WatchedProject

_BOUND: Final = 2000


class IncidentStarts:
    """Reads up to two pages of the branch's own list, also for what became of it.

    It does so once, and again after a gap in the list of the project.
    """

    at_once = 2

    def __init__(
        self,
        context: ReadContext,
        board_status: BoardStatus,
        ask: Callable[[], Urgency],
        found: Callable[[Incident], Awaitable[None]],
    ) -> None:
        self._context = context
        self._board_status = board_status
        self._ask = ask
        self._found = found
        self._retries = Retries(context.conditions)
        self._open: dict[IncidentKey, tuple[WatchedProject, Incident]] = {}
        self._asked = LruCache[tuple[int, int, str], None](_BOUND)  # project, its gaps, branch

    @property
    def keys(self) -> AbstractSet[IncidentKey]:
        return self._open.keys()

    def unknown(self) -> set[IncidentKey]:
        """Return the incidents to search now, without pending retries."""
        return {key for key in self._open if self._retries.remaining(key) <= 0.0}

    def set_projects(self, projects: Iterable[WatchedProject]) -> None:
        """Search the incidents of these projects that are live and not wholly listed."""
        known = list(projects)
        self._asked.make_room(2 * sum(len(project.incidents) for project in known))
        self._open = {
            one.key: (project, one)
            for project in known
            if project.is_live
            for one in project.incidents
            if one.lane.ref and (project.id, project.gaps, one.lane.ref) not in self._asked
            if one.is_at_least or not _is_known(project, one)
        }

    def due(self, under_way: AbstractSet[IncidentKey]) -> tuple[IncidentKey | None, float | None]:
        busy = {self._open[key][1].lane[:2] for key in under_way if key in self._open}
        return first_due(
            (key, self._retries.remaining(key))
            for key, (_, incident) in self._open.items()
            if key not in under_way and incident.lane[:2] not in busy
        )

    async def renew(self, key: IncidentKey) -> None:
        """Fetch the list of an incident's branch, unless the cached one is sufficient."""
        project, incident = self._open[key]
        branch, gaps = incident.lane.ref, project.gaps
        try:
            listing = await self._listing(incident, is_known=_is_known(project, incident))
        except PlatuiError as error:
            self._retries.failed(key, error)
            if is_refusal(error):
                self._asked.put((project.id, gaps, branch), None)
            else:
                self._board_status.answered(error)
            return
        self._board_status.answered(None)
        self._asked.put((project.id, gaps, branch), None)
        if listing is not None:
            await project.learn(branch, listing)
            await self._found(incident)

    async def _listing(self, incident: Incident, *, is_known: bool) -> Listing[Pipeline] | None:
        first = incident.first_red
        query = PipelinesQuery(incident.lane.project, ref=first.ref)
        reading = self._context.reading(resources.pipelines.pipelines(query))
        await reading.recall()
        ids = set() if reading.value is None else {one.id for one in reading.value.items}
        # The cached list is usable only if it overlaps the known pipelines; it may lack newer ones.
        if not is_known or first.id not in ids or min(ids) == first.id:
            await reading.renew(self._ask())
        if reading.more and reading.value is not None:
            older = (one for one in reading.value.items if one.id < first.id)
            if not any(one.status == "success" for one in older):
                await reading.extend(self._ask())
        return reading.value


def _is_known(project: WatchedProject, incident: Incident) -> bool:
    """Return whether all pipelines of its branch since its newest failure are known."""
    return incident.key not in project.unlisted and incident.lane.ref not in project.outdated
