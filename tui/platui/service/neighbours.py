"""Operations that the spec does not promise, and this platform may not have."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Hashable

_ENOUGH: Final = 2
"""One 404 may mean a thing that is gone; two different things mean the operation."""


class Neighbour(NamedTuple):
    """An operation, asked for one thing."""

    operation: str
    thing: Hashable


class Neighbours:
    """Remembers for the session which operations the platform does not offer."""

    def __init__(self) -> None:
        self._missed: defaultdict[str, set[Hashable]] = defaultdict(set)

    def missed(self, neighbour: Neighbour) -> None:
        """Take note that an operation was not there for a thing."""
        self._missed[neighbour.operation].add(neighbour.thing)

    def absent(self, neighbour: Neighbour) -> bool:
        """Return whether asking is a waste of the quota."""
        missed = self._missed[neighbour.operation]
        return neighbour.thing in missed or len(missed) >= _ENOUGH
