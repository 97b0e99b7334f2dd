"""How far a download is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Progress:
    """Bytes that are there, of those there are."""

    received: int
    total: int | None
    """None: the platform does not say."""
