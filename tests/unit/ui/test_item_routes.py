"""Where the keys of the triage board lead."""

from __future__ import annotations

from tests.support.lane import NOW, pipeline

from platui.analysis.triage.board import item_of
from platui.analysis.triage.incidents import Listed, states_of
from platui.ui.screens.triage.item_routes import own_red


def test_broken_since_compares_a_run_of_the_row_rather_than_a_shared_one() -> None:
    """A run by hand failed in both lanes; of it alone nobody can tell which row is meant."""
    by_hand = pipeline(1001, "r", source="web")
    listed = [
        by_hand,
        pipeline(1000, "r", source="push"), pipeline(999, "r", source="schedule"),
        pipeline(998, "g", source="push"), pipeline(997, "g", source="schedule"),
    ]  # fmt: skip
    items = [item_of(one, NOW) for one in states_of(Listed(7, listed, main="main"), NOW)]
    broken = [one for one in items if one is not None and one.incident is not None]
    found = {
        one.lane.way: own_red(one.incident, broken) for one in broken if one.incident is not None
    }
    assert found == {"push": 1000, "schedule": 999}
    [alone] = [one for one in broken if one.lane.way == "push"]
    assert alone.incident is not None
    assert own_red(alone.incident, [alone]) == 1001
