"""What the text after `:` opens."""

from __future__ import annotations

import pytest
from tests.fuzz.bounds import in_time

from platui.models.values.known import Kind, known
from platui.models.values.routes import Route
from platui.present.jump import Index, indexed
from platui.ui.jump import (
    MEMBERS,
    Hit,
    exact,
    projects_named,
    read_number,
    searched_words,
    suggest,
)
from platui.ui.known_index import uses_of, visited_objects
from platui.ui.typed_commands import command_helps

CORE = "acme/platform/etl-core"
PROJECT = ("project", "etl-core", "acme/platform")
GROUP = ("group", "shared", "acme")
JOB = ("job", "load", f"{CORE}#412")
LOG = Route("log", 1, CORE, 4711, 412, "load")
SHARED = Route("projects", group="acme/shared")
ODD = "\ufffd[$x]"


def index() -> Index:
    return indexed(
        (
            known(Kind.PROJECT, 1, "etl-core", CORE, project=1),
            known(Kind.PROJECT, 2, "\ufffd[$x]", "\ufffd[$x]/a b", project=2),
            known(Kind.GROUP, 9, "shared", "acme/shared"),
            known(Kind.PIPELINE, 4711, "#4711", CORE, project=1, status="failed"),
            known(Kind.JOB, 412, "load", CORE, project=1, pipeline=4711),
            known(Kind.SCHEDULE, 7, "Nightly run", CORE, project=1),
            known(Kind.REPORT, "2026-03-01T00", "Access report 1 Mar"),
        ),
        {},
        lambda _: False,
    )


def hits(typed: str, view: str = "pipelines") -> list[Hit]:
    return suggest(typed, index(), command_helps(), view)


@pytest.mark.parametrize(
    ("typed", "row", "route", "tab"),
    [
        ("core", PROJECT, Route("pipelines", 1, CORE), CORE),
        ("shared", GROUP, SHARED, "acme/shared"),
        ("#4711", ("pipeline", "#4711", CORE), Route("jobs", 1, CORE, 4711), f"{CORE}#4711"),
        (
            "load",
            JOB,
            LOG,
            f"job {CORE} 412",
        ),
        (
            "nightly",
            ("schedule", "Nightly run", CORE),
            Route("schedules", 1, CORE, schedule=7),
            CORE,
        ),
        (
            "1 mar",
            ("report", "Access report 1 Mar", ""),
            Route("access", report="2026-03-01T00"),
            "Access report 1 Mar",
        ),
        ("[$x]", ("project", ODD, ODD), Route("pipelines", 2, f"{ODD}/a b"), "pipelines 2"),
        (CORE, PROJECT, Route("pipelines", CORE, CORE), CORE),
        ("platform/etl-core", PROJECT, Route("pipelines", 1, CORE), CORE),
        (
            "acme/etl",
            ("path", "acme/etl", "as typed"),
            Route("pipelines", "acme/etl", "acme/etl"),
            "acme/etl",
        ),
        ("jobs core", PROJECT, Route("jobs", 1, CORE), f"jobs {CORE} "),
        ("jobs core /x", PROJECT, Route("jobs", 1, CORE), f"jobs {CORE} "),
        ("sc core", PROJECT, Route("schedules", 1, CORE), f"sc {CORE} "),
        ("job load", JOB, LOG, f"job {CORE} 412"),
        ("access core", PROJECT, Route(MEMBERS, entry="project 1"), f"access {CORE} "),
        (
            "access acme/platform/etl",
            PROJECT,
            Route(MEMBERS, entry="project 1"),
            f"access {CORE} ",
        ),
        ("projects shar", GROUP, SHARED, "projects acme/shared "),
        ("projects acme/sh", GROUP, SHARED, "projects acme/shared "),
    ],
)
def test_the_first_hit_is_what_enter_opens(
    typed: str, row: tuple[str, str, str], route: Route, tab: str
) -> None:
    """Names, numbers, paths and arguments; `tab` completes the text."""
    first = hits(typed)[0]
    assert first[:3] == row
    assert (first.route, first.completion) == (route, tab)
    assert first.filter == ("x" if typed.endswith("/x") else "")


@pytest.mark.parametrize(
    ("typed", "command"),
    [
        ("sch", "schedules"),
        ("jobs", "jobs"),
        ("q", "q"),
        ("jobs /dbt", "jobs /dbt"),
        ("jobs acme/etl", "jobs acme/etl"),
        ("jobs acme/etl #41", "jobs acme/etl #41"),
        ("jobs 999", "jobs 999"),
        ("theme platui-light", "theme platui-light"),
        ("watch core", f"watch {CORE}"),
        ("watch nosuch", "watch nosuch"),
        (f"jobs {CORE}", f"jobs {CORE}"),
        ("4712", "4712"),
        ("acme/etl#5", "acme/etl#5"),
    ],
)
def test_a_command_runs_as_it_would_alone(typed: str, command: str) -> None:
    """Completed where its beginning was typed; with the path of the object found."""
    assert hits(typed)[0].command == command


def test_a_number_that_is_in_the_view_goes_there() -> None:
    """A line comes before a job of this number; a long number is that of a pipeline or job."""
    ids = (412, 9_990_000_777)
    entries = [known(Kind.PIPELINE, id_, f"#{id_}", CORE, project=1) for id_ in ids]

    def kinds(typed: str, *, is_here: bool) -> list[str]:
        found = suggest(typed, Index(entries), {}, "pipelines", is_here=is_here)
        return [hit.kind for hit in found]

    assert kinds("412", is_here=True) == ["here", "pipeline"]
    assert kinds("412", is_here=False) == ["pipeline"]
    assert kinds("9990000777", is_here=True) == ["pipeline", "here"]
    assert kinds("413", is_here=True) == ["here"]
    assert kinds("413", is_here=False) == ["number"]


def test_a_project_that_a_number_finds_opens_in_the_view_of_others() -> None:
    """Its route had no view, and ended the dashboard."""
    project = next(hit for hit in hits("1") if hit.kind == "project")
    assert project.route == Route("pipelines", 1, CORE)
    member = next(hit for hit in hits("1", MEMBERS) if hit.kind == "project")
    assert member.route == Route(MEMBERS, entry="project 1")


@pytest.mark.parametrize(
    "typed", ["jobs nosuch", "access acme/nosuch", "nosuch", "piplines", "https://p.example/a/b"]
)
def test_what_finds_nothing_has_no_hits(typed: str) -> None:
    """Nor does a slip in a command open an object that resembles it, or a URL."""
    assert hits(typed) == []


def test_in_the_access_report_places_open_their_members() -> None:
    """A path that is not known opens as elsewhere."""
    assert hits("core", MEMBERS)[0].route == Route(MEMBERS, entry="project 1")
    assert hits("shared", MEMBERS)[0].route == Route(MEMBERS, entry="group 9")
    unknown = hits("acme/etl", MEMBERS)[0].route
    assert unknown is not None
    assert unknown.view == "pipelines"


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("treas", "treas"),
        ("jobs treas /failed", "treas"),
        ("acme/treas", "treas"),
        ("a treasury", "treasury"),
        ("4711", ""),
        ("acme/etl#4711", ""),
        ("https://p.example/a", ""),
        ("job load", ""),
    ],
)
def test_the_platform_is_searched_for_names(typed: str, words: str) -> None:
    """It finds projects and groups by words; numbers are looked up instead."""
    assert searched_words(typed) == words


@pytest.mark.parametrize(
    ("typed", "known_route"),
    [("4711", 4711), ("#412", 412), ("etl-core#4711", 4711), ("other#4711", None), ("9", None)],
)
def test_a_known_number_needs_no_request(typed: str, known_route: int | None) -> None:
    """Of any project, or of the one before the number."""
    number = read_number(typed)
    assert number is not None
    route = exact(index(), number)
    assert (None if route is None else route.job or route.pipeline) == known_route


@pytest.mark.parametrize(
    ("name", "projects"), [("etl-core", [1]), ("platform/etl-core", [1]), ("etl", []), ("a/x", [])]
)
def test_a_project_is_named_by_its_path_or_the_end_of_it(name: str, projects: list[int]) -> None:
    """A part of its name is not enough: a number belongs to one project."""
    assert [one.project for one in projects_named(index(), name)] == projects


def test_visited_routes_are_used_objects() -> None:
    """Also when no cache has them; the newest ranks first."""
    routes = (Route("log", 1, CORE, 4711, 412, "load"), Route("pipelines", "acme/x", "acme/x"))
    uses = uses_of(routes)
    assert uses[Kind.PROJECT, 1] == uses[Kind.PROJECT, CORE] == uses[Kind.JOB, 412] == 0
    assert uses[Kind.PROJECT, "acme/x"] == 1
    assert [one.name for one in visited_objects(routes)] == ["etl-core", "#4711", "load", "x"]


def test_long_texts_do_not_make_each_key_slow() -> None:
    """As of a platform whose branches and stages have names of many kilobytes."""
    long = "ä\u0301" * 50_000
    found = [
        known(Kind.JOB, number, f"load {long}", f"{long}/etl", project=1, status=long, other=long)
        for number in range(1_000)
    ]
    entries = indexed(found, {}, lambda _: False)
    with in_time(0.1):
        assert suggest("nosuch", entries, {}, "pipelines") == []
    assert suggest("load etl", entries, {}, "pipelines")
