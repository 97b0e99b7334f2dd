"""From one look at a project to the next: what goes on, what is over, what moved."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from tests.support.clock import START

from platui.analysis.triage.going_on import look_on
from platui.analysis.triage.incidents import ABANDONED, LaneState
from platui.models.values.triage import Incident, Lane, Ran, Recovery

LANE = Lane(7, "feature")


def run(number: int, status: str = "failed") -> Ran:
    """Return a pipeline that ended when the test began."""
    return Ran(number, status, "feature", ended_at=START)


def incident(first: int, newest: int, *, is_at_least: bool = False) -> Incident:
    """Return an incident of pipelines from one number to another."""
    reds = tuple(range(newest, first - 1, -1))
    return Incident(LANE, run(first), run(newest), len(reds), reds, is_at_least=is_at_least)


def test_what_the_list_does_not_reach_any_more_goes_on() -> None:
    """Until nobody works on that branch any more; a default branch always counts."""
    look = look_on([incident(3, 5)], [], START)
    assert look.incidents == (incident(3, 5),)
    assert not look.over
    later = START + ABANDONED + timedelta(seconds=1)
    assert not look_on([incident(3, 5)], [], later).incidents
    main = replace(incident(3, 5), is_main=True)
    assert look_on([main], [], later).incidents == (main,)


def test_an_incident_is_over_when_its_lane_is_green() -> None:
    """At the time of the green one; a new break of the lane is another incident."""
    green = Recovery(LANE, run(3), 3, run(6, "success")._replace(ended_at=START))
    state = LaneState(LANE, run(6, "success"), recovery=green)
    later = START + timedelta(hours=1)
    look = look_on([incident(3, 5)], [state], later)
    assert [(one.incident.key, one.at) for one in look.over] == [((7, 3), START)]
    assert not look.incidents
    again = LaneState(LANE, run(9), incident(8, 9))
    look = look_on([incident(3, 5)], [again], later)
    assert [(one.incident.key, one.at) for one in look.over] == [((7, 3), later)]
    assert [one.key for one in look.incidents] == [(7, 8)]


def test_what_was_known_of_the_beginning_stays_known() -> None:
    """Where the list ends in the middle of it; where it tells more than was known it has moved."""
    state = LaneState(LANE, run(9), incident(5, 9, is_at_least=True))
    look = look_on([incident(3, 6)], [state], START)
    assert [(one.key, one.streak) for one in look.incidents] == [((7, 3), 7)]
    assert not look.moved
    state = LaneState(LANE, run(9), incident(1, 9))
    look = look_on([incident(3, 6, is_at_least=True)], [state], START)
    [moved] = look.moved
    assert (moved.before.key, moved.now.key) == ((7, 3), (7, 1))
    assert not look.over
