"""Classify the lines that differ between two logs: new, or routine in that section."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Final

from platui.analysis.masking import BLANK_KEYS, masked, masked_spans
from platui.analysis.matching import Run, count_keys, match
from platui.core.named_tuple import NamedTuple
from platui.models.values.comparison import BlockKind, DiffBlock

if TYPE_CHECKING:
    from platui.models.values.log import LogDocument

_PARTS: Final = re.compile(r"\w+|\s+|[^\w\s]")
_WORDS: Final = re.compile(r"\w+")

_MOST_PARTS: Final = 2000  # Parts of a line compared; a longer line differs as a whole

Spans = list[tuple[int, int]]


def similarity(left: str, right: str) -> float:
    """Return the share of common words of two lines, from 0 to 1."""
    one, other = (Counter(_WORDS.findall(masked(line))) for line in (left, right))
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 0.0


class _Part(NamedTuple):
    start: int
    end: int
    key: int


def differing_words(
    left: str, right: str, masks: Callable[[str], Spans] = masked_spans
) -> tuple[Spans, Spans]:
    """Return the spans in which two lines differ; `masks` finds spans to ignore."""
    one, other = list(_parts(left, masks(left))), list(_parts(right, masks(right)))
    if max(len(one), len(other)) > _MOST_PARTS:
        return [(0, len(left))], [(0, len(right))]
    runs = match([part.key for part in one], [part.key for part in other]).runs
    in_left = {at for run in runs for at in range(run.left, run.left + run.length)}
    in_right = {at for run in runs for at in range(run.right, run.right + run.length)}
    return _others(left, one, in_left), _others(right, other, in_right)


def _parts(line: str, masks: Spans) -> Iterator[_Part]:
    at = 0
    for start, end in (*masks, (len(line), len(line))):
        for found in _PARTS.finditer(line, at, start):
            yield _Part(*found.span(), hash(found[0]))
        if start < end:
            yield _Part(start, end, hash("#"))
        at = end


def _others(line: str, parts: list[_Part], kept: set[int]) -> Spans:
    spans: Spans = []
    for number, part in enumerate(parts):
        if number in kept:
            continue
        if spans and not line[spans[-1][1] : part.start].strip():
            spans[-1] = (spans[-1][0], part.end)
        else:
            spans.append((part.start, part.end))
    return spans


_OFTEN: Final = 3  # Lines of one outline from which another one is routine
_ALIKE: Final = 0.6  # Similarity of a changed line
_MOST_TRIED: Final = 900  # Pairs of lines per gap that are compared word by word
_MOST_READ: Final = 4_000  # Lines per section that are read for that


class Side(NamedTuple):
    """A part of one log, with keys of its lines."""

    document: LogDocument
    first: int  # Number of its first line in the document
    lines: Sequence[int]
    outlines: Sequence[int]
    errors: Container[int] = ()  # Lines of errors: a repeated error is never routine


def blocks_of(
    left: Side,
    right: Side,
    runs: Sequence[Run],
    *,
    finds_routine: bool = True,
    tick: Callable[[float], None] = lambda _: None,
) -> Iterator[DiffBlock]:
    """Yield the blocks of two sides with line numbers of their documents."""
    gaps = _Gaps(left, right, runs, finds_routine=finds_routine)
    a = b = 0
    for run in (*runs, Run(len(left.lines), len(right.lines), 0)):
        tick(a / max(1, len(left.lines)))
        yield from gaps.blocks(a, run.left, b, run.right)
        a, b = run.left + run.length, run.right + run.length
        if run.length:
            yield gaps.block(BlockKind.EQUAL, run.left, a, run.right, b)


class _Gaps:
    """Builds blocks for the gaps between equal lines."""

    def __init__(
        self, left: Side, right: Side, runs: Sequence[Run], *, finds_routine: bool
    ) -> None:
        self._sides = left, right
        matched = sum(run.length for run in runs)
        self._finds_routine = finds_routine and matched < max(len(left.lines), len(right.lines))
        self._to_read = _MOST_READ
        sides = (left, right) if self._finds_routine else ()
        self._lines = [count_keys(side.lines, 0, len(side.lines)) for side in sides]
        self._outlines = [count_keys(side.outlines, 0, len(side.outlines)) for side in sides]

    def block(
        self, kind: BlockKind, a: int, a_end: int, b: int, b_end: int, *, is_routine: bool = False
    ) -> DiffBlock:
        left, right = (side.first for side in self._sides)
        return DiffBlock(kind, left + a, left + a_end, right + b, right + b_end, is_routine)

    def blocks(self, a: int, a_end: int, b: int, b_end: int) -> Iterator[DiffBlock]:
        for one, other, is_routine in self._pairs(range(a, a_end), range(b, b_end)):
            yield from self._alone(a, one, b, other)
            a, b = one + 1, other + 1
            yield self.block(BlockKind.CHANGED, one, a, other, b, is_routine=is_routine)
        yield from self._alone(a, a_end, b, b_end)

    def _alone(self, a: int, a_end: int, b: int, b_end: int) -> Iterator[DiffBlock]:
        for start, end, routine in _split(a, a_end, partial(self._is_routine, 0)):
            yield self.block(BlockKind.LEFT, start, end, b, b, is_routine=routine)
        for start, end, routine in _split(b, b_end, partial(self._is_routine, 1)):
            yield self.block(BlockKind.RIGHT, a_end, a_end, start, end, is_routine=routine)

    def _is_routine(self, which: int, at: int) -> bool:
        if not self._finds_routine:
            return False
        side, other = self._sides[which], 1 - which
        if self._lines[other][side.lines[at]] or side.lines[at] in BLANK_KEYS:
            return True
        often = self._outlines[other][side.outlines[at]] >= _OFTEN
        return often and side.first + at not in side.errors

    def _pairs(self, lefts: range, rights: range) -> Iterator[tuple[int, int, bool]]:
        """Yield the lines that changed in a gap, and whether each change is routine."""
        left = [at for at in lefts if not self._has_elsewhere(0, at)]
        right = [at for at in rights if not self._has_elsewhere(1, at)]
        if not left or not right:
            return
        a = b = 0
        runs = match(
            [self._sides[0].outlines[at] for at in left],
            [self._sides[1].outlines[at] for at in right],
        ).runs
        for run in (*runs, Run(len(left), len(right), 0)):
            yield from self._alike(left[a : run.left], right[b : run.right])
            a, b = run.left + run.length, run.right + run.length
            for one, other in zip(left[run.left : a], right[run.right : b], strict=True):
                yield one, other, self._is_routine(0, one) and self._is_routine(1, other)

    def _has_elsewhere(self, which: int, at: int) -> bool:
        line = self._sides[which].lines[at]
        return self._finds_routine and bool(self._lines[1 - which][line])

    def _alike(self, left: list[int], right: list[int]) -> Iterator[tuple[int, int, bool]]:
        tried = len(left) * len(right)
        if not 0 < tried <= _MOST_TRIED or self._to_read < len(left) + len(right):
            return
        self._to_read -= len(left) + len(right)
        one, other = (
            [side.document.text(side.first + at) for at in lines]
            for side, lines in zip(self._sides, (left, right), strict=True)
        )
        for i, j in _best_chain([[similarity(a, b) for b in other] for a in one]):
            yield left[i], right[j], False


def _split(
    start: int, end: int, is_routine: Callable[[int], bool]
) -> Iterator[tuple[int, int, bool]]:
    for routine, lines in groupby(range(start, end), is_routine):
        stretch = list(lines)
        yield stretch[0], stretch[-1] + 1, routine


def _best_chain(weights: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    height, width = len(weights), len(weights[0])
    best = [[0.0] * (width + 1) for _ in range(height + 1)]  # weight of the rest
    for i in range(height - 1, -1, -1):
        for j in range(width - 1, -1, -1):
            weight = weights[i][j]
            paired = weight + best[i + 1][j + 1] if weight >= _ALIKE else 0.0
            best[i][j] = max(best[i + 1][j], best[i][j + 1], paired)
    chain: list[tuple[int, int]] = []
    i = j = 0
    while i < height and j < width:
        if best[i][j] == best[i + 1][j]:
            i += 1
        elif best[i][j] == best[i][j + 1]:
            j += 1
        else:
            chain.append((i, j))
            i, j = i + 1, j + 1
    return chain
