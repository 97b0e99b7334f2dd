"""The lines shown last, as they were read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from platui.logs.shown_line import ShownLine

_LINES: Final = 512
_CHARACTERS: Final = 256 * 1024


class LineMemory:
    """Keeps lines by their numbers; lets go of the oldest where they are too many or too long.

    Whoever uses it from several threads sees to it that they take turns.
    """

    def __init__(self) -> None:
        self._lines: dict[int, ShownLine] = {}
        self._weight = 0

    @property
    def weight(self) -> int:
        """Return how many characters are kept."""
        return self._weight

    def get(self, y: int) -> ShownLine | None:
        """Return a line, if it is known."""
        return self._lines.get(y)

    def keep(self, y: int, line: ShownLine) -> None:
        """Keep a line that will not change any more."""
        if y in self._lines:
            return
        self._lines[y] = line
        self._weight += line.weight
        while len(self._lines) > _LINES or self._weight > _CHARACTERS:
            self._weight -= self._lines.pop(next(iter(self._lines))).weight
