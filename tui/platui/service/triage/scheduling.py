"""Which list the triage board asks for next, and how many requests it may send a minute."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final, NamedTuple

from platui.models.values.connection import ConnectionState
from platui.service.feeds.poll_interval import (
    FIRST_RETRY,
    MAX_SHARE,
    RECHECK,
    UNFOCUSED_FACTOR,
    PollInterval,
    slowdown,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from platui.core.clock import Clock
    from platui.service.feeds.poll_conditions import PollConditions
    from platui.service.triage.project import WatchedProject


AT_FIRST: Final = 5
"""Lists under way while somebody waits for them: a connection is left for what else he does."""
TO_BEGIN: Final = 3
"""Lists before the first answer: it comes the sooner, and something is broken in one of three."""
BESIDE_A_CAUSE: Final = 2
"""Lists under way beside the requests for the first cause, which somebody waits for most."""
AT_ONCE: Final = 3
"""Lists under way in a round that nobody waits for."""

A_SECOND: Final = 10 / 3
"""Lists that are asked for at the most: of a hundred projects each twice a minute."""

UNSEEN: Final = 2.0
"""How much slower a round is while the board is not on the screen."""

_AGAIN: Final = 0.75
"""Share of a round for which a list is new, so that what came all at once spreads soon."""
_NO_INTERVAL: Final = PollInterval(0.0, 0.0)
_KIND: Final = "list"


class ListScheduler:
    """Deals out the requests for lists.

    What was never asked for is asked for at once, what broke before then first. From then on
    there is one request each part of a round, for the list that is the oldest.
    """

    def __init__(self, conditions: PollConditions, idle: float) -> None:
        self.is_seen = False
        self._conditions = conditions
        self._idle = idle
        self._count = 1
        self._next_at = 0.0

    @property
    def interval(self) -> float:
        """Return the seconds in which everything is asked for once, as it stands."""
        budget = self._conditions.budget.value
        slower = 1.0 if self._conditions.focused else UNFOCUSED_FACTOR
        return self._round * slower * slowdown(budget.used, budget.limit)

    @property
    def _round(self) -> float:
        seldom = 1.0 if self.is_seen or not self._conditions.focused else UNSEEN
        return max(self._idle, self._count / A_SECOND) * seldom

    def among(self, count: int) -> None:
        self._count = max(1, count)

    def due(
        self,
        projects: Iterable[WatchedProject],
        under_way: int,
        most: int = AT_FIRST,
        budget: TriageBudget | None = None,
    ) -> tuple[list[WatchedProject], float | None]:
        """Return whose lists are to be asked for now, and when another one may be.

        Returns the projects, each of them to be asked for; and the seconds until the next is due, 0
        where one is and had no room, None: not before something rings.
        """
        moment = self._moment(budget)
        # Offline one is enough to find out when the platform is back, and that wakes the others.
        most = 1 if moment.is_offline else most
        found: list[WatchedProject] = []
        soonest: float | None = None
        for project in sorted(projects, key=_place):
            left = self._remaining(project, moment)
            if left is None:
                continue
            if left <= 0.0 and under_way + len(found) < min(most, self._room(project)):
                found.append(project)
                if budget is not None and project.is_live:
                    budget.begin(_KIND)
                self._take_turn(moment)
                moment = self._moment(budget)
            else:
                soonest = left if soonest is None else min(soonest, left)
        return found, soonest

    def _room(self, project: WatchedProject) -> int:
        return AT_FIRST if self.is_seen and (project.asked or not project.is_live) else AT_ONCE

    def _moment(self, budget: TriageBudget | None) -> _Moment:
        now = self._conditions.clock.monotonic()
        return _Moment(
            now,
            self._next_at - now,
            self.interval,
            self._conditions.pause,
            0.0 if budget is None else budget.rest(_KIND),
            0.0 if budget is None else budget.wait(),
            is_offline=self._conditions.line.value.state is ConnectionState.OFFLINE,
        )

    def _take_turn(self, moment: _Moment) -> None:
        gap = moment.interval / self._count
        if moment.is_offline:
            gap = max(gap, FIRST_RETRY)
        self._next_at = self._conditions.clock.monotonic() + gap

    def _remaining(self, project: WatchedProject, moment: _Moment) -> float | None:
        if project.asked or not project.is_live:
            left = project.remaining(PollInterval(self._round, self._round))
            if left is None:
                return None
            left = max(left, moment.pause, moment.turn if moment.is_offline else 0.0)
            return left if project.asked else max(left, moment.wait)
        # Nearly always: there is no need to know more of each of a hundred.
        left = moment.turn if moment.turn > 0.0 else project.remaining(_NO_INTERVAL)
        if left is None:
            return None
        if moment.turn <= 0.0:
            left = max(left, project.asked_at + moment.interval * _AGAIN - moment.now)
        return max(left, moment.rest)


class _Moment(NamedTuple):
    """What decides at one moment for all projects; of a hundred each asks for it."""

    now: float
    turn: float
    """Seconds until the next one has its turn."""
    interval: float
    pause: float
    rest: float
    """Seconds for which the ration puts off what nobody waits for."""
    wait: float
    """Seconds for which it puts off what is waited for."""
    is_offline: bool


def _place(project: WatchedProject) -> tuple[bool, bool, float]:
    return (not project.asked, project.is_live or not project.was_broken, project.asked_at)


MOST: Final = 235
"""Requests in any minute after which nothing is begun but what somebody asked for. What was begun
before takes a few more: of a hundred projects and all their causes it is less than 250."""
CALM: Final = MOST // 2
"""Requests up to which nothing is put off."""
QUIET: Final = 0.5
"""Share of the quota, with all that the user does, up to which causes are no matter of rations."""
_MINUTE: Final = 60.0


def seconds_blocked(conditions: PollConditions) -> float | None:
    """Return the seconds until something may be asked; None: not before something rings."""
    if conditions.line.value.state in {ConnectionState.OFFLINE, ConnectionState.UNAUTHORIZED}:
        return None
    budget = conditions.budget.value
    if conditions.pause or budget.used >= budget.limit * MAX_SHARE:
        return conditions.pause or RECHECK
    return 0.0


def has_spare_quota(conditions: PollConditions) -> bool:
    """Return whether all that the user's dashboards ask for leaves most of the quota to him.

    Causes are read at once then, and put off nothing else: in a bad night there are a hundred.
    """
    budget = conditions.budget.value
    return budget.used < budget.limit * QUIET


class TriageBudget:
    """Counts the requests of the last minute, and tells how long others are put off.

    What somebody waits for (lists that are not known yet, the causes of default branches) may
    take all of it at once. What nobody waits for is spread over what is left of the minute, so
    that the board stands still for none of it.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._sent: deque[float] = deque()
        self._spared: deque[float] = deque()
        """Those that no ration was asked for."""
        self._begun: tuple[str, float] = ("", 0.0)
        """What was begun last that nobody waits for, and when."""

    @property
    def spent(self) -> int:
        return self._counted + self._in_a_minute(self._spared)

    @property
    def _counted(self) -> int:
        return self._in_a_minute(self._sent)

    def count(self, *, spared: bool = False) -> None:
        (self._spared if spared else self._sent).append(self._clock.monotonic())

    def begin(self, kind: str) -> None:
        self._begun = (kind, self._clock.monotonic())

    def wait(self) -> float:
        """Return the seconds until something may be begun that is waited for."""
        spent = self._counted
        if spent < MOST:
            return 0.0
        # When so many are more than a minute ago that one fits.
        return self._sent[spent - MOST] + _MINUTE - self._clock.monotonic()

    def rest(self, kind: str) -> float:
        """Return the seconds until something of a kind may be begun that nobody waits for."""
        spent = self._counted
        if spent < CALM:
            return 0.0
        if spent >= MOST:
            return self.wait()
        now = self._clock.monotonic()
        gap = (self._sent[0] + _MINUTE - now) / (MOST - spent)
        before, at = self._begun
        # Twice as long after one of its own kind, so that others get their turn in between.
        return max(0.0, at + (gap * 2 if kind == before else gap) - now)

    def _in_a_minute(self, sent: deque[float]) -> int:
        while sent and sent[0] <= self._clock.monotonic() - _MINUTE:
            sent.popleft()
        return len(sent)
