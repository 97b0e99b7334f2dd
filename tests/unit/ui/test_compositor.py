"""Parts of a screen are painted with the sizes that widgets have by then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.segment import Segment
from textual.app import App
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from platui.ui.terminal.frames import LineCompositor, pieces_of

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.geometry import Region

WIDTH, HEIGHT = 10, 6


class Numbered(Widget):
    """Shows of each line its number and that of the last one; renders no lines behind it."""

    def render_lines(self, crop: Region) -> list[Strip]:
        height = self.size.height
        texts = (f"{y} to {height - 1}" for y in range(crop.y, min(crop.bottom, height)))
        return [Strip([Segment(text.ljust(WIDTH))]) for text in texts]


class PaintedScreen(Screen[None]):
    """Paints with our compositor."""

    CSS = "Numbered { height: 1fr; }"

    def __init__(self) -> None:
        super().__init__()
        self._compositor = LineCompositor()

    def compose(self) -> ComposeResult:
        yield Numbered()


async def test_a_widget_whose_height_changes_before_the_next_layout_is_painted() -> None:
    """Textual arranges it while it paints."""
    app = App[None]()
    async with app.run_test(size=(WIDTH, HEIGHT)):
        screen = PaintedScreen()
        await app.push_screen(screen)
        compositor, numbered = screen._compositor, screen.query_one(Numbered)
        assert numbered.size.height == HEIGHT
        numbered.styles.height = 2
        numbered.refresh()
        compositor.update_widgets({numbered, Widget()})  # one that is not arranged yet
        frame = compositor.render_partial_update()
        assert frame is not None
        lines = {y: strip.text.strip() for y, _, strip in pieces_of(frame)}
    assert [lines[y] for y in range(HEIGHT)] == ["0 to 1", "1 to 1", "", "", "", ""]
