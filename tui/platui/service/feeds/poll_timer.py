"""When one feed is due: its own tries and failures, seen in its surroundings."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from platui.core.errors import (
    ApiError,
    OfflineError,
    RateLimitedError,
    ServerFailedError,
    UnauthorizedError,
)
from platui.models.values.connection import ConnectionState
from platui.service.feeds.poll_interval import RECHECK, Scene, decide

if TYPE_CHECKING:
    from datetime import datetime

    from platui.core.errors import PlatuiError
    from platui.service.feeds.poll_conditions import Surroundings
    from platui.service.feeds.poll_interval import Rhythm


class PollTimer:
    """Remembers the last try of a feed and says when the next one is due."""

    def __init__(self, surroundings: Surroundings) -> None:
        self.error: PlatuiError | None = None
        """Why the last try failed; the same object as long as the reason is the same."""
        self._around = surroundings
        self._random = Random()
        self._failures = 0
        self._tried_at: float | None = None
        self._token_number = surroundings.token_number
        self._jitter = 0.0

    @property
    def tried(self) -> bool:
        return self._tried_at is not None

    def known_since(self, moment: datetime) -> None:
        age = (self._around.clock.now() - moment).total_seconds()
        self._tried_at = self._around.clock.monotonic() - max(0.0, age)

    def succeeded(self, *, a_try: bool = True) -> None:
        if a_try:
            self._try()
        self.error, self._failures = None, 0

    def failed(self, error: PlatuiError) -> None:
        self._try()
        known = self.error
        if known is None or type(known) is not type(error) or known.sentence != error.sentence:
            self.error = error
        lasting = isinstance(error, ApiError) and not isinstance(
            error, RateLimitedError | ServerFailedError
        )
        self._failures = 0 if lasting else self._failures + 1

    def remaining(
        self,
        rhythm: Rhythm,
        *,
        running: bool = False,
        settled: bool = False,
        transfer: float = 0.0,
        effort: float = 0.0,
    ) -> float | None:
        """Return the seconds until the next try is due; None: not before something rings."""
        if self._tried_at is None or self._recovered():
            return 0.0
        budget = self._around.budget.value
        scene = Scene(
            running=running,
            settled=settled,
            focused=self._around.focused,
            unauthorized=self._around.unauthorized,
            refused=self.error is not None and not self._failures,
            failures=self._failures,
            used=budget.used,
            limit=budget.limit,
            transfer=transfer,
            effort=effort,
            jitter=self._jitter,
        )
        turn = decide(rhythm, scene)
        if turn.after is None:
            return None
        left = self._tried_at + turn.after - self._around.clock.monotonic()
        left = max(left, self._around.pause)
        if left > 0:
            return left
        return 0.0 if turn.poll else RECHECK

    def _try(self) -> None:
        self._tried_at = self._around.clock.monotonic()
        self._token_number = self._around.token_number
        self._jitter = self._random.random()

    def _recovered(self) -> bool:
        """Return whether what stood in the way is gone by another's doing."""
        if self._token_number != self._around.token_number:
            return self.error is not None or self._around.unauthorized
        state = self._around.line.value.state
        return state is ConnectionState.ONLINE and isinstance(
            self.error, OfflineError | UnauthorizedError
        )
