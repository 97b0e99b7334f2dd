"""One-line bars: header, footer, summary, notice, running write."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from textual.strip import Strip
from textual.widget import Widget

from platui.present.chrome import footer_pieces, header
from platui.ui.key_names import KeyNameError, read_key
from platui.ui.themes import palette_of
from platui.ui.widgets.scrolling import Look, cropped

if TYPE_CHECKING:
    from rich.style import Style
    from textual.events import Click
    from textual.geometry import Region

    from platui.present.chrome import HeaderState, KeyHint, Pieces
    from platui.ui.palette import Palette


class Bar(Widget):
    """One line with text on the left and on the right; repainted only when it changes."""

    DEFAULT_CSS = "Bar { height: 1; width: 1fr; }"
    BACKGROUND: ClassVar[str] = "base"  # A background of the palette: base, surface or panel

    def __init__(
        self,
        left: Pieces = (),
        right: Pieces = (),
        *,
        id: str | None = None,  # noqa: A002  (Textual's name)
    ) -> None:
        super().__init__(id=id)
        self._left, self._right = left, right

    def show(self, left: Pieces, right: Pieces = ()) -> None:
        if (left, right) != (self._left, self._right):
            self._left, self._right = left, right
            self.refresh()

    @property
    def text(self) -> str:
        left, right = ("".join(text for text, _ in side) for side in (self._left, self._right))
        return f"{left}  {right}" if left.strip() and right else left + right

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return the line without Textual's style cache."""
        line = Look.of(self).filtered(self.render_line(0))
        return cropped([line] * crop.height, crop, self.size.width)

    def render_line(self, y: int) -> Strip:
        """Paint the line; the left text is cut where the right one needs the space."""
        del y
        return self.line_with(self._right)

    def line_with(self, right: Pieces) -> Strip:
        """Return the line with another text on the right."""
        width = self.size.width
        palette = palette_of(self.app)
        ground: Style = getattr(palette, self.BACKGROUND)
        fitted = fit_pieces(right, width, ground, palette)
        return Strip(beside(self._left, fitted, width, ground, palette, gap=bool(fitted)), width)


def beside(
    left: Pieces, right: list[Segment], width: int, ground: Style, palette: Palette, gap: int = 0
) -> list[Segment]:
    """Return a line of `width` cells; the left text is cut `gap` cells before the right one."""
    room = width - sum(cell_len(segment.text) for segment in right)
    shown = fit_pieces(left, room - gap, ground, palette)
    room -= sum(cell_len(segment.text) for segment in shown)
    return [*shown, Segment(" " * room, ground), *right]


def fit_pieces(pieces: Pieces, room: int, ground: Style, palette: Palette) -> list[Segment]:
    segments: list[Segment] = []
    for text, role in pieces:
        if room <= 0:
            break
        cells = cell_len(text)
        shown = text if cells <= room else f"{set_cell_size(text, room - 1)}…"
        segments.append(Segment(shown, _style(role, ground, palette)))
        room -= cells
    return segments


def _style(role: str, ground: Style, palette: Palette) -> Style:
    if role == "production":
        return palette.production
    if role == "key":
        return ground + palette.key
    return ground + palette.ink(role)


class Edge(Bar):
    """A line at the top or bottom of a screen."""

    BACKGROUND = "panel"


class Summary(Bar):
    """The line above a list or a log."""


class OptionalBar(Bar):
    """A bar that is hidden while it has no text."""

    DEFAULT_CSS = """
    OptionalBar { height: 1; display: none; }
    OptionalBar.-shown { display: block; }
    """
    BACKGROUND = "surface"

    def set(self, left: Pieces, right: Pieces = ()) -> None:
        self.set_class(bool(left), "-shown")
        self.show(left, right)


class Notice(OptionalBar):
    """A problem, and the key that helps."""


class RunningWriteBar(OptionalBar):
    """The running write whose dialog is closed, or what happened; and the key that opens it."""


class Header(Edge):
    DEFAULT_CSS = "Header { dock: top; height: 1; }"

    def show_state(self, state: HeaderState, now: datetime) -> None:
        self.show(*header(state, now, self.app.size.width))


class Footer(Edge):
    DEFAULT_CSS = "Footer { dock: bottom; height: 1; }"

    def show_keys(self, hints: Sequence[KeyHint]) -> None:
        self.show(footer_pieces(hints, self.app.size.width))

    def on_click(self, event: Click) -> None:
        """Press the key of the clicked hint."""
        event.stop()
        begin = 0
        for (key, _), (label, _) in zip(self._left[::2], self._left[1::2], strict=False):
            end = begin + cell_len(key) + cell_len(label)
            if begin <= event.x < end:
                with suppress(KeyNameError):  # a hint of what to type
                    self.app.simulate_key(read_key(key.split()[0]))
            begin = end
