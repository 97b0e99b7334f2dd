"""Only what changed goes to the terminal.

Textual writes a screen out up to three times when it comes to the front, and all of a widget
when a line of it changed: 23 kB for the list of keys, 17 kB for the Escape that leaves it, a
second each on a bad line. What was painted is kept here piece by piece, as it was written;
the same piece is not written to the same place again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.control import Control
from textual._compositor import ChopsUpdate, CompositorUpdate, LayoutUpdate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console
    from textual.strip import Strip

_Line = dict[int, tuple[int, str]]
"""Column at which a piece begins -> where it ends, and what was written."""


class Painted:
    """What the terminal shows, as far as it is known."""

    def __init__(self) -> None:
        self._lines: dict[int, _Line] = {}

    def forget(self) -> None:
        """Paint everything anew: the terminal has another size, or was in other hands."""
        self._lines.clear()

    def update(self, frame: CompositorUpdate) -> CompositorUpdate:
        """Return a frame that writes what changed; when rendered it counts as painted."""
        return _Changes(frame, self)

    def changes(self, frame: LayoutUpdate | ChopsUpdate, console: Console) -> str:
        """Return what is to be written, and take it for painted."""
        written: list[str] = []
        pen = (-1, -1)
        for y, x, strip in _pieces(frame):
            end, text = x + strip.cell_length, strip.render(console)
            line = self._lines.setdefault(y, {})
            if line.get(x) == (end, text):
                continue
            for start in [at for at, (until, _) in line.items() if at < end and until > x]:
                del line[start]
            line[x] = (end, text)
            if pen != (y, x):
                written.append(Control.move_to(x, y).segment.text)
            written.append(text)
            pen = (y, end)
        return "".join(written)


class _Changes(CompositorUpdate):
    """A frame without what is there already."""

    def __init__(self, frame: CompositorUpdate, painted: Painted) -> None:
        self._frame = frame
        self._painted = painted

    def render_segments(self, console: Console) -> str:
        """Render to what is written."""
        if isinstance(self._frame, LayoutUpdate | ChopsUpdate):
            return self._painted.changes(self._frame, console)
        self._painted.forget()
        return self._frame.render_segments(console)


def _pieces(frame: LayoutUpdate | ChopsUpdate) -> Iterator[tuple[int, int, Strip]]:
    """Yield line, column and content of everything that a frame paints."""
    if isinstance(frame, LayoutUpdate):
        for y, strips in enumerate(frame.strips, frame.region.y):
            x = frame.region.x
            for strip in strips:
                yield y, x, strip
                x += strip.cell_length
        return
    for y, first, last in frame.spans:
        for end, (x, piece) in zip(frame.chop_ends[y], frame.chops[y].items(), strict=False):
            if piece is None or x >= last or end <= first:
                continue
            yield y, x, piece if end <= last and x >= first else piece.crop(0, min(end, last) - x)
