"""What a filter's words mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Filter:
    """Words that a row must hold, and words that it must not, without regard to case."""

    wanted: tuple[str, ...] = ()
    unwanted: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Filter:
        """Return the filter that a text means: every word counts, a leading `!` negates one."""
        words = text.lower().split()
        return cls(
            wanted=tuple(word for word in words if not word.startswith("!")),
            # A lone "!" is somebody still typing: it hides nothing.
            unwanted=tuple(word[1:] for word in words if word.startswith("!") and word != "!"),
        )

    def __bool__(self) -> bool:
        return bool(self.wanted or self.unwanted)

    def select(self, found: Iterable[tuple[str, T]]) -> list[tuple[str, T]]:
        """Return those whose lower-case text passes, in their order."""
        kept = list(found)
        # Word by word: a plain loop over a hundred thousand texts is a matter of milliseconds.
        for word in self.wanted:
            kept = [pair for pair in kept if word in pair[0]]
        for word in self.unwanted:
            kept = [pair for pair in kept if word not in pair[0]]
        return kept
