"""Operations that the spec does not promise, and this platform may not have."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Hashable

_ENOUGH: Final = 2
"""One 404 may mean a thing that is gone; two different things mean the operation."""


class Neighbour(NamedTuple):
    """An operation, asked for one thing."""

    operation: str
    thing: Hashable


class OperationMemory(Protocol):
    """Keeps for a profile which operations its platform has, as far as it was tried."""

    def offers(self, operation: str) -> bool | None:
        """Return whether the platform has it; None: nobody has tried of late."""
        ...

    def keep_offer(self, operation: str, *, offered: bool) -> None:
        """Remember whether the platform has it."""
        ...


class Neighbours:
    """Knows which operations the platform does not offer.

    What was missed while reading is known for the session; of a write, which somebody has to
    be asked for first, it is remembered.
    """

    def __init__(self, memory: OperationMemory | None = None, *, asks: bool = True) -> None:
        """Begin to know them.

        Args:
            memory: what was found out before; None: nothing is remembered.
            asks: whether any of them is to be tried; else none is there.
        """
        self._missed: defaultdict[str, set[Hashable]] = defaultdict(set)
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
            self._memory.keep_offer(operation, offered=offered)

    def missed(self, neighbour: Neighbour) -> None:
        """Take note that an operation was not there for a thing."""
        self._missed[neighbour.operation].add(neighbour.thing)

    def absent(self, neighbour: Neighbour) -> bool:
        """Return whether asking is a waste of the quota."""
        missed = self._missed[neighbour.operation]
        return not self._asks or neighbour.thing in missed or len(missed) >= _ENOUGH
