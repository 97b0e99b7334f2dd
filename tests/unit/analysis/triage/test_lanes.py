"""Which pipelines end what others began: by name, by source, by the clock, or all of a branch."""

from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.lane import HOUR, NOW, mixed, newest_first, pipeline

from platui.analysis.triage.incidents import Listed, states_of
from platui.analysis.triage.lanes import branch_of, detect_periods, lanes_of

if TYPE_CHECKING:
    from platui.models.wire import Pipeline

PUSH, NIGHTLY = {"source": "push"}, {"source": "schedule"}
WEB, API = {"source": "web"}, {"source": "api"}


def red_ways(pipelines: list[Pipeline]) -> set[str]:
    """Return the ways of main that are red."""
    states = states_of(Listed(7, pipelines, main="main"), NOW)
    return {one.lane.way for one in states if one.incident is not None}


def test_a_push_that_passes_does_not_mend_the_nightly_run() -> None:
    """Nor does it close the incident by day, to be opened again at night."""
    runs = mixed([("g", PUSH), ("r", NIGHTLY), ("g", PUSH), ("r", NIGHTLY), ("g", NIGHTLY)])
    assert red_ways(runs) == {"schedule"}
    (state,) = [one for one in states_of(Listed(7, runs), NOW) if one.incident]
    assert state.incident is not None
    assert state.incident.streak == 2


def test_names_go_before_sources() -> None:
    """The same work may be started in many ways."""
    full, part = {"name": "Full load"}, {"name": "Incremental 4711"}
    other = {"name": "Incremental 4712"}
    runs = mixed(
        [("g", part | WEB), ("r", full | NIGHTLY), ("r", full | API), ("g", full), ("r", other)]
    )
    assert {lane.way for lane in lanes_of(7, runs)} == {"Full load", "Incremental #"}
    assert red_ways(runs) == {"Full load"}


def test_names_that_never_come_again_are_none() -> None:
    """Some platforms' names hold the title of a commit."""
    runs = mixed([(letter, {"name": f"Fix {letter} {'x' * at}"} | PUSH)
                  for at, letter in enumerate("grrg")])  # fmt: skip
    assert {lane.way for lane in lanes_of(7, runs)} == {"push"}
    assert red_ways(runs) == set()


def test_a_branch_that_ran_once_has_the_name_that_others_have() -> None:
    """What starts it would be another lane than the next run of it is in."""
    names = {"name": "Development"}
    main = mixed([("g", names | PUSH)] * 5)
    alone = pipeline(99, "failed", ref="feature/x", source="push", name="Development")
    lanes = {(lane.ref, lane.way) for lane in lanes_of(7, [alone, *main])}
    assert lanes == {("main", "Development"), ("feature/x", "Development")}
    named = alone.model_copy(update={"name": "Fix the door"})
    lanes = {(lane.ref, lane.way) for lane in lanes_of(7, [named, *main])}
    assert lanes == {("main", "Development"), ("feature/x", "push")}


@pytest.mark.parametrize(
    ("runs", "red"),
    [
        # run again by hand and green: it is over
        ([("g", WEB), ("r", NIGHTLY), ("g", PUSH), ("g", NIGHTLY)], set()),
        ([("r", WEB), ("r", NIGHTLY), ("g", PUSH), ("g", NIGHTLY)], {"schedule"}),
        ([("g", API), ("r", NIGHTLY), ("g", PUSH), ("g", NIGHTLY)], set()),
        # with nothing red it belongs to what ran last, whose next run ends it
        ([("r", WEB), ("g", PUSH), ("g", NIGHTLY)], {"push"}),
        ([("g", PUSH), ("r", WEB), ("g", PUSH)], set()),
        # a program that asks as a rule does not try again what failed elsewhere
        ([("g", API), ("r", NIGHTLY), ("g", API), ("g", API), ("g", NIGHTLY)], {"schedule"}),
        ([("r", API), ("g", NIGHTLY), ("g", API), ("g", API), ("g", NIGHTLY)], {"api"}),
    ],
)
def test_what_is_started_by_hand_counts_for_what_is_red(
    runs: list[tuple[str, dict[str, Any]]], red: set[str]
) -> None:
    """As a person means it who runs again what failed."""
    assert red_ways(mixed(runs)) == red


def test_a_platform_that_tells_nothing_has_one_lane_for_a_branch() -> None:
    """Its pipelines come at odd times: nothing tells them apart."""
    assert set(lanes_of(7, newest_first("grg"))) == {(7, "main", "")}


def test_what_comes_by_the_clock_has_its_own_lane_when_nobody_says_so() -> None:
    """Nightly red, pushes green at all hours: the nightly run is red by day, too."""
    nights = [pipeline(100 - 10 * day, "r", created_at=NOW - timedelta(days=day, seconds=day % 3))
              for day in range(5)]  # fmt: skip
    odd = [8.13, 11.7, 14.1, 30.5, 39.9, 57.2, 61.05, 83.0]
    pushes = [pipeline(200 - round(hours), "g", created_at=NOW - hours * HOUR) for hours in odd]
    runs = sorted([*nights, *pushes], key=lambda one: -(one.created_at or NOW).timestamp())
    assert red_ways(runs) == {"daily"}
    assert red_ways([pipeline(900, "g", created_at=NOW + HOUR), *runs]) == {"daily"}


def test_a_commit_that_runs_once_more_off_the_clock_is_run_again_by_hand() -> None:
    """It ends what the nightly run began, where a push would not."""
    nights = [pipeline(100 - 10 * day, "r", created_at=NOW - timedelta(days=day))
              for day in range(5)]  # fmt: skip
    again = pipeline(101, "g", created_at=NOW + 1.3 * HOUR, sha=nights[0].sha)
    assert red_ways([again, *nights]) == set()
    push = pipeline(101, "g", created_at=NOW + 1.3 * HOUR)
    assert red_ways([push, *nights]) == {"daily"}


@pytest.mark.parametrize("a_day", [5, 15, 30, 60])
def test_what_comes_at_odd_times_comes_by_no_clock(a_day: int) -> None:
    """However many there are: one in a hundred, at most, is in a row by accident."""
    lasts = 100 / a_day * 86_400
    found = [
        period
        for seed in range(20)
        for period in detect_periods(
            [Random(f"{seed} {at}").uniform(0, lasts) for at in range(100)]
        )
    ]
    assert sum(map(bool, found)) <= len(found) / 100


@pytest.mark.parametrize("a_day", [5, 10, 15, 20])
def test_what_runs_each_night_is_found_among_pushes(a_day: int) -> None:
    """As far as the list reaches back for some nights."""
    days = 100 // a_day
    for seed in range(10):
        random = Random(f"nights {seed}")
        nights = [day * 86_400 + 10_800 + random.uniform(0, 40) for day in range(days)]
        pushes = [random.uniform(0, days * 86_400) for _ in range(100 - days)]
        assert all(detect_periods([*nights, *pushes])[:days])


@pytest.mark.parametrize("period", [900, 3600, 21_600, 86_400, 604_800])
def test_a_row_of_four_is_a_rhythm_with_some_seconds_of_delay(period: int) -> None:
    """Also where one run in the middle of many is missing."""
    row = [at * period + at * 37 % 60 for at in range(9)]
    assert len(set(detect_periods(row))) == 1
    assert detect_periods(row)[0]
    assert set(detect_periods(row[:3])) == {""}
    assert "" not in detect_periods([*row[:4], *row[5:]])


def test_versions_are_one_lane_and_merge_requests_none() -> None:
    """The next version mends what the last one broke; a request's author is told elsewhere."""
    runs = [
        pipeline(9, "g", ref="v1.2.4"),
        pipeline(8, "r", ref="refs/tags/v1.2.3"),
        pipeline(7, "r", ref="refs/merge-requests/12/head"),
        pipeline(6, "r", ref="feature/x", source="merge_request_event"),
        pipeline(5, "r", ref="main", source="parent_pipeline"),
        pipeline(4, "g", ref="refs/heads/main"),
        pipeline(3, "r", ref="main"),
    ]
    found = lanes_of("acme/etl", runs)
    assert {lane: [one.id for one in ran] for lane, ran in found.items()} == {
        ("acme/etl", "", ""): [9, 8],
        ("acme/etl", "main", ""): [4, 3],
    }


@pytest.mark.parametrize(
    ("ref", "expected"),
    [
        ("v1.2.3", True), ("1.0", True), ("release-2026.03", False), ("v8.5.0-rc.1", True),
        ("loader@2.1", True),
        ("refs/tags/nightly", True), ("main", False), ("release", False), ("feature/v2", False),
        ("fix/DATA-3303-dbt-upgrade", False), ("3303-fix", False), ("upgrade-1.8-of-dbt", False),
    ],
)  # fmt: skip
def test_versions_are_told_by_their_looks(ref: str, *, expected: bool) -> None:
    """The list does not say which refs are tags."""
    assert (branch_of(ref) == "") is expected


@given(
    st.lists(
        st.tuples(
            st.sampled_from("gr*c"),
            st.fixed_dictionaries(
                {
                    "ref": st.sampled_from(["main", "x", "v1.0"]),
                    "source": st.sampled_from(["", "push", "schedule", "web", "api", "trigger"]),
                    "name": st.sampled_from(["", "", "A", "B"]),
                }
            ),
        ),
        max_size=30,
    )
)
def test_every_pipeline_of_a_branch_is_in_a_lane(runs: list[tuple[str, dict[str, Any]]]) -> None:
    """The newest first, none twice; only what is run by hand counts for more than one."""
    pipelines = mixed(runs)
    found = lanes_of(7, pipelines)
    for ran in found.values():
        ids = [one.id for one in ran]
        assert ids == sorted(set(ids), reverse=True)
        assert ids
    assert {one.id for ran in found.values() for one in ran} == {one.id for one in pipelines}
