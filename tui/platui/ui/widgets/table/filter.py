"""What a filter's words mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


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

    def matcher(self) -> Callable[[str], bool]:
        """Return what tells whether a lower-case text passes."""
        match self.wanted, self.unwanted:
            case (word,), ():
                return lambda text: word in text
            case wanted, ():
                return lambda text: all(word in text for word in wanted)
            case wanted, unwanted:
                return lambda text: (
                    all(word in text for word in wanted)
                    and not any(word in text for word in unwanted)
                )
