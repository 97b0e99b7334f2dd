"""Fit the texts of cells to columns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len, set_cell_size

from platui.core.text import clean
from platui.models.values.table import cell_of
from platui.present.tables.column_widths import GAP, cut_middle

if TYPE_CHECKING:
    from rich.style import Style

    from platui.models.values.table import Cell, Column, LineBelow

Run = tuple[str, "Style"]

_LEAST_LEFT: Final = 12  # Cells reserved for the left of a line before its right is dropped


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


def middle_pieces(cell: Cell, width: int) -> list[tuple[str, str]]:
    """Return the pieces of a cell with a name cut in the middle; what follows it stays whole."""
    (name, role), *rest = cell.parts or ((cell.text, cell.role),)
    room = max(1, width - sum(cell_len(clean(text)) for text, _ in rest))
    return pieces(cell_of([(cut_middle(clean(name), room), role), *rest], cell.role), width)


def column_pieces(cell: Cell, column: Column, width: int) -> list[tuple[str, str]]:
    """Return the pieces of a cell, exactly `width` cells wide, cut as its column asks."""
    if column.middle:
        return middle_pieces(cell, width)
    return pieces(cell, width, right=column.right, ends=column.ends)


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
