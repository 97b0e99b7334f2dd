"""Looking for a text in a text, as the ui sees it: what is looked for, and where it was found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """What is looked for. Small letters find large ones too; a large one asks for itself."""

    text: str
    is_regex: bool = False


class TextPattern(Protocol):
    """A query made ready: it tells where in one line it is found."""

    @property
    def query(self) -> SearchQuery:
        """Return what it was made of."""
        ...

    def ranges(self, line: str) -> Sequence[tuple[int, int]]:
        """Return where in a line of clean text it is found: first character, and one after."""
        ...


@dataclass(frozen=True, slots=True)
class SearchState:
    """How far a search has come."""

    pattern: TextPattern
    lines: Sequence[int]
    """Lines it is found in, ascending; grows in place of being copied."""
    progress: float
    """Part of the text that was looked through, 0 to 1."""
    first: int | None = None
    """A line with it that was found ahead of the rest: about the next one in reading order."""
    known: tuple[tuple[int, int], ...] = ()
    """Which parts were looked through, ascending: the first line of each, and one after."""
    is_full: bool = False
    """Whether it ended because `lines` are as many as are kept."""

    @property
    def is_whole(self) -> bool:
        """Return whether all there is was looked through."""
        return self.progress >= 1.0
