"""A pasted address becomes a place, or nothing at all."""

from __future__ import annotations

import pytest

from platui.models.values.routes import Route
from platui.ui.addresses import route_and_filter, route_of

BASE = "https://data.example.com"
NESTED = "https://example.com:8443/platform"


@pytest.mark.parametrize(
    ("address", "route"),
    [
        ("/acme/etl", Route("pipelines", "acme/etl", "acme/etl")),
        ("/acme/data/etl/", Route("pipelines", "acme/data/etl", "acme/data/etl")),
        ("/acme/etl/-/pipelines", Route("pipelines", "acme/etl", "acme/etl")),
        ("/acme/etl/-/pipelines/7", Route("jobs", "acme/etl", "acme/etl", pipeline=7)),
        ("/acme/etl/-/pipelines/7/failures", Route("jobs", "acme/etl", "acme/etl", pipeline=7)),
        ("/acme/etl/-/pipelines/charts", Route("pipelines", "acme/etl", "acme/etl")),
        ("/acme/etl/pipelines/7", Route("jobs", "acme/etl", "acme/etl", pipeline=7)),
        ("/acme/jobs/pipelines/7", Route("jobs", "acme/jobs", "acme/jobs", pipeline=7)),
        ("/acme/etl/-/pipeline_schedules", Route("schedules", "acme/etl", "acme/etl")),
        ("/acme/etl/-/pipeline_schedules/7/edit", Route("schedules", "acme/etl", "acme/etl")),
        ("/acme/etl/-/jobs", Route("jobs", "acme/etl", "acme/etl")),
        ("/acme/etl/-/jobs/9#L120", Route("log", "acme/etl", "acme/etl", job=9, line=119)),
        ("/acme/etl/-/jobs/9#L1-L8", Route("log", "acme/etl", "acme/etl", job=9, line=0)),
        ("/acme/etl/jobs/9/raw#L2", Route("log", "acme/etl", "acme/etl", job=9, line=1)),
        ("/acme/etl/-/jobs/9#L0", Route("log", "acme/etl", "acme/etl", job=9)),
        ("/acme/etl/-/jobs/9#line-7", Route("log", "acme/etl", "acme/etl", job=9)),
        ("/acme/etl/-/jobs#L7", Route("jobs", "acme/etl", "acme/etl")),
        ("/acme/etl/-/pipelines/7#L7", Route("jobs", "acme/etl", "acme/etl", pipeline=7)),
        ("/acme/etl/-/jobs/9/raw?x=1", Route("log", "acme/etl", "acme/etl", job=9)),
        ("/acme/etl/jobs/9", Route("log", "acme/etl", "acme/etl", job=9)),
        ("/acme/etl/-/settings/ci_cd", Route("pipelines", "acme/etl", "acme/etl")),
        (
            "/acme/etl/-/blob/main/ci/full-ci.yml#L12",
            Route("file", "acme/etl", "acme/etl", path="ci/full-ci.yml", ref="main", line=11),
        ),
        (
            "/acme/etl/-/raw/fix%2Fone/a%20b.sql?inline=false",
            Route("file", "acme/etl", "acme/etl", path="a b.sql", ref="fix/one"),
        ),
        (
            "/acme/etl/-/blame/HEAD/x.py",
            Route("file", "acme/etl", "acme/etl", path="x.py"),
        ),
        (
            "/acme/etl/-/compare/v1.4...main",
            Route("commits", "acme/etl", "acme/etl", ref="v1.4...main"),
        ),
        (
            "/acme/etl/-/compare/fix/one...fix%2Ftwo/three?from_project_id=7",
            Route("commits", "acme/etl", "acme/etl", ref="fix/one...fix/two/three"),
        ),
        ("/acme/etl/-/blob/main", Route("pipelines", "acme/etl", "acme/etl")),
        ("/acme/etl/-/blob/main/a/../b", None),
        ("/acme/etl/-/blob/main/a%1b[31m", None),
        (
            "/api/v4/projects/12/repository/files/ci%2Ffull.yml/raw?ref=main",
            Route("file", 12, path="ci/full.yml", ref="main"),
        ),
        ("/api/v4/projects/12/pipelines/7", Route("jobs", 12, pipeline=7)),
        ("/api/v4/projects/12/jobs/9/trace", Route("log", 12, job=9)),
        ("/api/v4/projects/acme%2Fetl", Route("pipelines", "acme/etl", "acme/etl")),
    ],
)
@pytest.mark.parametrize("base", [BASE, NESTED, NESTED + "/api/v4"])
def test_an_address_of_the_platform_names_a_place(
    base: str, address: str, route: Route | None
) -> None:
    """Pages of projects, pipelines, jobs and files, old and new form, and the API's paths."""
    assert route_of(base.removesuffix("/api/v4") + address, base) == route


@pytest.mark.parametrize(
    "address",
    [
        "https://data.example.com",
        "https://data.example.com/acme",
        "https://data.example.com/groups/acme/-/members",
        "https://data.example.com/users/sign_in",
        "https://data.example.com/-/profile",
        "http://data.example.com/acme/etl",
        "https://data.example.com:444/acme/etl",
        "https://data.example.com@evil.example/acme/etl",
        "https://evil.example/acme/etl",
        "https://data.example.com/acme/../etl",
        "https://data.example.com/acme/%1b[31m",
        "https://data.example.com/acme/et l",
        "https://data.example.com/api/v4/projects/..%2Fetl",
        "https://data.example.com/api/v4/projects/",
        "https://data.example.com:99999/acme/etl",
        "https://[oops/acme/etl",
        "ftp://data.example.com/acme/etl",
        "acme/etl",
        "",
    ],
)
def test_what_is_not_this_platforms_is_nothing(address: str) -> None:
    """Other origins, other pages, and text that only looks like an address."""
    assert route_of(address, BASE) is None


@pytest.mark.parametrize(
    ("address", "view", "words"),
    [
        ("/acme", "projects", "acme"),
        ("/groups/acme/finance", "projects", "acme/finance"),
        ("/groups/acme/finance/-/group_members", "projects", "acme/finance"),
        ("/acme/etl/-/commit/8f2c1ab09d", "pipelines", "8f2c1ab0"),
        ("/acme/etl/-/commits/main", "pipelines", "main"),
        ("/acme/etl/-/tree/fix%2Fone/models", "pipelines", "fix/one"),
        ("/acme/etl/-/pipelines?ref=main&status=failed&page=2", "pipelines", "main failed"),
        ("/acme/etl/-/pipelines?ref=a%20b", "pipelines", ""),
        ("/acme/etl/-/pipelines?ref=!main", "pipelines", ""),
        ("/acme/etl/-/pipelines/7?ref=main", "jobs", ""),
        ("/acme/etl/-/jobs/9", "log", ""),
        ("/acme/etl", "pipelines", ""),
    ],
)
@pytest.mark.parametrize("base", [BASE, NESTED])
def test_what_a_page_is_narrowed_to_is_filtered_by(
    base: str, address: str, view: str, words: str
) -> None:
    """A group is the projects in it, a commit its pipelines."""
    found = route_and_filter(base + address, base)
    assert found is not None
    assert (found[0].view, found[1]) == (view, words)


@pytest.mark.parametrize(
    "address", ["", "/", "/explore", "/users/sign_in", "/-/profile", "/groups/", "/groups/a%1b"]
)
def test_a_page_of_the_platform_itself_is_no_group(address: str) -> None:
    """Nor is one of another origin."""
    assert route_and_filter(BASE + address, BASE) is None
    assert route_and_filter("https://evil.example/acme", BASE) is None


def test_the_usual_port_may_be_written_or_left_out() -> None:
    """An origin is the same with its default port."""
    assert route_of("https://data.example.com:443/acme/etl", BASE) is not None


def test_a_prefix_of_the_platform_belongs_to_no_project() -> None:
    """Under a path prefix, addresses beside it are not the platform's."""
    assert route_of("https://example.com:8443/acme/etl", NESTED) is None
