"""Render the rows of a log comparison: line numbers, signs, text with changed words highlighted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf
from typing import TYPE_CHECKING, Final

from rich.segment import Segment
from rich.style import Style
from textual.cache import FIFOCache
from textual.strip import Strip

from platui.core.named_tuple import NamedTuple
from platui.models.values.comparison import BlockKind
from platui.present.logs.comparison import fold_text
from platui.ui.widgets.log_text import LineText, TimeBudget, widest
from platui.ui.widgets.scrolling import Look, marked

if TYPE_CHECKING:
    from platui.models.values.comparison import Comparison, WordFinder
    from platui.models.values.log import LogDocument
    from platui.present.logs.compared_rows import ComparedRows, Row

_THUMB: Final = "█"
_CURSOR: Final = "▌"
_MORE_RIGHT: Final = "›"
_SPLIT: Final = "│"
_STRONG: Final = Style(bold=True, underline=True)
_MOST_STRIPS: Final = 2000  # Limit of the strip cache: dozens of screens
_BEYOND: Final = "differs further on: "
_MOST_TEXTS: Final = 200  # Limit of the cache of measured lines

_LEAST_DIGITS: Final = 3
_LONGEST: Final = 4000  # Characters; words are not compared in longer lines


class LogComparison(NamedTuple):
    comparison: Comparison
    left: LogDocument
    right: LogDocument
    words: WordFinder | None = None
    right_role: str = "failed"  # Role of lines that only the right log has


class _Emphasis(NamedTuple):
    """The differences in a changed pair of lines."""

    left: Sequence[tuple[int, int]]  # Character ranges of the changed words
    right: Sequence[tuple[int, int]]
    starts_alike: bool = False  # Whether the first pieces of both lines are equal


_NO_EMPHASIS: Final = _Emphasis((), ())


class CompareCanvas:
    """Paints the rows of one comparison, and caches their strips."""

    def __init__(self, rows: ComparedRows, shown: LogComparison, look: Look) -> None:
        self.rows = rows
        self.look = look
        self._shown = shown
        longest = max(shown.comparison.left.total, shown.comparison.right.total)
        self._digits = max(_LEAST_DIGITS, len(str(longest)))
        palette = self._palette = look.palette
        self._base = palette.base
        self._muted = palette.style("muted")
        self._left_ink = palette.style("success")
        self._right_ink = palette.style(shown.right_role)
        self._blank = look.blank()
        self._strips: FIFOCache[tuple[int, int, bool, bool], Strip] = FIFOCache(_MOST_STRIPS)
        self._texts: FIFOCache[tuple[bool, int], LineText] = FIFOCache(_MOST_TEXTS)
        self._pairs: FIFOCache[tuple[int, int], _Emphasis] = FIFOCache(_MOST_STRIPS)

    def forget_strips(self) -> None:
        for cache in (self._strips, self._texts, self._pairs):
            cache.clear()

    @property
    def room(self) -> int:
        gutter = self._digits + 3
        if self.rows.is_wide:
            return max(0, self._half - gutter)
        return max(0, self.look.width - 2 - gutter - self._digits - 1)

    @property
    def _half(self) -> int:
        return (self.look.width - 3) // 2

    def lines(self, top: int, height: int, left: int, cursor: int, thumb: range) -> list[Strip]:
        strips: list[Strip] = []
        for y in range(top, min(top + height, self.rows.count)):
            key = (y, left, y == cursor, y - top in thumb)
            strip = self._strips.get(key)
            if strip is None:
                painted = self._paint(self.rows.row(y), left, is_cursor=key[2], thumb=key[3])
                strip = self._strips[key] = self.look.filtered(painted)
            strips.append(strip)
        return strips + [self._blank] * (height - len(strips))

    def widest(self, top: int, height: int, most: int) -> int:
        """Return the cells of the longest line of a window, measured up to about `most`."""
        rows = map(self.rows.row, range(top, min(top + height, self.rows.count)))
        lines = (
            self._measured(line, is_left=is_left)
            for row in rows
            for is_left, line in ((True, row.left), (False, row.right))
            if row.fold is None and line is not None
        )
        return widest(lines, most)

    def _measured(self, line: int, *, is_left: bool) -> LineText:
        known = self._texts.get((is_left, line))
        if known is None:
            document = self._shown.left if is_left else self._shown.right
            known = self._texts[is_left, line] = LineText(document, line, TimeBudget(seconds=inf))
        return known

    def _paint(self, row: Row, left: int, *, is_cursor: bool, thumb: bool) -> Strip:
        palette, width = self._palette, self.look.width
        if row.fold is not None:
            blanks = " " * (self._digits - 1)
            inside = [Segment(f"{blanks}⋯ {fold_text(row.fold)}", self._muted)]
        elif self.rows.is_wide:
            inside = self._wide(row, left)
        else:
            number = f"{self._number(row.left)} {self._number(row.right)}"
            inside = self._text(row, left, number, is_left=row.right is None)
        bar = Segment(_CURSOR, palette.style("accent")) if is_cursor else Segment(" ", self._base)
        strip = Strip([bar, *inside]).adjust_cell_length(width - 1, self._base)
        if is_cursor:
            strip = Strip(
                [Segment(text, (style or self._base) + palette.cursor) for text, style, _ in strip],
                width - 1,
            )
        edge = Segment(_THUMB, palette.thumb) if thumb else Segment(" ", self._base)
        return Strip([*strip, edge], width).simplify()

    def _wide(self, row: Row, left: int) -> list[Segment]:
        segments: list[Segment] = []
        for is_left, line in ((True, row.left), (False, row.right)):
            if not is_left:
                segments.append(Segment(_SPLIT, self._muted))
            if line is None:
                segments.append(Segment(" " * self._half, self._base))
            else:
                segments += self._text(row, left, self._number(line), is_left=is_left)
        return segments

    def _number(self, line: int | None) -> str:
        return f"{'' if line is None else line + 1:>{self._digits}}"

    def _text(self, row: Row, left: int, number: str, *, is_left: bool) -> list[Segment]:
        if row.kind is BlockKind.EQUAL:
            sign = Segment("   ", self._base)
        elif row.is_routine:
            sign = Segment(" ~ ", self._muted)
        else:
            sign = Segment(" - ", self._left_ink) if is_left else Segment(" + ", self._right_ink)
        cropped = self._cropped(row, left, is_left=is_left)
        return [Segment(number, self._muted), sign, *cropped]

    def _cropped(self, row: Row, left: int, *, is_left: bool) -> Strip:
        line = row.left if is_left else row.right
        if line is None:
            return Strip([]).adjust_cell_length(self.room, self._base)
        room, text = self.room, self._measured(line, is_left=is_left)
        pair = None if row.is_routine else row.pair
        emphasis = _NO_EMPHASIS if pair is None else self._emphasis(pair)
        before: list[Segment] = []
        if emphasis.starts_alike:
            before = [Segment(_BEYOND[:room], self._muted)]
            room = max(0, room - len(_BEYOND))
        text.reach(left + room + 1)
        is_cut = room > 0 and text.cells > left + room
        start, end, lead = text.characters_between(left, left + room - is_cut)
        ink = self._left_ink if is_left else self._right_ink
        plain = self._plain(row, ink, is_left=is_left)
        segments: Iterable[Segment] = (Segment(span.text, plain) for span in text.spans(start, end))
        if found := emphasis.left if is_left else emphasis.right:
            segments = marked(segments, start, found, ink + _STRONG)
        blank = [Segment(" " * lead, plain)] if lead else []
        inside = Strip([*blank, *segments])
        if is_cut:
            sign = Segment(_MORE_RIGHT, self._muted)
            inside = Strip([*inside.adjust_cell_length(room - 1, self._base), sign])
        return Strip([*before, *inside]).adjust_cell_length(self.room, self._base)

    def _plain(self, row: Row, ink: Style, *, is_left: bool) -> Style:
        document = self._shown.left if is_left else self._shown.right
        line = row.left if is_left else row.right
        if row.kind is BlockKind.EQUAL and line is not None and document.is_section(line):
            return self._palette.style("section")
        if row.kind is BlockKind.EQUAL or row.is_routine:
            return self._muted
        return self._base if row.pair is not None else ink

    def _emphasis(self, pair: tuple[int, int]) -> _Emphasis:
        known = self._pairs.get(pair)
        if known is None:
            one, other = self._shown.left.text(pair[0]), self._shown.right.text(pair[1])
            words = self._shown.words
            if words is None or max(len(one), len(other)) > _LONGEST:
                known = _Emphasis((), (), self._starts_alike(pair))
            else:
                known = _Emphasis(*words(one, other))
            self._pairs[pair] = known
        return known

    def _starts_alike(self, pair: tuple[int, int]) -> bool:
        one, other = self._shown.left.piece(pair[0], 0), self._shown.right.piece(pair[1], 0)
        left, right = ("".join(span.text for span in spans or ()) for spans in (one, other))
        length = min(len(left), len(right))
        return left[:length] == right[:length]
