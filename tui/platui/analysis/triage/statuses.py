"""What the status of a pipeline or job means for whether something is broken."""

from __future__ import annotations

from typing import Final

GREEN: Final = "success"
RED: Final = "failed"
DECISIVE: Final = frozenset({GREEN, RED})
"""Canceled, skipped, blocked and unknown ones say neither that it works nor that it does not."""

MOVING: Final = frozenset(
    {"created", "waiting_for_resource", "waiting_for_callback", "preparing", "pending", "running",
     "canceling"},
)  # fmt: skip
"""It goes on by itself."""
