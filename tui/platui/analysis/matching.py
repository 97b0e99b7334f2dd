"""Match equal items of two sequences: a readable common subsequence, computed fast.

Items are integer keys of lines. Equal beginnings and ends are matched first. In the rest, the
longest chain of the rarest common items are anchors, and the ranges between anchors are matched
in the same way. Small ranges use the longest common subsequence.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from platui.core.named_tuple import NamedTuple

_SMALL: Final = 4096  # Pairs of items up to which the longest common subsequence is computed
_ENOUGH: Final = 10  # One in this many distinct items becomes an anchor, unique or not
_MOST_PAIRS: Final = 4  # Pairings tried per item of a range
_MEET: Final = 8  # Equal items in a row that end a difference
_REACHES: Final = (64, 1024)  # Items searched ahead for such an end, before using anchors
_SLICE: Final = 10_000  # Items counted at a time: a few hundred microseconds
_EFFORT: Final = 40  # Average visits per item; beyond that, ranges stay unmatched


class Run(NamedTuple):
    left: int
    right: int
    length: int


class Matches(NamedTuple):
    runs: list[Run]  # In order, never adjacent
    is_coarse: bool  # Whether ranges stayed unmatched to save time


class _Stretch(NamedTuple):
    left: int
    left_end: int
    right: int
    right_end: int

    @property
    def size(self) -> int:
        return self.left_end - self.left + self.right_end - self.right


def match(
    left: Sequence[int], right: Sequence[int], tick: Callable[[float], None] = lambda _: None
) -> Matches:
    """Match equal items; `tick` receives the progress in `left`, and may raise to cancel."""
    runs: list[Run] = []
    effort = _EFFORT * (len(left) + len(right) + 100)
    is_coarse = False
    todo: list[_Stretch | Run] = [_Stretch(0, len(left), 0, len(right))]
    while todo:
        item = todo.pop()
        tick(item.left / max(1, len(left)))
        if isinstance(item, Run):
            _add(runs, item)
            continue
        stretch, head, tail = _trim(left, right, item)
        _add(runs, head)
        if tail.length:
            todo.append(tail)
        if stretch.left == stretch.left_end or stretch.right == stretch.right_end:
            continue
        effort -= stretch.size
        if effort < 0:
            is_coarse = True
            continue
        if (stretch.left_end - stretch.left) * (stretch.right_end - stretch.right) <= _SMALL:
            for run in _longest(left, right, stretch):
                _add(runs, run)
            continue
        near = _meeting(left, right, stretch)
        if near is not None:
            todo.append(near._replace(left_end=stretch.left_end, right_end=stretch.right_end))
            todo.append(stretch._replace(left_end=near.left, right_end=near.right))
            effort += stretch.size
            continue
        todo.extend(reversed(list(_between(_anchors(left, right, stretch), stretch))))
    return Matches(runs, is_coarse)


def _add(runs: list[Run], run: Run) -> None:
    if not run.length:
        return
    if runs:
        last = runs[-1]
        if (last.left + last.length, last.right + last.length) == (run.left, run.right):
            runs[-1] = Run(last.left, last.right, last.length + run.length)
            return
    runs.append(run)


def _trim(
    left: Sequence[int], right: Sequence[int], stretch: _Stretch
) -> tuple[_Stretch, Run, Run]:
    a, a_end, b, b_end = stretch
    while a < a_end and b < b_end and left[a] == right[b]:
        a += 1
        b += 1
    head = Run(stretch.left, stretch.right, a - stretch.left)
    while a < a_end and b < b_end and left[a_end - 1] == right[b_end - 1]:
        a_end -= 1
        b_end -= 1
    tail = Run(a_end, b_end, stretch.left_end - a_end)
    return _Stretch(a, a_end, b, b_end), head, tail


def _meeting(left: Sequence[int], right: Sequence[int], stretch: _Stretch) -> _Stretch | None:
    """Return where two sequences match again after a few items, which is common."""
    for reach in _REACHES:
        if reach * 2 > stretch.size:
            break
        ends = min(stretch.left_end - _MEET, stretch.left + reach)
        after = min(stretch.right_end - _MEET, stretch.right + reach)
        there: dict[bytes, int] = {}
        for b in range(stretch.right, after):
            there.setdefault(_piece(right, b), b)
        met = [
            (a + b, a, b)
            for a in range(stretch.left, ends)
            if (b := there.get(_piece(left, a), -1)) >= 0
        ]
        if met:
            _, a, b = min(met)
            return _Stretch(a, a, b, b)
    return None


def _piece(keys: Sequence[int], at: int) -> bytes:
    return array("q", keys[at : at + _MEET]).tobytes()


def _anchors(left: Sequence[int], right: Sequence[int], stretch: _Stretch) -> list[Run]:
    """Return the longest chain of the rarest common items, as runs of length 1."""
    on_left = count_keys(left, stretch.left, stretch.left_end)
    on_right = count_keys(right, stretch.right, stretch.right_end)
    by_product: dict[int, list[int]] = {}
    for key, count in on_left.items():
        if (other := on_right.get(key)) is not None:
            by_product.setdefault(count * other, []).append(key)
    enough = min(len(on_left), len(on_right)) // _ENOUGH
    most = _MOST_PAIRS * stretch.size
    ways = before = 0
    chosen: set[int] = set()
    for product, key in ((one, key) for one in sorted(by_product) for key in by_product[one]):
        if chosen and (ways + product > most or (product != before and len(chosen) > enough)):
            break
        ways, before = ways + product, product
        chosen.add(key)
    pairs = _pairings(left, stretch, _places(right, stretch, chosen), every=ways <= most)
    return [Run(one, other, 1) for one, other in _chain(pairs)]


def count_keys(keys: Sequence[int], start: int, end: int) -> Counter[int]:
    """Count keys in slices, so that other threads can run in between."""
    found: Counter[int] = Counter()
    for at in range(start, end, _SLICE):
        found.update(keys[at : min(at + _SLICE, end)])
    return found


def _places(right: Sequence[int], stretch: _Stretch, chosen: set[int]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {key: [] for key in chosen}
    for at in range(stretch.right, stretch.right_end):
        if right[at] in chosen:
            found[right[at]].append(at)
    return found


def _pairings(
    left: Sequence[int], stretch: _Stretch, places: dict[int, list[int]], *, every: bool
) -> list[tuple[int, int]]:
    """Return pairs by the left item, in descending order of the right one: all if `every`."""
    turns = {key: iter(there) for key, there in places.items()}
    pairs: list[tuple[int, int]] = []
    for one in range(stretch.left, stretch.left_end):
        key = left[one]
        if key not in places:
            continue
        if every:
            pairs += [(one, other) for other in reversed(places[key])]
        elif (turn := next(turns[key], None)) is not None:
            pairs.append((one, turn))
    return pairs


def _chain(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    ends: list[int] = []  # smallest second number of a chain of each length
    at_end: list[int] = []
    before = array("l", [-1]) * len(pairs)
    for number, (_, second) in enumerate(pairs):
        length = bisect_left(ends, second)
        if length:
            before[number] = at_end[length - 1]
        if length == len(ends):
            ends.append(second)
            at_end.append(number)
        else:
            ends[length] = second
            at_end[length] = number
    chain: list[tuple[int, int]] = []
    number = at_end[-1] if at_end else -1
    while number >= 0:
        chain.append(pairs[number])
        number = before[number]
    return chain[::-1]


def _between(anchors: list[Run], stretch: _Stretch) -> Iterator[_Stretch | Run]:
    """Yield anchors and the ranges around them; nothing without anchors."""
    if not anchors:
        return
    a, b = stretch.left, stretch.right
    for anchor in anchors:
        yield _Stretch(a, anchor.left, b, anchor.right)
        yield anchor
        a, b = anchor.left + 1, anchor.right + 1
    yield _Stretch(a, stretch.left_end, b, stretch.right_end)


def _longest(left: Sequence[int], right: Sequence[int], stretch: _Stretch) -> Iterator[Run]:
    a0, a1, b0, b1 = stretch
    width = b1 - b0 + 1
    # lengths[i * width + j]: result for the items from a0 + i and b0 + j on.
    lengths = [0] * ((a1 - a0 + 1) * width)
    for i in range(a1 - a0 - 1, -1, -1):
        here, below = i * width, (i + 1) * width
        key = left[a0 + i]
        for j in range(b1 - b0 - 1, -1, -1):
            if key == right[b0 + j]:
                lengths[here + j] = lengths[below + j + 1] + 1
            else:
                one, other = lengths[below + j], lengths[here + j + 1]
                lengths[here + j] = one if one > other else other  # noqa: FURB136  (max is slower)
    i = j = 0
    while i < a1 - a0 and j < b1 - b0:
        here = i * width + j
        if left[a0 + i] == right[b0 + j]:
            yield Run(a0 + i, b0 + j, 1)
            i, j = i + 1, j + 1
        elif lengths[here + width] >= lengths[here + 1]:
            i += 1
        else:
            j += 1
