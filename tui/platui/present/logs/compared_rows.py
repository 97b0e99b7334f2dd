"""Rows of a log comparison: equal lines are folded, except two beside each difference."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from platui.core.named_tuple import NamedTuple
from platui.models.values.comparison import BlockKind, Comparison, DiffBlock

if TYPE_CHECKING:
    from platui.models.values.log import Section

CONTEXT: Final = 2  # Equal rows shown beside a difference

_MIN_FOLDED: Final = 3


class Fold(NamedTuple):
    equal: int
    routine: int  # Rows that only moved or differ in every run

    @property
    def height(self) -> int:
        return self.equal + self.routine


class Row(NamedTuple):
    """One row: a line of either log or both, or a fold."""

    kind: BlockKind
    left: int | None  # Line of the left log, from 0
    right: int | None
    is_routine: bool = False
    fold: Fold | None = None
    pair: tuple[int, int] | None = None  # Both lines of a changed pair


class _Part(NamedTuple):
    block: DiffBlock
    height: int
    fold: Fold | None = None


class Difference(NamedTuple):
    first: int
    end: int
    block: int  # Its first block
    block_end: int


class ComparedRows:
    """The rows of a comparison for one layout; rebuilt when a fold opens."""

    def __init__(
        self,
        comparison: Comparison,
        sections: Sequence[Section] = (),
        *,
        is_wide: bool = False,
        unfolded: frozenset[tuple[int, int]] = frozenset(),
        unfolds_all: bool = False,
    ) -> None:
        """`sections` of the right log; `unfolded` are open folds by their first lines."""
        self.comparison = comparison
        self.is_wide = is_wide
        self._unfolded = unfolded
        self._unfolds_all = unfolds_all
        self._headers = _headers(comparison.blocks, sections)
        self._parts: list[_Part] = []
        self._starts: list[int] = []
        self.count = 0
        self.differences: list[Difference] = []
        self._lay_out(comparison.blocks)

    def row(self, y: int) -> Row:
        if not 0 <= y < self.count:
            raise IndexError(y)
        at = bisect_right(self._starts, y) - 1
        part, offset = self._parts[at], y - self._starts[at]
        block = part.block
        if part.fold is not None:
            return Row(BlockKind.EQUAL, block.left, block.right, fold=part.fold)
        if block.kind is BlockKind.CHANGED and not self.is_wide:
            number, is_right = divmod(offset, 2)
            pair = (block.left + number, block.right + number)
            one, other = (None, pair[1]) if is_right else (pair[0], None)
            return Row(block.kind, one, other, block.is_routine, pair=pair)
        left, right = block.left + offset, block.right + offset
        return Row(
            block.kind,
            left if left < block.left_end else None,
            right if right < block.right_end else None,
            block.is_routine,
            pair=(left, right) if block.kind is BlockKind.CHANGED else None,
        )

    def row_of(self, line: int) -> int:
        at = max(0, bisect_right([part.block.right for part in self._parts], line) - 1)
        while at + 1 < len(self._parts) and self._parts[at].block.right_end <= line:
            at += 1
        if not self._parts:
            return 0
        part = self._parts[at]
        if part.fold is not None:
            return self._starts[at]
        offset = max(0, line - part.block.right)
        if part.block.kind is BlockKind.CHANGED and not self.is_wide:
            offset = offset * 2 + 1
        return self._starts[at] + min(offset, part.height - 1)

    def difference_at(self, y: int) -> int:
        """Return the index of the difference at or before a row; -1 before the first."""
        return bisect_right([one.first for one in self.differences], y) - 1

    def next_difference(self, y: int, step: int) -> int | None:
        """Return the first row of the next (or previous) difference, if any; wraps around."""
        firsts = [one.first for one in self.differences]
        at = bisect_right(firsts, y) if step > 0 else bisect_left(firsts, y) - 1
        return firsts[at % len(firsts)] if firsts else None

    def _lay_out(self, blocks: Sequence[DiffBlock]) -> None:
        at = 0
        for is_difference, alike in groupby(blocks, attrgetter("is_difference")):
            some, first = list(alike), self.count
            end = at + len(some)
            if is_difference:
                for block in self._merge_sides(some):
                    self._add(block)
                self._add_difference(first, at, end)
            else:
                self._add_equal(some, is_first=at == 0, is_last=end == len(blocks))
            at = end

    def _add_difference(self, first: int, block: int, block_end: int) -> None:
        last = self.differences[-1] if self.differences else None
        if (
            last is not None
            and first - last.end <= CONTEXT
            and all(self.row(y).fold is None for y in range(last.end, first))
        ):
            self.differences[-1] = Difference(last.first, self.count, last.block, block_end)
        else:
            self.differences.append(Difference(first, self.count, block, block_end))

    def _merge_sides(self, blocks: Sequence[DiffBlock]) -> list[DiffBlock]:
        merged: list[DiffBlock] = []
        for block in blocks:
            last = merged[-1] if merged and self.is_wide else None
            is_left_only = last and last.kind is BlockKind.LEFT and last.right == last.right_end
            if last and is_left_only and block.kind is BlockKind.RIGHT:
                merged[-1] = last._replace(right=block.right, right_end=block.right_end)
            else:
                merged.append(block)
        return merged

    def _add_equal(self, blocks: Sequence[DiffBlock], *, is_first: bool, is_last: bool) -> None:
        total = sum(block.height for block in blocks)
        shown = self._shown(blocks, total, is_first=is_first, is_last=is_last)
        at = 0
        for start, end in (*shown, (total, total)):
            self._fold(_cut(blocks, at, start), start - at)
            for block in _cut(blocks, start, end):
                self._add(block)
            at = end

    def _shown(
        self, blocks: Sequence[DiffBlock], total: int, *, is_first: bool, is_last: bool
    ) -> list[tuple[int, int]]:
        shown = set() if is_first else set(range(min(CONTEXT, total)))
        shown |= set() if is_last else set(range(max(0, total - CONTEXT), total))
        offset = 0
        for block in blocks:
            if block.right < block.right_end:
                first = bisect_left(self._headers, block.right)
                last = bisect_left(self._headers, block.right_end)
                shown |= {offset + line - block.right for line in self._headers[first:last]}
            offset += block.height
        runs: list[tuple[int, int]] = []
        for row in sorted(shown):
            if runs and row - runs[-1][1] < _MIN_FOLDED:
                runs[-1] = (runs[-1][0], row + 1)
            else:
                runs.append((row, row + 1))
        return runs

    def _fold(self, blocks: Iterable[DiffBlock], height: int) -> None:
        hidden = list(blocks)
        if not hidden:
            return
        first, last = hidden[0], hidden[-1]
        is_open = self._unfolds_all or (first.left, first.right) in self._unfolded
        if is_open or height < _MIN_FOLDED:
            for block in hidden:
                self._add(block)
            return
        routine = sum(block.height for block in hidden if block.is_routine)
        whole = DiffBlock(BlockKind.EQUAL, first.left, last.left_end, first.right, last.right_end)
        self._add(whole, Fold(height - routine, routine))

    def _add(self, block: DiffBlock, fold: Fold | None = None) -> None:
        doubled = block.kind is BlockKind.CHANGED and not self.is_wide
        height = 1 if fold is not None else block.height * (2 if doubled else 1)
        self._starts.append(self.count)
        self._parts.append(_Part(block, height, fold))
        self.count += height


def _headers(blocks: Sequence[DiffBlock], sections: Sequence[Section]) -> list[int]:
    differing = [block.right for block in blocks if block.is_difference]
    found: set[int] = set()
    for section in sections:
        at = bisect_left(differing, section.start)
        if at < len(differing) and (section.end is None or differing[at] < section.end):
            found.add(section.start)
    return sorted(found)


def _cut(blocks: Sequence[DiffBlock], start: int, end: int) -> Iterator[DiffBlock]:
    offset = 0
    for block in blocks:
        first, last = max(start - offset, 0), min(end - offset, block.height)
        if first < last:
            has_left, has_right = block.left < block.left_end, block.right < block.right_end
            yield block._replace(
                left=block.left + first * has_left,
                left_end=block.left + last * has_left,
                right=block.right + first * has_right,
                right_end=block.right + last * has_right,
            )
        offset += block.height
        if offset >= end:
            return
