"""A view as a line that opens it again."""

from __future__ import annotations

import shlex
from dataclasses import fields, replace
from pathlib import Path

import pytest

from platui.config.profile import Profile
from platui.models.values.routes import Route
from platui.ui.route_lines import by_path, missing_words, opening, read_route, route_line
from platui.ui.typed_commands import is_exact
from platui.ui.views import all_views

PROJECT = "acme/etl"

LINES = [
    (Route("triage"), "etl main", ":triage /etl main"),
    (Route("projects"), "", ":projects"),
    (Route("pipelines", PROJECT, PROJECT), "failed !main", ":pipelines acme/etl /failed !main"),
    (Route("projects", group="acme/bi"), "etl", ":projects group=acme/bi /etl"),
    (Route("pipelines", 17, sort="-took"), "", ":pipelines 17 sort=-took"),
    (Route("jobs", PROJECT, PROJECT, 4711), "dbt", ":jobs acme/etl #4711 /dbt"),
    (Route("jobs", PROJECT, PROJECT), "", ":jobs acme/etl"),
    (
        Route("log", PROJECT, PROJECT, 4711, 412, line=119, search="a b=%", is_regex=True),
        "",
        ":log acme/etl #4711 job=412 line=120 search=a%20b%3D%25 regex=yes",
    ),
    (Route("log", PROJECT, PROJECT, job=412), "", ":log acme/etl job=412"),
    (Route("compare", PROJECT, PROJECT, 4711, 412), "", ":compare acme/etl #4711 job=412"),
    (Route("many", PROJECT, PROJECT, 4711), "", ":many acme/etl #4711"),
    (
        Route("search", PROJECT, PROJECT, 4711, search="out of /memory"),
        "",
        ":search acme/etl #4711 search=out%20of%20/memory",
    ),
    (Route("tests", PROJECT, PROJECT, 4711), "", ":tests acme/etl #4711"),
    (
        Route("test", PROJECT, PROJECT, 4711, path="dbt_test › unique_id"),
        "",
        ":test acme/etl #4711 path=dbt_test%20%E2%80%BA%20unique_id",
    ),
    (Route("artifacts", PROJECT, PROJECT, 4711, 412), "", ":artifacts acme/etl #4711 job=412"),
    (
        Route("artifact", PROJECT, PROJECT, job=412, path="logs/dbt.log"),
        "",
        ":artifact acme/etl job=412 path=logs/dbt.log",
    ),
    (Route("since", PROJECT, PROJECT, 4711), "dbt", ":since acme/etl #4711 /dbt"),
    (
        Route("file", PROJECT, PROJECT, path="ci/a b.yml", ref="fix/one"),
        "",
        ":file acme/etl path=ci/a%20b.yml ref=fix/one",
    ),
    (Route("file", PROJECT, PROJECT, 4711), "", ":file acme/etl #4711 path="),
    (
        Route("commits", PROJECT, PROJECT, 4711, ref="a1...fix/one"),
        "",
        ":commits acme/etl #4711 ref=a1...fix/one",
    ),
    (
        Route("diff", PROJECT, PROJECT, path="a b.sql", ref="a1...b2"),
        "",
        ":diff acme/etl path=a%20b.sql ref=a1...b2",
    ),
    (Route("schedules", PROJECT, PROJECT, schedule=9), "", ":schedules acme/etl schedule=9"),
    (Route("access"), "level:owner -state:active", ":access /level:owner -state:active"),
    (Route("groups", report="r1"), "user:jane", ":groups report=r1 /user:jane"),
    (Route("changes"), "", ":changes"),
    (Route("person", entry="person 2002"), "acme", ":person entry=person:2002 /acme"),
    (Route("members", entry="group 12"), "", ":members entry=group:12"),
    (Route("run", PROJECT, PROJECT, triggered=True), "", ":run acme/etl ref= triggered=yes"),
    (Route("requests"), "429", ":requests /429"),
]


@pytest.mark.parametrize(("route", "words", "line"), LINES, ids=[line for _, _, line in LINES])
def test_a_line_opens_the_place_that_it_was_made_of(route: Route, words: str, line: str) -> None:
    """Of every view, with all that a place has but names."""
    assert route_line(route, words) == line
    assert read_route(line) == (route, words)


def test_every_view_and_every_field_is_in_a_line() -> None:
    """A field that is added is told too."""
    assert {route.view for route, _, _ in LINES} == {view.id for view in all_views()}
    usual = Route()
    told = {
        field.name
        for field in fields(Route)
        for route, _, _ in LINES
        if getattr(route, field.name) != getattr(usual, field.name)
    }
    assert told == {field.name for field in fields(Route)} - {"job_name"}


@pytest.mark.parametrize(
    "line",
    [
        "",
        ":",
        ":nonsense",
        ":pipelines",
        ":pipelines etl",
        ":pipelines a/b c/d",
        ":jobs a/b #x",
        ":log a/b",
        ":log a/b job=x",
        ":log a/b job=1 line=0",
        ":log a/b job=" + "9" * 30,
        ":many a/b",
        ":person",
        ":triage a/b",
        ":file a/b path=%1b[31m",
        ":cancel a/b #7",
    ],
)
def test_what_opens_no_view_is_nothing(line: str) -> None:
    """A view that lacks what it shows, a name that is no path, and verbs."""
    assert read_route(line) is None


@pytest.mark.parametrize(
    ("line", "exact"),
    [
        ("pipelines acme/etl /a=b", False),
        ("file models/x.sql @main", False),
        ("file acme/etl path=x", True),
        ("compare", False),
        ("compare acme/etl job=4", True),
        ("run", False),
        ("log acme/etl job=4", True),
        ("log", True),
        ("", False),
    ],
)
def test_what_people_type_by_hand_is_read_as_ever(line: str, *, exact: bool) -> None:
    """Only a line that names fields, or a view that no verb is called like, is one of these."""
    assert is_exact(line) is exact


def test_the_command_names_the_profile_and_no_shell_runs_a_word_of_it() -> None:
    """A profile that was made of an address has no name to be called by."""
    profile = Profile("prod", "https://platform.example.com")
    command = opening(profile, route_line(Route("pipelines", PROJECT, PROJECT), "$(reboot) 'x'"))
    assert shlex.split(command) == [
        "platui", "--profile", "prod", ":pipelines acme/etl /$(reboot) 'x'",
    ]  # fmt: skip
    other = replace(profile, config_file=Path("/etc/a b.toml"))
    assert opening(other, ":jobs") == "platui --config '/etc/a b.toml' --profile prod :jobs"
    bare = replace(profile, ephemeral=True)
    assert (
        opening(bare, route_line(Route())) == "platui --url https://platform.example.com :projects"
    )


@pytest.mark.parametrize(
    ("project", "name", "told"),
    [
        (17, "acme/etl", "acme/etl"),
        (17, "etl", 17),
        (17, "acme/etl; rm", 17),
        (17, "acme/../etl", 17),
        ("acme/etl", "etl", "acme/etl"),
    ],
)
def test_a_project_is_told_by_its_path(project: int | str, name: str, told: int | str) -> None:
    """Where that is known, and can be one: an id says nothing to people."""
    assert by_path(Route("pipelines", project, name)).project == told


@pytest.mark.parametrize(
    "address",
    [
        "https://platform.example.org/data/shop/-/pipelines/7",
        "https://platform.example.org/a;touch${IFS}owned",
        "https://platform.example.org/$(id)/`id`",
        "https://platform.example.org/it's & more",
    ],
)
def test_a_shell_takes_an_address_as_one_word(address: str) -> None:
    """The address is the platform's text: no part of it may run; the profile is named with it."""
    command = opening(Profile("prod", "https://platform.example.org"), address)
    assert shlex.split(command) == ["platui", "--profile", "prod", address]


@pytest.mark.parametrize(
    ("line", "needed"),
    [
        (":jobs", "the full path of a project"),
        ("jobs etl", "the full path of a project"),
        (":tests acme/etl", "the full path of a project, #PIPELINE"),
        (":log acme/etl", "the full path of a project, job=…"),
    ],
)
def test_a_known_view_is_not_called_unknown(line: str, needed: str) -> None:
    """It tells what is missing."""
    assert missing_words(line).endswith(f" needs {needed}.")
    assert missing_words(":nosuch acme/etl") == ""
    assert missing_words(":requests foo").endswith(" :requests does not take these words.")
