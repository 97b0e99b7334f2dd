"""What a text offers that is too long to be held: its length, what it is, and parts of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator


class LongText(Protocol):
    """A text that is made while it is read; the same each time it is."""

    @property
    def size(self) -> int | None:
        """Its bytes; None where only reading it all would tell."""
        ...

    @property
    def identity(self) -> str:
        """What decides over its bytes: two texts with one identity are equal."""
        ...

    def pieces(self, start: int = 0, end: int | None = None) -> Iterator[bytes]:
        """Yield the bytes from `start` up to, not including, `end`.

        Each piece is made within a few milliseconds. A text without a size is read whole.
        """
        ...


class ArchiveText(LongText, Protocol):
    """An archive of files, which is a text itself and knows each of its files as one."""

    def file(self, path: str) -> LongText | None:
        """Return the file with that path."""
        ...
