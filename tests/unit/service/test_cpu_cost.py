"""What reading a log costs, told from what else was done meanwhile."""

from __future__ import annotations

import pytest

from platui.service.logs.source import MAX_COST_GROWTH, MAX_FIRST_COST, CpuCost


def test_what_the_user_did_meanwhile_does_not_count() -> None:
    """A look during which a key was held costs no more than the one before, byte for byte."""
    cost = CpuCost()
    assert cost.of(0.1, 10_000_000) == pytest.approx(0.1)
    assert cost.of(3.0, 20_000_000) == pytest.approx(0.2 * MAX_COST_GROWTH)
    assert cost.of(0.2, 20_000_000) == pytest.approx(0.2)


def test_a_line_that_really_costs_more_is_believed_in_a_while() -> None:
    """Where each look costs so much."""
    cost = CpuCost()
    cost.of(0.1, 10_000_000)
    for _ in range(10):
        told = cost.of(0.8, 10_000_000)
    assert told == pytest.approx(0.8)


def test_nothing_costs_nothing() -> None:
    """A log without a byte."""
    assert CpuCost().of(1.0, 0) == 0.0


def test_what_a_start_costs_is_not_held_against_the_log() -> None:
    """Of a short log the second look comes soon; a long one has cost something by itself."""
    cost = CpuCost()
    assert cost.of(0.4, 1_000_000, first=True) == pytest.approx(1_000_000 * MAX_FIRST_COST)
    assert cost.of(0.4, 100_000_000, first=True) == pytest.approx(0.4)
    assert cost.of(0.3, 100_000_000) == pytest.approx(0.3)
