"""Optional endpoints: not in the specification, and missing on some platforms."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from platui.api.endpoint import Endpoint, ListEndpoint
    from platui.service.writes.sent_history import SentHistory

_ENOUGH: Final = 2  # one 404 may mean a deleted project, two different ones a missing endpoint


class OptionalEndpoints:
    """Tracks which optional endpoints the platform lacks: reads in memory, writes on disk."""

    def __init__(self, history: SentHistory | None = None, *, asks: bool = True) -> None:
        self._missed: defaultdict[object, set[str]] = defaultdict(set)
        self._history = history
        self._asks = asks

    def offers(self, operation: str) -> bool | None:
        """Return whether the platform supports a write; None: unknown."""
        if not self._asks:
            return False
        return None if self._history is None else self._history.offers(operation)

    def tried(self, operation: str, *, offered: bool) -> None:
        if self._asks and self._history is not None and self.offers(operation) is not offered:
            self._history.save_support(operation, offered=offered)

    def missed(self, endpoint: ListEndpoint[Any] | Endpoint[Any]) -> None:
        self._missed[_kind(endpoint)].add(endpoint.path)

    def is_absent(self, endpoint: ListEndpoint[Any] | Endpoint[Any]) -> bool:
        missed = self._missed[_kind(endpoint)]
        return not self._asks or endpoint.path in missed or len(missed) >= _ENOUGH


def _kind(endpoint: ListEndpoint[Any] | Endpoint[Any]) -> object:
    return endpoint.model if hasattr(endpoint, "model") else endpoint.decode
