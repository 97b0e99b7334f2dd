"""How wide the columns of a table are: arithmetic only."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from platui.models.values.table import Column

GAP: Final = 2
NARROW_GAP: Final = 1
NO_NEEDS: Final[Mapping[int, int]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Slot:
    """One column that is painted."""

    index: int
    """Which of the columns it is."""
    width: int


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns that are painted, from left to right, and the blank cells between them."""

    slots: tuple[Slot, ...] = ()
    gap: int = GAP


def lay_out(
    columns: Sequence[Column],
    width: int,
    blank: Collection[int] = frozenset(),
    needs: Mapping[int, int] = NO_NEEDS,
) -> Layout:
    """Return the columns that a width has room for, and how much each gets; never the blank ones.

    Where it is tight the gaps shrink, the columns with the highest priority number leave,
    and the rest is squeezed down to its minimum; where there is more than enough, flexible
    columns take it. Columns of priority 0 stay as long as one cell of them fits. Of those with
    needs the ones that are cut have what others don't need.

    Args:
        columns: from left to right.
        width: cells for all of them.
        blank: those that no row says anything in.
        needs: cells by column in which none of its texts is cut, of the columns that fit.
    """
    kept = _kept(columns, width, blank)
    gap = GAP if _least(columns, kept, GAP) <= width else NARROW_GAP
    room = width - gap * max(0, len(kept) - 1)
    widths = {index: columns[index].width for index in kept}
    spare = room - sum(widths.values())
    if spare >= 0:
        _grow(columns, widths, spare)
    else:
        _squeeze(columns, widths, -spare)
    _share(widths, needs)
    return Layout(_cut(widths, width, gap), gap)


def _least(columns: Sequence[Column], kept: Sequence[int], gap: int) -> int:
    return sum(_minimum(columns[index]) for index in kept) + gap * max(0, len(kept) - 1)


def _minimum(column: Column) -> int:
    return min(column.minimum, column.width) or column.width


def _kept(columns: Sequence[Column], width: int, blank: Collection[int]) -> list[int]:
    kept = [index for index in range(len(columns)) if index not in blank]
    while _least(columns, kept, NARROW_GAP) > width:
        # Of those with the highest number the last one leaves.
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
    """Take cells away: from flexible columns first, then from the least important."""
    order = sorted(widths, key=lambda i: (not columns[i].flexible, -columns[i].priority, -i))
    for index in order:
        taken = min(excess, widths[index] - _minimum(columns[index]))
        widths[index] -= taken
        excess -= taken


def _share(widths: dict[int, int], needs: Mapping[int, int]) -> None:
    """Give what columns don't need to those that are cut, first to the one that lacks least."""
    lacking = {index: need - widths[index] for index, need in needs.items() if index in widths}
    for index in sorted(lacking, key=lambda i: (lacking[i], i)):
        for giver in sorted(lacking, key=lacking.__getitem__):
            given = min(lacking[index], -lacking[giver])
            if given > 0:
                widths[index] += given
                widths[giver] -= given
                lacking[index] -= given
                lacking[giver] += given


def _cut(widths: dict[int, int], width: int, gap: int) -> tuple[Slot, ...]:
    """Return the slots from left to right, ending where the width does."""
    slots: list[Slot] = []
    left = width
    for index, wanted in widths.items():
        if (cells := min(wanted, left)) > 0:
            slots.append(Slot(index, cells))
            left -= cells + gap
    return tuple(slots)
