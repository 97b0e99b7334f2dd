"""Decide when one feed is due, from its last poll and the polling conditions."""

from __future__ import annotations

from datetime import datetime
from random import random
from typing import TYPE_CHECKING, Final

from platui.core.errors import (
    ApiError,
    OfflineError,
    RateLimitedError,
    ServerFailedError,
    UnauthorizedError,
)
from platui.models.values.connection import ConnectionState
from platui.service.feeds.poll_interval import RECHECK, PollInputs, PollInterval, decide, may_poll

if TYPE_CHECKING:
    from platui.core.errors import PlatuiError
    from platui.service.feeds.poll_conditions import PollConditions

_MOST_RELAPSES: Final = 2


class PollTimer:
    """Tracks the last poll of a feed and calculates the next one."""

    def __init__(self, conditions: PollConditions) -> None:
        # of the last poll; the same object while the reason is the same
        self.error: PlatuiError | None = None
        self._conditions = conditions
        self._random = random  # not a generator of its own: these take 2.5 KB
        self._failures = 0
        self._is_recovered = False  # whether the next poll is early, by `_recovered`
        self._relapses = 0  # early polls that failed again, since the last success
        self._tried_at: float | None = None
        self._token_number = conditions.token_number
        self._jitter = 0.0

    @property
    def tried(self) -> bool:
        return self._tried_at is not None

    def set_fetched_at(self, moment: datetime) -> float:
        """Count a cached response as the last poll; return its monotonic second."""
        age = (self._conditions.clock.now() - moment).total_seconds()
        self._tried_at = self._conditions.clock.monotonic() - max(0.0, age)
        return self._tried_at

    def succeeded(self, *, a_try: bool = True) -> None:
        if a_try:
            self._try()
        self.error, self._failures, self._relapses = None, 0, 0
        self._is_recovered = False

    def failed(self, error: PlatuiError) -> None:
        self._try()
        self._relapses += self._is_recovered
        self._is_recovered = False
        known = self.error
        if known is None or type(known) is not type(error) or known.sentence != error.sentence:
            self.error = error
        error.drop_traceback()  # also if not kept here: several feeds share one error
        lasting = isinstance(error, ApiError) and not isinstance(
            error, RateLimitedError | ServerFailedError
        )
        self._failures = 0 if lasting else self._failures + 1

    def remaining(
        self,
        interval: PollInterval,
        *,
        running: bool = False,
        settled: bool = False,
        transfer: float = 0.0,
        cpu_seconds: float = 0.0,
    ) -> float | None:
        """Return the seconds until the next poll; None: not until an event."""
        if self._tried_at is None:
            return 0.0
        self._is_recovered = self._recovered()
        if self._is_recovered:
            return 0.0
        budget = self._conditions.budget.value
        scene = PollInputs(
            running=running,
            settled=settled,
            focused=self._conditions.focused,
            unauthorized=self._conditions.unauthorized,
            refused=self.error is not None and not self._failures,
            failures=self._failures,
            used=budget.used,
            limit=budget.limit,
            transfer=transfer,
            cpu_seconds=cpu_seconds,
            jitter=self._jitter,
        )
        after = decide(interval, scene)
        if after is None:
            return None
        left = self._tried_at + after - self._conditions.clock.monotonic()
        left = max(left, self._conditions.pause)
        if left > 0:
            return left
        return 0.0 if may_poll(budget.used, budget.limit) else RECHECK

    def _try(self) -> None:
        self._tried_at = self._conditions.clock.monotonic()
        self._token_number = self._conditions.token_number
        self._jitter = self._random()

    def _recovered(self) -> bool:
        """Return whether another request has shown that the cause of the error is gone."""
        if self._token_number != self._conditions.token_number:
            return self.error is not None or self._conditions.unauthorized
        if self._relapses >= _MOST_RELAPSES:  # the cause is this resource, not the connection
            return False
        state = self._conditions.line.value.state
        return state is ConnectionState.ONLINE and isinstance(
            self.error, OfflineError | UnauthorizedError
        )
