"""Schedule the requests of the triage board, and limit them per minute."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from platui.core.named_tuple import NamedTuple
from platui.models.values.connection import ConnectionState
from platui.service.feeds.poll_interval import (
    FIRST_RETRY,
    RECHECK,
    UNFOCUSED_FACTOR,
    PollInterval,
    may_poll,
    slowdown,
)

if TYPE_CHECKING:
    from platui.core.clock import Clock
    from platui.service.feeds.poll_conditions import PollConditions
    from platui.service.triage.project import WatchedProject


# concurrent lists that the user waits for; leaves a connection for other requests
AT_FIRST: Final = 5
TO_BEGIN: Final = 3  # concurrent lists before the first response, for an earlier one
BESIDE_A_CAUSE: Final = 2  # concurrent lists during the requests for the first cause
AT_ONCE: Final = 3  # concurrent lists in a regular turn
A_SECOND: Final = 10 / 3  # maximum lists per second: each of a hundred projects twice a minute
UNSEEN: Final = 2.0  # slowdown while the board is not on the screen
_AGAIN: Final = 0.75  # share of a round before a list is fetched again, to spread simultaneous ones
_NO_INTERVAL: Final = PollInterval(0.0, 0.0)
_KIND: Final = "list"


class ListScheduler:
    """Schedules the requests for lists: unknown ones at once, then each once a round."""

    def __init__(self, conditions: PollConditions, idle: float) -> None:
        self.is_seen = False
        self.budget = TriageBudget(conditions.clock)
        self._conditions = conditions
        self._idle = idle
        self.count = 1  # projects, at least one
        self._next_at = 0.0

    @property
    def interval(self) -> float:
        """Return the current duration of a round in seconds."""
        budget = self._conditions.budget.value
        slower = 1.0 if self._conditions.focused else UNFOCUSED_FACTOR
        return self._round * slower * slowdown(budget.used, budget.limit)

    @property
    def _round(self) -> float:
        seldom = 1.0 if self.is_seen or not self._conditions.focused else UNSEEN
        return max(self._idle, self.count / A_SECOND) * seldom

    def due(
        self, projects: Iterable[WatchedProject], under_way: int, most: int = AT_FIRST
    ) -> tuple[list[WatchedProject], float | None]:
        """Return the projects to request now, and the seconds until the next (None: unknown)."""
        moment = self._moment()
        # One request finds out when the platform answers again, and wakes up the others.
        most = 1 if moment.is_offline or self._conditions.unauthorized else most
        found: list[WatchedProject] = []
        waits = []
        for project in sorted(projects, key=_priority):
            left = self._remaining(project, moment)
            if left is None:
                continue
            is_awaited = self.is_seen and (project.asked or not project.is_live)
            room = min(most, AT_FIRST if is_awaited else AT_ONCE)
            if left <= 0.0 and under_way + len(found) < room:
                found.append(project)
                if project.is_live:
                    self.budget.begin(_KIND)
                moment = self._count(len(found), moment)
            else:
                waits.append(left)
        return found, min(waits, default=None)

    def _count(self, begun: int, moment: _Moment) -> _Moment:
        """Set the time of the next turn, which is as far as the lists begun in this one make it.

        Lists of one turn share a wake-up of the processor; `AT_ONCE` limits them.
        """
        now, gap = self._conditions.clock.monotonic(), moment.interval / self.count
        if moment.is_offline:
            self._next_at = now + max(gap, FIRST_RETRY)
            return self._moment()
        self._next_at = now + begun * gap
        return self._moment()._replace(turn=0.0)

    def _moment(self) -> _Moment:
        now = self._conditions.clock.monotonic()
        return _Moment(
            now,
            self._next_at - now,
            self.interval,
            self._conditions.pause,
            self.budget.rest(_KIND),
            self.budget.wait(),
            is_offline=self._conditions.line.value.state is ConnectionState.OFFLINE,
        )

    def _remaining(self, project: WatchedProject, moment: _Moment) -> float | None:
        if project.asked or not project.is_live:
            left = project.remaining(PollInterval(self._round, self._round))
            if left is None:
                return None
            left = max(left, moment.pause, moment.turn if moment.is_offline else 0.0)
            return left if project.asked else max(left, moment.wait)
        # Most projects wait for their turn: skip the other checks.
        left = moment.turn if moment.turn > 0.0 else project.remaining(_NO_INTERVAL)
        if left is None:
            return None
        if moment.turn <= 0.0:
            left = max(left, project.asked_at + moment.interval * _AGAIN - moment.now)
        return max(left, moment.rest)


class _Moment(NamedTuple):
    """Inputs shared by all projects, calculated once."""

    now: float
    turn: float  # seconds until the next regular request
    interval: float
    pause: float
    rest: float  # seconds of delay by the budget for background requests
    wait: float  # seconds of delay by the budget for urgent requests
    is_offline: bool


def _priority(project: WatchedProject) -> tuple[bool, bool, float]:
    return (not project.asked, project.is_live or not project.was_broken, project.asked_at)


# requests per minute after which only requests of the user begin; with those in progress a hundred
# projects and all causes stay below 250
MAX_PER_MINUTE: Final = 235
FREE_PER_MINUTE: Final = MAX_PER_MINUTE // 2  # requests per minute without delays
SPARE_SHARE: Final = 0.5  # share of the quota up to which causes are not limited
_MINUTE: Final = 60.0


def seconds_blocked(conditions: PollConditions) -> float | None:
    """Return the seconds until a request may be sent; None: not until an event."""
    if conditions.line.value.state in {ConnectionState.OFFLINE, ConnectionState.UNAUTHORIZED}:
        return None
    budget = conditions.budget.value
    if conditions.pause or not may_poll(budget.used, budget.limit):
        return conditions.pause or RECHECK
    return 0.0


def has_spare_quota(conditions: PollConditions) -> bool:
    """Return whether most of the quota is free, counting all dashboards of the user."""
    budget = conditions.budget.value
    return budget.used < budget.limit * SPARE_SHARE


class TriageBudget:
    """Counts the requests of the last minute; urgent ones may use all, others are spread."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._sent: deque[float] = deque()
        self._unlimited: deque[float] = deque()  # requests that are not limited
        self._begun: tuple[str, float] = ("", 0.0)  # kind and time of the last background request

    @property
    def spent(self) -> int:
        return self._in_a_minute(self._sent) + self._in_a_minute(self._unlimited)

    def count(self, *, spared: bool = False) -> None:
        (self._unlimited if spared else self._sent).append(self._clock.monotonic())

    def begin(self, kind: str) -> None:
        self._begun = (kind, self._clock.monotonic())

    def wait(self) -> float:
        """Return the seconds until an urgent request may begin."""
        spent = self._in_a_minute(self._sent)
        if spent < MAX_PER_MINUTE:
            return 0.0
        # When enough requests are older than a minute.
        return self._sent[spent - MAX_PER_MINUTE] + _MINUTE - self._clock.monotonic()

    def rest(self, kind: str) -> float:
        """Return the seconds until a background request of a kind may begin."""
        spent = self._in_a_minute(self._sent)
        if spent < FREE_PER_MINUTE:
            return 0.0
        if spent >= MAX_PER_MINUTE:
            return self.wait()
        now = self._clock.monotonic()
        gap = (self._sent[0] + _MINUTE - now) / (MAX_PER_MINUTE - spent)
        before, at = self._begun
        # Twice as long after the same kind, so that others get their turn.
        return max(0.0, at + (gap * 2 if kind == before else gap) - now)

    def _in_a_minute(self, sent: deque[float]) -> int:
        while sent and sent[0] <= self._clock.monotonic() - _MINUTE:
            sent.popleft()
        return len(sent)
