"""Two logs held against each other, as the ui sees it: numbers of lines, no line copied."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence


class Kind(StrEnum):
    """What the two logs have at one stretch."""

    EQUAL = "equal"
    """The same lines, but for what differs in every run."""
    CHANGED = "changed"
    """Pairs of lines that say the same of something else."""
    LEFT = "left"
    """Lines of the left log only."""
    RIGHT = "right"
    """Lines of the right log only."""


class Block(NamedTuple):
    """A stretch of one kind. Lines are displayed ones, from 0; an end is the line after the last.

    Where both logs have lines (EQUAL, CHANGED) they have as many, and pair off in order.
    Blocks in their order cover every compared line of either log once.
    """

    kind: Kind
    left: int
    left_end: int
    right: int
    right_end: int
    is_routine: bool = False
    """Whether these lines are nothing new: the other log has them elsewhere in the same
    section, or has many that differ in their numbers only."""

    @property
    def is_difference(self) -> bool:
        """Return whether this is worth a look."""
        return self.kind is not Kind.EQUAL and not self.is_routine

    @property
    def height(self) -> int:
        """Return how many rows it takes: a pair is one."""
        return max(self.left_end - self.left, self.right_end - self.right)


class Extent(NamedTuple):
    """Lines of one log that were compared, of so many."""

    first: int
    end: int
    total: int

    @property
    def is_whole(self) -> bool:
        """Return whether that is all of them."""
        return self.end - self.first == self.total


@dataclass(frozen=True, slots=True)
class Comparison:
    """What two logs have in common and what not, in the order of their lines."""

    blocks: Sequence[Block]
    left: Extent
    right: Extent
    left_sections: tuple[str, ...] = ()
    """Names of sections that only the left log has; a name stands for each time it is missing."""
    right_sections: tuple[str, ...] = ()
    """Names of sections that only the right log has."""
    is_coarse: bool = False
    """Whether the logs differ so much that some stretches were not looked at line by line."""

    @property
    def is_whole(self) -> bool:
        """Return whether every line of both was compared."""
        return self.left.is_whole and self.right.is_whole


class WordFinder(Protocol):
    """Tells which words of a changed pair of lines differ."""

    def __call__(
        self, left: str, right: str
    ) -> tuple[Sequence[tuple[int, int]], Sequence[tuple[int, int]]]:
        """Return where they do in either line: first character, and one after."""
        ...
