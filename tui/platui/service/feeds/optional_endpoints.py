"""Optional endpoints that are read: not in the specification, and missing on some platforms."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from platui.api.endpoint import Endpoint, ListEndpoint

_ENOUGH: Final = 2  # one 404 may mean a deleted project, two different ones a missing endpoint


class OptionalEndpoints:
    """Tracks in memory which optional endpoints the platform lacks."""

    def __init__(self, *, asks: bool = True) -> None:
        self._missed: defaultdict[object, set[str]] = defaultdict(set)
        self._asks = asks

    def missed(self, endpoint: ListEndpoint[Any] | Endpoint[Any]) -> None:
        self._missed[_kind(endpoint)].add(endpoint.path)

    def is_absent(self, endpoint: ListEndpoint[Any] | Endpoint[Any]) -> bool:
        missed = self._missed[_kind(endpoint)]
        return not self._asks or endpoint.path in missed or len(missed) >= _ENOUGH


def _kind(endpoint: ListEndpoint[Any] | Endpoint[Any]) -> object:
    return endpoint.model if hasattr(endpoint, "model") else endpoint.decode
