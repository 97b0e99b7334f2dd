"""The way back, forward and up."""

from __future__ import annotations

from dataclasses import replace

from platui.models.values.places import Place, View
from platui.ui.trail import Trail, above

TRIAGE = Place(View.TRIAGE)
PROJECTS = Place(View.PROJECTS)
PIPELINES = Place(View.PIPELINES, 7, "etl")
JOBS = Place(View.JOBS, 7, "etl", 41)
LOG = Place(View.LOG, 7, "etl", 41, 412, "dbt_run")
ALL_JOBS = Place(View.JOBS, 7, "etl")


def test_each_level_knows_the_one_above() -> None:
    """Log, jobs, pipelines, projects."""
    assert above(LOG) == JOBS
    assert above(JOBS) == PIPELINES
    assert above(PIPELINES) == PROJECTS
    assert above(PROJECTS) is None


def test_escape_undoes_a_drill_down_step_by_step() -> None:
    """What was entered is left the same way."""
    trail = Trail(PROJECTS)
    for place in (PIPELINES, JOBS, LOG):
        trail.go(place)
    assert [trail.up(), trail.up(), trail.up(), trail.up()] == [JOBS, PIPELINES, PROJECTS, None]


def test_escape_from_a_pasted_log_goes_up_although_one_never_was_there() -> None:
    """An address opens deep; the way up is there all the same."""
    trail = Trail(LOG)
    assert trail.up() == JOBS
    assert trail.up() == PIPELINES
    assert trail.here == PIPELINES


def test_escape_returns_to_the_shallower_place_one_came_from() -> None:
    """A log opened from all jobs of a project goes back there, not to its pipeline's jobs."""
    trail = Trail(ALL_JOBS)
    trail.go(LOG)
    assert trail.up() == ALL_JOBS


def test_changing_areas_back_and_forth_does_not_trap_escape() -> None:
    """After 3, 2, 3, 2 the top is the top."""
    trail = Trail(PROJECTS)
    for place in (PIPELINES, PROJECTS, PIPELINES, PROJECTS):
        trail.go(place)
    assert trail.way_up() is None
    assert trail.up() is None


def test_history_goes_back_and_forward_and_is_cut_by_a_new_place() -> None:
    """Like a browser's."""
    trail = Trail(PROJECTS)
    trail.go(PIPELINES)
    trail.go(JOBS)
    assert trail.back() == PIPELINES
    assert trail.back() == PROJECTS
    assert trail.back() is None
    assert trail.forward() == PIPELINES
    trail.go(LOG)
    assert trail.forward() is None
    assert trail.back() == PIPELINES


def test_last_view_swaps_and_swaps_back() -> None:
    """Pressing it twice changes nothing."""
    trail = Trail(PROJECTS)
    assert trail.last() is None
    trail.go(LOG)
    assert trail.last() == PROJECTS
    assert trail.last() == LOG


def test_going_where_one_is_adds_nothing() -> None:
    """The same place twice is one step."""
    trail = Trail(PROJECTS)
    trail.go(PIPELINES)
    trail.go(PIPELINES)
    assert trail.back() == PROJECTS


def test_history_is_bounded() -> None:
    """A night of wandering does not grow without end."""
    trail = Trail(PROJECTS)
    for number in range(1000):
        trail.go(Place(View.PIPELINES, number))
    steps = 0
    while trail.back() is not None:
        steps += 1
    assert steps < 100


def test_from_a_comparison_esc_leads_to_the_log_it_is_of() -> None:
    """Whether one came from there or from an address; and from a line of it back to it."""
    compared = replace(LOG, view=View.COMPARE)
    trail = Trail(LOG)
    trail.go(compared)
    line = replace(LOG, line=7)
    trail.go(line)
    assert [trail.up(), trail.up()] == [compared, LOG]
    assert Trail(compared).up() == LOG


def test_the_home_screen_is_above_all_that_was_opened_from_it() -> None:
    """Projects too; where one did not come from it, they are the top."""
    trail = Trail(TRIAGE)
    trail.go(LOG)
    assert [trail.up(), trail.up()] == [TRIAGE, None]
    trail.go(PROJECTS)
    assert [trail.up(), trail.up()] == [TRIAGE, None]


def test_where_one_was_when_the_dashboard_was_left_lies_behind_the_start() -> None:
    """It is the last view, not a way up."""
    trail = Trail(TRIAGE, JOBS)
    assert (trail.here, trail.before, trail.way_up()) == (TRIAGE, JOBS, None)
    assert trail.last() == JOBS
    assert trail.up() == TRIAGE
    assert Trail(TRIAGE).before is None


def test_from_the_access_report_esc_leads_to_where_one_came_from() -> None:
    """Whichever of its lists one has turned to, from however deep; and from people to a group."""
    log = Place(View.LOG, "a/b", "b", 1, 2)
    trail = Trail(log)
    for view in (View.ACCESS, View.CHANGES, View.GROUPS):
        trail.go(Place(view))
    members = Place(View.MEMBERS, entry="group 7")
    trail.go(members)
    trail.go(Place(View.ACCESS))
    assert [trail.up(), trail.up(), trail.up()] == [members, Place(View.GROUPS), log]
    alone = Trail(Place(View.CHANGES))
    assert alone.up() == Place(View.PROJECTS)
