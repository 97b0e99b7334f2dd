"""Optional writes: not in the specification, and missing on some platforms."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from platui.service.writes.sent_history import SentHistory


class OptionalWrites:
    """Tracks on disk which optional writes the platform lacks."""

    def __init__(self, history: SentHistory | None = None, *, asks: bool = True) -> None:
        self._history = history
        self._asks = asks

    @property
    def is_off(self) -> bool:
        """Return whether the profile disables them, whatever the platform has."""
        return not self._asks

    def offers(self, operation: str) -> bool | None:
        """Return whether the platform supports a write; None: unknown."""
        if not self._asks:
            return False
        return None if self._history is None else self._history.offers(operation)

    def tried(self, operation: str, *, offered: bool) -> None:
        if self._asks and self._history is not None and self.offers(operation) is not offered:
            self._history.save_support(operation, offered=offered)
