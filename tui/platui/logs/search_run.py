"""A run of a search through lines that follow each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from array import array


class SearchRun(Protocol):
    """Goes from a line on, a few milliseconds' worth of lines at a time.

    Attributes:
        hits: the lines found so far, ascending.
    """

    hits: array[int]

    @property
    def line(self) -> int:
        """Return the line that comes next."""
        ...

    @property
    def done(self) -> int:
        """Return how much of the document it has been through."""
        ...

    @property
    def total(self) -> int:
        """Return how much there is of the document, in the same measure."""
        ...

    def step(self, stop: int | None, *, ended: bool) -> bool:
        """Look through the next lines; return False where none is left.

        Args:
            stop: the line before which it ends; None: go on to the end.
            ended: whether the last line stays as it is.

        Raises:
            PatternError: the pattern takes too long.
        """
        ...
