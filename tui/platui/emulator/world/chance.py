"""Randomness as a function: the same seed and key give the same draw, in every process."""

from __future__ import annotations

from hashlib import blake2b
from random import Random
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")

_SPAN: Final = float(1 << 53)


class Chance:
    """Draws that depend on the seed and on what is asked about, never on what was asked before."""

    def __init__(self, seed: int) -> None:
        self._key = f"platui:{seed}".encode()[-64:]

    def digest(self, *key: int | str) -> bytes:
        """Return 32 bytes that belong to the key."""
        return blake2b(repr(key).encode(), digest_size=32, key=self._key).digest()

    def number(self, *key: int | str) -> int:
        """Return a whole number of 64 bits."""
        return int.from_bytes(self.digest(*key)[:8], "big")

    def unit(self, *key: int | str) -> float:
        """Return a number from 0 up to, not including, 1."""
        return (self.number(*key) >> 11) / _SPAN

    def below(self, limit: int, *key: int | str) -> int:
        """Return a whole number from 0 up to, not including, the limit."""
        return self.number(*key) % limit

    def pick(self, options: Sequence[T], *key: int | str) -> T:
        """Return one of the options."""
        return options[self.below(len(options), *key)]

    def dice(self, *key: int | str) -> Random:
        """Return a generator of its own for many draws about one thing."""
        return Random(self.number(*key))
