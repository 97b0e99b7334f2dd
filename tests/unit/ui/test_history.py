"""The way back, forward and up."""

from __future__ import annotations

from dataclasses import replace

from platui.models.values.routes import Route
from platui.ui.history import History, above

TRIAGE = Route("triage")
PROJECTS = Route("projects")
PIPELINES = Route("pipelines", 7, "etl")
JOBS = Route("jobs", 7, "etl", 41)
LOG = Route("log", 7, "etl", 41, 412, "dbt_run")
ALL_JOBS = Route("jobs", 7, "etl")


def test_each_level_knows_the_one_above() -> None:
    """Log, jobs, pipelines, projects."""
    assert above(LOG) == JOBS
    assert above(JOBS) == PIPELINES
    assert above(PIPELINES) == PROJECTS
    assert above(PROJECTS) is None


def test_escape_undoes_a_drill_down_step_by_step() -> None:
    """What was entered is left the same way."""
    history = History(PROJECTS)
    for route in (PIPELINES, JOBS, LOG):
        history.go(route)
    assert [history.up(), history.up(), history.up(), history.up()] == [
        JOBS,
        PIPELINES,
        PROJECTS,
        None,
    ]


def test_escape_from_a_pasted_log_goes_up_although_one_never_was_there() -> None:
    """An address opens deep; the way up is there all the same."""
    history = History(LOG)
    assert history.up() == JOBS
    assert history.up() == PIPELINES
    assert history.current == PIPELINES


def test_escape_returns_to_the_shallower_place_one_came_from() -> None:
    """A log opened from all jobs of a project goes back there, not to its pipeline's jobs."""
    history = History(ALL_JOBS)
    history.go(LOG)
    assert history.up() == ALL_JOBS


def test_changing_areas_back_and_forth_does_not_trap_escape() -> None:
    """After 3, 2, 3, 2 the top is the top."""
    history = History(PROJECTS)
    for route in (PIPELINES, PROJECTS, PIPELINES, PROJECTS):
        history.go(route)
    assert history.parent_route() is None
    assert history.up() is None


def test_history_goes_back_and_forward_and_is_cut_by_a_new_place() -> None:
    """Like a browser's."""
    history = History(PROJECTS)
    history.go(PIPELINES)
    history.go(JOBS)
    assert history.step(-1) == PIPELINES
    assert history.step(-1) == PROJECTS
    assert history.step(-1) is None
    assert history.step(1) == PIPELINES
    history.go(LOG)
    assert history.step(1) is None
    assert history.step(-1) == PIPELINES


def test_last_view_swaps_and_swaps_back() -> None:
    """Pressing it twice changes nothing."""
    history = History(PROJECTS)
    assert history.last() is None
    history.go(LOG)
    assert history.last() == PROJECTS
    assert history.last() == LOG


def test_going_where_one_is_adds_nothing() -> None:
    """The same place twice is one step."""
    history = History(PROJECTS)
    history.go(PIPELINES)
    history.go(PIPELINES)
    assert history.step(-1) == PROJECTS


def test_history_is_bounded() -> None:
    """A night of wandering does not grow without end."""
    history = History(PROJECTS)
    for number in range(1000):
        history.go(Route("pipelines", number))
    steps = 0
    while history.step(-1) is not None:
        steps += 1
    assert steps < 100


def test_from_a_comparison_esc_leads_to_the_log_it_is_of() -> None:
    """Whether one came from there or from an address; and from a line of it back to it."""
    compared = replace(LOG, view="compare")
    history = History(LOG)
    history.go(compared)
    line = replace(LOG, line=7)
    history.go(line)
    assert [history.up(), history.up()] == [compared, LOG]
    assert History(compared).up() == LOG


def test_the_home_screen_is_above_all_that_was_opened_from_it() -> None:
    """Projects too; where one did not come from it, they are the top."""
    history = History(TRIAGE)
    history.go(LOG)
    assert [history.up(), history.up()] == [TRIAGE, None]
    history.go(PROJECTS)
    assert [history.up(), history.up()] == [TRIAGE, None]


def test_where_one_was_when_the_dashboard_was_left_lies_behind_the_start() -> None:
    """It is the last view, not a way up."""
    history = History(TRIAGE, JOBS)
    assert (history.current, history.before, history.parent_route()) == (TRIAGE, JOBS, None)
    assert history.last() == JOBS
    assert history.up() == TRIAGE
    assert History(TRIAGE).before is None


def test_from_the_access_report_esc_leads_to_where_one_came_from() -> None:
    """Whichever of its lists one has turned to, from however deep; and from people to a group."""
    log = Route("log", "a/b", "b", 1, 2)
    history = History(log)
    for view in ("access", "changes", "groups"):
        history.go(Route(view))
    members = Route("members", entry="group 7")
    history.go(members)
    history.go(Route("access"))
    assert [history.up(), history.up(), history.up()] == [members, Route("groups"), log]
    alone = History(Route("changes"))
    assert alone.up() == Route("projects")


def test_escape_from_an_area_opened_in_a_log_returns_to_the_log() -> None:
    """Then the way up goes on from the log; `q` leaves at the top."""
    history = History(JOBS)
    for area in (PIPELINES, PROJECTS, TRIAGE, replace(JOBS, pipeline=42)):
        history.go(LOG)
        history.go(area)
        assert history.up() == LOG
        assert history.up() == JOBS
    history.go(LOG)
    history.go(TRIAGE)
    assert history.up(quits=True) is None
    history.go(PIPELINES)
    assert history.up(quits=True) == TRIAGE


def test_escape_from_a_project_opened_in_the_requests_returns_to_them() -> None:
    """Then on to where one came from."""
    history = History(PROJECTS)
    for route in (JOBS, Route("requests"), replace(PIPELINES, project=8)):
        history.go(route)
    assert [history.up(), history.up()] == [Route("requests"), JOBS]


def test_q_leaves_from_a_log_that_was_opened_first() -> None:
    """`esc` still goes up to its jobs."""
    assert History(LOG).up(quits=True) is None
    assert History(LOG).up() == JOBS
    history = History(JOBS)
    history.go(LOG)
    assert history.up(quits=True) == JOBS
