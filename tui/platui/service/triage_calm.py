"""What the triage board looks at when nothing else is to be read: schedules, and what is stuck."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from platui.service.triage_ration import obstacle

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable
    from collections.abc import Set as AbstractSet

    from platui.service.surroundings import Surroundings
    from platui.service.triage_ration import Ration
    from platui.service.triage_tasks import Outcome, Tasks

K = TypeVar("K", bound="Hashable")


class Looks(Protocol[K]):
    """Things that are looked at now and then, each with a request of its own."""

    @property
    def at_once(self) -> int:
        """Return how many may be looked at at once."""
        ...

    def due(self, under_way: AbstractSet[K], /) -> tuple[K | None, float | None]:
        """Return what is to be looked at now, or the seconds until something is."""
        ...

    async def renew(self, key: K, /) -> None:
        """Look at one; what cannot be had is asked for again later."""
        ...


class Calm(Generic[K]):
    """Begins such looks, as far as the ration goes."""

    def __init__(
        self,
        kind: str,
        looks: Looks[K],
        surroundings: Surroundings,
        ration: Ration,
        tasks: Tasks,
        outcome: Outcome,
    ) -> None:
        """Take what is looked at.

        Args:
            kind: what tells the works from others, and counts for the ration.
            looks: the things.
            surroundings: what stands in the way.
            ration: of requests.
            tasks: what is under way.
            outcome: is stale after each look.
        """
        self._kind = kind
        self._looks = looks
        self._around = surroundings
        self._ration = ration
        self._tasks = tasks
        self._outcome = outcome

    def keys(self, things: Iterable[K]) -> set[Hashable]:
        """Return the keys of the works for some things."""
        return {(self._kind, one) for one in things}

    def start(self, things: Iterable[K]) -> float | None:
        """Begin what is due and has room; return the seconds until something is.

        Args:
            things: all that may be looked at.
        """
        wait = obstacle(self._around)
        if wait != 0.0:
            return wait
        under_way = {one for one in things if (self._kind, one) in self._tasks}
        while len(under_way) < self._looks.at_once:
            wait = self._ration.rest(self._kind)
            if wait > 0.0:
                return wait
            key, soonest = self._looks.due(under_way)
            if key is None:
                return soonest
            under_way.add(key)
            self._ration.begin(self._kind)
            self._tasks.start((self._kind, key), self._renew(key))
        return None

    async def _renew(self, key: K) -> None:
        await self._looks.renew(key)
        self._outcome.is_stale = True
