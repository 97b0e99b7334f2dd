"""Groups of statuses for polling; an unknown status is in none of them."""

from __future__ import annotations

from typing import Final

_BEFORE_START: Final = frozenset(
    {"created", "waiting_for_resource", "waiting_for_callback", "preparing", "pending"}
)

ACTIVE: Final = _BEFORE_START | {"running", "canceling"}
"""It may change at any moment without user action."""

ENDED: Final = frozenset({"success", "failed", "canceled", "skipped"})
"""It does not change any more (a retried job is a new job)."""
UNSTARTED: Final = _BEFORE_START | {"manual", "scheduled"}
"""A job with such a status has no log yet."""
