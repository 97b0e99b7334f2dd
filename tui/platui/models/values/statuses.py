"""What a status means for polling. An unknown one is neither running nor ended."""

from __future__ import annotations

from typing import Final

ACTIVE: Final = frozenset(
    {
        "created",
        "waiting_for_resource",
        "waiting_for_callback",
        "preparing",
        "pending",
        "running",
        "canceling",
    },
)
"""It may change any moment, and nobody has to do anything for that."""

ENDED: Final = frozenset({"success", "failed", "canceled", "skipped"})
"""It does not change any more (a retry of a job is another job)."""
UNSTARTED: Final = frozenset(
    {
        "created",
        "waiting_for_resource",
        "waiting_for_callback",
        "preparing",
        "pending",
        "manual",
        "scheduled",
    }
)
"""A job of such a status has no log yet."""
