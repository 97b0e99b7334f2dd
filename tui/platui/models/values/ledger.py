"""The count of requests that all platui processes of one user share."""

from __future__ import annotations

from typing import Protocol


class Ledger(Protocol):
    """Where each process notes its requests, one line to the platform and one credential."""

    def add(self, at: float) -> None:
        """Note a request sent at `at` (Unix seconds)."""
        ...

    def count(self, since: float) -> int:
        """Return how many requests all processes sent after `since` (Unix seconds)."""
        ...
