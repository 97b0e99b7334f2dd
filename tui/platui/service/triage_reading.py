"""Why things broke, and since which commit: read for the triage board, what matters most first."""

from __future__ import annotations

import asyncio
from itertools import chain, islice
from typing import TYPE_CHECKING, Final

from platui.core.errors import PlatuiError
from platui.service.triage_ration import is_quiet, obstacle
from platui.service.triage_unread import Retries, without_cause, without_commit

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Hashable, Iterable
    from collections.abc import Set as AbstractSet

    from platui.models.values.triage import Incident
    from platui.models.values.triage_memory import IncidentKey
    from platui.service.surroundings import Surroundings
    from platui.service.triage_causes import Causes
    from platui.service.triage_ration import Ration
    from platui.service.triage_tasks import Outcome, Tasks
    from platui.service.triage_turns import Turns
    from platui.service.triage_watch import WatchedProjects

CAUSES_SEEN: Final = 5
CAUSES_FIRST: Final = 3
CAUSES_UNSEEN: Final = 2
"""Causes that are read at once, while the board is on the screen, as long as none is known, and
while it is not. Each asks for one thing after the other, and a connection is left for the user."""

COMMITS: Final = 2
"""Commits that are asked for at once."""
KEPT: Final = 0.3
"""Seconds that the first board waits for causes that are kept: some fifty come in that time."""
RECALLS: Final = 4
"""Causes that are looked for at once in what is kept."""


class Reading:
    """Has causes found, in what is kept and by requests; those of default branches come first."""

    def __init__(
        self,
        causes: Causes,
        watched: WatchedProjects,
        surroundings: Surroundings,
        ration: Ration,
        turns: Turns,
        tasks: Tasks,
        outcome: Outcome,
        found: Callable[[Incident], Awaitable[None]],
    ) -> None:
        """Take what reads; nothing is read yet.

        Args:
            causes: finds them.
            watched: tells which branch is the default one.
            surroundings: what stands in the way.
            ration: of requests.
            turns: whether anybody looks on.
            tasks: what is under way.
            outcome: what came of that.
            found: is called for an incident whose cause was asked for.
        """
        self.incidents: list[Incident] = []
        """What is broken now."""
        self._causes = causes
        self._watched = watched
        self._around = surroundings
        self._ration = ration
        self._turns = turns
        self._tasks = tasks
        self._outcome = outcome
        self._found = found
        self._retries = Retries(surroundings)

    @property
    def keys(self) -> set[Hashable]:
        """Return the keys of all works that are of use: not for what is broken no more."""
        keys = [one.key for one in self.incidents]
        return {*keys, *((_COMMIT, key) for key in keys), _LANE, _RECALL}

    @property
    def is_recalled(self) -> bool:
        """Return whether every cause that is kept was taken."""
        return not self._to_recall()

    @property
    def is_first(self) -> bool:
        """Return whether the very first cause is being read."""
        keys = (one.key for one in self.incidents)
        return not self._causes.any and self._tasks.count(keys) > 0

    def forget_failures(self) -> None:
        """Let everything be tried now that could not be read."""
        self._causes.forget_refused()
        self._retries.forget()

    def unread(self) -> tuple[list[Incident], list[Incident]]:
        """Return the incidents without a cause: those that are waited for most, and the others."""
        first, others = without_cause(self.incidents, self._watched, self._causes)
        if not first and not self._causes.any:
            # Where nothing is known, any cause is better than none.
            return others[:1], others[1:]
        return first, others

    def is_readable(self, incident: Incident) -> bool:
        """Return whether a cause is still to be read, and not one that could not be."""
        return self._retries.remaining(incident.key) <= 0.0

    async def recall_at_first(self) -> None:
        """Take the causes that are kept, the newest incidents first, as far as nobody waits."""
        until = self._around.clock.monotonic() + KEPT
        while (chosen := self._to_recall()) and self._around.clock.monotonic() < until:
            await self._recall(chosen)

    def start_recalls(self) -> None:
        """Look in what is kept for the rest of them, and for what is flaky."""
        if _RECALL not in self._tasks and (chosen := self._to_recall()):
            self._tasks.start(_RECALL, self._recall_on(chosen))
        self._start_lane()

    def start_awaited(self, unread: Iterable[Incident]) -> float | None:
        """Read causes that somebody waits for; return the seconds until one more may be read."""
        return self._start(unread, lambda: self._put_off(self._ration.wait))

    def start_others(self, unread: Iterable[Incident]) -> float | None:
        """Read those that nobody waits for, spread over the minute; return the same."""
        return self._start(unread, lambda: self._put_off(lambda: self._ration.rest(_CAUSE)))

    def start_commits(self, later: AbstractSet[IncidentKey] = frozenset()) -> float | None:
        """Find out who began what is broken; causes matter more.

        Args:
            later: incidents of which it is still to be found out when they began.
        """
        wait = obstacle(self._around)
        if wait != 0.0:
            return wait
        room = COMMITS - self._tasks.count((_COMMIT, one.key) for one in self.incidents)
        soonest: float | None = None
        for incident in without_commit(self.incidents, self._causes):
            key = (_COMMIT, incident.key)
            if key in self._tasks or incident.key in later or room <= 0:
                continue
            left = self._retries.remaining(key)
            if left <= 0:
                left = self._put_off(lambda: self._ration.rest(_COMMIT))
            if left <= 0:
                room -= 1
                self._ration.begin(_COMMIT)
                self._tasks.start(key, self._name(incident))
            else:
                soonest = left if soonest is None else min(soonest, left)
        return soonest

    def unnamed(self) -> set[IncidentKey]:
        """Return the incidents of which it is still to be found out who began them."""
        return {
            one.key
            for one in without_commit(self.incidents, self._causes)
            if self._retries.remaining((_COMMIT, one.key)) <= 0.0
        }

    def _put_off(self, rationed: Callable[[], float]) -> float:
        """Return for how long something is put off: not at all while the quota is quiet."""
        return 0.0 if is_quiet(self._around) else rationed()

    def _start(self, unread: Iterable[Incident], put_off: Callable[[], float]) -> float | None:
        """Read causes, those that come first; return when one may be that may not be now.

        Args:
            unread: the incidents.
            put_off: returns the seconds until the next may be begun, as far as the ration goes.
        """
        wait = obstacle(self._around)
        if wait != 0.0:
            return wait
        seen = CAUSES_SEEN if self._causes.any else CAUSES_FIRST
        room = seen if self._turns.is_seen else CAUSES_UNSEEN
        room -= self._tasks.count(one.key for one in self.incidents)
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
                    self._tasks.start(incident.key, self._find(incident))
            if left > 0:
                soonest = left if soonest is None else min(soonest, left)
        return soonest

    def _to_recall(self) -> list[Incident]:
        """Return the next incidents that were not looked for in what is kept."""
        new = [
            one
            for one in self.incidents
            if one.key not in self._tasks and not self._causes.was_recalled(one)
        ]
        unread = without_cause(new, self._watched, self._causes)
        every = chain(*unread, without_commit(new, self._causes))
        return list(islice({one.key: one for one in every}.values(), RECALLS))

    async def _recall(self, incidents: Iterable[Incident]) -> None:
        """Look for some in what is kept; nothing is asked."""
        found = await asyncio.gather(*map(self._causes.recall, incidents))
        self._outcome.is_stale = self._outcome.is_stale or any(found)

    async def _recall_on(self, incidents: Iterable[Incident]) -> None:
        """Look for what the first board did not wait for."""
        await self._recall(incidents)
        # Also where none was there: that nothing is left to be looked for is told.
        self._outcome.is_stale = self._outcome.is_stale or self.is_recalled

    def _start_lane(self) -> None:
        """Look what is kept of an incident's other pipelines, one incident after the other."""
        if _LANE in self._tasks:
            return
        for incident in self.incidents:
            if self._causes.has_looked(incident):
                continue
            if self._causes.known(incident.newest_red) is not None:
                self._tasks.start(_LANE, self._recall_lane(incident))
                return

    async def _recall_lane(self, incident: Incident) -> None:
        known = self._causes.flaky(incident)
        await self._causes.recall_lane(incident)
        if self._causes.flaky(incident) != known:
            self._outcome.is_stale = True

    async def _find(self, incident: Incident) -> None:
        """Read one cause."""
        finding = self._causes.find(incident.lane.project, incident.newest_red)
        if await self._succeeds(incident.key, finding):
            await self._found(incident)
        self._outcome.is_stale = True

    async def _name(self, incident: Incident) -> None:
        """Find the commit that an incident began with."""
        finding = self._causes.find_commit(incident.lane.project, incident.first_red)
        await self._succeeds((_COMMIT, incident.key), finding)
        self._outcome.is_stale = True

    async def _succeeds(self, key: Hashable, asking: Awaitable[object]) -> bool:
        """Ask for something, and take note of when to try again where that fails."""
        try:
            await asking
        except PlatuiError as error:
            self._retries.failed(key, error)
            self._outcome.answered(error)
            return False
        self._retries.succeeded(key)
        self._outcome.answered(None)
        return True


_LANE: Final = "lane"
_RECALL: Final = "recall"
_COMMIT: Final = "commit"
_CAUSE: Final = "cause"
