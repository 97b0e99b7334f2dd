"""From one look at a project to the next: what goes on, what is over, what moved."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from tests.support.clock import START
from tests.support.lane import HOUR, NOW, newest_first, pipeline

from platui.analysis.triage.incidents import ABANDONED, LaneState, Listed, states_of
from platui.analysis.triage.tracking import track_incidents
from platui.models.values.triage import Incident, Lane, PipelineRun, Recovery

if TYPE_CHECKING:
    from platui.analysis.triage.tracking import Look
    from platui.models.wire import Pipeline

LANE = Lane(7, "feature")


def run(number: int, status: str = "failed") -> PipelineRun:
    """Return a pipeline that ended when the test began."""
    return PipelineRun(number, status, "feature", ended_at=START)


def incident(first: int, newest: int, *, is_at_least: bool = False) -> Incident:
    """Return an incident of pipelines from one number to another."""
    reds = tuple(range(newest, first - 1, -1))
    return Incident(LANE, run(first), run(newest), len(reds), reds, is_at_least=is_at_least)


def test_what_the_list_does_not_reach_any_more_goes_on() -> None:
    """Until nobody works on that branch any more; a default branch always counts."""
    look = track_incidents([incident(3, 5)], [], START)
    assert look.incidents == (incident(3, 5),)
    assert not look.over
    later = START + ABANDONED + timedelta(seconds=1)
    assert not track_incidents([incident(3, 5)], [], later).incidents
    main = replace(incident(3, 5), is_main=True)
    assert track_incidents([main], [], later).incidents == (main,)


def test_an_incident_is_over_when_its_lane_is_green() -> None:
    """At the time of the green one; a new break of the lane is another incident."""
    green = Recovery(LANE, run(3), 3, run(6, "success")._replace(ended_at=START))
    state = LaneState(LANE, run(6, "success"), recovery=green, green=run(6, "success"))
    later = START + timedelta(hours=1)
    look = track_incidents([incident(3, 5)], [state], later)
    assert [(one.incident.key, one.at) for one in look.over] == [((7, 3), START)]
    assert not look.incidents
    again = LaneState(LANE, run(9), incident(8, 9))
    look = track_incidents([incident(3, 5)], [again], later)
    assert [(one.incident.key, one.at) for one in look.over] == [((7, 3), later)]
    assert [one.key for one in look.incidents] == [(7, 8)]


def test_what_was_known_of_the_beginning_stays_known() -> None:
    """Where the list ends in the middle of it; where it tells more than was known it has moved."""
    state = LaneState(LANE, run(9), incident(5, 9, is_at_least=True))
    look = track_incidents([incident(3, 6)], [state], START)
    assert [(one.key, one.streak) for one in look.incidents] == [((7, 3), 7)]
    assert not look.moved
    state = LaneState(LANE, run(9), incident(1, 9))
    look = track_incidents([incident(3, 6, is_at_least=True)], [state], START)
    [moved] = look.moved
    assert (moved.before.key, moved.now.key) == ((7, 3), (7, 1))
    assert not look.over


def looked(pipelines: list[Pipeline], *, main: str = "main") -> Look:
    """Return the look at a list, after one at number 1000, red, above a green one."""
    red = states_of(Listed(7, newest_first("rg"), main=main), NOW)
    before = [state.incident for state in red if state.incident is not None]
    return track_incidents(before, states_of(Listed(7, pipelines, main=main), NOW), NOW)


@pytest.mark.parametrize(
    "pipelines",
    [
        [pipeline(1001, "*"), *newest_first("*g")],
        [pipeline(1001, "c"), *newest_first("*g")],
        newest_first("cg"),
        newest_first("mg"),
        [pipeline(1200, "*")],
        [pipeline(1201, "*"), pipeline(1200, "c")],
    ],
    ids=["runs beside", "runs below", "canceled", "blocked", "out of reach", "far below"],
)
def test_what_is_not_red_any_more_is_not_green(pipelines: list[Pipeline]) -> None:
    """It was tried again, also while newer ones run, or the list does not reach it: it goes on."""
    look = looked(pipelines)
    assert [(one.key, one.streak) for one in look.incidents] == [((7, 1000), 1)]
    assert [one.on_top.id for one in look.incidents if one.on_top] == [pipelines[0].id]
    assert not look.over


@pytest.mark.parametrize(
    "pipelines",
    [newest_first("gg"), [pipeline(1200, "g")], [pipeline(1001, "*"), pipeline(999, "g")]],
    ids=["mended", "mended long ago", "deleted"],
)
def test_what_is_green_or_gone_is_over(pipelines: list[Pipeline]) -> None:
    """Also where the list does not reach back to it."""
    look = looked(pipelines)
    assert [one.incident.key for one in look.over] == [(7, 1000)]
    assert not look.incidents


def test_a_branch_whose_newest_pipeline_is_old_was_given_up() -> None:
    """Where that one was canceled, and the red one is not in the list any more."""
    long_ago = NOW - ABANDONED - timedelta(hours=1)
    canceled = [pipeline(1200, "c", created_at=long_ago)]
    assert not looked(canceled, main="trunk").incidents
    assert looked(canceled).incidents


def test_a_lane_that_is_called_something_else_is_known_by_its_pipelines() -> None:
    """Its only red one was tried again, and is green."""
    named = [pipeline(1001, "g", name="Nightly"), *newest_first("gg", name="Nightly")]
    look = looked(named)
    assert [one.incident.key for one in look.over] == [(7, 1000)]


def test_a_run_by_hand_of_two_lanes_exchanges_nothing() -> None:
    """It failed in both; each keeps its key, also when only one of them is green again."""
    before = [
        pipeline(1000, "r", source="push"), pipeline(999, "r", source="schedule"),
        pipeline(998, "g", source="push"), pipeline(997, "g", source="schedule"),
    ]  # fmt: skip
    states = states_of(Listed(7, before, main="main"), NOW)
    known = track_incidents((), states, NOW).incidents
    assert {one.lane.way: one.first_red.id for one in known} == {"push": 1000, "schedule": 999}
    by_hand = [pipeline(1001, "r", source="web"), *before]
    look = track_incidents(known, states_of(Listed(7, by_hand, main="main"), NOW), NOW)
    ways = {one.lane.way: (one.first_red.id, one.newest_red.id) for one in look.incidents}
    assert ways == {"push": (1000, 1001), "schedule": (999, 1001)}
    assert (look.moved, look.over) == ((), ())
    green = [pipeline(1002, "g", source="schedule"), *by_hand]
    over = track_incidents(look.incidents, states_of(Listed(7, green, main="main"), NOW), NOW)
    assert [one.first_red.id for one in over.incidents] == [1000]
    assert [one.incident.first_red.id for one in over.over] == [999]
    assert over.moved == ()


def ended_again(number: int, status: str = "r") -> Pipeline:
    """Return a pipeline whose retry was over hours after it had failed for the first time."""
    again = NOW - (1000 - number) * HOUR + timedelta(hours=5)
    return pipeline(number, status, updated_at=again)


def test_a_retry_does_not_change_since_when_it_is_red() -> None:
    """Neither while it runs nor when it failed again; its cause is that of the newest try."""
    first = NOW + timedelta(minutes=9)
    runs = looked(newest_first("*g"))
    [red] = runs.incidents
    assert red.since == first
    states = states_of(Listed(7, [ended_again(1000), *newest_first("rg")[1:]], main="main"), NOW)
    [red] = track_incidents(runs.incidents, states, NOW).incidents
    assert (red.key, red.since) == ((7, 1000), first)
    assert red.newest_red.ended_at == NOW + timedelta(hours=5)


@pytest.mark.parametrize("status", ["*", "c"], ids=["runs", "canceled"])
def test_the_first_red_that_is_tried_again_is_still_the_first(status: str) -> None:
    """A later one that is red, or turns red meanwhile, is no new incident; a green one ends it."""
    now = [pipeline(1001, "r"), pipeline(1000, status), *newest_first("rg")[1:]]
    look = looked(now)
    assert [(one.key, one.streak) for one in look.incidents] == [((7, 1000), 2)]
    assert not look.over
    assert not look.moved
    mended = [pipeline(1001, "r"), *newest_first("gg")]
    look = looked(mended)
    assert [one.key for one in look.incidents] == [(7, 1001)]


def test_what_is_tried_again_is_not_timed_from_its_creation() -> None:
    """It was created long before; a pipeline that runs for the first time is timed."""
    greens = newest_first("rggggggg")[1:]
    timed = states_of(Listed(7, [pipeline(1000, "*"), *greens], main="main"), NOW)
    [state] = track_incidents([], timed, NOW).states
    assert state.typical is not None
    [state] = track_incidents([], timed, NOW, frozenset({1000})).states
    assert state.typical is None
    red = states_of(Listed(7, newest_first("rggggggg"), main="main"), NOW)
    [state] = track_incidents([one.incident for one in red if one.incident], timed, NOW).states
    assert state.is_moving
    assert state.typical is None


def test_what_a_retry_has_mended_is_a_recovery() -> None:
    """The list tells nothing of it: at once, for the day, and after a restart."""
    at = NOW + timedelta(hours=5)
    mended = [ended_again(1000, "g"), *newest_first("gg")[1:]]
    look = looked(mended)
    assert [(one.incident.key, one.at) for one in look.over] == [((7, 1000), at)]
    [recovery] = [one.recovery for one in look.states if one.recovery]
    assert (recovery.key, recovery.green.id, recovery.green.at) == ((7, 1000), 1000, at)
    states = states_of(Listed(7, [pipeline(1001, "g"), *mended], main="main"), NOW)
    [state] = track_incidents([], states, NOW, healed=look.over).states
    assert state.recovery is not None
    assert (state.recovery.key, state.recovery.green.at) == ((7, 1000), at)
    broken = states_of(Listed(7, [pipeline(1001, "r"), *mended], main="main"), NOW)
    [state] = track_incidents([], broken, NOW, healed=look.over).states
    assert state.incident is not None
    assert state.recovery is None


def test_a_recovery_that_the_list_tells_is_its_newest() -> None:
    """What was over before is not told in its stead; what is gone from the list has not healed."""
    [over] = looked([ended_again(1000, "g"), *newest_first("gg")[1:]]).over
    later = [pipeline(1008, "g"), pipeline(1007, "r"), ended_again(1000, "g")]
    states = states_of(Listed(7, later, main="main"), NOW)
    [state] = track_incidents([], states, NOW, healed=[over]).states
    assert state.recovery is not None
    assert state.recovery.key == (7, 1007)
    deleted = looked([pipeline(999, "g")])
    assert [one.is_deleted for one in deleted.over] == [True]
    assert not over.is_deleted
    assert [one.recovery for one in deleted.states] == [None]
