"""How often each level stands in a stretch of memberships, however long."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

_BLOCK: Final = 8192


class LevelTally:
    """Counts levels; of whole blocks they were counted once, so that a stretch takes no time."""

    def __init__(self, levels: memoryview, level_count: int) -> None:
        """Count a report's levels, `member_level`; some milliseconds a million."""
        self._levels = levels
        self._kinds = range(level_count)
        self._until: list[Sequence[int]] = [(0,) * level_count]
        """Of all memberships before each block."""
        for start in range(0, len(levels) - _BLOCK + 1, _BLOCK):
            counted = self._counted(start, start + _BLOCK)
            before = self._until[-1]
            self._until.append(tuple(map(sum, zip(before, counted, strict=True))))

    def between(self, first: int, end: int) -> tuple[int, ...]:
        """Return how many memberships of a range have each level."""
        upper, lower = self._before(end), self._before(first)
        return tuple(high - low for high, low in zip(upper, lower, strict=True))

    def _before(self, end: int) -> Sequence[int]:
        block = min(end // _BLOCK, len(self._until) - 1)
        rest = self._counted(block * _BLOCK, end)
        return [sum(pair) for pair in zip(self._until[block], rest, strict=True)]

    def _counted(self, first: int, end: int) -> list[int]:
        data = bytes(self._levels[first:end])
        return [data.count(level) for level in self._kinds]
