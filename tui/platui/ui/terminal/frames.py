"""Paint only dirty lines, and write only changed cells of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Protocol, cast, runtime_checkable

from rich.color import ColorSystem
from rich.control import Control
from textual._compositor import ChopsUpdate, Compositor, LayoutUpdate
from textual.geometry import Region

from platui.ui.terminal.encoder import Encoder

if TYPE_CHECKING:
    from textual.app import App
    from textual.driver import Driver
    from textual.geometry import Size
    from textual.screen import Screen
    from textual.strip import Strip
    from textual.widget import Widget

_WRONG_SHAPE: Final = (AttributeError, LookupError, TypeError, ValueError)


class LineCompositor(Compositor):
    def render_partial_update(self) -> ChopsUpdate | None:
        """Return the changes as Textual would paint them; None: no changes."""
        if self._full_map_invalidated:
            self._arrange_now()
        screen = self.size.region
        dirty = [region.intersection(screen) for region in self._dirty_regions]
        self._dirty_regions.clear()
        spans = list(self._regions_to_spans(dirty))
        if not spans:
            return None
        alone: dict[tuple[Widget, Region, int, int], set[int]] = {}
        shared: set[int] = set()
        for y, start, end in spans:
            if (found := self._alone_at(y, start, end)) is None:
                shared.add(y)
            else:
                alone.setdefault((*found, start, end), set()).add(y)
        chops: dict[int, dict[int, Strip | None]] = {}
        ends: dict[int, list[int]] = {}
        if shared:
            first, last = min(shared), max(shared)
            pieces = self._render_chops(
                Region(0, first, screen.width, last + 1 - first), shared.__contains__
            )
            for y in shared:
                chops[y], ends[y] = dict(pieces[y]), self.cuts[y][1:]
        for (widget, region, start, end), rows in alone.items():
            for first, height in _runs(rows - shared):
                lines = widget.render_lines(Region(0, first - region.y, region.width, height))
                for y, strip in enumerate(lines, first):
                    # Of the rest of the row, other widgets may be on top.
                    piece = strip.crop(start - region.x, end - region.x)
                    chops.setdefault(y, {})[start] = piece
                    ends.setdefault(y, []).append(end)
        return ChopsUpdate(cast("Any", chops), spans, cast("Any", ends))

    def _arrange_now(self) -> None:
        """Arrange the widgets, which Textual delays until one of them is asked for its size.

        That is while it paints: it would paint another size than the one of its dirty region.
        """
        before = self._full_map
        changed = self.full_map.items() ^ before.items()
        self._cuts = self._layers = self._layers_visible = None
        self._dirty_regions.update(one.clip.intersection(one.region) for _, one in changed)

    def _get_renders(
        self, crop: Region | None = None
    ) -> Iterator[tuple[Region, Region, list[Strip]]]:
        """Yield region, clip and lines of each widget, for the rows of `crop` only."""
        wanted = self.size.region if crop is None else crop
        rows = Region(0, wanted.y, self.size.width, wanted.height)
        for widget, (region, clip) in self.visible_widgets.items():
            part = clip.intersection(rows)
            if seen := region.intersection(part):
                yield region, part, widget.render_lines(seen.translate(-region.offset))

    def _alone_at(self, y: int, start: int, end: int) -> tuple[Widget, Region] | None:
        """Return the whole widget that alone is seen in a part of a row, and its region."""
        for widget, seen, region in self.layers_visible[y]:
            if seen.x < end and start < seen.right:
                is_whole = (seen.x, seen.width) == (region.x, region.width)
                is_alone = seen.x <= start and end <= seen.right
                return (widget, region) if is_whole and is_alone else None
        return None


def _runs(rows: Iterable[int]) -> list[tuple[int, int]]:
    """Return the first row and the number of rows of each run."""
    runs: list[tuple[int, int]] = []
    for y in sorted(rows):
        if runs and sum(runs[-1]) == y:
            runs[-1] = runs[-1][0], runs[-1][1] + 1
        else:
            runs.append((y, 1))
    return runs


@runtime_checkable
class AwaitsFrame(Protocol):
    """A screen that delays frames which the user does not wait for."""

    def await_frame(self) -> None: ...


class FrameOutput:
    """Writes of each frame what the terminal does not show yet."""

    def __init__(self, app: App[Any], *, edits: bool) -> None:
        self._app = app
        self._encoder = Encoder(edits=edits)
        self._size: Size | None = None
        self.written: Callable[[], None] = lambda: None  # Called after each frame
        self.released: Callable[[], None] = lambda: None  # Called when the app is shown instead
        self.shows_last_frame = False  # Whether the last frame of the previous run stays

    def forget(self) -> None:
        """Write the next frame whole."""
        self._encoder.forget()

    def resized(self, size: Size) -> None:
        """Forget the content of another size."""
        # The first sizes may be those of a variable.
        if size != self._size and not self.shows_last_frame:
            self._size = size
            self.forget()

    def take(self, cells: bytes, size: Size) -> None:
        """Take what the terminal shows already: cells of a recorded frame, if of its size now."""
        with suppress(*_WRONG_SHAPE):  # then the first frame is written whole
            self._encoder.take(json.loads(cells), size)
            self._size = size
            self.shows_last_frame = True

    def release(self) -> None:
        """Let the app replace the last frame of the previous run, in one frame."""
        if self.shows_last_frame:
            self.shows_last_frame = False
            self.released()
            self.resized(self._app.size)
            if isinstance(screen := self._app.screen, AwaitsFrame):
                screen.await_frame()
            screen.refresh()

    def blank_encoder(self) -> Encoder:
        """Return an encoder for an empty screen."""
        return self._encoder.blank()

    @property
    def colour_system(self) -> ColorSystem:
        return self._app.console._color_system or ColorSystem.TRUECOLOR  # noqa: SLF001  (as Textual does)

    def changes(self, frame: LayoutUpdate | ChopsUpdate) -> str:
        """Return the output for a frame, as if it was written."""
        size = self._app.size
        # A frame of a larger size may be painted right after a resize; its rest would scroll.
        pieces = (piece for piece in pieces_of(frame) if piece[0] < size.height)
        return self._encoder.changes(pieces, size.width, self.colour_system)

    def show(self, driver: Driver, frame: LayoutUpdate | ChopsUpdate) -> None:
        if not (changes := self.changes(frame)):
            return
        app = self._app
        cursor = app.size.clamp_offset(app.cursor_position)
        app._begin_update()  # noqa: SLF001  (as Textual does)
        driver.write(changes + (Control.move_to(*cursor).segment.text if cursor else "\x1b[H"))
        app._end_update()  # noqa: SLF001  (as Textual does)
        driver.flush()
        self.written()


def replace_last_frame(screen: Screen[Any]) -> None:
    """Paint a screen instead of the last frame of the previous run, if that is still shown."""
    output = getattr(screen.app, "output", None)
    if isinstance(output, FrameOutput) and output.shows_last_frame:
        screen.call_after_refresh(output.release)


def has_pending_layout(screen: Screen[Any]) -> bool:
    return any(one._layout_required for one in screen._compositor.visible_widgets)  # noqa: SLF001  (as Widget does)


def lay_out_now(screen: Screen[Any]) -> None:
    """Lay out the widgets of a screen without waiting for their messages."""
    screen._refresh_layout()  # noqa: SLF001  (no public access)


def whole_frame(screen: Screen[Any], first: Strip) -> LayoutUpdate:
    """Return all lines of a screen, the first one replaced by one that is not filtered yet.

    Changes that are not painted yet are still painted with the next frame.
    """
    for line_filter in screen.get_line_filters():
        first = first.apply_filter(line_filter, screen.background_colors[1])
    compositor = screen._compositor  # noqa: SLF001  (no public access)
    dirty = {*compositor._dirty_regions}  # noqa: SLF001  (which a full update clears)
    frame = compositor.render_full_update()
    compositor._dirty_regions |= dirty  # noqa: SLF001
    return LayoutUpdate([[first], *frame.strips[1:]], frame.region)


def pieces_of(frame: LayoutUpdate | ChopsUpdate) -> Iterator[tuple[int, int, Strip]]:
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
