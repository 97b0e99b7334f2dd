"""Parse quota and retry headers (spec §8)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

from platui.core.dataclass import dataclass

LONGEST_PAUSE: Final = 600.0  # Ten minutes; longer waits count as an error of the platform

_DIGITS: Final = 12


@dataclass(frozen=True, slots=True)
class Quota:
    """The quota in the headers; None: not stated."""

    limit: int | None = None
    observed: int | None = None
    resets_in: float | None = None  # Seconds until the platform's window ends
    resets_at: float | None = None
    """The same as Unix time of the platform's clock; equal in all responses of a window."""


def quota_of(headers: Mapping[str, str], now: datetime) -> Quota:
    """Parse the `RateLimit-*` headers, which are guaranteed on a 429 only."""
    limit = whole_number(headers.get("ratelimit-limit"))
    observed = whole_number(headers.get("ratelimit-observed"))
    remaining = whole_number(headers.get("ratelimit-remaining"))
    if observed is None and limit is not None and remaining is not None:
        observed = max(0, limit - remaining)
    return Quota(limit, observed, _resets_in(headers, now), _resets_at(headers))


def retry_after_of(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return the seconds to wait after a 429, at most ten minutes; None: not stated."""
    stated = headers.get("retry-after", "").strip()
    seconds: float | None = whole_number(stated)
    if seconds is None and (moment := _moment(stated)) is not None:
        seconds = (moment - (server_time(headers) or now)).total_seconds()
    if seconds is None:
        seconds = _resets_in(headers, now)
    return None if seconds is None else min(max(0.0, float(seconds)), LONGEST_PAUSE)


def _resets_in(headers: Mapping[str, str], now: datetime) -> float | None:
    # The reset is by the platform's clock, which may differ from ours.
    resets_at = _resets_at(headers)
    return None if resets_at is None else resets_at - (server_time(headers) or now).timestamp()


def _resets_at(headers: Mapping[str, str]) -> float | None:
    reset = whole_number(headers.get("ratelimit-reset"))
    if reset is not None:
        return reset
    moment = _moment(headers.get("ratelimit-resettime"))
    return None if moment is None else moment.timestamp()


def server_time(headers: Mapping[str, str]) -> datetime | None:
    return _moment(headers.get("date"))


def _moment(text: str | None) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text or "")
    except (ValueError, OverflowError):
        return None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def whole_number(text: str | None) -> int | None:
    text = (text or "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _DIGITS else None
