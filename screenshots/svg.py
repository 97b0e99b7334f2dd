"""A screen as an SVG that looks alike in every viewer, and back.

Every sign stands on its cell whatever the font: runs of plain letters are stretched to their
cells, others stand alone, lines and blocks are shapes.
"""

from __future__ import annotations

from html import escape
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final
from xml.etree import ElementTree as ET

from rich.cells import cell_len
from screenshots.cells import Cell, Grid, Look, cell
from screenshots.glyphs import HEIGHT, SHAPES, WIDTH, path

if TYPE_CHECKING:
    from collections.abc import Iterator

_FONTS: Final = "'DejaVu Sans Mono',Menlo,Consolas,'Liberation Mono',monospace"
_FONT_SIZE: Final = 16.61
"""Letters of DejaVu Sans Mono are 0.602 of it wide: 10 units."""
_BASELINE: Final = 15.2
"""Units below the upper edge of a cell."""
_EDGE: Final = 10
"""Units around the screen, in the colours of the cells at its edges."""
_PLAIN_BELOW: Final = 0x250
"""Letters that every font of the list has, all of one width."""
_DECORATION: Final = {"underline": HEIGHT - 3, "strike": HEIGHT / 2}
"""Where such a line lies, below the upper edge of its cell."""
_THIN: Final = 1
_SVG: Final = "{http://www.w3.org/2000/svg}"


def to_svg(grid: Grid, title: str) -> str:
    """Return the picture of a screen."""
    columns, rows = len(grid[0]), len(grid)
    width, height = columns * WIDTH + 2 * _EDGE, rows * HEIGHT + 2 * _EDGE
    classes = _Classes()
    body = [*_grounds(grid, classes), *_inks(grid, classes)]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"',
            f'width="{width}" height="{height}" data-cells="{columns}x{rows}">',
            f"<title>{escape(title)}</title>",
            "<style>",
            f"text{{font-family:{_FONTS};font-size:{_FONT_SIZE}px}}",
            ".b{font-weight:bold}.i{font-style:italic}",
            *classes.rules(),
            "</style>",
            *body,
            "</svg>\n",
        ]
    )


class _Classes:
    """Short names for colours, in the order in which they are met."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def of(self, colour: str) -> str:
        return self._names.setdefault(colour, f"c{len(self._names)}")

    def rules(self) -> list[str]:
        return [f".{name}{{fill:{colour}}}" for colour, name in self._names.items()]


def _grounds(grid: Grid, classes: _Classes) -> Iterator[str]:
    """Yield the backgrounds; those of the outermost cells reach to the picture's edges."""
    columns, rows = len(grid[0]), len(grid)
    stripes: list[tuple[int, int, int, int, str]] = []  # top, bottom, left, right in cells
    for y, row in enumerate(grid):
        x = 0
        for ground, some in groupby(row, key=lambda one: one.look.ground):
            end = x + len(list(some))
            above = next(
                (n for n, one in enumerate(stripes) if one[1:] == (y, x, end, ground)), None
            )
            if above is None:
                stripes.append((y, y + 1, x, end, ground))
            else:
                stripes[above] = (stripes[above][0], y + 1, x, end, ground)
            x = end
    for top, bottom, left, right, ground in stripes:
        x0, x1 = _reach(left, right, columns, WIDTH)
        y0, y1 = _reach(top, bottom, rows, HEIGHT)
        yield (
            f'<rect class="{classes.of(ground)}" x="{x0}" y="{y0}" width="{x1 - x0}" '
            f'height="{y1 - y0}"/>'
        )


def _reach(first: int, end: int, count: int, unit: int) -> tuple[int, int]:
    start = 0 if first == 0 else _EDGE + first * unit
    stop = 2 * _EDGE + count * unit if end == count else _EDGE + end * unit
    return start, stop


def _inks(grid: Grid, classes: _Classes) -> Iterator[str]:
    for y, row in enumerate(grid):
        for x, signs, look in _runs(row):
            yield from _run(x, y, signs, look, classes)


def _runs(row: tuple[Cell, ...]) -> Iterator[tuple[int, tuple[str, ...], Look]]:
    """Yield stretches of one look; a single blank within one does not end it."""
    looks = [one.look._replace(ground="") for one in row]
    for x in range(1, len(row) - 1):
        if row[x].text == " " and not looks[x].ink and looks[x - 1] == looks[x + 1]:
            looks[x] = looks[x - 1]
    x = 0
    for look, some in groupby(looks):
        end = x + len(list(some))
        if look.ink:
            yield x, tuple(one.text for one in row[x:end]), look
        x = end


def _run(x: int, y: int, signs: tuple[str, ...], look: Look, classes: _Classes) -> Iterator[str]:
    ink = classes.of(look.ink)
    top = _EDGE + y * HEIGHT
    for name, below in _DECORATION.items():
        if getattr(look, name):
            yield (
                f'<rect class="{ink}" data-is="{name}" x="{_EDGE + x * WIDTH}" '
                f'y="{top + below:g}" width="{len(signs) * WIDTH}" height="{_THIN}"/>'
            )
    letters = "".join([f' class="{ink}', " b" * look.bold, " i" * look.italic, '"'])
    for start, piece, kind in _pieces(signs):
        left = _EDGE + (x + start) * WIDTH
        if kind == "shape":
            yield (
                f'<path{letters} data-at="{x + start} {y}" data-text="{piece}" '
                f'd="{path(piece, left, top)}"/>'
            )
            continue
        # A sign that the font may lack comes from another one, whose width is its own.
        stretched = f' textLength="{len(piece) * WIDTH}"' if kind == "plain" else ""
        yield (
            f'<text{letters} x="{left}" y="{top + _BASELINE:g}"{stretched}>'
            f"{escape(piece, quote=False)}</text>"
        )


def _pieces(signs: tuple[str, ...]) -> Iterator[tuple[int, str, str]]:
    """Yield (cell, text, kind) of what is drawn in one piece; two blanks in a row end one."""
    place = 0
    for kind, some in groupby(signs, key=_kind):
        run = list(some)
        if kind == "own":
            for offset, sign in enumerate(run):
                yield place + offset, sign, kind
        elif kind == "shape":
            yield place, "".join(run), kind
        elif kind == "plain":
            yield from _words(place, "".join(run))
        place += len(run)


def _kind(sign: str) -> str:
    if not sign:
        return "half"
    if sign in SHAPES:
        return "shape"
    return "plain" if len(sign) == 1 and ord(sign) < _PLAIN_BELOW else "own"


def _words(place: int, text: str) -> Iterator[tuple[int, str, str]]:
    at = 0
    for piece in text.split("  "):
        if words := piece.strip(" "):
            yield place + at + len(piece) - len(piece.lstrip(" ")), words, "plain"
        at += len(piece) + 2


def from_svg(svg: str) -> Grid:
    """Return the screen of a picture that `to_svg` drew.

    Raises:
        ValueError: it is not such a picture.
    """
    try:
        root = ET.fromstring(svg)  # noqa: S314  (a file of ours)
        columns, rows = (int(part) for part in root.attrib["data-cells"].split("x"))
    except (ET.ParseError, KeyError) as error:
        raise ValueError("not a picture of cells") from error
    colours = {
        name.lstrip("."): rest.split("fill:", 1)[1].rstrip("}")
        for line in (root.findtext(f"{_SVG}style") or "").splitlines()
        for name, brace, rest in [line.partition("{")]
        if brace and rest.startswith("fill:")
    }
    canvas = [[("", Look("", "")) for _ in range(columns)] for _ in range(rows)]
    painted = _Painted(canvas, colours)
    for element in root:
        painted.take(element)
    return painted.grid()


class _Painted:
    """Puts what a picture is made of back on its cells."""

    def __init__(self, canvas: list[list[tuple[str, Look]]], colours: dict[str, str]) -> None:
        self._canvas = canvas
        self._colours = colours

    def take(self, element: ET.Element) -> None:
        """Put one element where it belongs."""
        kind, said = element.tag.removeprefix(_SVG), element.attrib
        if kind == "rect":
            self._fill(said)
        elif kind == "text":
            x, y = ((float(said[name]) - _EDGE) for name in ("x", "y"))
            self._write(int(x // WIDTH), int(y // HEIGHT), element.text or "", said["class"])
        elif kind == "path":
            column, row = said["data-at"].split()
            self._write(int(column), int(row), said["data-text"], said["class"])

    def grid(self) -> Grid:
        """Return the cells."""
        return tuple(tuple(self._cells(row)) for row in self._canvas)

    @staticmethod
    def _cells(row: list[tuple[str, Look]]) -> Iterator[Cell]:
        halves = 0
        before = Look("", "")
        for text, look in row:
            if halves:
                halves -= 1
                yield Cell("", before)
                continue
            before = look
            halves = max(0, cell_len(text) - 1)
            yield cell(text or " ", look)

    def _fill(self, said: dict[str, str]) -> None:
        colour = self._colours[said["class"]]
        left, top, width, height = (float(said[name]) for name in ("x", "y", "width", "height"))
        xs = _covered(left, left + width, WIDTH, len(self._canvas[0]))
        if name := said.get("data-is"):
            ys = range(int((top - _EDGE) // HEIGHT), int((top - _EDGE) // HEIGHT) + 1)
            change: dict[str, Any] = {name: True, "ink": colour}
        else:
            ys = _covered(top, top + height, HEIGHT, len(self._canvas))
            change = {"ground": colour}
        for y in ys:
            for x in xs:
                text, look = self._canvas[y][x]
                self._canvas[y][x] = text, look._replace(**change)

    def _write(self, x: int, y: int, text: str, classes: str) -> None:
        ink, *marks = classes.split()
        signs: list[str] = []
        for sign in text:
            if cell_len(sign) == 0 and signs:
                signs[-1] += sign
            else:
                signs.append(sign)
        for place, sign in enumerate(signs, x):
            if sign == " ":
                continue
            look = self._canvas[y][place][1]
            self._canvas[y][place] = (
                sign,
                look._replace(ink=self._colours[ink], bold="b" in marks, italic="i" in marks),
            )


def _covered(start: float, stop: float, unit: int, count: int) -> range:
    return range(max(0, round((start - _EDGE) / unit)), min(count, round((stop - _EDGE) / unit)))
