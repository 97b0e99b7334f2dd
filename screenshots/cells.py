"""What a terminal shows, cell by cell: read off a running app, and compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rich.cells import cell_len
from rich.color import blend_rgb
from rich.color_triplet import ColorTriplet

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.color import Color
    from rich.style import Style
    from textual.app import App


class Look(NamedTuple):
    """How one cell looks, when reverse and dim have become colours."""

    ink: str
    """`#rrggbb`; empty where there is nothing to be seen in it."""
    ground: str
    bold: bool = False
    italic: bool = False
    underline: bool = False
    strike: bool = False


class Cell(NamedTuple):
    """One place on the screen."""

    text: str
    """A sign with its combining marks; a blank; empty: the right half of the sign before it."""
    look: Look


Grid = tuple[tuple[Cell, ...], ...]
"""The rows of a screen, all of one length."""

_DIMMED: Final = 0.4
_FEW: Final = 12


def cells_of(app: App[Any]) -> Grid:
    """Return what an app shows now."""
    width, height = app.size
    # As Textual's own export of a screenshot does.
    strips = app.screen._compositor.render_strips()[:height]  # noqa: SLF001
    ink, ground = _own_colours(app)
    looks: dict[Style | None, Look] = {}
    rows = []
    for strip in strips:
        for _, style, _ in strip:
            if style not in looks:
                looks[style] = _look(style, ink, ground)
        row = row_of((text, looks[style]) for text, style, _ in strip)
        row += [Cell(" ", Look("", ground.hex))] * (width - len(row))
        rows.append(tuple(row[:width]))
    return tuple(rows)


def row_of(pieces: Iterable[tuple[str, Look]]) -> list[Cell]:
    """Return the cells of a row, of texts and how they look."""
    row: list[Cell] = []
    for text, look in pieces:
        for sign in text:
            _put(row, sign, look)
    return row


def cell(text: str, look: Look) -> Cell:
    """Return a cell whose look says nothing that cannot be seen."""
    if text.strip("\xa0 ") or not text:
        return Cell(text, look)
    if look.underline or look.strike:
        return Cell(" ", look._replace(bold=False, italic=False))
    return Cell(" ", Look("", look.ground))


def _put(row: list[Cell], sign: str, look: Look) -> None:
    if " " < sign < "\x7f":
        row.append(Cell(sign, look))
        return
    room = cell_len(sign)
    if room == 0:
        if row:  # it belongs to the sign before it
            at = -1 if row[-1].text else -2
            row[at] = row[at]._replace(text=row[at].text + sign)
        return
    row.append(cell(sign, look))
    row.extend(Cell("", row[-1].look) for _ in range(room - 1))


def _own_colours(app: App[Any]) -> tuple[ColorTriplet, ColorTriplet]:
    """Return foreground and background of what names neither."""
    variables = app.theme_variables
    return _triplet(variables["foreground"]), _triplet(variables["background"])


def _triplet(text: str) -> ColorTriplet:
    return ColorTriplet(*(int(text[place : place + 2], 16) for place in (1, 3, 5)))


def _look(style: Style | None, ink: ColorTriplet, ground: ColorTriplet) -> Look:
    if style is None:
        return Look(ink.hex, ground.hex)
    front, back = _true(style.color, ink), _true(style.bgcolor, ground)
    if style.reverse:
        front, back = back, front
    if style.dim:
        front = blend_rgb(front, back, _DIMMED)
    return Look(
        front.hex, back.hex, bool(style.bold), bool(style.italic),
        bool(style.underline), bool(style.strike),
    )  # fmt: skip


def _true(colour: Color | None, default: ColorTriplet) -> ColorTriplet:
    return default if colour is None or colour.is_default else colour.get_truecolor()


def text_of(grid: Grid) -> str:
    """Return the text of a screen, without the blanks at the ends of its lines."""
    return "\n".join("".join(one.text for one in row).rstrip() for row in grid)


def differences(stored: Grid, drawn: Grid) -> list[str]:
    """Return a line for each stretch of cells that differ, the first dozen of them."""
    if (was := _size(stored)) != (now := _size(drawn)):
        return [f"the size was {was}, and is {now}"]
    found = [
        line
        for y, (before, after) in enumerate(zip(stored, drawn, strict=True))
        for line in _in_row(y, before, after)
    ]
    more = len(found) - _FEW
    return found if more <= 0 else [*found[:_FEW], f"and {more} other places"]


def _size(grid: Grid) -> str:
    return f"{len(grid[0]) if grid else 0}x{len(grid)}"


def _in_row(y: int, before: tuple[Cell, ...], after: tuple[Cell, ...]) -> Iterator[str]:
    x = 0
    while x < len(before):
        start = x
        while x < len(before) and before[x] != after[x]:
            x += 1
        if x == start:
            x += 1
            continue
        was, now = before[start:x], after[start:x]
        yield f"row {y + 1}, columns {start + 1} to {x}: {_told(was, now)}"


def _told(was: tuple[Cell, ...], now: tuple[Cell, ...]) -> str:
    texts = ["".join(one.text for one in some) for some in (was, now)]
    if texts[0] != texts[1]:
        return f"{texts[0]!r} is now {texts[1]!r}"
    before, after = next(
        (old.look, new.look) for old, new in zip(was, now, strict=True) if old != new
    )
    changes = [
        f"{name} {getattr(before, name) or 'none'} is now {getattr(after, name) or 'none'}"
        for name in Look._fields
        if getattr(before, name) != getattr(after, name)
    ]
    return f"{texts[0]!r}: {', '.join(changes)}"
