"""The red stretch around a pipeline: a table, and what it has in common with the incidents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.lane import NOW, newest_first

from platui.analysis.triage.incidents import Listed, states_of
from platui.analysis.triage.timeline import stretch_of

if TYPE_CHECKING:
    from platui.models.values.triage import IncidentTimeline, PipelineRun


def stretch(word: str, at: int, *, is_whole: bool = False) -> IncidentTimeline | None:
    """Return the stretch around a pipeline of a list whose newest has the id 1000."""
    return stretch_of(Listed(7, newest_first(word), is_whole=is_whole, main="main"), at)


def id_of(run: PipelineRun | None) -> int | None:
    """Return its id, if it is one."""
    return None if run is None else run.id


@pytest.mark.parametrize(
    ("word", "at", "first", "newest", "streak", "green", "over", "on_top"),
    [
        ("rg", 1000, 1000, 1000, 1, 999, None, None),
        ("rrrg", 999, 998, 1000, 3, 997, None, None),
        ("*rcrg", 997, 997, 999, 2, 996, None, 1000),  # what is canceled says nothing
        ("rggrcrgr", 995, 995, 997, 2, 994, 998, None),  # only that stretch, and what ended it
        ("grr", 999, 998, 999, 2, None, 1000, None),
        ("**rg", 999, 998, 999, 2, 997, None, 1000),  # tried again, it counts as red
    ],
)
def test_a_stretch_lies_between_two_green_ones(
    word: str,
    at: int,
    first: int,
    newest: int,
    streak: int,
    green: int | None,
    over: int | None,
    on_top: int | None,
) -> None:
    """Whichever of its red ones is named."""
    found = stretch(word, at)
    assert found is not None
    assert (found.first_red.id, found.newest_red.id, found.streak) == (first, newest, streak)
    assert (id_of(found.last_green), id_of(found.over)) == (green, over)
    assert id_of(found.on_top) == on_top
    assert found.is_at_least is (green is None)
    assert [run.id for run in found.runs] == list(range(1001 - len(word), 1001))


def test_a_whole_list_that_has_no_green_one_says_that_there_was_none() -> None:
    """Rather than that it does not reach back."""
    found = stretch("rr", 1000, is_whole=True)
    assert found is not None
    assert found.last_green is None
    assert not found.is_at_least
    assert found.commits is None


@pytest.mark.parametrize(("word", "at"), [("rg", 999), ("rg", 17), ("", 1000)])
def test_what_is_green_or_not_in_the_list_has_none(word: str, at: int) -> None:
    """It is over, or further back."""
    assert stretch(word, at) is None


@given(st.text("rgc*", min_size=1, max_size=12), st.booleans())
def test_of_each_red_of_an_incident_it_is_the_incident(word: str, whole: bool) -> None:  # noqa: FBT001
    """Both tell the same of one lane."""
    listed = Listed(7, newest_first(word), is_whole=whole, main="main")
    for state in states_of(listed, NOW):
        for at in state.incident.reds if state.incident else ():
            found = stretch_of(listed, at)
            assert found is not None
            incident = state.incident
            assert incident is not None
            assert (found.first_red, found.newest_red) == (incident.first_red, incident.newest_red)
            assert (found.streak, found.last_green) == (incident.streak, incident.last_green)
            assert (found.on_top, found.commits) == (incident.on_top, incident.commits)
            assert found.is_at_least == incident.is_at_least
