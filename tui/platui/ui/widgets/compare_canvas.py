"""Rows of a comparison as strips: numbers, signs, and words that differ stronger than the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from platui.models.values.comparison import Kind
from platui.present.comparing import fold_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from textual.color import Color
    from textual.filter import LineFilter

    from platui.models.values.comparison import WordFinder
    from platui.models.values.log import LogDocument
    from platui.present.compared_rows import ComparedRows, Row
    from platui.ui.palette import Palette

_THUMB: Final = "█"
_CURSOR: Final = "▌"
_MORE_RIGHT: Final = "›"
_SPLIT: Final = "│"
_STRONG: Final = Style(bold=True, underline=True)
_MOST_STRIPS: Final = 2000
"""Strips kept: dozens of windows full. Beyond that they are forgotten, all at once."""

_LONGEST: Final = 4000
"""Characters of a line whose differing words are sought; a longer one differs as a whole."""


class Looks(NamedTuple):
    """Everything besides the comparison that decides how its rows look."""

    width: int
    digits: int
    """Digits of the line numbers."""
    palette: Palette
    filters: tuple[LineFilter, ...]
    background: Color


class Compared(NamedTuple):
    """What is painted."""

    rows: ComparedRows
    left: LogDocument
    right: LogDocument
    words: WordFinder | None
    right_role: str
    """The colour of what only the right log has."""


class CompareCanvas:
    """Paints the rows of one comparison, and keeps the strips of those it painted."""

    def __init__(self, compared: Compared, looks: Looks) -> None:
        self.compared = compared
        self.looks = looks
        palette = looks.palette
        self._base = palette.base
        self._muted = palette.style("muted")
        self._inks = {Kind.LEFT: palette.style("success"),
                      Kind.RIGHT: palette.style(compared.right_role)}  # fmt: skip
        self._blank = self._filtered(Strip([Segment(" " * looks.width, self._base)], looks.width))
        self._strips: dict[tuple[int, int, bool, bool], Strip] = {}
        self._pairs: dict[tuple[int, int], tuple[Strip, Strip]] = {}

    @property
    def room(self) -> int:
        """Return how many cells there are for the text of a line."""
        gutter = self.looks.digits + 3
        if self.compared.rows.is_wide:
            return max(0, self._half - gutter)
        return max(0, self.looks.width - 2 - gutter - self.looks.digits - 1)

    @property
    def _half(self) -> int:
        """Return how many cells each log has where they stand side by side."""
        return (self.looks.width - 3) // 2

    def lines(self, top: int, height: int, left: int, cursor: int, thumb: range) -> list[Strip]:
        """Return the strips of a window: its rows, and blanks below the last one."""
        shown = range(top, min(top + height, self.compared.rows.count))
        strips = [self._line(y, left, y == cursor, y - top in thumb) for y in shown]
        return strips + [self._blank] * (height - len(strips))

    def widest(self, top: int, height: int) -> int:
        """Return how many cells the longest line of a window takes."""
        shown = range(top, min(top + height, self.compared.rows.count))
        rows = (self.compared.rows.row(y) for y in shown)
        texts = (text for row in rows if row.fold is None for text in self._texts(row))
        return max(map(cell_len, texts), default=0)

    def _texts(self, row: Row) -> Iterator[str]:
        if row.left is not None:
            yield self.compared.left.text(row.left)
        if row.right is not None:
            yield self.compared.right.text(row.right)

    def _line(self, y: int, left: int, is_cursor: bool, thumb: bool) -> Strip:  # noqa: FBT001  (parts of a key)
        key = (y, left, is_cursor, thumb)
        strip = self._strips.get(key)
        if strip is None:
            if len(self._strips) >= _MOST_STRIPS:
                self._strips.clear()
            painted = self._paint(self.compared.rows.row(y), left, is_cursor=is_cursor, thumb=thumb)
            strip = self._strips[key] = self._filtered(painted)
        return strip

    def _paint(self, row: Row, left: int, *, is_cursor: bool, thumb: bool) -> Strip:
        palette, width = self.looks.palette, self.looks.width
        if row.fold is not None:
            inside = self._fold(row)
        elif self.compared.rows.is_wide:
            inside = self._wide(row, left)
        else:
            inside = self._narrow(row, left)
        bar = Segment(_CURSOR, palette.style("accent")) if is_cursor else Segment(" ", self._base)
        strip = Strip([bar, *inside]).adjust_cell_length(width - 1, self._base)
        if is_cursor:
            strip = Strip(
                [Segment(text, (style or self._base) + palette.cursor) for text, style, _ in strip],
                width - 1,
            )
        edge = Segment(_THUMB, palette.thumb) if thumb else Segment(" ", self._base)
        return Strip([*strip, edge], width).simplify()

    def _fold(self, row: Row) -> list[Segment]:
        assert row.fold is not None  # noqa: S101  (the caller looked)
        blanks = " " * (self.looks.digits - 1)
        return [Segment(f"{blanks}⋯ {fold_text(row.fold)}", self._muted)]

    def _narrow(self, row: Row, left: int) -> list[Segment]:
        """Return a row of the unified layout: both numbers, a sign, one text."""
        digits = self.looks.digits
        numbers = " ".join(_number(line, digits) for line in (row.left, row.right))
        is_left = row.right is None
        kind = _side(row, is_left=is_left)
        text = self._text(row, is_left=is_left)
        return [
            Segment(numbers, self._muted),
            *self._sign(kind, row),
            *_cropped(text, left, self.room, self._base, self._muted),
        ]

    def _wide(self, row: Row, left: int) -> list[Segment]:
        """Return a row of the wide layout: each log with its number, sign and text."""
        digits, room = self.looks.digits, self.room
        segments: list[Segment] = []
        for is_left, line in ((True, row.left), (False, row.right)):
            if not is_left:
                segments.append(Segment(f"{_SPLIT}", self._muted))
            if line is None:
                segments.append(Segment(" " * self._half, self._base))
                continue
            text = self._text(row, is_left=is_left)
            segments += [
                Segment(_number(line, digits), self._muted),
                *self._sign(_side(row, is_left=is_left), row),
                *_cropped(text, left, room, self._base, self._muted),
            ]
        return segments

    def _sign(self, kind: Kind, row: Row) -> list[Segment]:
        if row.kind is Kind.EQUAL:
            return [Segment("   ", self._base)]
        if row.is_routine:
            return [Segment(" ~ ", self._muted)]
        return [Segment(" - " if kind is Kind.LEFT else " + ", self._inks[kind])]

    def _text(self, row: Row, *, is_left: bool) -> Strip:
        """Return the text of a row: as the log has it where it is equal, else in its colour."""
        document = self.compared.left if is_left else self.compared.right
        line = row.left if is_left else row.right
        if line is None:
            return Strip([])
        if row.kind is Kind.EQUAL or row.is_routine:
            if row.kind is Kind.EQUAL and document.is_section(line):
                return Strip([Segment(document.text(line), self.looks.palette.style("section"))])
            return Strip([Segment(document.text(line), self._muted)])
        kind = _side(row, is_left=is_left)
        if row.pair is not None:
            return self._changed(row.pair)[not is_left]
        return Strip([Segment(document.text(line), self._inks[kind])])

    def _changed(self, pair: tuple[int, int]) -> tuple[Strip, Strip]:
        """Return both texts of a changed pair, their differing words stronger."""
        known = self._pairs.get(pair)
        if known is None:
            one, other = self.compared.left.text(pair[0]), self.compared.right.text(pair[1])
            words = self.compared.words
            if words is None or max(len(one), len(other)) > _LONGEST:
                spans: tuple[Sequence[tuple[int, int]], ...] = ((), ())
            else:
                spans = words(one, other)
            if len(self._pairs) >= _MOST_STRIPS:
                self._pairs.clear()
            known = self._pairs[pair] = (
                self._stressed(one, spans[0], Kind.LEFT),
                self._stressed(other, spans[1], Kind.RIGHT),
            )
        return known

    def _stressed(self, text: str, spans: Sequence[tuple[int, int]], kind: Kind) -> Strip:
        plain, strong, at = self._base, self._inks[kind] + _STRONG, 0
        segments: list[Segment] = []
        for start, end in spans:
            segments += [Segment(text[at:start], plain), Segment(text[start:end], strong)]
            at = end
        segments.append(Segment(text[at:], plain))
        return Strip([one for one in segments if one.text])

    def _filtered(self, strip: Strip) -> Strip:
        # Textual's own cache of styles would apply the app's filters; we go past it.
        for line_filter in self.looks.filters:
            strip = strip.apply_filter(line_filter, self.looks.background)
        return strip


def _side(row: Row, *, is_left: bool) -> Kind:
    return row.kind if row.kind is Kind.EQUAL else Kind.LEFT if is_left else Kind.RIGHT


def _number(line: int | None, digits: int) -> str:
    return " " * digits if line is None else f"{line + 1:>{digits}}"


def _cropped(text: Strip, left: int, room: int, base: Style, mark: Style) -> Strip:
    """Return what of a text is in sight, filled up to the room there is."""
    is_cut = room > 0 and text.cell_length > left + room
    end = min(left + room - is_cut, text.cell_length)
    inside = text.crop(left, end) if left < end else Strip([], 0)
    if is_cut:
        inside = Strip([*inside.adjust_cell_length(room - 1, base), Segment(_MORE_RIGHT, mark)])
    return inside.adjust_cell_length(room, base)
