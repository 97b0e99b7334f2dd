"""The requests of the triage board: each watched project once a round, each cause once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from platui.models.values.connection import Urgency
from platui.models.values.queries import PipelinesQuery
from platui.service import resources
from platui.service.feeds.task_feed import KeyedTasks
from platui.service.triage.cause_reader import CauseReader
from platui.service.triage.causes import Causes
from platui.service.triage.incident_starts import IncidentStarts
from platui.service.triage.older_pipelines import OlderPipelines
from platui.service.triage.project import WatchedProject
from platui.service.triage.scheduling import (
    AT_FIRST,
    BESIDE_A_CAUSE,
    TO_BEGIN,
    has_spare_quota,
    seconds_blocked,
)
from platui.service.triage.stuck import StuckPipelines
from platui.service.triage.tasks import BoardStatus, PeriodicCheck
from platui.service.triage.watched import WatchedProjects, WatchedSchedules

if TYPE_CHECKING:
    from platui.models.values.stored_triage import IncidentKey, PastIncident, WatchSelection
    from platui.models.values.triage import Incident
    from platui.service.feeds.read_context import ReadContext
    from platui.service.triage.scheduling import ListScheduler
    from platui.service.triage.state import TriageState


# urgent requests after the board is opened or refreshed; the rest has the priority of visible data
URGENT: Final = 20

_WRITE: Final = "write"
_SCHEDULES: Final = "schedules"
_STARTS: Final = "reach"
_OLDER: Final = "older"
_STUCK: Final = "stuck"
_WATCHED: Final = "watched"

WRITE_INTERVAL: Final = 2.0  # seconds between two writes of incidents found meanwhile


class TriagePoller:
    """Keeps the watched projects up to date with few requests; the board calls `launch`."""

    def __init__(
        self,
        context: ReadContext,
        triage_state: TriageState,
        scheduler: ListScheduler,
        ring: Callable[[], None],
        watched: WatchSelection | None = None,
    ) -> None:
        conditions = context.conditions
        self.is_paused = False
        self.projects: dict[int, WatchedProject] = {}
        self.watched = WatchedProjects(context, self._ask)
        self.causes = Causes(context, context.logs.log, self._ask_spared)
        self.budget = scheduler.budget
        self.schedules = WatchedSchedules(context, self.budget)
        self.stuck = StuckPipelines(context, self._ask_in_background)
        self._context = context
        self._triage_state = triage_state
        self._conditions = conditions
        self._scheduler = scheduler
        self._given = watched
        self.tasks = KeyedTasks(ring)
        self.board_status = BoardStatus(conditions)
        self.cause_reader = CauseReader(
            self.causes, self.watched, conditions, self.budget, scheduler, self.tasks,
            self.board_status, self._found,
        )  # fmt: skip
        self._incident_starts = IncidentStarts(
            context, self.board_status, self._ask_spared, self._found
        )
        self._older_pipelines = OlderPipelines(
            context, self.board_status, self._ask_in_background, self._remember
        )
        self._checks: dict[str, PeriodicCheck] = {
            _STARTS: self._incident_starts,
            _OLDER: self._older_pipelines,
            _SCHEDULES: self.schedules,
            _STUCK: self.stuck,
        }
        self._urgent = 0  # number of following requests that are urgent
        self._token_number = conditions.token_number
        self._seen: dict[IncidentKey, PastIncident] = {}
        self._next_write = 0.0
        self._stop_following: Callable[[], None] | None = None

    @property
    def incidents(self) -> list[Incident]:
        return [one for project in self.projects.values() for one in project.incidents]

    @property
    def pending_starts(self) -> int:
        """Return the number of incidents whose start or first commit is being searched."""
        return len(self.cause_reader.unnamed() | self._incident_starts.unknown())

    @property
    def is_listed(self) -> bool:
        # Until the projects are listed, the contents of groups are unknown.
        return self.watched.is_known or not self._wanted_projects.groups

    @property
    def is_live(self) -> bool:
        everything, watched = self.projects.values(), self.watched
        is_nothing = not everything and not (watched.empty_groups and watched.is_fetched)
        return not is_nothing and self.is_listed and all(one.is_live for one in everything)

    @property
    def _wanted_projects(self) -> WatchSelection:
        return self._triage_state.memory.value.watched if self._given is None else self._given

    def open(self) -> None:
        self._urgent = URGENT

    async def begin(self) -> None:
        self.tasks.fault = None
        self._stop_following = self._triage_state.follow()
        for project in self.projects.values():
            project.is_live = False
        await self.watched.recall(self._wanted_projects)
        await self.choose()
        self._take_incidents()
        await self.cause_reader.recall_at_first()

    async def choose(self) -> None:
        self.watched.choose(self._wanted_projects)
        ids = self.watched.ids
        if tuple(self.projects) != ids:
            before = self.projects
            self.projects = {one: before.get(one) or self._opened(one) for one in ids}
            self._scheduler.count = max(1, len(ids))
            self.schedules.set_projects(ids)
            for project in self.projects.values():
                if project.id not in before:
                    await project.recall(self.watched.branch(project.id))
            self.board_status.is_stale = True
        for project in self.projects.values():
            if await project.take(self.watched.branch(project.id)):
                self.board_status.is_stale = True

    def refresh(self) -> None:
        self._urgent = URGENT
        for project in self.projects.values():
            project.asked = True

    def launch(self) -> float | None:
        """Start due tasks in free slots; return the seconds until the next."""
        cause_reader = self.cause_reader
        self._take_incidents()
        self._incident_starts.set_projects(self.projects.values())
        self._older_pipelines.set_projects(self.projects.values())
        self.stuck.set_watched(
            state for project in self.projects.values() for state in project.moving
        )
        self.tasks.keep(
            {
                *self.projects,
                *cause_reader.keys,
                *((kind, key) for kind, checks in self._checks.items() for key in checks.keys),
                _WRITE,
                _WATCHED,
                _SCHEDULES,
            }
        )
        waits: list[float | None] = [self._start_write()]
        if not self.schedules.is_recalled and _SCHEDULES not in self.tasks:
            self.tasks.start(_SCHEDULES, self._outdating(self.schedules.recall))
        if not self.is_paused or any(one.asked for one in self.projects.values()):
            if self._token_number != self._conditions.token_number:
                self._token_number = self._conditions.token_number
                cause_reader.forget_failures()
                self.watched.is_due = True
                self.refresh()
            left = None if _WATCHED in self.tasks else self.watched.remaining()
            if left == 0.0:
                self.tasks.start(_WATCHED, self._renew_watched())
            waits.append(left)
            first, others = cause_reader.unread()
            waits.append(cause_reader.start_awaited(first))
            lists = self._start_lists()
            waits.append(lists)
            if lists != 0.0:
                waits.append(self._start_checks(_OLDER))
                waits.append(cause_reader.start_others(others))
                if not first and not others:
                    waits.append(self._start_checks(_STARTS))
                    waits.append(cause_reader.start_commits(self._incident_starts.keys))
                if self.is_live and not any(map(cause_reader.is_readable, (*first, *others))):
                    waits.append(self._start_checks(_STUCK))
                    if _SCHEDULES not in self.tasks:
                        waits.append(self._start_checks(_SCHEDULES))
        cause_reader.start_recalls()
        # Due requests without a slot start when another task ends, which rings.
        return min((wait for wait in waits if wait), default=None)

    async def close(self) -> None:
        if self._stop_following is not None:
            self._stop_following()
        await self.tasks.end()
        await self._write()

    def _take_incidents(self) -> None:
        self.cause_reader.incidents = self.incidents
        self.causes.make_room(len(self.cause_reader.incidents))

    def _opened(self, project: int) -> WatchedProject:
        history = self._triage_state.memory.value.history.values()
        remembered = [past for past in history if past.incident.lane.project == project]
        reading = self._context.reading(resources.pipelines.pipelines(PipelinesQuery(project)))
        return WatchedProject(project, reading, self._conditions, remembered)

    def _start_write(self) -> float | None:
        """Save all pending incidents at once."""
        if not self._seen:
            return None
        now = self._conditions.clock.monotonic()
        left = self._next_write - now
        if left > 0:
            return left
        self._next_write = now + WRITE_INTERVAL
        self.tasks.start(_WRITE, self._write(), silent=True)
        return WRITE_INTERVAL

    async def _write(self) -> None:
        if self._seen:
            news, self._seen = tuple(self._seen.values()), {}
            await self._triage_state.record(news)

    def _start_lists(self) -> float | None:
        idle = [one for one in self.projects.values() if one.id not in self.tasks]
        most = BESIDE_A_CAUSE if self.cause_reader.reads_first_cause else AT_FIRST
        if not any(one.is_live for one in self.projects.values()):
            most = TO_BEGIN
        due, soonest = self._scheduler.due(idle, len(self.projects) - len(idle), most)
        for project in due:
            self.tasks.start(project.id, self._renew(project))
        return soonest

    def _start_checks(self, kind: str) -> float | None:
        """Start due checks in free slots; return the seconds until the next."""
        wait = seconds_blocked(self._conditions)
        if wait != 0.0:
            return wait
        checks = self._checks[kind]
        under_way = {one for one in checks.keys if (kind, one) in self.tasks}
        while len(under_way) < checks.at_once:
            wait = self.budget.rest(kind)
            if wait > 0.0:
                return wait
            key, soonest = checks.due(under_way)
            if key is None:
                return soonest
            under_way.add(key)
            self.budget.begin(kind)
            self.tasks.start((kind, key), self._outdating(partial(checks.renew, key)))
        return None

    async def _outdating(self, work: Callable[[], Awaitable[None]]) -> None:
        await work()
        self.board_status.is_stale = True

    async def _renew_watched(self) -> None:
        self.board_status.answered(await self.watched.renew())
        self.board_status.is_stale = True

    async def _renew(self, project: WatchedProject) -> None:
        look, was_live = project.look, project.is_live
        error = await project.renew(self.watched.branch(project.id), self._ask())
        self.board_status.answered(error)
        if self._conditions.unauthorized:  # the others would get the same answer
            for other in self.projects.values():
                other.asked = False
        if error is None and (project.look is not look or project.has_unreported):
            await self._remember(project)
        is_same = project.look is look and project.is_live == was_live
        if error is not None or project.refused or not is_same:
            self.board_status.is_stale = True

    async def _found(self, incident: Incident) -> None:
        project = self.projects.get(int(incident.lane.project))
        if project is not None and project.is_live:
            await self._remember(project)

    async def _remember(self, project: WatchedProject) -> None:
        if project.look is None:
            return
        memory = self._triage_state.memory.value
        past = project.past(memory.history, self.causes, self._conditions.clock.now())
        self._seen |= {one.key: one for one in past}
        for before, now in project.moves():
            # Pending changes under the old key are obsolete.
            self._seen.pop(before.key, None)
            if before.key in memory.history or before.key in memory.marks:
                await self._triage_state.move(before.key, now.key)

    def _ask(self, *, spared: bool = False) -> Urgency:
        urgency = self._ask_in_background(spared=spared)
        if urgency is Urgency.VISIBLE and self._urgent > 0:
            self._urgent -= 1
            return Urgency.USER
        return urgency

    def _ask_spared(self) -> Urgency:
        """Count a request that is not limited while there is spare quota."""
        return self._ask(spared=has_spare_quota(self._conditions))

    def _ask_in_background(self, *, spared: bool = False) -> Urgency:
        self.budget.count(spared=spared)
        is_seen = self._scheduler.is_seen and self._conditions.focused
        return Urgency.VISIBLE if is_seen else Urgency.BACKGROUND
