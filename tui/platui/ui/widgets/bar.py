"""A line of text with roles: header, footer, summaries and notices are painted by it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from textual.strip import Strip
from textual.widget import Widget

from platui.present.chrome import footer_pieces, header_left, header_right
from platui.ui.themes import palette_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from rich.style import Style

    from platui.present.chrome import HeaderState, KeyHint, Pieces
    from platui.ui.palette import Palette


class Bar(Widget):
    """One line: pieces on the left, pieces on the right; repainted only when they change."""

    DEFAULT_CSS = "Bar { height: 1; width: 1fr; }"
    GROUND: ClassVar[str] = "base"  # Which ground of the palette it lies on: base, surface or panel

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002  (Textual's name)
        super().__init__(id=id)
        self._left: Pieces = ()
        self._right: Pieces = ()

    def show(self, left: Pieces, right: Pieces = ()) -> None:
        if (left, right) != (self._left, self._right):
            self._left, self._right = left, right
            self.refresh()

    @property
    def text(self) -> str:
        left, right = ("".join(text for text, _ in side) for side in (self._left, self._right))
        return f"{left}  {right}" if left.strip() and right else left + right

    def render_line(self, y: int) -> Strip:
        """Paint the line: the left part gives way to the right one, and a blank lies between."""
        del y
        width = self.size.width
        palette = palette_of(self.app)
        ground: Style = getattr(palette, self.GROUND)
        right = fitted(self._right, width, ground, palette)
        taken = sum(cell_len(segment.text) for segment in right)
        left = fitted(self._left, width - taken - bool(right), ground, palette)
        gap = width - taken - sum(cell_len(segment.text) for segment in left)
        return Strip([*left, Segment(" " * gap, ground), *right], width)


def fitted(pieces: Pieces, room: int, ground: Style, palette: Palette) -> list[Segment]:
    segments: list[Segment] = []
    for text, role in pieces:
        if room <= 0:
            break
        cells = cell_len(text)
        if cells > room:
            shown, cells = set_cell_size(text, room - 1) + "…" if room > 1 else "…", room
        else:
            shown = text
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

    GROUND = "panel"


class Summary(Bar):
    """The line above a list or a log."""


class OptionalBar(Bar):
    """A line that is there only while there is something to be said."""

    DEFAULT_CSS = """
    OptionalBar { height: 1; display: none; }
    OptionalBar.-shown { display: block; }
    """
    GROUND = "surface"

    def say(self, left: Pieces, right: Pieces = ()) -> None:
        self.set_class(bool(left), "-shown")
        self.show(left, right)


class Notice(OptionalBar):
    """What stands in the way and the key that helps."""


class RunningWriteBar(OptionalBar):
    """The write that is under way while nobody looks at it, and how one does."""


class Header(Edge):
    """Owns nothing: the screen hands it a state and the time."""

    DEFAULT_CSS = "Header { dock: top; height: 1; }"

    def tell(self, state: HeaderState, now: datetime) -> None:
        right = header_right(state, now)
        room = max(0, self.app.size.width - sum(len(text) for text, _ in right) - 1)
        self.show(header_left(state, room), right)


class Footer(Edge):
    """Owns nothing: the screen hands it the keys."""

    DEFAULT_CSS = "Footer { dock: bottom; height: 1; }"

    def tell(self, hints: Sequence[KeyHint]) -> None:
        self.show(footer_pieces(hints, self.app.size.width))
