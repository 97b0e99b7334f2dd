"""Whether a request is tried again: a table."""

from __future__ import annotations

import pytest

from platui.api.budget import UNSTATED_PAUSE
from platui.api.retry import decide_retry
from platui.core.errors import (
    ForbiddenError,
    InvalidResponseError,
    NotFoundError,
    OfflineError,
    OfflineReason,
    OutcomeUnknownError,
    PlatuiError,
    RateLimitedError,
    ServerFailedError,
    UnauthorizedError,
    WrongOriginError,
)


def offline(reason: OfflineReason) -> OfflineError:
    """Return an error of no answer."""
    return OfflineError("x", reason=reason)


@pytest.mark.parametrize(
    ("error", "attempt", "method", "wait"),
    [
        (offline(OfflineReason.REFUSED), 1, "GET", 0.5),
        (offline(OfflineReason.REFUSED), 2, "GET", 1.0),
        (offline(OfflineReason.REFUSED), 3, "GET", None),
        (offline(OfflineReason.DROPPED), 1, "GET", 0.5),
        (offline(OfflineReason.TIMEOUT), 1, "GET", 0.5),
        (offline(OfflineReason.TIMEOUT), 2, "GET", None),
        (offline(OfflineReason.NO_SUCH_HOST), 1, "GET", 0.5),
        (offline(OfflineReason.PROXY), 1, "GET", 0.5),
        (offline(OfflineReason.TLS), 1, "GET", None),
        (ServerFailedError("x", status=502), 1, "GET", 0.5),
        (ServerFailedError("x", status=503), 2, "GET", 1.0),
        (ServerFailedError("x", status=504), 3, "GET", None),
        (ServerFailedError("x", status=500), 1, "GET", None),
        (RateLimitedError("x", retry_after=7), 1, "GET", 7),
        (RateLimitedError("x", retry_after=0), 1, "GET", 0),
        (RateLimitedError("x", retry_after=None), 1, "GET", UNSTATED_PAUSE),
        (RateLimitedError("x", retry_after=7), 2, "GET", None),
        (offline(OfflineReason.REFUSED), 1, "POST", 0.5),
        (offline(OfflineReason.NO_SUCH_HOST), 1, "POST", 0.5),
        (RateLimitedError("x", retry_after=7), 1, "POST", 7),
        (offline(OfflineReason.DROPPED), 1, "POST", None),
        (offline(OfflineReason.TIMEOUT), 1, "POST", None),
        (ServerFailedError("x", status=503), 1, "POST", None),
        (OutcomeUnknownError("x"), 1, "POST", None),
        (UnauthorizedError("x", status=401), 1, "GET", None),
        (ForbiddenError("x", status=403), 1, "GET", None),
        (NotFoundError("x", status=404), 1, "GET", None),
        (InvalidResponseError("x"), 1, "GET", None),
        (WrongOriginError("x"), 1, "GET", None),
    ],
)
def test_decision(error: PlatuiError, attempt: int, method: str, wait: float | None) -> None:
    """A GET where it may help; a POST only where nothing can have been done."""
    assert decide_retry(error, attempt, method) == wait
