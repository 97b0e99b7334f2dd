"""What two sequences have in common: always true, good where it is small, fast where it is not."""

from __future__ import annotations

from collections import Counter
from difflib import SequenceMatcher
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from platui.analysis.matching import Run, count_keys, match

if TYPE_CHECKING:
    from collections.abc import Sequence

sequences = st.lists(st.integers(0, 6), max_size=60)


def check(left: Sequence[int], right: Sequence[int], runs: Sequence[Run]) -> int:
    """Assert that runs are equal, in order and apart; return how many items they hold."""
    a = b = 0
    for number, run in enumerate(runs):
        assert run.length > 0
        assert run.left >= a
        assert run.right >= b
        assert number == 0 or (run.left, run.right) != (a, b)
        for step in range(run.length):
            assert left[run.left + step] == right[run.right + step]
        a, b = run.left + run.length, run.right + run.length
    assert a <= len(left)
    assert b <= len(right)
    return sum(run.length for run in runs)


@given(sequences, sequences)
@settings(max_examples=200)
def test_runs_are_common_to_both(left: list[int], right: list[int]) -> None:
    """And no worse than the standard library's, which takes longest runs first."""
    found = check(left, right, match(left, right).runs)
    blocks = SequenceMatcher(None, left, right, autojunk=False).get_matching_blocks()
    assert found >= sum(block.size for block in blocks)


@given(st.lists(st.integers(0, 5), max_size=30), st.data())
@settings(max_examples=50)
def test_long_sequences_keep_what_was_not_touched(inserted: list[int], data: st.DataObject) -> None:
    """A few items put in somewhere cost no more than themselves."""
    left = list(range(100, 700))
    at = data.draw(st.integers(0, len(left)))
    right = [*left[:at], *inserted, *left[at:]]
    assert check(left, right, match(left, right).runs) == len(left)


def test_equal_sequences_are_one_run() -> None:
    """And nothing has nothing in common."""
    assert match(range(5), range(5)).runs == [Run(0, 0, 5)]
    assert match([], range(5)).runs == []


@pytest.mark.parametrize(
    ("left", "right", "least"),
    [
        pytest.param(range(50_000), range(50_000, 100_000), 0, id="all different"),
        pytest.param([1] * 100_000, [1] * 90_000 + [2], 90_000, id="one line repeated"),
        pytest.param(range(20_000), range(20_000)[::-1], 1, id="backwards"),
        pytest.param(
            [n % 7 for n in range(50_000)], [n % 5 for n in range(50_000)], 20_000, id="periods"
        ),
        pytest.param(
            list(range(30_000)),
            [*range(15_000, 30_000), *range(15_000)],
            15_000,
            id="halves swapped",
        ),
        pytest.param(
            [n for n in range(30_000) for _ in range(2)][::-1][::-1],
            [n for n in range(30_000) if n % 3 for _ in range(2)],
            40_000,
            id="a third left out",
        ),
    ],
)
def test_the_worst_ends(left: Sequence[int], right: Sequence[int], least: int) -> None:
    """In time that is no power of the length, or the suite would stand still here."""
    assert check(left, right, match(left, right).runs) >= least


def test_noise_ends() -> None:
    """Items that are there by chance."""
    dice = Random(1)
    left, right = ([dice.randrange(500) for _ in range(20_000)] for _ in range(2))
    assert check(left, right, match(left, right).runs) > 500


def test_it_can_be_ended() -> None:
    """What the tick raises comes out."""

    def tick(done: float) -> None:
        assert 0 <= done <= 1
        raise InterruptedError

    with pytest.raises(InterruptedError):
        match(range(10), range(10), tick)


def test_keys_are_tallied_slice_by_slice() -> None:
    """As at once, and no key beyond the end."""
    keys = [number % 7 for number in range(25_000)]
    assert count_keys(keys, 3, 24_001) == Counter(keys[3:24_001])
    assert count_keys(keys, 5, 5) == Counter()
