"""The levels of two reports on one scale."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.core.errors import ReportError
from platui.models.values.access import LEVELS
from platui.models.values.access_changes import ChangeKind

if TYPE_CHECKING:
    from collections.abc import Sequence


_MOST: Final = 255
"""Levels that a byte tells apart, where one of its numbers stands for none."""


class Scale:
    """Levels of both reports, those whose order nobody knows first.

    Attributes:
        levels: their names.
        owner: the number of `OWNER`.
    """

    def __init__(self, before: Sequence[str], after: Sequence[str]) -> None:
        """Take the levels of both, clean.

        Raises:
            ReportError: together there are more than can be told apart.
        """
        strange = dict.fromkeys(level for level in (*before, *after) if level not in LEVELS)
        self._strange = len(strange)
        self.levels = (*strange, *LEVELS)
        if len(self.levels) > _MOST:
            raise ReportError(
                f"These reports cannot be compared: they have more than {_MOST} different "
                "access levels between them."
            )
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
