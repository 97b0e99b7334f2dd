"""Decide whether and when to retry a request."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final, TypeVar

from platui.api.budget import UNSTATED_PAUSE
from platui.core.errors import (
    OfflineError,
    OfflineReason,
    PlatuiError,
    RateLimitedError,
    ServerFailedError,
)

if TYPE_CHECKING:
    from platui.core.clock import Clock

T = TypeVar("T")

_FIRST_WAIT: Final = 0.5
_PASSING: Final = frozenset({502, 503, 504})

_TRIES_OF_GET: Final = {
    OfflineReason.REFUSED: 3,
    OfflineReason.DROPPED: 3,
    OfflineReason.TIMEOUT: 2,  # each attempt was long
    OfflineReason.PROXY: 2,
    OfflineReason.NO_SUCH_HOST: 2,
}
_TRIES_OF_WRITE: Final = {OfflineReason.REFUSED: 3, OfflineReason.NO_SUCH_HOST: 2}
"""Writes are only retried if they certainly did not arrive."""

_TRIES_AFTER_5XX: Final = 3
_TRIES_AFTER_429: Final = 2


def decide_retry(error: PlatuiError, attempt: int, method: str) -> float | None:
    """Return the seconds before the next attempt, or None to give up."""
    backoff = _FIRST_WAIT * 2.0 ** (attempt - 1)
    match error:
        case RateLimitedError(retry_after=wait):
            # A 429 is not processed, so a write may be retried too.
            pause = UNSTATED_PAUSE if wait is None else wait
            return pause if attempt < _TRIES_AFTER_429 else None
        case OfflineError(reason=reason):
            tries = _TRIES_OF_GET if method == "GET" else _TRIES_OF_WRITE
            return backoff if attempt < tries.get(reason, 1) else None
        case ServerFailedError(status=status) if method == "GET" and status in _PASSING:
            return backoff if attempt < _TRIES_AFTER_5XX else None
    return None


async def with_retries(
    attempt: Callable[[], Awaitable[T]],
    method: str,
    patience: float,
    clock: Clock,
    on_failure: Callable[[PlatuiError], None] = lambda _: None,
) -> T:
    """Return an attempt's result; retry transient errors for at most `patience` seconds."""
    tries = 0
    while True:
        try:
            return await attempt()
        except PlatuiError as error:
            on_failure(error)
            tries += 1
            wait = decide_retry(error, tries, method)
            if wait is None or wait > patience:
                raise
        # Jitter, so that clients that failed together do not retry together.
        await clock.sleep(wait * (1.0 + random.random() / 4))
