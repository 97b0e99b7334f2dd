"""Write only changes: Textual writes 23 kB to open the help, and a whole widget for one line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from rich.cells import cell_len
from textual._compositor import ChopsUpdate, Compositor, CompositorUpdate, LayoutUpdate
from textual.geometry import Region
from textual.strip import Strip

if TYPE_CHECKING:
    from rich.console import Console
    from textual.widget import Widget


class _Piece(NamedTuple):
    end: int  # The column after the piece
    text: str
    strip: Strip


class LineCompositor(Compositor):
    def render_partial_update(self) -> ChopsUpdate | None:
        """Return the changes as Textual would paint them; None: no changes."""
        screen = self.size.region
        dirty = [region.intersection(screen) for region in self._dirty_regions]
        self._dirty_regions.clear()
        spans = list(self._regions_to_spans(dirty))
        if not spans:
            return None
        alone = {y: found for y, _, _ in spans if (found := self._alone_on(y)) is not None}
        shared = {y for y, _, _ in spans} - alone.keys()
        chops: dict[int, Mapping[int, Strip | None]] = {}
        ends: dict[int, list[int]] = {}
        if shared:
            first, last = min(shared), max(shared)
            pieces = self._render_chops(
                Region(0, first, screen.width, last + 1 - first), shared.__contains__
            )
            for y in shared:
                chops[y], ends[y] = pieces[y], self.cuts[y][1:]
        for y, height in _runs(alone):
            widget, region = alone[y]
            lines = widget.render_lines(Region(0, y - region.y, region.width, height))
            for row, strip in enumerate(lines, y):
                chops[row], ends[row] = {0: strip}, [screen.width]
        return ChopsUpdate(cast("Any", chops), spans, cast("Any", ends))

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

    def _alone_on(self, y: int) -> tuple[Widget, Region] | None:
        for widget, seen, region in self.layers_visible[y]:
            whole = seen.x == region.x == 0 and seen.width == region.width == self.size.width
            return (widget, region) if whole else None
        return None


def _runs(alone: Mapping[int, tuple[Widget, Region]]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for y in sorted(alone):
        if runs and sum(runs[-1]) == y and alone[y][0] is alone[y - 1][0]:
            runs[-1] = runs[-1][0], runs[-1][1] + 1
        else:
            runs.append((y, 1))
    return runs


class TerminalContent:
    def __init__(self) -> None:
        self._lines: dict[int, dict[int, _Piece]] = {}
        """Line -> column at which a piece begins -> the piece."""

    def forget(self) -> None:
        """Forget the content, after a resize or output of another program."""
        self._lines.clear()

    def update(self, frame: CompositorUpdate) -> CompositorUpdate:
        """Return a frame that writes only changes when rendered."""
        return _Changes(frame, self)

    def changes(self, frame: LayoutUpdate | ChopsUpdate, console: Console) -> str:
        """Return the output for the changes, and record it as written."""
        written: list[str] = []
        pen = (-1, -1)
        for y, x, strip in _pieces(frame):
            now = _Piece(x + strip.cell_length, strip.render(console), strip)
            line = self._lines.setdefault(y, {})
            known = line.get(x)
            if known is not None and known[:2] == now[:2]:
                continue
            for start in [at for at, piece in line.items() if at < now.end and piece.end > x]:
                del line[start]
            line[x] = now
            at, text, end = x, now.text, now.end
            if known is not None and known.end == end and (part := _difference(known.strip, strip)):
                skipped, changed = part
                at, text = x + skipped, changed.render(console)
                end = at + changed.cell_length
            if pen != (y, at):
                written.append(f"\x1b[{y + 1};{at + 1}H")
            written.append(text)
            pen = (y, end)
        return "".join(written)


def _difference(before: Strip, now: Strip) -> tuple[int, Strip] | None:
    """Return the number of equal first cells and the changed segments; None: too different."""
    old, new = list(before), list(now)
    most = min(len(old), len(new))
    first = next((at for at in range(most) if old[at] != new[at]), most)
    last = next((at for at in range(most - first) if old[-1 - at] != new[-1 - at]), most - first)
    skipped = sum(segment.cell_length for segment in new[:first])
    equal = skipped + sum(segment.cell_length for segment in new[len(new) - last :])
    # After a page down few cells are equal: write the whole piece.
    if 2 * equal < now.cell_length:
        return None
    if any(segment.text and not cell_len(segment.text[0]) for segment in new[first:]):
        # A zero-width character would combine with the character before the segment.
        return None
    return skipped, Strip(new[first : len(new) - last], now.cell_length - equal)


class _Changes(CompositorUpdate):
    def __init__(self, frame: CompositorUpdate, painted: TerminalContent) -> None:
        self._frame = frame
        self._painted = painted

    def render_segments(self, console: Console) -> str:
        if isinstance(self._frame, LayoutUpdate | ChopsUpdate):
            return self._painted.changes(self._frame, console)
        self._painted.forget()
        return self._frame.render_segments(console)


def _pieces(frame: LayoutUpdate | ChopsUpdate) -> Iterator[tuple[int, int, Strip]]:
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
