"""What is strange in a report and how it was read, gathered while it is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence


class _Oddity(NamedTuple):
    times: int
    example: str


class Oddities:
    """Counts, each with the first example."""

    def __init__(self) -> None:
        self._seen: dict[str, _Oddity] = {}

    def add(self, what: str, example: str, count: int = 1) -> None:
        """Count something.

        Args:
            what: a sentence without its first word, which is the number.
            example: where the first of them is; clean text.
            count: how many.
        """
        if count:
            before = self._seen.get(what)
            self._seen[what] = (
                _Oddity(count, example)
                if before is None
                else before._replace(times=before.times + count)
            )

    def sentences(self) -> Sequence[str]:
        """Return a sentence each, in the order they were first seen."""
        return [f"{one.times:,} {what} ({one.example})." for what, one in self._seen.items()]
