"""Optional endpoints that are read: not in the specification, and missing on some platforms."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

from platui.core.errors import NotFoundError

if TYPE_CHECKING:
    from platui.api.endpoint import Endpoint, ListEndpoint
    from platui.core.errors import ApiError

_ENOUGH: Final = 2  # one 404 may mean a deleted project, two different ones a missing endpoint


class OptionalEndpoints:
    """Tracks in memory which optional endpoints the platform lacks."""

    def __init__(self, *, asks: bool = True) -> None:
        self._missed: defaultdict[object, set[str]] = defaultdict(set)
        self._records: set[str] = set()  # missing ones, not their endpoints
        self._asks = asks

    def missed(self, endpoint: ListEndpoint[Any] | Endpoint[Any], error: ApiError) -> None:
        is_record = isinstance(error, NotFoundError) and error.missing
        paths = self._records if is_record else self._missed[_kind(endpoint)]
        paths.add(endpoint.path)

    def forget(self) -> None:
        self._records.clear()
        self._missed.clear()

    def is_absent(self, endpoint: ListEndpoint[Any] | Endpoint[Any]) -> bool:
        missed = self._missed[_kind(endpoint)]
        is_missed = endpoint.path in missed or endpoint.path in self._records
        return not self._asks or is_missed or len(missed) >= _ENOUGH


def _kind(endpoint: ListEndpoint[Any] | Endpoint[Any]) -> object:
    return endpoint.model if hasattr(endpoint, "model") else endpoint.decode
