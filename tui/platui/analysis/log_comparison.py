"""Compare two logs of a job: new, missing and changed lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Final

from platui.analysis.line_differences import Side, blocks_of
from platui.analysis.masking import Keys, Masker, Plain
from platui.analysis.matching import Run, match
from platui.core.named_tuple import NamedTuple
from platui.logs.cleaning import lines_of
from platui.models.values.comparison import Comparison, DiffBlock, Extent

if TYPE_CHECKING:
    from platui.models.values.log import LogDocument, Section


_AFTER: Final = ">"  # no section's name has it


class Segment(NamedTuple):
    name: str  # Outside sections: `_AFTER` and the name of the previous section
    start: int
    end: int

    @property
    def is_section(self) -> bool:
        return not self.name.startswith(_AFTER)


def segments_of(sections: Sequence[Section], extent: Extent) -> list[Segment]:
    found: list[Segment] = []
    at, name = extent.first, ""
    for section in sections:
        end = extent.end if section.end is None else min(section.end, extent.end)
        if section.depth or end <= at:
            continue
        start = max(section.start, at)
        if start > at:
            found.append(Segment(_AFTER + name, at, start))
        found.append(Segment(section.name, start, end))
        at, name = end, section.name
    if at < extent.end:
        found.append(Segment(_AFTER + name, at, extent.end))
    return found


def paired(
    left: Sequence[Segment], right: Sequence[Segment]
) -> Iterator[tuple[Segment | None, Segment | None]]:
    """Yield matching segments in order; None if the other log has no such segment."""
    a = b = 0
    runs = match([hash(one.name) for one in left], [hash(one.name) for one in right]).runs
    for run in (*runs, Run(len(left), len(right), 0)):
        yield from product(left[a : run.left], [None])
        yield from product([None], right[b : run.right])
        a, b = run.left + run.length, run.right + run.length
        yield from zip(left[run.left : a], right[run.right : b], strict=True)


MOST_LINES: Final = 1_000_000  # Lines compared per log; of more the last ones
_SLICE: Final = 2_000  # Lines read between progress reports
_STEPS: Final = 2  # Passes per segment: matching and classifying

_READING: Final = 0.5  # Reading's share of the progress


class _Read(NamedTuple):
    document: LogDocument
    extent: Extent
    keys: Keys
    errors: frozenset[int]

    def side(self, segment: Segment | None, at: int) -> Side:
        """Return a segment; without one, an empty side at a line."""
        if segment is None:
            return Side(self.document, at, (), ())
        start, end = segment.start - self.extent.first, segment.end - self.extent.first
        lines, outlines = self.keys.lines[start:end], self.keys.outlines[start:end]
        return Side(self.document, segment.start, lines, outlines, self.errors)


def compare(
    left: LogDocument,
    right: LogDocument,
    *,
    masks: bool = True,
    tick: Callable[[float], None] = lambda _: None,
) -> Comparison:
    """Compare two complete logs; `tick` receives the progress and may raise to cancel."""
    one, other = _read(left, right, Masker() if masks else Plain(), tick)
    blocks: list[DiffBlock] = []
    names: tuple[list[str], list[str]] = ([], [])
    is_coarse = False
    a, b = one.extent.first, other.extent.first
    for left_part, right_part in paired(
        segments_of(left.sections, one.extent), segments_of(right.sections, other.extent)
    ):
        if left_part is None and right_part is not None and right_part.is_section:
            names[1].append(right_part.name)
        elif right_part is None and left_part is not None and left_part.is_section:
            names[0].append(left_part.name)
        sides = one.side(left_part, a), other.side(right_part, b)
        report = partial(_report_progress, tick, a, len(sides[0].lines), one.extent)
        matches = match(sides[0].lines, sides[1].lines, partial(report, 0))
        is_coarse |= matches.is_coarse
        for block in blocks_of(*sides, matches.runs, finds_routine=masks, tick=partial(report, 1)):
            _add(blocks, block)
        a, b = a + len(sides[0].lines), b + len(sides[1].lines)
    return Comparison(blocks, one.extent, other.extent, tuple(names[0]), tuple(names[1]), is_coarse)


def _report_progress(
    tick: Callable[[float], None], first: int, lines: int, extent: Extent, step: int, part: float
) -> None:
    done = first - extent.first + lines * (step + part) / _STEPS
    tick(_READING + (1 - _READING) * done / max(1, extent.end - extent.first))


def _read(
    left: LogDocument, right: LogDocument, taker: Masker | Plain, tick: Callable[[float], None]
) -> tuple[_Read, _Read]:
    counts = (left.line_count, right.line_count)
    extents = [Extent(max(0, count - MOST_LINES), count, count) for count in counts]
    whole = sum(extent.end - extent.first for extent in extents) or 1
    read: list[_Read] = []
    done = 0
    for document, extent in zip((left, right), extents, strict=True):
        keys = Keys()
        for start in range(extent.first, extent.end, _SLICE):
            end = min(start + _SLICE, extent.end)
            taker.take(lines_of(document, start, end), keys)
            done += end - start
            tick(_READING * done / whole)
        errors = frozenset(y for mark in document.errors for y in range(mark.first, mark.end))
        read.append(_Read(document, extent, keys, errors))
    return read[0], read[1]


def _add(blocks: list[DiffBlock], block: DiffBlock) -> None:
    if blocks and (blocks[-1].kind, blocks[-1].is_routine) == (block.kind, block.is_routine):
        block = blocks.pop()._replace(left_end=block.left_end, right_end=block.right_end)
    blocks.append(block)
