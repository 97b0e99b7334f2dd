"""Read causes and first commits of incidents for the triage board, urgent ones first."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Hashable, Iterable
from collections.abc import Set as AbstractSet
from datetime import UTC, datetime
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Final

from platui.core.errors import PlatuiError
from platui.service.triage.scheduling import has_spare_quota, seconds_blocked
from platui.service.triage.tasks import BoardStatus, Retries

if TYPE_CHECKING:
    from platui.models.values.stored_triage import IncidentKey
    from platui.models.values.triage import Incident
    from platui.service.feeds.poll_conditions import PollConditions
    from platui.service.feeds.task_feed import KeyedTasks
    from platui.service.triage.causes import Causes
    from platui.service.triage.scheduling import ListScheduler, TriageBudget
    from platui.service.triage.watched import WatchedProjects


CAUSES_SEEN: Final = 5
CAUSES_FIRST: Final = 3
# concurrent causes: while the board is on the screen, before the first cause, and otherwise
CAUSES_UNSEEN: Final = 2

COMMITS: Final = 2
CACHE_SECONDS: Final = 0.3  # seconds the first board waits for cached causes: enough for some fifty
RECALLS: Final = 4

_LANE: Final = "lane"
_RECALL: Final = "recall"
_COMMIT: Final = "commit"
_CAUSE: Final = "cause"
_NEVER: Final = datetime.min.replace(tzinfo=UTC)


class CauseReader:
    """Reads causes from the cache and with requests; default branches first."""

    def __init__(
        self,
        causes: Causes,
        watched: WatchedProjects,
        conditions: PollConditions,
        budget: TriageBudget,
        scheduler: ListScheduler,
        tasks: KeyedTasks,
        board_status: BoardStatus,
        found: Callable[[Incident], Awaitable[None]],
    ) -> None:
        self.incidents: list[Incident] = []
        self._causes = causes
        self._watched = watched
        self._conditions = conditions
        self._budget = budget
        self._scheduler = scheduler
        self._tasks = tasks
        self._board_status = board_status
        self._found = found
        self._retries = Retries(conditions)

    @property
    def keys(self) -> set[Hashable]:
        """Return the keys of all tasks for open incidents."""
        keys = [one.key for one in self.incidents]
        return {*keys, *((_COMMIT, key) for key in keys), _LANE, _RECALL}

    @property
    def is_recalled(self) -> bool:
        return not self._to_recall()

    @property
    def reads_first_cause(self) -> bool:
        keys = (one.key for one in self.incidents)
        return not self._causes.any and self._tasks.count(keys) > 0

    def forget_failures(self) -> None:
        self._causes.forget_refused()
        self._retries.forget()

    def unread(self) -> tuple[list[Incident], list[Incident]]:
        first, others = without_cause(self.incidents, self._watched, self._causes)
        if not first and not self._causes.any:
            # Without a default branch, start with any cause.
            return others[:1], others[1:]
        return first, others

    def is_readable(self, incident: Incident) -> bool:
        return self._retries.remaining(incident.key) <= 0.0

    async def recall_at_first(self) -> None:
        until = self._conditions.clock.monotonic() + CACHE_SECONDS
        while (chosen := self._to_recall()) and self._conditions.clock.monotonic() < until:
            await self._recall(chosen)

    def start_recalls(self) -> None:
        if _RECALL not in self._tasks and (chosen := self._to_recall()):
            self._tasks.start(_RECALL, self._recall_on(chosen))
        self._start_lane()

    def start_awaited(self, unread: Iterable[Incident]) -> float | None:
        return self._start(unread, self._budget.wait)

    def start_others(self, unread: Iterable[Incident]) -> float | None:
        """Read causes in the background, spread over the minute; return as `_begin`."""
        return self._start(unread, partial(self._budget.rest, _CAUSE))

    def start_commits(self, later: AbstractSet[IncidentKey] = frozenset()) -> float | None:
        works = [
            ((_COMMIT, one.key), partial(self._name, one))
            for one in without_commit(self.incidents, self._causes)
            if one.key not in later
        ]
        room = COMMITS - self._tasks.count((_COMMIT, one.key) for one in self.incidents)
        return self._begin(_COMMIT, works, room, partial(self._budget.rest, _COMMIT))

    def unnamed(self) -> set[IncidentKey]:
        return {
            one.key
            for one in without_commit(self.incidents, self._causes)
            if self._retries.remaining((_COMMIT, one.key)) <= 0.0
        }

    def _start(self, unread: Iterable[Incident], budget_delay: Callable[[], float]) -> float | None:
        seen = CAUSES_SEEN if self._causes.any else CAUSES_FIRST
        room = seen if self._scheduler.is_seen else CAUSES_UNSEEN
        room -= self._tasks.count(one.key for one in self.incidents)
        works = ((one.key, partial(self._find, one)) for one in unread)
        return self._begin(_CAUSE, works, room, budget_delay)

    def _begin(
        self,
        kind: str,
        works: Iterable[tuple[Hashable, Callable[[], Coroutine[Any, Any, None]]]],
        room: int,
        budget_delay: Callable[[], float],
    ) -> float | None:
        """Start due tasks in free slots; return the seconds until the next."""
        wait = seconds_blocked(self._conditions)
        if wait != 0.0:
            return wait
        soonest: float | None = None
        for key, work in works:
            if key in self._tasks:
                continue
            left = self._retries.remaining(key)
            if left <= 0 and room > 0:
                left = 0.0 if has_spare_quota(self._conditions) else budget_delay()
                if left <= 0:
                    room -= 1
                    self._budget.begin(kind)
                    self._tasks.start(key, work())
            if left > 0:
                soonest = left if soonest is None else min(soonest, left)
        return soonest

    def _to_recall(self) -> list[Incident]:
        new = [
            one
            for one in self.incidents
            if one.key not in self._tasks and not self._causes.was_recalled(one)
        ]
        unread = without_cause(new, self._watched, self._causes)
        every = chain(*unread, without_commit(new, self._causes))
        return list(islice({one.key: one for one in every}.values(), RECALLS))

    async def _recall(self, incidents: Iterable[Incident]) -> None:
        found = await asyncio.gather(*map(self._causes.recall, incidents))
        self._board_status.is_stale = self._board_status.is_stale or any(found)

    async def _recall_on(self, incidents: Iterable[Incident]) -> None:
        await self._recall(incidents)
        # Also without a result: the board shows whether searching is done.
        self._board_status.is_stale = self._board_status.is_stale or self.is_recalled

    def _start_lane(self) -> None:
        if _LANE in self._tasks:
            return
        for incident in self.incidents:
            if self._causes.lane_jobs.has_checked(incident):
                continue
            if self._causes.known(incident.newest_red) is not None:
                self._tasks.start(_LANE, self._recall_lane(incident))
                return

    async def _recall_lane(self, incident: Incident) -> None:
        known = self._causes.lane_jobs.flaky(incident)
        await self._causes.lane_jobs.recall_lane(incident)
        if self._causes.lane_jobs.flaky(incident) != known:
            self._board_status.is_stale = True

    async def _find(self, incident: Incident) -> None:
        finding = self._causes.find(incident.lane.project, incident.newest_red, incident.last_green)
        if await self._succeeds(incident.key, finding):
            await self._found(incident)
        self._board_status.is_stale = True

    async def _name(self, incident: Incident) -> None:
        finding = self._causes.lane_jobs.find_commit(incident.lane.project, incident.first_red)
        await self._succeeds((_COMMIT, incident.key), finding)
        self._board_status.is_stale = True

    async def _succeeds(self, key: Hashable, asking: Awaitable[object]) -> bool:
        try:
            await asking
        except PlatuiError as error:
            self._retries.failed(key, error)
            self._board_status.answered(error)
            return False
        self._retries.succeeded(key)
        self._board_status.answered(None)
        return True


def without_cause(
    incidents: Iterable[Incident], watched: WatchedProjects, causes: Causes
) -> tuple[list[Incident], list[Incident]]:
    """Return the incidents of unknown cause, newest first: of default branches, and others."""
    first: list[Incident] = []
    others: list[Incident] = []
    for incident in incidents:
        if not causes.is_settled(incident.newest_red, incident.last_green):
            is_known = bool(watched.branch(int(incident.lane.project)))
            (first if incident.is_main or not is_known else others).append(incident)
    return _newest_first(first), _newest_first(others)


def without_commit(incidents: Iterable[Incident], causes: Causes) -> list[Incident]:
    """Return the incidents of several failures whose first commit is unknown, newest first."""
    return _newest_first(
        one
        for one in incidents
        if one.streak > 1 and not causes.lane_jobs.knows_commit(one.first_red)
    )


def _newest_first(incidents: Iterable[Incident]) -> list[Incident]:
    return sorted(incidents, key=_since, reverse=True)


def _since(incident: Incident) -> tuple[bool, datetime]:
    return (incident.is_main, incident.since or _NEVER)
