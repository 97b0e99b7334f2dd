"""Commit hashes that can be read backwards, so that no table of commits is needed.

The first eight digits are the commit's number, shuffled by a Feistel network; the others are a
hash of it, so that a made-up hash is recognised.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from platui.emulator.world.chance import Chance

_ROUNDS: Final = 4
_HALF: Final = 0xFFFF
_SHORT: Final = 8
_FULL: Final = 40


class Shas:
    """The hashes of one project's commits."""

    def __init__(self, chance: Chance, project_id: int) -> None:
        self._chance = chance
        self._project = project_id

    def sha(self, number: int) -> str:
        """Return the hash of the commit with that number (below 2**32)."""
        left, right = number >> 16, number & _HALF
        for turn in range(_ROUNDS):
            left, right = right, left ^ self._shuffle(turn, right)
        return f"{left:04x}{right:04x}{self._tail(number)}"

    def number(self, sha: str) -> int | None:
        """Return the number of the commit with that hash, or its first eight digits and more."""
        if not _SHORT <= len(sha) <= _FULL:
            return None
        try:
            left, right = int(sha[:4], 16), int(sha[4:8], 16)
        except ValueError:
            return None
        for turn in reversed(range(_ROUNDS)):
            left, right = right ^ self._shuffle(turn, left), left
        number = left << 16 | right
        return number if self.sha(number).startswith(sha.lower()) else None

    def _shuffle(self, turn: int, half: int) -> int:
        return self._chance.number("sha", self._project, turn, half) & _HALF

    def _tail(self, number: int) -> str:
        return self._chance.digest("sha tail", self._project, number).hex()[: _FULL - _SHORT]
