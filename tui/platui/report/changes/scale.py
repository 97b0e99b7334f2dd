"""The levels of two reports on one scale."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.models.values.access import LEVELS
from platui.models.values.access_changes import ChangeKind

if TYPE_CHECKING:
    from collections.abc import Sequence


class Scale:
    """Levels of both reports, those whose order nobody knows first.

    Attributes:
        levels: their names.
        owner: the number of `OWNER`.
    """

    def __init__(self, before: Sequence[str], after: Sequence[str]) -> None:
        strange = dict.fromkeys(level for level in (*before, *after) if level not in LEVELS)
        self._strange = len(strange)
        self.levels = (*strange, *LEVELS)
        self.owner = self.levels.index("OWNER")
        self.before = self._table(before)
        """Translates the earlier report's `member_level`."""
        self.after = self._table(after)

    def kind(self, before: int, after: int) -> ChangeKind:
        """Return what it is that a level became another."""
        if before < self._strange and after < self._strange:
            return ChangeKind.OTHERWISE
        # The report itself counts a level it does not know below those that are known.
        return ChangeKind.RAISED if after > before else ChangeKind.LOWERED

    def _table(self, levels: Sequence[str]) -> bytes:
        numbers = [self.levels.index(level) for level in levels]
        return bytes(numbers + [0] * (256 - len(numbers)))
