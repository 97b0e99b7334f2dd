"""The lines of a text file, as the log view asks for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.models.values.log import LogDocument, Span

if TYPE_CHECKING:
    from collections.abc import Sequence


class SourceDocument(LogDocument):
    """A whole text that does not change, its lines all at hand."""

    def __init__(
        self, lines: Sequence[str], size: int, spans: Sequence[tuple[Span, ...]] | None = None
    ) -> None:
        """Take clean lines, the file's size in bytes, and their spans where it is highlighted."""
        self._lines = lines
        self._spans = spans
        self._size = size

    @property
    def line_count(self) -> int:
        """Return how many lines there are."""
        return len(self._lines)

    @property
    def size(self) -> int:
        """Return how many bytes the file has."""
        return self._size

    @property
    def version(self) -> int:
        """Return 0: it does not change."""
        return 0

    def spans(self, y: int) -> tuple[Span, ...]:
        """Return the spans of line `y`, counted from 0."""
        return self._spans[y] if self._spans is not None else (Span(self._lines[y]),)

    def text(self, y: int) -> str:
        """Return the clean text of line `y`."""
        return self._lines[y]

    def is_section(self, y: int) -> bool:
        """Return False: a file has no sections."""
        del y
        return False
