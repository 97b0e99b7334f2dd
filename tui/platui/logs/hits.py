"""The lines that a search has found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, overload

if TYPE_CHECKING:
    from array import array
    from collections.abc import Iterator


class Hits(Sequence[int]):
    """Lines that were found: ascending, in two parts that grow at their ends."""

    def __init__(self, behind: array[int], ahead: array[int]) -> None:
        """Look at two parts.

        Args:
            behind: those before the line at which the search began.
            ahead: those from there on.
        """
        self._behind = behind
        self._ahead = ahead

    def __len__(self) -> int:
        return len(self._behind) + len(self._ahead)

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[int]: ...

    def __getitem__(self, index: int | slice) -> int | Sequence[int]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        behind = len(self._behind)
        at = index + behind + len(self._ahead) if index < 0 else index
        if at < 0:
            raise IndexError(index)
        return self._behind[at] if at < behind else self._ahead[at - behind]

    def __iter__(self) -> Iterator[int]:
        yield from self._behind
        yield from self._ahead
