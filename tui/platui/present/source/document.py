"""The lines of a text file, as the log view asks for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.models.values.log import Span

if TYPE_CHECKING:
    from collections.abc import Sequence


class SourceDocument:
    """A whole text that does not change: a `LogDocument` whose lines are all at hand."""

    version = 0

    def __init__(
        self, lines: Sequence[str], size: int, spans: Sequence[tuple[Span, ...]] | None = None
    ) -> None:
        """Take clean lines, the file's size in bytes, and their spans where it is highlighted."""
        self._lines = lines
        self._spans = spans
        self.size = size

    @property
    def line_count(self) -> int:
        """Return how many lines there are."""
        return len(self._lines)

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
