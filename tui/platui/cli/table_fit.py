"""Tables of clean texts: how wide each column is, and which give way on a narrow terminal."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from platui.core.cells import cells

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    Row = tuple[str, ...]

_GAP = 2
"""Cells between two columns."""
_PATHS = frozenset({"PATH", "FROM", "TARGET", "ZONE", "INCIDENT"})
"""Heads of columns whose texts keep their ends: `…/Berlin`."""


class TableFit:
    """The columns of a table, as its first rows have them; rows that come later keep to them.

    Attributes:
        left_out: heads of the columns for which there is no room.
    """

    def __init__(
        self,
        rows: Sequence[Row],
        right: Collection[int] = (),
        spare: Sequence[tuple[int, int]] = (),
        room: int | None = None,
    ) -> None:
        """Lay the columns out.

        Args:
            rows: as `table` takes them, at least one, that of headings first.
            right: as `table` takes it.
            spare: columns that give way, one after the other, and the cells that each keeps;
                with 0 it is left out. A path keeps its end. All others, such as counts, are
                never cut.
            room: the cells of a line; None: all there are.
        """
        self._heads = rows[0]
        self._right = frozenset(right)
        self._room = room
        self._cut = frozenset(at for at, least in spare if least)
        self._widths = _widest(rows)
        self._left_out = frozenset[int]()
        if room is not None:
            wanted = tuple(self._widths)
            self._left_out = frozenset(self._give_way(spare, room))
            self._take_back(spare, wanted, room)
        self.left_out = tuple(self._heads[at] for at in sorted(self._left_out))

    def _give_way(self, spare: Sequence[tuple[int, int]], room: int) -> Iterator[int]:
        """Make columns narrower until a line fits; yield those that are left out."""
        widths = self._widths
        over = sum(widths) + _GAP * (len(widths) - 1) - room
        for at, least in spare:
            if over <= 0:
                return
            left = max(least, widths[at] - over) if least else 0
            over -= max(0, widths[at] - left) + (0 if left else _GAP)
            widths[at] = min(left, widths[at])
            if not left:
                yield at

    def _take_back(
        self, spare: Sequence[tuple[int, int]], wanted: Sequence[int], room: int
    ) -> None:
        """Give what a column that was left out did not need to those that were cut before."""
        kept = [at for at in range(len(wanted)) if at not in self._left_out]
        left = room - sum(self._widths[at] for at in kept) - _GAP * (len(kept) - 1)
        for at, _ in reversed(spare):
            if at in kept and left > 0:
                more = min(left, wanted[at] - self._widths[at])
                self._widths[at] += more
                left -= more

    def lines(self, rows: Iterable[Row]) -> Iterator[str]:
        """Yield rows as lines, the same columns in each."""
        kept = [at for at in range(len(self._heads)) if at not in self._left_out]
        shown = [tuple(self._shown(at, row[at]) for at in kept) for row in rows]
        right = {new for new, at in enumerate(kept) if at in self._right}
        if self._room is None:  # a row that comes later may need more; what has gone has not
            self._widths = _widest(shown, self._widths)
        lines = table(shown, right, [self._widths[at] for at in kept])
        yield from lines if self._room is None else (begin_of(one, self._room) for one in lines)

    def _shown(self, at: int, text: str) -> str:
        if self._room is None or at not in self._cut:
            return text
        cut = end_of if self._heads[at] in _PATHS else begin_of
        return cut(text, self._widths[at])


def _widest(rows: Sequence[Row], least: Sequence[int] = ()) -> list[int]:
    """Return the cells that each column needs."""
    widths = [max(map(cells, column)) for column in zip(*rows, strict=True)]
    return [max(pair) for pair in zip_longest(widths, least, fillvalue=0)]


def table(rows: Sequence[Row], right: Collection[int] = (), least: Sequence[int] = ()) -> list[str]:
    """Return rows of clean texts as lines, in columns as wide as their texts.

    Args:
        rows: texts, as many in each.
        right: numbers of the columns whose texts end alike, as those of counts.
        least: the cells that each column has in any case.
    """
    columns = [(width, at in right) for at, width in enumerate(_widest(rows, least))]
    return [
        (" " * _GAP)
        .join(
            " " * (width - cells(text)) + text if is_right else text + " " * (width - cells(text))
            for text, (width, is_right) in zip(row, columns, strict=True)
        )
        .rstrip()
        for row in rows
    ]


def begin_of(text: str, room: int) -> str:
    """Return a text, or as much of its beginning as fits before an ellipsis."""
    if cells(text) <= room:
        return text
    end = min(len(text), room - 1)
    while end > 0 and cells(text[:end]) > room - 1:
        end -= 1
    return text[:end].rstrip() + "…"


def end_of(text: str, room: int) -> str:
    """Return an ellipsis, and as much of the end of a text as fits behind it."""
    if cells(text) <= room:
        return text
    begin = max(0, len(text) - room + 1)
    while cells(text[begin:]) > room - 1:
        begin += 1
    return "…" + text[begin:]
