"""How alike two lines are, and which words of them differ."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from platui.analysis.masking import masked, masked_spans
from platui.analysis.matching import match

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_PARTS: Final = re.compile(r"\w+|\s+|[^\w\s]")
_WORDS: Final = re.compile(r"\w+")

_MOST_PARTS: Final = 2000
"""Parts of a line that are held against the other's; a longer line differs as a whole."""

Spans = list[tuple[int, int]]


def likeness(left: str, right: str) -> float:
    """Return how much two lines have in common, from 0 (no word) to 1 (every word)."""
    one, other = (Counter(_WORDS.findall(masked(line))) for line in (left, right))
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 0.0


def plainly_differing_words(left: str, right: str) -> tuple[Spans, Spans]:
    """Return where two lines differ to the letter."""
    return differing_words(left, right, lambda _: [])


class _Part(NamedTuple):
    start: int
    end: int
    key: int


def differing_words(
    left: str, right: str, masks: Callable[[str], Spans] = masked_spans
) -> tuple[Spans, Spans]:
    """Return where two lines differ: first character and one after, in either of them.

    `masks` finds what does not count in a line.
    """
    one, other = list(_parts(left, masks(left))), list(_parts(right, masks(right)))
    if max(len(one), len(other)) > _MOST_PARTS:
        return [(0, len(left))], [(0, len(right))]
    runs = match([part.key for part in one], [part.key for part in other]).runs
    in_left = {at for run in runs for at in range(run.left, run.left + run.length)}
    in_right = {at for run in runs for at in range(run.right, run.right + run.length)}
    return _others(left, one, in_left), _others(right, other, in_right)


def _parts(line: str, masks: Spans) -> Iterator[_Part]:
    at = 0
    for start, end in masks:
        yield from _plain_parts(line, at, start)
        yield _Part(start, end, hash("#"))
        at = end
    yield from _plain_parts(line, at, len(line))


def _plain_parts(line: str, start: int, end: int) -> Iterator[_Part]:
    for found in _PARTS.finditer(line, start, end):
        yield _Part(*found.span(), hash(found[0]))


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
