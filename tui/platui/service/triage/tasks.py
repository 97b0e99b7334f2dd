"""Background tasks of the triage board: their status, and retries after failures."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from platui.core.errors import PlatuiError, RateLimitedError
from platui.service.feeds.poll_interval import back_off

if TYPE_CHECKING:
    from platui.service.feeds.poll_conditions import PollConditions

K = TypeVar("K")


class BoardStatus:
    """The status of the requests, as shown by the board."""

    def __init__(self, conditions: PollConditions) -> None:
        self.is_stale = True  # whether there are results since this was last set to False
        self.error: PlatuiError | None = None  # of the last request; None: it succeeded
        self._conditions = conditions

    def answered(self, error: PlatuiError | None) -> None:
        if error is None and self._conditions.unauthorized:
            # It was sent before the token was rejected.
            return
        if type(error) is not type(self.error):
            self.error = error
            self.is_stale = True


class PeriodicCheck(Protocol):
    """Checks that are repeated now and then, each with a request and a key."""

    @property
    def at_once(self) -> int: ...

    @property
    def keys(self) -> Iterable[Hashable]: ...

    def due(self, under_way: AbstractSet[Any], /) -> tuple[Hashable | None, float | None]:
        """Return a due key, or the seconds until the next; None: not until an event."""

    async def renew(self, key: Any, /) -> None: ...


def first_due(waits: Iterable[tuple[K, float | None]]) -> tuple[K | None, float | None]:
    """Return the first key that is due, or the seconds until the next; a wait of None: unknown."""
    soonest: float | None = None
    for key, left in waits:
        if left is None:
            continue
        if left <= 0.0:
            return key, None
        soonest = left if soonest is None else min(soonest, left)
    return None, soonest


SOON: Final = 4  # consecutive failures before the pause grows beyond that of feeds
LONGEST: Final = 900.0  # maximum seconds between two tries
MOST: Final = 2000


class Retries:
    """Schedules retries with growing pauses, to limit requests after many failures."""

    def __init__(self, conditions: PollConditions) -> None:
        self._conditions = conditions
        # consecutive failures, and the monotonic second of the next try
        self._failures: dict[Hashable, tuple[int, float]] = {}

    def remaining(self, key: Hashable) -> float:
        """Return the seconds until a retry; 0: now."""
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
            # Most likely obsolete; else it is retried once too often.
            del self._failures[next(iter(self._failures))]

    def succeeded(self, key: Hashable) -> None:
        self._failures.pop(key, None)

    def forget(self) -> None:
        self._failures.clear()
