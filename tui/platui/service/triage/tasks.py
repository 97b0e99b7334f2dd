"""Tasks of the triage board: begun as the quota allows, retried when they fail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Generic, Protocol, TypeVar

from platui.core.errors import RateLimitedError
from platui.service.feeds.poll_interval import back_off
from platui.service.triage.scheduling import seconds_blocked

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable
    from collections.abc import Set as AbstractSet

    from platui.core.errors import PlatuiError
    from platui.service.feeds.poll_conditions import PollConditions
    from platui.service.feeds.task_feed import KeyedTasks
    from platui.service.triage.scheduling import TriageBudget


class BoardStatus:
    """What has come of the works, as far as the board tells it."""

    def __init__(self, conditions: PollConditions) -> None:
        self.is_stale = True
        """Whether something is known that was not when somebody last set this to False."""
        self.error: PlatuiError | None = None
        """Why the last request failed; None after one that did not."""
        self._conditions = conditions

    def answered(self, error: PlatuiError | None) -> None:
        if error is None and self._conditions.unauthorized:
            # It was let in before the token was refused.
            return
        if type(error) is not type(self.error):
            self.error = error
            self.is_stale = True


K = TypeVar("K", bound="Hashable")


class PeriodicCheck(Protocol[K]):
    """Things that are looked at now and then, each with a request of its own."""

    @property
    def at_once(self) -> int: ...

    def due(self, under_way: AbstractSet[K], /) -> tuple[K | None, float | None]:
        """Return what is to be looked at now, or the seconds until something is.

        Neither: not before something rings.
        """

    async def renew(self, key: K, /) -> None: ...


class BackgroundChecks(Generic[K]):
    """Begins such looks, as far as the ration goes."""

    def __init__(
        self,
        kind: str,
        checks: PeriodicCheck[K],
        conditions: PollConditions,
        budget: TriageBudget,
        tasks: KeyedTasks,
        board_status: BoardStatus,
    ) -> None:
        self._kind = kind
        self._checks = checks
        self._conditions = conditions
        self._budget = budget
        self._tasks = tasks
        self._board_status = board_status

    def keys(self, things: Iterable[K]) -> set[Hashable]:
        return {(self._kind, one) for one in things}

    def start(self, things: Iterable[K]) -> float | None:
        """Begin what is due and has room; return the seconds until something is."""
        wait = seconds_blocked(self._conditions)
        if wait != 0.0:
            return wait
        under_way = {one for one in things if (self._kind, one) in self._tasks}
        while len(under_way) < self._checks.at_once:
            wait = self._budget.rest(self._kind)
            if wait > 0.0:
                return wait
            key, soonest = self._checks.due(under_way)
            if key is None:
                return soonest
            under_way.add(key)
            self._budget.begin(self._kind)
            self._tasks.start((self._kind, key), self._renew(key))
        return None

    async def _renew(self, key: K) -> None:
        await self._checks.renew(key)
        self._board_status.is_stale = True


SOON: Final = 4
"""Failures in a row after which nobody waits any more for something to be read."""
LONGEST: Final = 900.0
"""Seconds between two tries at the most."""
MOST: Final = 2000


class Retries:
    """When what could not be read is tried again: soon at first, more and more seldom then.

    A platform that gives none of its logs is asked for each of a hundred of them.
    """

    def __init__(self, conditions: PollConditions) -> None:
        self._conditions = conditions
        self._failures: dict[Hashable, tuple[int, float]] = {}
        """How often in a row it failed, and the monotonic second of the next try."""

    def remaining(self, key: Hashable) -> float:
        """Return the seconds until something may be tried; 0 where it may be now."""
        _, at = self._failures.get(key, (0, 0.0))
        return max(0.0, at - self._conditions.clock.monotonic())

    def failed(self, key: Hashable, error: PlatuiError) -> None:
        before, _ = self._failures.get(key, (0, 0.0))
        wait = back_off(before + 1, 0.0)
        if before >= SOON:
            wait = min(LONGEST, wait * 2.0 ** (before + 1 - SOON))
        if isinstance(error, RateLimitedError):
            wait = max(wait, self._conditions.pause)
        self._failures.pop(key, None)
        self._failures[key] = (before + 1, self._conditions.clock.monotonic() + wait)
        if len(self._failures) > MOST:
            # Of what is broken no more, most likely; else it is tried once more than it must be.
            del self._failures[next(iter(self._failures))]

    def succeeded(self, key: Hashable) -> None:
        self._failures.pop(key, None)

    def forget(self) -> None:
        self._failures.clear()
