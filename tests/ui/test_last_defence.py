"""Every widget, hostile text, and what reaches the terminal in the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from rich.text import Text
from textual.containers import VerticalScroll
from textual.content import Content
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widgets import (
    DataTable,
    Input,
    Label,
    Log,
    OptionList,
    RichLog,
    Sparkline,
    Static,
    Tree,
)

from platui.core.text import clean
from platui.ui.terminal.app import TerminalApp
from platui.ui.terminal.detection import Terminal
from platui.ui.terminal.screen import TerminalScreen
from platui.ui.widgets.scrolling import Look

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.geometry import Region

HOSTILE = [
    "\x1b]52;c;cm0gLXJmIH4=\x07",
    "\x1b[2J\x1b[31m",
    "\x9b2J\x9d0;title\x9c",
    "\x1bc\x0e\x00\x7f",
    "\u202egnp.exe\u200b\u2066",
    "\ud800\U000e0041",
]


class OwnLines(ScrollView):
    """A widget that paints its lines past Textual's styles cache, as our tables do."""

    DEFAULT_CSS = "OwnLines { height: 1; }"

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def render_lines(self, crop: Region) -> list[Strip]:
        """Paint the text on every line."""
        line = Strip(Text(self._text).render(self.app.console)).adjust_cell_length(crop.width)
        return [Look.of(self).filtered(line)] * crop.height


class DirtyScreen(TerminalScreen[None]):
    """Widgets fed by somebody who forgot the door."""

    CSS = "DataTable, Tree, OptionList, Log, RichLog { height: 3; border: round $accent; }"

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        """Yield them."""
        text = self._text
        with VerticalScroll():
            yield Static(text, markup=False)
            yield Label(Text(text))
            yield Input(text, placeholder=text)
            yield OwnLines(text)
            yield DataTable[Text]()
            tree = Tree[None](Text(text))
            tree.border_title = Content(clean(text))
            yield tree
            yield OptionList(Text(text), Content(clean(text)))
            yield Log()
            yield RichLog()
            yield Sparkline([1, 5, 2, 8])

    def on_mount(self) -> None:
        """Fill those that are filled later, and say it in a toast."""
        table = self.query_one(DataTable)
        table.add_column(Text(self._text))
        table.add_row(Text(self._text))
        self.query_one(Log).write_line(self._text)
        self.query_one(RichLog).write(Text(self._text))
        self.query_one(Static).tooltip = Text(self._text)
        self.notify(self._text, title=self._text, markup=False)


async def painted(text: str, *, ascii_only: bool) -> list[str]:
    """Return the lines that would be sent to the terminal."""
    app = TerminalApp[None](Terminal(usable=True), ascii_only=ascii_only)
    async with app.run_test(size=(60, 50)) as pilot:
        await app.push_screen(DirtyScreen(text))
        await pilot.pause()
        await pilot.pause()
        strips = app.screen._compositor.render_strips()
        assert all(strip.cell_length == 60 for strip in strips)
        assert not any(segment.control for strip in strips for segment in strip)
        return [strip.text for strip in strips]


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
async def test_no_control_leaves_any_widget(text: str) -> None:
    """The filter holds where the door was forgotten."""
    lines = await painted(f"BEFORE{text}AFTER", ascii_only=False)
    assert sum("AFTER" in line for line in lines) >= 8
    for line in lines:
        assert clean(line) == line


@pytest.mark.parametrize("text", ["✔ naïve 日本", *HOSTILE], ids=ascii)
async def test_ascii_mode_sends_ascii_only(text: str) -> None:
    """Borders, scroll bars, sparklines and texts alike, all of the same width."""
    lines = await painted(text, ascii_only=True)
    assert all(line.isascii() and line.isprintable() for line in lines)
    assert any("+--" in line for line in lines)
