"""What a row of the board says as JSON."""

from __future__ import annotations

import pytest
from tests.support.boards import LOGIN, MEMORY, board
from tests.support.lane import NOW

from platui.cli.triage_shape import item_object
from platui.models.values.triage import Mark, Signature
from platui.present.triage_words import Names


@pytest.mark.parametrize(("cause", "is_known"), [(LOGIN, True), (MEMORY, False)])
def test_what_was_acknowledged_for_another_cause_is_not(
    cause: Signature, *, is_known: bool
) -> None:
    """Whoever filters by it is called again, as the dashboard does."""
    told = board({1: "gr"}, causes={1: cause}, marks={1: Mark(acked=LOGIN.key)})
    [row] = [item_object(one, Names(told.names), NOW) for one in told.items]
    assert (row["is_acknowledged"], row["is_quiet"]) == (is_known, is_known)
