"""The feed of the triage board: every watched project once a round, each cause once for all."""

from __future__ import annotations

import asyncio
from collections import deque
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from platui.core.errors import PlatuiError, RateLimitedError
from platui.models.values.connection import LineState
from platui.models.values.queries import PipelinesQuery
from platui.models.values.triage_board import Board
from platui.service.alarm import Alarm
from platui.service.cadence import FIRST_RETRY, UNFOCUSED, Rhythm, back_off, stretch
from platui.service.triage_causes import Causes
from platui.service.triage_project import WatchedProject
from platui.service.triage_rows import rows_of
from platui.service.triage_watch import WatchedProjects

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Hashable, Sequence
    from typing import Any

    from platui.models.values.queries import ProjectRef
    from platui.models.values.triage import Incident
    from platui.models.values.triage_memory import IncidentKey, PastIncident, Watched
    from platui.service.job_log import JobLog
    from platui.service.subjects import Subjects
    from platui.service.surroundings import Surroundings
    from platui.service.triage_book import TriageBook

LISTS_AT_ONCE: Final = 3
CAUSES_AT_ONCE: Final = 2
"""Requests under way: background work leaves connections to what somebody waits for."""

A_SECOND: Final = 10 / 3
"""Lists that are asked for at the most: of a hundred projects each twice a minute."""

GAP: Final = 0.25
"""Seconds between two boards while answers come in."""
TICK: Final = 5.0
"""Seconds after which a board is made anew although nothing came: what runs may be late."""
LOOK: Final = 2.0
"""Seconds between two looks at what other dashboards of the user have said."""
AT_FIRST: Final = 0.1
"""Seconds that the first board waits for causes that are kept."""
_MINUTE: Final = 60.0


class TriageBoard:
    """Asks for one list after the other, spread over the round; costs nothing while left."""

    def __init__(
        self,
        subjects: Subjects,
        open_log: Callable[[ProjectRef, int], JobLog],
        book: TriageBook,
        surroundings: Surroundings,
        idle: float,
        watched: Watched | None = None,
    ) -> None:
        """Make it; nothing is asked yet.

        Args:
            subjects: what is asked.
            open_log: returns the log of a job of a project.
            book: what is watched, and what was said.
            surroundings: when to look up.
            idle: seconds of a round, where there are not too many projects for that.
            watched: what to look at in the stead of what the book says; None: that.
        """
        self._subjects = subjects
        self._book = book
        self._around = surroundings
        self._idle = idle
        self._given = watched
        self._alarm = Alarm(surroundings.clock)
        self._watched = WatchedProjects(subjects, surroundings, self._spend)
        self._causes = Causes(subjects, open_log, self._spend)
        self._projects: dict[int, WatchedProject] = {}
        self._tasks: dict[Hashable, asyncio.Task[None]] = {}
        self._sent: deque[float] = deque()
        self._failures: dict[IncidentKey, tuple[int, float]] = {}
        """Of causes that could not be read: how often in a row, and when to try again."""
        self._seen: dict[IncidentKey, PastIncident] = {}
        """What is to be written into the history."""
        self._next_list = 0.0
        self._next_look = 0.0
        self._made_at = 0.0
        self._is_stale = True
        self._held = False
        self._error: PlatuiError | None = None
        self._broken: BaseException | None = None
        """A fault of our own in a request: told to whoever iterates, not to nobody."""

    async def __aiter__(self) -> AsyncIterator[Board]:
        """Yield the board as it is known, at once and at each change."""
        stops = (
            self._around.listen(self._alarm.ring),
            self._book.memory.observe(lambda _: self._changed()),
        )
        clock = self._around.clock
        shown: Board | None = None
        try:
            await self._watched.recall(self._wished)
            await self._choose()
            await self._recall_causes()
            while not self._around.closed:
                if self._broken is not None:
                    raise self._broken
                await self._choose()
                if self._is_stale or clock.monotonic() - self._made_at >= TICK:
                    board = await self._board()
                    if board != shown:
                        shown = board
                        yield board
                        await self._pause()
                        continue
                await self._alarm.wait(self._launch())
        finally:
            for stop in stops:
                stop()
            await self._land()
            await self._write()

    def refresh(self) -> None:
        """Ask for every project now, because the user wants it."""
        for project in self._projects.values():
            project.asked = True
        self._alarm.ring()

    def hold(self, held: bool) -> None:  # noqa: FBT001  (a switch)
        """Stop (or resume) asking."""
        self._held = held
        self._alarm.ring()

    async def _pause(self) -> None:
        """Start what is due, and let a moment pass before the next board."""
        self._launch()
        await self._around.clock.sleep(GAP)

    # what is watched

    @property
    def _wished(self) -> Watched:
        return self._book.memory.value.watched if self._given is None else self._given

    async def _choose(self) -> None:
        """Take in what is watched now, with what a cache has of it."""
        self._watched.choose(self._wished)
        ids = self._watched.ids
        if tuple(self._projects) != ids:
            before = self._projects
            self._projects = {one: before.get(one) or self._opened(one) for one in ids}
            for project in self._projects.values():
                if project.id not in before:
                    await project.recall(self._watched.branch(project.id))
            self._is_stale = True
        for project in self._projects.values():
            await project.take(self._watched.branch(project.id))

    def _opened(self, project: int) -> WatchedProject:
        history = self._book.memory.value.history.values()
        remembered = [
            past.incident
            for past in history
            if past.recovered_at is None and past.incident.lane.project == project
        ]
        subject = self._subjects.pipelines(PipelinesQuery(project))
        return WatchedProject(project, subject, self._around, remembered)

    async def _recall_causes(self) -> None:
        """Take the causes that are kept, the newest incidents first, as far as nobody waits."""
        clock = self._around.clock
        until = clock.monotonic() + AT_FIRST
        for incident in self._without_cause():
            await self._causes.recall(incident.lane.project, incident.newest_red)
            if clock.monotonic() >= until:
                return

    def _without_cause(self) -> list[Incident]:
        """Return the incidents whose cause is not known, the newest first."""
        found = [
            incident
            for project in self._projects.values()
            for incident in project.incidents
            if self._causes.known(incident.newest_red) is None
        ]
        return sorted(found, key=_since, reverse=True)

    # the requests

    def _launch(self) -> float | None:
        """Start what is due and has room; return the seconds until something else is due."""
        for key in self._tasks.keys() - self._wanted():
            self._tasks[key].cancel()
        now = self._around.clock.monotonic()
        waits = [max(0.0, self._made_at + TICK - now), self._start_look(now)]
        if not self._held:
            waits += [self._start_watched(), self._start_lists(now), self._start_causes(now)]
        return min((wait for wait in waits if wait is not None), default=None)

    def _wanted(self) -> set[Hashable]:
        """Return what may be under way: not what was for a project that is watched no more."""
        causes = {one.key for project in self._projects.values() for one in project.incidents}
        return {*self._projects, *causes, _LOOK, _WATCHED}

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
        left = None if _WATCHED in self._tasks else self._watched.remaining()
        if left != 0.0:
            return left
        self._start(_WATCHED, self._renew_watched())
        return None

    def _start_lists(self, now: float) -> float | None:
        """Ask for what is due: at once what nobody has asked for yet, the rest evenly spread."""
        rhythm = Rhythm(self._round, self._round)
        gap = self._round / max(1, len(self._projects))
        is_offline = self._around.line.value.state is LineState.OFFLINE
        if is_offline:
            # One is enough to find out when the platform is back, and that wakes the others.
            gap = max(gap, FIRST_RETRY)
        room = (1 if is_offline else LISTS_AT_ONCE) - sum(
            one in self._tasks for one in self._projects
        )
        soonest: float | None = None
        for project in self._projects.values():
            left = None if project.id in self._tasks else project.remaining(rhythm)
            if left is None:
                continue
            if is_offline or (project.is_live and not project.asked):
                left = max(left, self._next_list - now)
            if left > 0.0:
                soonest = left if soonest is None else min(soonest, left)
            elif room > 0:
                room -= 1
                self._next_list = now + gap
                self._start(project.id, self._renew(project))
        return soonest

    def _start_causes(self, now: float) -> float | None:
        """Read causes that are not known, the newest incidents first."""
        if self._around.line.value.state in {LineState.OFFLINE, LineState.UNAUTHORIZED}:
            return None
        missing = self._without_cause()
        room = CAUSES_AT_ONCE - sum(incident.key in self._tasks for incident in missing)
        soonest: float | None = None
        for incident in missing:
            _, at = self._failures.get(incident.key, (0, now))
            if incident.key in self._tasks:
                continue
            if at > now:
                soonest = at - now if soonest is None else min(soonest, at - now)
            elif room > 0:
                room -= 1
                self._start(incident.key, self._find(incident))
        return soonest

    def _start(self, key: Hashable, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks[key] = task
        task.add_done_callback(lambda done: self._landed(key, done))

    def _landed(self, key: Hashable, task: asyncio.Task[None]) -> None:
        if self._tasks.get(key) is task:
            del self._tasks[key]
        if not task.cancelled():
            self._broken = self._broken or task.exception()
        if key != _LOOK:
            self._alarm.ring()

    async def _renew_watched(self) -> None:
        self._answered(await self._watched.renew())
        self._changed()

    async def _renew(self, project: WatchedProject) -> None:
        """Ask for one project's pipelines, and remember what came of its incidents."""
        self._spend()
        look = project.look
        error = await project.renew(self._watched.branch(project.id))
        self._answered(error)
        if error is None and project.look is not look:
            await self._remember(project)
        if error is not None or project.look is not look or project.refused:
            self._changed()

    async def _find(self, incident: Incident) -> None:
        """Read one cause."""
        failures, _ = self._failures.get(incident.key, (0, 0.0))
        try:
            await self._causes.find(incident.lane.project, incident.newest_red)
        except PlatuiError as error:
            wait = back_off(failures + 1, 0.0)
            if isinstance(error, RateLimitedError):
                wait = max(wait, self._around.pause)
            self._failures[incident.key] = (failures + 1, self._around.clock.monotonic() + wait)
            self._answered(error)
        else:
            self._failures.pop(incident.key, None)
            self._answered(None)
            project = self._projects.get(int(incident.lane.project))
            if project is not None and project.is_live:
                await self._remember(project)
        self._changed()

    async def _remember(self, project: WatchedProject) -> None:
        """Take into the memory how the incidents of a project stand."""
        if project.look is None:
            return
        memory = self._book.memory.value
        past = project.past(memory.history, self._causes, self._around.clock.now())
        self._seen |= {one.key: one for one in past}
        for before, now in project.look.moved:
            if before.key in memory.history or before.key in memory.marks:
                await self._book.move(before.key, now.key)

    def _answered(self, error: PlatuiError | None) -> None:
        if type(error) is not type(self._error):
            self._error = error
            self._is_stale = True

    def _spend(self) -> None:
        self._sent.append(self._around.clock.monotonic())

    def _changed(self) -> None:
        self._is_stale = True
        self._alarm.ring()

    async def _land(self) -> None:
        """End every request under way."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    # the board

    @property
    def _round(self) -> float:
        """Return the seconds of a round while nothing stands in the way."""
        return max(self._idle, len(self._projects) / A_SECOND)

    async def _board(self) -> Board:
        """Return the board as all is known now."""
        clock = self._around.clock
        self._is_stale, self._made_at = False, clock.monotonic()
        while self._sent and self._sent[0] <= self._made_at - _MINUTE:
            self._sent.popleft()
        projects = list(self._projects.values())
        states = [state for one in projects if one.look is not None for state in one.look.states]
        incidents = [incident for one in projects for incident in one.incidents]
        causes = {
            incident.key: cause
            for incident in incidents
            if (cause := self._causes.known(incident.newest_red)) is not None
        }
        marks = self._book.memory.value.marks
        rows = await asyncio.to_thread(rows_of, states, causes, marks, clock.now().astimezone())
        told = [one.fetched_at for one in projects if one.fetched_at is not None]
        budget = self._around.budget.value
        slower = stretch(budget.used, budget.limit) * (1.0 if self._around.focused else UNFOCUSED)
        return Board(
            rows.items,
            rows.groups,
            rows.counts,
            names=self._watched.names,
            watched=len(projects),
            known=sum(one.look is not None for one in projects),
            live=tuple(one.id for one in projects if one.is_live and not one.refused),
            refused=tuple(one.id for one in projects if one.refused),
            last_run=rows.last_run,
            awaited=len({one.key for one in incidents} - causes.keys()),
            fetched_at=min(told, default=None),
            is_live=self._is_live(projects),
            is_named=self._watched.is_known,
            spent=len(self._sent),
            interval=self._round * slower,
            problem=self._book.problem,
            error=self._error,
        )

    def _is_live(self, projects: Sequence[WatchedProject]) -> bool:
        # Before the list of projects is there, nobody knows what lies in a group.
        is_whole = self._watched.is_known or not self._wished.groups
        return bool(projects) and is_whole and all(one.is_live for one in projects)


_LOOK: Final = "look"
_WATCHED: Final = "watched"
_NEVER: Final = datetime.min.replace(tzinfo=UTC)


def _since(incident: Incident) -> tuple[bool, datetime]:
    """Return a value that is greater for newer incidents, those of default branches first."""
    return (incident.is_main, incident.since or _NEVER)
