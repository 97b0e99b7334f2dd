"""Paint the header and rows of a table as strips."""

from __future__ import annotations

from enum import IntEnum
from textwrap import wrap
from typing import TYPE_CHECKING, Final, NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from textual.strip import Strip

from platui.core.text import clean
from platui.models.values.table import BLANK, Cell, LineBelow
from platui.present.tables.column_widths import GAP

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.style import Style

    from platui.models.values.table import Column, SortKey
    from platui.present.tables.column_widths import Layout
    from platui.ui.palette import Palette

Run = tuple[str, "Style"]

MARGINS: Final = 3  # Cells for the mark at the left edge and the thumb at the right

_INDENT: Final = 2  # Indent of a line below the cells

_BEGINS: Final = 3  # A text cut in the middle keeps one third before the ellipsis

_LEAST_HALVES: Final = 12  # Minimum cells to cut a text in the middle

_LEAST_LEFT: Final = 12  # Cells reserved for the left of a line before its right is dropped

_MARK: Final = "▌"
_THUMB: Final = "█"
_ASCENDING: Final = "▲"
_DESCENDING: Final = "▼"
_LOUD: Final = frozenset({"text", "strong", "accent"})
"""Roles that are muted in a muted row; status colours stay."""


class Cursor(IntEnum):
    ELSEWHERE = 0
    FOCUSED = 1
    UNFOCUSED = 2


class RowLine(NamedTuple):
    """The state of one line; compared to repaint only what changed."""

    content: tuple[Cell, ...] | Cell | LineBelow  # Cells, a heading, or a line below the cells
    muted: bool
    marked: bool
    cursor: Cursor
    thumb: bool


class Painter:
    """Paints the lines of one table at one width, in one palette."""

    def __init__(
        self, columns: Sequence[Column], layout: Layout, width: int, palette: Palette
    ) -> None:
        self._columns = columns
        self._layout = layout
        self._width = width
        self._palette = palette
        self._grounds = {
            Cursor.FOCUSED: palette.cursor,
            Cursor.UNFOCUSED: palette.cursor_unfocused,
        }

    def header(self, sort: SortKey | None) -> Strip:
        texts: list[str] = []
        for slot in self._layout.slots:
            column = self._columns[slot.index]
            title = clean(column.title)
            if sort is not None and sort[0] == column.key:
                arrow = _DESCENDING if sort[1] else _ASCENDING
                title = fit(title, min(cell_len(title), slot.width - 1)) + arrow
            texts.append(fit(title, slot.width, right=column.right))
        text = " " + (" " * self._layout.gap).join(texts)
        return self._strip([(fit(text, self._width), self._palette.panel)])

    def row(self, line: RowLine) -> Strip:
        base, content, muted = self._palette.base, line.content, line.muted
        # Reversed under the cursor, a blank in the mark's colour would look like a mark.
        mark = (_MARK, base + self._palette.mark) if line.marked else (" ", base)
        if isinstance(content, LineBelow):
            runs = [mark, *self._line(content, muted=muted)]
        elif isinstance(content, Cell):
            heading = pieces(content, max(0, self._width - MARGINS))
            runs = [mark, *((text, self._style(role, muted=muted)) for text, role in heading)]
        else:
            runs = [mark, *self._cells(content, muted=muted)]
        used = sum(cell_len(text) for text, _ in runs)
        thumb = line.thumb and used < self._width
        runs.append((" " * (self._width - used - thumb), base))
        if thumb:
            runs.append((_THUMB, self._palette.thumb))
        if ground := self._grounds.get(line.cursor):
            runs = [(text, style + ground) for text, style in runs]
        return self._strip(runs)

    def notice(self, text: str, height: int, role: str = "muted") -> list[Strip]:
        lines = [
            piece
            for line in text.split("\n")
            for piece in wrap(clean(line), max(1, self._width - MARGINS)) or [""]
        ]
        left = " " * max(1, (self._width - max(map(cell_len, lines))) // 2)
        above = max(0, height - len(lines)) // 3
        painted = [self.blank()] * above
        for at, line in enumerate(lines):
            loud = "strong" if at == 0 and len(lines) > 1 else role
            painted.append(
                self._strip([(fit(left + line, self._width), self._palette.style(loud))])
            )
        return painted[:height]

    def blank(self) -> Strip:
        return self._strip([(" " * self._width, self._palette.base)])

    def _cells(self, cells: Sequence[Cell], *, muted: bool) -> Iterable[Run]:
        gap = ""
        for slot in self._layout.slots:
            cell = cells[slot.index] if slot.index < len(cells) else BLANK
            column = self._columns[slot.index]
            if column.middle and not cell.parts:
                found = [(fit_middle(clean(cell.text), slot.width), cell.role)]
            else:
                found = pieces(cell, slot.width, right=column.right, ends=column.ends)
            for text, role in found:
                yield gap + text, self._style(role, muted=muted)
                gap = ""
            gap = " " * self._layout.gap

    def _line(self, line: LineBelow, *, muted: bool) -> Iterable[Run]:
        yield " " * min(_INDENT, self._width - 1), self._palette.base
        for text, role in line_pieces(line, self._width - MARGINS - _INDENT):
            yield text, self._style(role, muted=muted)

    def _style(self, role: str, *, muted: bool) -> Style:
        return self._palette.style("muted" if muted and role in _LOUD else role)

    def _strip(self, runs: Iterable[Run]) -> Strip:
        return Strip([Segment(text, style) for text, style in join(runs)], self._width)


def fit(text: str, width: int, *, right: bool = False, ends: bool = False) -> str:
    length = len(text) if text.isascii() else cell_len(text)
    if length <= width:
        blank = " " * (width - length)
        return blank + text if right else text + blank
    if width <= 0:
        return ""
    if ends:
        return "…" + _end_of(text, width - 1)
    return (text[: width - 1] if text.isascii() else set_cell_size(text, width - 1)) + "…"


def fit_middle(text: str, width: int) -> str:
    """Return text of exactly `width` cells, cut in the middle."""
    if cell_len(text) <= width or width < _LEAST_HALVES:
        return fit(text, width, ends=True)
    begin = width // _BEGINS
    return fit(text, begin) + _end_of(text, width - begin)


def _end_of(text: str, width: int) -> str:
    if text.isascii():
        return text[len(text) - width :]
    begin = max(0, len(text) - width)
    while cell_len(text[begin:]) > width:
        begin += 1
    return " " * (width - cell_len(text[begin:])) + text[begin:]


def pieces(
    cell: Cell, width: int, *, right: bool = False, ends: bool = False
) -> list[tuple[str, str]]:
    """Return the texts and roles of a cell, exactly `width` cells wide."""
    if not cell.parts:
        return [(fit(clean(cell.text), width, right=right, ends=ends), cell.role)]
    if ends and cell_len(clean(cell.text)) > width:
        return _ending(cell, width)
    found: list[tuple[str, str]] = []
    left = width
    rest = cell_len("".join(clean(text) for text, _ in cell.parts))
    for part, role in cell.parts:
        text = clean(part)
        length = cell_len(text)
        if rest > left and length >= left:
            # One ellipsis replaces the rest of this part and all that follows.
            found.append((fit(text + " ", left), role))
            return found
        found.append((text, role))
        left -= length
        rest -= length
    padding = (" " * left, cell.role)
    return [padding, *found] if right else [*found, padding]


def line_pieces(line: LineBelow, width: int) -> list[tuple[str, str]]:
    """Return the texts and roles of a line, exactly `width` cells wide; the left side is cut."""
    if width <= 0:
        return []
    beside = cell_len(clean(line.right.text))
    room = width - beside - GAP
    if not beside or room < min(_LEAST_LEFT, cell_len(clean(line.left.text))):
        return pieces(line.left, width)
    return [*pieces(line.left, room), (" " * GAP, line.left.role), *pieces(line.right, beside)]


def _ending(cell: Cell, width: int) -> list[tuple[str, str]]:
    """Return the parts of a cell that is too long; the last one is cut at its start."""
    parts = [(clean(text), role) for text, role in cell.parts]
    lengths = [cell_len(text) for text, _ in parts]
    long = [at for at, length in enumerate(lengths) if length > 1]
    at = long[-1] if long else 0
    room = width - sum(lengths) + lengths[at]
    if room <= 1:
        return [(fit(clean(cell.text), width), cell.role)]
    text, role = parts[at]
    return [*parts[:at], (fit(text, room, ends=True), role), *parts[at + 1 :]]


def join(runs: Iterable[Run]) -> list[Run]:
    """Join neighbours of equal style: each style change costs 40 bytes of output."""
    joined: list[Run] = []
    for text, style in runs:
        if not text:
            continue
        if joined:
            before, same = joined[-1]
            if style is same or style == same or (text.isspace() and _one_ground(style, same)):
                joined[-1] = (before + text, same)
                continue
            if before.isspace() and _one_ground(style, same):
                joined[-1] = (before + text, style)
                continue
        joined.append((text, style))
    return joined


def _one_ground(one: Style, other: Style) -> bool:
    return (
        one.bgcolor == other.bgcolor
        and one.reverse == other.reverse
        and not (one.reverse and one.color != other.color)
        and not (one.underline or other.underline or one.strike or other.strike)
    )
