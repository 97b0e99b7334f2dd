"""Compute column widths of tables, on the screen and printed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from platui.core.dataclass import dataclass
from platui.core.text import cells

if TYPE_CHECKING:
    from platui.models.values.table import Column

GAP: Final = 2
LEAST_HALVES: Final = 10  # Minimum cells to cut a text in the middle
NARROW_GAP: Final = 1
NO_NEEDS: Final[Mapping[int, int]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Slot:
    """A visible column."""

    index: int
    width: int


@dataclass(frozen=True, slots=True)
class Layout:
    """The visible columns from left to right, and the gap between them."""

    slots: tuple[Slot, ...] = ()
    gap: int = GAP


def lay_out(
    columns: Sequence[Column],
    width: int,
    blank: Collection[int] = frozenset(),
    needs: Mapping[int, int] = NO_NEEDS,
    least_gap: int = NARROW_GAP,
) -> Layout:
    """Return the columns that fit and their widths; the highest priority number is hidden first."""
    columns = [
        replace(one, width=max(one.width, needs.get(index, 0)), minimum=0) if one.whole else one
        for index, one in enumerate(columns)
    ]
    kept = _kept(columns, width, blank, least_gap)
    gap = GAP if _least(columns, kept, GAP) <= width else least_gap
    room = width - gap * max(0, len(kept) - 1)
    widths = {index: columns[index].width for index in kept}
    spare = room - sum(widths.values())
    if spare >= 0:
        _grow(columns, widths, spare)
    else:
        _squeeze(columns, widths, -spare)
    shared = {at: need for at, need in needs.items() if columns[at].fits or not columns[at].whole}
    _share(columns, widths, shared)
    return Layout(_cut(widths, width, gap), gap)


def _least(columns: Sequence[Column], kept: Sequence[int], gap: int) -> int:
    return sum(_minimum(columns[index]) for index in kept) + gap * max(0, len(kept) - 1)


def _minimum(column: Column) -> int:
    return min(column.minimum, column.width) or column.width


def _kept(columns: Sequence[Column], width: int, blank: Collection[int], gap: int) -> list[int]:
    kept = [index for index in range(len(columns)) if index not in blank]
    while _least(columns, kept, gap) > width:
        # Of equal priority the last column is hidden.
        leaving = max(kept, key=lambda index: (columns[index].priority, index), default=None)
        if leaving is None or columns[leaving].priority == 0:
            break
        kept.remove(leaving)
    return kept


def _grow(columns: Sequence[Column], widths: dict[int, int], spare: int) -> None:
    flexible = [index for index in widths if columns[index].flexible]
    for turn, index in enumerate(flexible):
        share = spare // (len(flexible) - turn)
        widths[index] += share
        spare -= share


def _squeeze(columns: Sequence[Column], widths: dict[int, int], excess: int) -> None:
    order = sorted(widths, key=lambda i: (not columns[i].flexible, -columns[i].priority, -i))
    for index in order:
        taken = min(excess, widths[index] - _minimum(columns[index]))
        widths[index] -= taken
        excess -= taken


def _share(columns: Sequence[Column], widths: dict[int, int], needs: Mapping[int, int]) -> None:
    """Give unused width, and what a flexible column has grown by, to texts that lack it."""
    grown = {at: min(columns[at].width, widths[at]) for at in widths if columns[at].flexible}
    wanted = {**grown, **needs}
    lacking = {index: need - widths[index] for index, need in wanted.items() if index in widths}
    for index in sorted(lacking, key=lambda i: (lacking[i], i)):
        for giver in sorted(lacking, key=lacking.__getitem__):
            given = min(lacking[index], -lacking[giver])
            if given > 0:
                widths[index] += given
                widths[giver] -= given
                lacking[index] -= given
                lacking[giver] += given


def _cut(widths: dict[int, int], width: int, gap: int) -> tuple[Slot, ...]:
    slots: list[Slot] = []
    left = width
    for index, wanted in widths.items():
        if (room := min(wanted, left)) > 0:
            slots.append(Slot(index, room))
            left -= room + gap
    return tuple(slots)


class PrintedTable:
    """The columns of a printed table, sized by its first rows; titles in `left_out` do not fit."""

    def __init__(
        self, columns: Sequence[Column], rows: Sequence[tuple[str, ...]], room: int | None
    ) -> None:
        """Lay out clean texts; `room` None: unlimited width."""
        self.heads = tuple(one.title for one in columns)
        self._columns = columns
        self._room = room
        self._widths = _widest([self.heads, *rows])
        self._kept = list(range(len(columns)))
        if room is not None:
            needed = [
                replace(one, width=width) for one, width in zip(columns, self._widths, strict=True)
            ]
            slots = lay_out(needed, room, least_gap=GAP).slots
            self._kept = [slot.index for slot in slots]
            for slot in slots:
                self._widths[slot.index] = min(slot.width, self._widths[slot.index])
        self.left_out = tuple(one.title for at, one in enumerate(columns) if at not in self._kept)

    def lines(self, rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
        shown = [tuple(self._fitted(at, row[at]) for at in self._kept) for row in rows]
        right = {new for new, at in enumerate(self._kept) if self._columns[at].right}
        widths = [self._widths[at] for at in self._kept]
        if self._room is None and shown:  # a later row may need more
            widths = _widest(shown, widths)
            for at, width in zip(self._kept, widths, strict=True):
                self._widths[at] = width
        lines = aligned(shown, right, widths)
        yield from lines if self._room is None else (cut_end(one, self._room) for one in lines)

    def _fitted(self, at: int, text: str) -> str:
        if self._room is None:
            return text
        column = self._columns[at]
        cut = cut_start if column.ends else cut_middle if column.middle else cut_end
        return cut(text, self._widths[at])


def _widest(rows: Sequence[tuple[str, ...]], least: Sequence[int] = ()) -> list[int]:
    widths = [max(map(cells, column)) for column in zip(*rows, strict=True)]
    return [max(pair) for pair in zip_longest(widths, least, fillvalue=0)]


def aligned(
    rows: Sequence[tuple[str, ...]], right: Collection[int] = (), least: Sequence[int] = ()
) -> list[str]:
    """Return rows as lines with padded columns; `right`: indexes of right-aligned columns."""
    columns = [(width, at in right) for at, width in enumerate(_widest(rows, least))]
    return [
        (" " * GAP)
        .join(
            " " * (width - cells(text)) + text if is_right else text + " " * (width - cells(text))
            for text, (width, is_right) in zip(row, columns, strict=True)
        )
        .rstrip()
        for row in rows
    ]


def cut_end(text: str, room: int) -> str:
    if cells(text) <= room:
        return text
    end = min(len(text), room - 1)
    while end > 0 and cells(text[:end]) > room - 1:
        end -= 1
    return text[:end].rstrip() + "…"


def cut_start(text: str, room: int) -> str:
    if cells(text) <= room:
        return text
    begin = max(0, len(text) - room + 1)
    while cells(text[begin:]) > room - 1:
        begin += 1
    return "…" + text[begin:]


def cut_middle(text: str, room: int) -> str:
    """Cut a name in the middle: names often share the beginning and differ at the end."""
    if cells(text) <= room or room < LEAST_HALVES:
        return cut_end(text, room)
    begin = cut_end(text, (room + 1) // 2)
    return begin + cut_start(text, room - cells(begin) + 1)[1:]
