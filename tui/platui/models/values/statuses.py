"""Groups of statuses for polling; an unknown status is in none of them."""

from __future__ import annotations

from typing import Final

_BEFORE_START: Final = frozenset(
    {"created", "waiting_for_resource", "waiting_for_callback", "preparing", "pending"}
)

ACTIVE: Final = _BEFORE_START | {"running", "canceling"}
"""It may change at any moment without user action."""

ENDED: Final = frozenset({"success", "failed", "canceled", "skipped"})
"""Nothing happens to it any more without user action."""
FINAL: Final = ENDED - {"skipped"}
"""A job does not change any more: its retry is a new job, while a skipped one runs under its id."""
UNSTARTED: Final = _BEFORE_START | {"manual", "scheduled"}
"""A job with such a status has no log yet."""
