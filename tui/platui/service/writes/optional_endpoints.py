"""Endpoints that the specification does not have, and this platform may lack."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from platui.api.endpoint import ListEndpoint
    from platui.service.writes.sent_history import SentHistory

_ENOUGH: Final = 2
"""One 404 may mean that the project is gone; two different ones mean that the endpoint is."""


class OptionalEndpoints:
    """Knows which optional endpoints the platform lacks.

    For lists this is known for the session; for writes, which the user has to confirm first,
    it is remembered.
    """

    def __init__(self, memory: SentHistory | None = None, *, asks: bool = True) -> None:
        self._missed: defaultdict[object, set[str]] = defaultdict(set)
        self._memory = memory
        self._asks = asks

    def offers(self, operation: str) -> bool | None:
        """Return whether the platform has a write of this name; None: not known."""
        if not self._asks:
            return False
        return None if self._memory is None else self._memory.offers(operation)

    def tried(self, operation: str, *, offered: bool) -> None:
        """Take note of what a try of a write has shown."""
        if self._asks and self._memory is not None and self.offers(operation) is not offered:
            self._memory.save_support(operation, offered=offered)

    def missed(self, endpoint: ListEndpoint[Any]) -> None:
        """Take note that a list was not there."""
        self._missed[endpoint.model].add(endpoint.path)

    def is_absent(self, endpoint: ListEndpoint[Any]) -> bool:
        """Return whether asking for an optional list wastes quota."""
        missed = self._missed[endpoint.model]
        return not self._asks or endpoint.path in missed or len(missed) >= _ENOUGH
