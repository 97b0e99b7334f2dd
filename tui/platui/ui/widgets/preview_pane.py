"""The pane below a list with the preview of the row under the cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.strip import Strip
from textual.widget import Widget

from platui.ui.themes import palette_of
from platui.ui.widgets.bar import fit_pieces
from platui.ui.widgets.preview_lines import Shown, preview_lines
from platui.ui.widgets.scrolling import refresh_changed

if TYPE_CHECKING:
    from platui.present.chrome import Pieces


class PreviewPane(Widget):
    """Paints clean text; repaints only changed lines."""

    ALLOW_SELECT = False
    DEFAULT_CSS = "PreviewPane { width: 1fr; }"

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002  (Textual's name)
        super().__init__(id=id)
        self._shown: Shown | None = None
        self._lines: list[Pieces] = []

    @property
    def text(self) -> str:
        return "\n".join("".join(text for text, _ in line) for line in self._lines)

    def show(self, shown: Shown) -> None:
        self._shown = shown
        self._lay_out()

    def on_resize(self) -> None:
        self._lay_out()
        self.refresh()

    def _lay_out(self) -> None:
        width, height = self.size
        if self._shown is None or not width or not height:
            return
        before, lines = self._lines, preview_lines(self._shown, width - 1, height)
        self._lines = lines + [()] * (height - len(lines))
        refresh_changed(self, before, self._lines)

    def render_line(self, y: int) -> Strip:
        palette, width = palette_of(self.app), self.size.width
        line = self._lines[y] if y < len(self._lines) else ()
        segments = fit_pieces(line, width - 1, palette.base, palette)
        return Strip(segments).adjust_cell_length(width, palette.base)
