"""When a lane broke, since when, and when it is over: tables, and rules that hold for all lists."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.lane import HOUR, NOW, newest_first, pipeline

from platui.analysis.triage.incidents import (
    ABANDONED,
    LaneState,
    Listed,
    continue_incident,
    find_lane_state,
    states_of,
)
from platui.models.values.triage import Lane

if TYPE_CHECKING:
    from platui.models.values.triage import Incident
    from platui.models.wire import Pipeline


def state_of(pipelines: list[Pipeline], *, is_whole: bool = False, main: str = "main") -> LaneState:
    """Return how the one lane of a list stands."""
    (state,) = states_of(Listed(7, pipelines, is_whole=is_whole, main=main), NOW)
    return state


def incident_of(word: str, *, is_whole: bool = False) -> Incident:
    """Return the incident of a list that has one."""
    incident = state_of(newest_first(word), is_whole=is_whole).incident
    assert incident is not None
    return incident


def test_newest_is_what_was_created_last_whenever_it_ended() -> None:
    """One that ran beside it for longer, or is tried again, neither breaks nor mends a lane."""
    late = {"updated_at": NOW + HOUR}
    over = state_of([pipeline(1000, "g"), pipeline(999, "r", **late), pipeline(998, "g")])
    assert over.incident is None
    assert over.recovery is not None
    since, again = over.recovery.since, over.recovery.green.at
    assert since is not None
    assert again is not None
    assert since == over.recovery.first_red.created_at
    assert since < again
    broken = state_of([pipeline(1000, "r"), pipeline(999, "g", **late), pipeline(998, "r")])
    assert broken.incident is not None
    assert broken.incident.first_red.id == 1000
    both = state_of([pipeline(1000, "r"), pipeline(999, "r", **late), pipeline(998, "g")]).incident
    assert both is not None
    assert (both.first_red.id, both.since) == (999, both.newest_red.ended_at)


@pytest.mark.parametrize(
    ("word", "streak", "first", "newest", "green"),
    [
        ("rg", 1, 1000, 1000, 999),
        ("rrrgr", 3, 998, 1000, 997),
        ("rcrg", 2, 998, 1000, 997),  # canceled, skipped, blocked and unknown ones say nothing
        ("rsrmr?r.g", 4, 994, 1000, 992),
        ("cr*rg", 2, 997, 999, 996),
    ],
)
def test_an_incident_begins_with_the_first_red_after_the_last_green(
    word: str, streak: int, first: int, newest: int, green: int
) -> None:
    """Whatever says neither is passed over."""
    found = incident_of(word)
    assert found.streak == streak
    assert (found.first_red.id, found.newest_red.id) == (first, newest)
    assert found.last_green is not None
    assert found.last_green.id == green
    assert not found.is_at_least
    assert found.reds[0] == newest
    assert found.reds[-1] == first
    assert found.since == NOW - (1000 - first) * HOUR + timedelta(minutes=9)
    assert found.commits is not None
    assert (found.commits.before, found.commits.after) == (f"{green:040x}", f"{first:040x}")


@pytest.mark.parametrize("word", ["", "g", "gr", "c", "*", "s.pm?", "cgr", "*g", "mg"])
def test_green_or_undecided_is_no_incident(word: str) -> None:
    """Neither what was red before, nor what is not over."""
    assert all(not one.incident for one in states_of(Listed(7, newest_first(word)), NOW))


def test_a_list_that_ends_in_red_knows_a_lower_bound_only() -> None:
    """Unless the platform has no older pipelines: then it was never green, and that is said."""
    part = incident_of("rrr")
    assert (part.streak, part.is_at_least, part.last_green) == (3, True, None)
    whole = incident_of("rrc", is_whole=True)
    assert (whole.streak, whole.is_at_least, whole.last_green) == (2, False, None)
    assert whole.commits is None


@pytest.mark.parametrize(
    ("letter", "status"), [("*", "running"), (".", "created"), ("m", "manual")]
)
def test_what_came_after_the_newest_red_is_on_top(letter: str, status: str) -> None:
    """Running, was red."""
    found = incident_of(f"{letter}rg")
    assert found.on_top is not None
    assert found.on_top.status == status
    assert incident_of("rg").on_top is None


def test_the_same_commit_may_be_good_and_bad() -> None:
    """Then nobody broke it by a change of the code."""
    same = [pipeline(2, "r", sha="a" * 40), pipeline(1, "g", sha="a" * 40)]
    incident = state_of(same).incident
    assert incident is not None
    assert incident.commits is not None
    assert incident.commits.is_empty


def test_a_recovery_is_the_first_green_after_red() -> None:
    """With the streak that it ended."""
    recovery = state_of(newest_first("cggsrrg")).recovery
    assert recovery is not None
    assert (recovery.green.id, recovery.streak, recovery.first_red.id) == (998, 2, 995)
    assert not recovery.is_at_least
    assert recovery.key == (7, 995)
    assert state_of(newest_first("ggg")).recovery is None
    assert state_of(newest_first("*grr")).recovery == replace(
        state_of(newest_first("*grr"), is_whole=True).recovery or recovery, is_at_least=True
    )


def test_a_branch_that_was_given_up_is_left_out() -> None:
    """But not the default branch, which is never given up."""
    long_ago = NOW - ABANDONED - HOUR
    old = [pipeline(1, "r", ref="feature/x", created_at=long_ago)]
    assert states_of(Listed(7, old, main="main"), NOW) == []
    assert state_of(old, main="feature/x").incident is not None
    fresh = [pipeline(1, "r", ref="feature/x", created_at=long_ago + 2 * HOUR)]
    assert state_of(fresh).incident is not None


@pytest.mark.parametrize(
    ("refs", "main", "found"),
    [
        (("topic", "main"), "", ["main"]),
        (("master", "main"), "", ["main"]),
        (("topic", "master"), "", ["master"]),
        (("topic", "main"), "topic", ["topic"]),
        (("topic", "trunk"), "", []),
    ],
)
def test_a_default_branch_that_nobody_tells_is_known_by_its_name(
    refs: tuple[str, ...], main: str, found: list[str]
) -> None:
    """What breaks there is everybody's: without that nobody would be told of anything."""
    runs = [pipeline(1000 - at, "r", ref=ref) for at, ref in enumerate(refs)]
    states = states_of(Listed(7, runs, main=main), NOW)
    assert [state.lane.ref for state in states if state.is_main] == found


def test_what_is_red_and_tried_again_was_red() -> None:
    """The list says of a pipeline that is tried again that it runs, and no more."""
    before = incident_of("rg")
    again = state_of([pipeline(1000, "*"), *newest_first("rg")[1:]])
    assert again.incident is None
    now = continue_incident(before, again)
    assert now is not None
    assert now.on_top is not None
    assert (now.key, now.streak, now.on_top.status) == (before.key, 1, "running")
    assert continue_incident(before, state_of(newest_first("gg"))) is None
    assert continue_incident(before, state_of([pipeline(1001, "*"), pipeline(1000, "g")])) is None


def test_what_the_list_does_not_reach_any_more_is_remembered() -> None:
    """The beginning and the streak of an incident go on where the lists overlap."""
    word = newest_first("rrrrrg")
    before = state_of(word[2:]).incident
    assert before is not None
    now = continue_incident(before, state_of(word[:4]))
    assert now is not None
    assert (now.streak, now.first_red.id, now.is_at_least) == (5, 996, False)
    assert now.last_green == before.last_green
    apart = continue_incident(before, state_of(word[:2]))
    assert apart is not None
    assert (apart.streak, apart.is_at_least) == (2, True)


def test_what_fails_late_beside_a_newer_one_counts_once() -> None:
    """Also where the list reaches back to the first red one no more."""
    before = state_of([*newest_first("r**rg")]).incident
    assert before is not None
    assert (before.streak, before.first_red.id) == (2, 997)
    now = continue_incident(before, state_of(newest_first("rr*")))
    assert now is not None
    assert (now.streak, now.first_red.id) == (3, 997)
    again = continue_incident(now, state_of(newest_first("rr*")))
    assert again is not None
    assert again.streak == 3


def test_an_incident_is_found_again_whatever_its_lane_is_called() -> None:
    """Four nights in a row are a nightly run; three were but pipelines of main."""
    before = incident_of("rg")
    named = states_of(Listed(7, newest_first("rrg", name="Nightly"), main="main"), NOW)
    other = states_of(Listed(7, [pipeline(1001, "r", ref="x")], main="main"), NOW)
    assert before.newest_red.id == 1000
    found = find_lane_state(before, [*other, *named])
    assert found is not None
    assert found.lane.way == "Nightly"
    mended = [pipeline(1001, "g", name="Nightly"), *newest_first("rg", name="Nightly")]
    green = states_of(Listed(7, mended), NOW)
    assert find_lane_state(before, [*other, *green]) == green[0]
    assert find_lane_state(before, other) is None


def test_the_ways_of_a_branch_that_are_one_again_are_what_became_of_each() -> None:
    """Where nothing red tells them apart any more, and the list has gone past what was red."""
    before = replace(incident_of("rg"), lane=Lane(7, "main", "daily"))
    later = [pipeline(2000 - at, "g") for at in range(5)]
    (state,) = states_of(Listed(7, later, main="main"), NOW)
    assert find_lane_state(before, [state]) == state
    assert continue_incident(before, state) is None
    other = replace(before, lane=Lane(7, "next", "daily"))
    assert find_lane_state(other, [state]) is None


@given(word=st.text("grcs*m", min_size=1, max_size=40), is_whole=st.booleans())
def test_incidents_as_a_plain_reading_of_the_list_has_them(word: str, *, is_whole: bool) -> None:
    """What is decided is green and red; red ones in front are the incident."""
    state = state_of(newest_first(word), is_whole=is_whole)
    decided = [letter for letter in word if letter in "gr"]
    reds = "".join(decided).split("g")[0]
    assert (state.incident is not None) is bool(reds)
    if state.incident is not None:
        assert state.incident.streak == len(reds) == len(state.incident.reds)
        assert (state.incident.last_green is not None) is ("g" in decided)
        assert state.incident.is_at_least is ("g" not in decided and not is_whole)
        assert state.recovery is None
    else:
        assert (state.recovery is not None) is ("r" in decided)


@given(st.text("grc*", min_size=2, max_size=30), st.integers(1, 12))
def test_rounds_of_short_lists_tell_what_one_long_list_tells(word: str, size: int) -> None:
    """An incident followed from round to round knows its beginning, however short the lists."""
    runs = newest_first(word)
    known: Incident | None = None
    for at in range(len(runs) - 1, -1, -1):
        state = state_of(runs[at : at + size + 1], is_whole=at + size + 1 >= len(runs))
        known = continue_incident(known, state) if known is not None else state.incident
    whole = state_of(runs, is_whole=True).incident
    if whole is not None and known is not None and not known.is_at_least:
        assert (known.first_red, known.streak) == (whole.first_red, whole.streak)
