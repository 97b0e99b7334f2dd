"""In which zone times are shown: one choice for everything that shows any."""

from __future__ import annotations

from typing import Protocol, runtime_checkable


@runtime_checkable
class ShowsTimes(Protocol):
    """A view or dialog on which times of day stand."""

    def show_times(self, *, utc: bool) -> None:
        """Show them in UTC, or in this machine's zone."""
        ...
