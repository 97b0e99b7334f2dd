"""The requests of the triage board: every watched project once a round, each cause once for all."""

from __future__ import annotations

import asyncio
from itertools import chain, islice
from typing import TYPE_CHECKING, Final

from platui.core.errors import PlatuiError
from platui.models.values.connection import LineState, Urgency
from platui.models.values.queries import PipelinesQuery
from platui.service.cadence import RECHECK, RESERVE
from platui.service.triage_causes import Causes
from platui.service.triage_project import WatchedProject
from platui.service.triage_ration import Ration
from platui.service.triage_schedules import WatchedSchedules
from platui.service.triage_stuck import AT_ONCE as STUCK_AT_ONCE
from platui.service.triage_stuck import StuckPipelines
from platui.service.triage_turns import AT_FIRST, BESIDE_A_CAUSE, TO_BEGIN
from platui.service.triage_unread import Retries, without_cause, without_commit
from platui.service.triage_watch import WatchedProjects

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Hashable, Iterable
    from typing import Any

    from platui.models.values.triage import Incident
    from platui.models.values.triage_memory import IncidentKey, PastIncident, Watched
    from platui.service.job_logs import JobLogs
    from platui.service.subjects import Subjects
    from platui.service.surroundings import Surroundings
    from platui.service.triage_book import TriageBook
    from platui.service.triage_stuck import RunKey
    from platui.service.triage_turns import Turns

URGENT: Final = 20
"""Requests of a board that was just opened, or is to be renewed: somebody waits for these. Of more
projects than that the rest comes as what is on the screen does."""

CAUSES_SEEN: Final = 3
CAUSES_UNSEEN: Final = 2
"""Causes that are read at once, while the board is on the screen and while it is not."""

LOOK: Final = 2.0
"""Seconds between two looks at what other dashboards of the user have said."""
KEPT: Final = 0.3
"""Seconds that the first board waits for causes that are kept: some fifty come in that time."""
RECALLS: Final = 4
"""Causes that are looked for at once in what is kept."""


class Rounds:
    """Knows what is watched and how it stands, and keeps that true with few requests.

    Somebody else says when to look what is due: `launch` starts it and tells how long that
    holds; `ring` is called when it does not hold any more.
    """

    def __init__(
        self,
        subjects: Subjects,
        logs: JobLogs,
        book: TriageBook,
        surroundings: Surroundings,
        turns: Turns,
        ring: Callable[[], None],
        watched: Watched | None = None,
    ) -> None:
        """Make it; nothing is asked yet.

        Args:
            subjects: what is asked.
            logs: where logs of jobs come from.
            book: what is watched, and what was said.
            surroundings: when to look up.
            turns: whose list is asked for next.
            ring: is called when there may be something to launch.
            watched: what to look at in the stead of what the book says; None: that.
        """
        self.is_stale = True
        """Whether something is known that was not when somebody last set this to False."""
        self.is_held = False
        """Whether nothing is to be asked."""
        self.error: PlatuiError | None = None
        """Why the last request failed; None after one that did not."""
        self.fault: BaseException | None = None
        """A fault of our own in a request: to be told to somebody, not to nobody."""
        self.projects: dict[int, WatchedProject] = {}
        self.watched = WatchedProjects(subjects, surroundings, self._ask)
        self.causes = Causes(subjects, logs.log, self._ask)
        self._ration = Ration(surroundings.clock)
        self.schedules = WatchedSchedules(subjects, surroundings, self._ration)
        self.stuck = StuckPipelines(subjects, logs.size, surroundings, self._ask_calmly)
        self._subjects = subjects
        self._book = book
        self._around = surroundings
        self._turns = turns
        self._ring = ring
        self._given = watched
        self._tasks: dict[Hashable, asyncio.Task[None]] = {}
        self._urgent = 0
        """Of requests to come, how many somebody waits for."""
        self._token_number = surroundings.token_number
        self._retries = Retries(surroundings)
        self._seen: dict[IncidentKey, PastIncident] = {}
        """What is to be written into the history."""
        self._next_look = 0.0

    @property
    def spent(self) -> int:
        """Return how many requests were sent in the last minute."""
        return self._ration.spent

    @property
    def incidents(self) -> list[Incident]:
        """Return what is broken in all that is watched."""
        return [one for project in self.projects.values() for one in project.incidents]

    @property
    def is_recalled(self) -> bool:
        """Return whether every cause that is kept was taken."""
        return not self._to_recall()

    @property
    def is_live(self) -> bool:
        """Return whether the platform has told of each project since this began."""
        # Before the list of projects is there, nobody knows what lies in a group.
        is_whole = self.watched.is_known or not self._wished.groups
        everything = self.projects.values()
        return bool(everything) and is_whole and all(one.is_live for one in everything)

    @property
    def _wished(self) -> Watched:
        return self._book.memory.value.watched if self._given is None else self._given

    def open(self) -> None:
        """Take note that somebody has the board before his eyes from now on."""
        self._urgent = URGENT

    async def begin(self) -> None:
        """Take what caches have; what they have is not taken for what the platform says now."""
        self.fault = None
        for project in self.projects.values():
            project.is_live = False
        await self.watched.recall(self._wished)
        await self.choose()
        await self._recall_at_first()

    async def choose(self) -> None:
        """Take in what is watched now, with what a cache has of it."""
        self.watched.choose(self._wished)
        ids = self.watched.ids
        if tuple(self.projects) != ids:
            before = self.projects
            self.projects = {one: before.get(one) or self._opened(one) for one in ids}
            self._turns.among(len(ids))
            self.schedules.among(ids)
            for project in self.projects.values():
                if project.id not in before:
                    await project.recall(self.watched.branch(project.id))
            self.is_stale = True
        for project in self.projects.values():
            if await project.take(self.watched.branch(project.id)):
                self.is_stale = True

    def refresh(self) -> None:
        """Ask for every project now, because the user wants it."""
        self._urgent = URGENT
        for project in self.projects.values():
            project.asked = True

    def launch(self) -> float | None:
        """Start what is due and has room; return the seconds until something else is due."""
        self.stuck.among(state for project in self.projects.values() for state in project.moving)
        for key in self._tasks.keys() - self._wanted():
            self._tasks[key].cancel()
        now = self._around.clock.monotonic()
        waits = [self._start_look(now)]
        if not self.schedules.is_recalled and _PLANS not in self._tasks:
            self._start(_PLANS, self._recall_schedules())
        if not self.is_held:
            self._heed_token()
            first, others = self._without_cause(self.incidents)
            waits.append(self._start_watched())
            # Where nothing is known, any cause is better than none.
            awaited = first or ([] if self.causes.any else others[:1])
            waits.append(self._start_causes(awaited, self._ration.wait))
            lists = self._start_lists()
            waits.append(lists)
            if lists != 0.0:
                waits.append(self._start_causes(others, self._rest))
                if not first and not others:
                    waits.append(self._start_commits())
                if self.is_live and not any(map(self._is_readable, (*first, *others))):
                    waits += [self._start_stuck(), self._start_schedules()]
        if _RECALL not in self._tasks and (chosen := self._to_recall()):
            self._start(_RECALL, self._recall_on(chosen))
        self._start_lane()
        # What is due and had no room is started when something else ends, and that rings.
        return min((wait for wait in waits if wait), default=None)

    async def land(self) -> None:
        """End every request under way, and write what was seen."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        await self._write()

    def _opened(self, project: int) -> WatchedProject:
        history = self._book.memory.value.history.values()
        remembered = [past for past in history if past.incident.lane.project == project]
        subject = self._subjects.pipelines(PipelinesQuery(project))
        return WatchedProject(project, subject, self._around, remembered)

    async def _recall_at_first(self) -> None:
        """Take the causes that are kept, the newest incidents first, as far as nobody waits."""
        until = self._around.clock.monotonic() + KEPT
        while (chosen := self._to_recall()) and self._around.clock.monotonic() < until:
            await self._recall(chosen)

    def _to_recall(self) -> list[Incident]:
        """Return the next incidents that were not looked for in what is kept."""
        new = [
            one
            for one in self.incidents
            if one.key not in self._tasks and not self.causes.was_recalled(one)
        ]
        unread = chain(*self._without_cause(new), without_commit(new, self.causes))
        return list(islice({one.key: one for one in unread}.values(), RECALLS))

    async def _recall(self, incidents: Iterable[Incident]) -> None:
        """Look for some in what is kept; nothing is asked."""
        found = await asyncio.gather(*map(self.causes.recall, incidents))
        self.is_stale = self.is_stale or any(found)

    def _without_cause(self, among: Iterable[Incident]) -> tuple[list[Incident], list[Incident]]:
        return without_cause(among, self.watched, self.causes)

    def _wanted(self) -> set[Hashable]:
        """Return what may be under way: not what was for a project that is watched no more."""
        keys = [one.key for one in self.incidents]
        commits = ((_COMMIT, key) for key in keys)
        plans = ((_PLANS, project) for project in self.projects)
        stuck = ((_STUCK, run) for run in self.stuck.runs)
        rest = {_LOOK, _WATCHED, _PLANS, _LANE, _RECALL}
        return {*self.projects, *keys, *commits, *plans, *stuck, *rest}

    def _heed_token(self) -> None:
        """Ask anew for what was refused, where there is another token since."""
        if self._token_number != self._around.token_number:
            self._token_number = self._around.token_number
            self.causes.forget_refused()
            self._retries.forget()
            self.watched.renew_soon()
            self.refresh()

    def _start_look(self, now: float) -> float | None:
        left = self._next_look - now
        if left > 0:
            return left
        self._next_look = now + LOOK
        self._start(_LOOK, self._look())
        return LOOK

    async def _look(self) -> None:
        """Write what was seen since the last look, all of it at once, and read what others did."""
        await self._write()
        await self._book.look()

    async def _write(self) -> None:
        if self._seen:
            news, self._seen = tuple(self._seen.values()), {}
            await self._book.see(news)

    def _start_watched(self) -> float | None:
        left = None if _WATCHED in self._tasks else self.watched.remaining()
        if left != 0.0:
            return left
        self._start(_WATCHED, self._renew_watched())
        return None

    def _start_lists(self) -> float | None:
        under_way = self._under_way(self.projects)
        idle = [one for one in self.projects.values() if one.id not in self._tasks]
        due, soonest = self._turns.due(idle, under_way, self._most_lists(), self._ration)
        for project in due:
            self._start(project.id, self._renew(project))
        return soonest

    def _most_lists(self) -> int:
        """Return how many lists may be under way: until a cause is known, few."""
        if not any(one.is_live for one in self.projects.values()):
            return TO_BEGIN
        is_first = not self.causes.any and self._under_way(one.key for one in self.incidents) > 0
        return BESIDE_A_CAUSE if is_first else AT_FIRST

    def _start_causes(
        self, unread: Iterable[Incident], put_off: Callable[[], float]
    ) -> float | None:
        """Read causes, those that come first; return when one may be that may not be now.

        Args:
            unread: the incidents.
            put_off: returns the seconds until the next may be begun, as far as the ration goes.
        """
        wait = self._obstacle()
        if wait != 0.0:
            return wait
        room = CAUSES_SEEN if self._turns.is_seen else CAUSES_UNSEEN
        room -= self._under_way(one.key for one in self.incidents)
        soonest: float | None = None
        for incident in unread:
            if incident.key in self._tasks:
                continue
            left = self._retries.remaining(incident.key)
            if left <= 0 and room > 0:
                left = put_off()
                if left <= 0:
                    room -= 1
                    self._ration.begin(_CAUSE)
                    self._start(incident.key, self._find(incident))
            if left > 0:
                soonest = left if soonest is None else min(soonest, left)
        return soonest

    def _rest(self) -> float:
        return self._ration.rest(_CAUSE)

    def _start_commits(self) -> float | None:
        """Find out who began what is broken, one after the other; causes matter more."""
        wait = self._obstacle()
        if wait != 0.0:
            return wait
        soonest: float | None = None
        for incident in without_commit(self.incidents, self.causes):
            key = (_COMMIT, incident.key)
            left = self._retries.remaining(key)
            if key in self._tasks:
                return None
            if left <= 0:
                left = self._ration.rest(_COMMIT)
            if left <= 0:
                self._ration.begin(_COMMIT)
                self._start(key, self._name(incident))
                return None
            soonest = left if soonest is None else min(soonest, left)
        return soonest

    def _start_lane(self) -> None:
        """Look what is kept of an incident's other pipelines, one incident after the other."""
        if _LANE in self._tasks:
            return
        for incident in self.incidents:
            if self.causes.has_looked(incident):
                continue
            if self.causes.known(incident.newest_red) is not None:
                self._start(_LANE, self._recall_lane(incident))
                return

    def _start_schedules(self) -> float | None:
        """Ask which schedules did not fire, where nothing else is to be read."""
        wait = self._obstacle()
        under_way = {one for one in self.projects if (_PLANS, one) in self._tasks}
        if wait != 0.0 or _PLANS in self._tasks:
            return wait or None
        while len(under_way) < self.schedules.at_once:
            wait = self._ration.rest(_PLANS)
            if wait > 0.0:
                return wait
            project, soonest = self.schedules.due(under_way)
            if project is None:
                return soonest
            under_way.add(project)
            self._ration.begin(_PLANS)
            self._start((_PLANS, project), self._renew_schedules(project))
        return None

    def _start_stuck(self) -> float | None:
        """Look at what goes on for long, where nothing else is to be read."""
        wait = self._obstacle()
        if wait != 0.0:
            return wait
        under_way = {run for run in self.stuck.runs if (_STUCK, run) in self._tasks}
        while len(under_way) < STUCK_AT_ONCE:
            wait = self._ration.rest(_STUCK)
            if wait > 0.0:
                return wait
            run, soonest = self.stuck.due(under_way)
            if run is None:
                return soonest
            under_way.add(run)
            self._ration.begin(_STUCK)
            self._start((_STUCK, run), self._renew_stuck(run))
        return None

    def _is_readable(self, incident: Incident) -> bool:
        """Return whether a cause is still to be read, and not one that could not be."""
        return self._retries.remaining(incident.key) <= 0.0

    def _obstacle(self) -> float | None:
        """Return the seconds until something may be asked; None: not before something rings."""
        if self._around.line.value.state in {LineState.OFFLINE, LineState.UNAUTHORIZED}:
            return None
        budget = self._around.budget.value
        if self._around.pause or budget.used >= budget.limit * RESERVE:
            return self._around.pause or RECHECK
        return 0.0

    def _under_way(self, keys: Iterable[Hashable]) -> int:
        return len(self._tasks.keys() & set(keys))

    def _start(self, key: Hashable, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks[key] = task
        task.add_done_callback(lambda done: self._landed(key, done))

    def _landed(self, key: Hashable, task: asyncio.Task[None]) -> None:
        if self._tasks.get(key) is task:
            del self._tasks[key]
        if not task.cancelled():
            self.fault = self.fault or task.exception()
        if key != _LOOK:
            self._ring()

    async def _recall_on(self, incidents: Iterable[Incident]) -> None:
        """Look for what the first board did not wait for."""
        await self._recall(incidents)
        # Also where none was there: that nothing is left to be looked for is told.
        self.is_stale = self.is_stale or not self._to_recall()

    async def _renew_watched(self) -> None:
        self._answered(await self.watched.renew())
        self.is_stale = True

    async def _renew(self, project: WatchedProject) -> None:
        """Ask for one project's pipelines, and remember what came of its incidents."""
        look, was_live = project.look, project.is_live
        error = await project.renew(self.watched.branch(project.id), self._ask())
        self._answered(error)
        if error is None and (project.look is not look or project.has_untold):
            await self._remember(project)
        is_same = project.look is look and project.is_live == was_live
        if error is not None or project.refused or not is_same:
            self.is_stale = True

    async def _recall_lane(self, incident: Incident) -> None:
        known = self.causes.flaky(incident)
        await self.causes.recall_lane(incident)
        if self.causes.flaky(incident) != known:
            self.is_stale = True

    async def _recall_schedules(self) -> None:
        await self.schedules.recall()
        self.is_stale = True

    async def _renew_schedules(self, project: int) -> None:
        await self.schedules.renew(project)
        self.is_stale = True

    async def _renew_stuck(self, run: RunKey) -> None:
        await self.stuck.renew(run)
        self.is_stale = True

    async def _find(self, incident: Incident) -> None:
        """Read one cause."""
        finding = self.causes.find(incident.lane.project, incident.newest_red)
        if await self._succeeds(incident.key, finding):
            project = self.projects.get(int(incident.lane.project))
            if project is not None and project.is_live:
                await self._remember(project)
        self.is_stale = True

    async def _name(self, incident: Incident) -> None:
        """Find the commit that an incident began with."""
        finding = self.causes.find_commit(incident.lane.project, incident.first_red)
        await self._succeeds((_COMMIT, incident.key), finding)
        self.is_stale = True

    async def _succeeds(self, key: Hashable, asking: Awaitable[object]) -> bool:
        """Ask for something, and take note of when to try again where that fails."""
        try:
            await asking
        except PlatuiError as error:
            self._retries.failed(key, error)
            self._answered(error)
            return False
        self._retries.succeeded(key)
        self._answered(None)
        return True

    async def _remember(self, project: WatchedProject) -> None:
        """Take into the memory how the incidents of a project stand."""
        if project.look is None:
            return
        memory = self._book.memory.value
        past = project.past(memory.history, self.causes, self._around.clock.now())
        self._seen |= {one.key: one for one in past}
        for before, now in project.moves():
            # What was seen of it by its old name and is not written yet will not be.
            self._seen.pop(before.key, None)
            if before.key in memory.history or before.key in memory.marks:
                await self._book.move(before.key, now.key)

    def _answered(self, error: PlatuiError | None) -> None:
        if error is None and self._around.unauthorized:
            # It was let in before the token was refused.
            return
        if type(error) is not type(self.error):
            self.error = error
            self.is_stale = True

    def _ask(self) -> Urgency:
        """Count a request that is about to be sent, and return who waits for it."""
        urgency = self._ask_calmly()
        if urgency is Urgency.VISIBLE and self._urgent > 0:
            self._urgent -= 1
            return Urgency.USER
        return urgency

    def _ask_calmly(self) -> Urgency:
        """Do so for what nobody waits for."""
        self._ration.count()
        is_seen = self._turns.is_seen and self._around.focused
        return Urgency.VISIBLE if is_seen else Urgency.BACKGROUND


_LOOK: Final = "look"
_PLANS: Final = "schedules"
_STUCK: Final = "stuck"
_LANE: Final = "lane"
_RECALL: Final = "recall"
_COMMIT: Final = "commit"
_CAUSE: Final = "cause"
_WATCHED: Final = "watched"
