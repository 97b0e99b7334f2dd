"""Paths are encoded in one place, and each endpoint tells whether the specification has it."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.specification import is_specified

from platui.api import endpoints
from platui.api.endpoint import Endpoint, ListEndpoint, StreamEndpoint, segment
from platui.api.endpoints import paths
from platui.api.write import Write
from platui.core.secrets import Secret
from platui.models.values.queries import JobsQuery, PipelinesQuery, ProjectsQuery
from platui.models.values.writes import (
    NewPipeline,
    NewProject,
    NewSchedule,
    RecordAction,
    ScheduleChange,
    ScheduleVariable,
    WriteAction,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

ARGUMENTS: Mapping[str, Any] = {
    "ProjectsQuery": ProjectsQuery(),
    "PipelinesQuery": PipelinesQuery(7),
    "JobsQuery": JobsQuery(7, 41),
    "NewProject": NewProject("sales"),
    "NewPipeline": NewPipeline(7, "main"),
    "NewSchedule": NewSchedule(7, "nightly", "main", "0 1 * * *"),
    "ScheduleChange": ScheduleChange(7, 3, active=False),
    "ScheduleVariable": ScheduleVariable(7, 3, "REGION", "eu"),
    "RecordAction": RecordAction(WriteAction.RETRY_JOB, 7, 3),
    "Secret": Secret("planted"),
    "ProjectRef": "acme/etl",
    "int": 41,
    "int | str": 7,
    "str": "dbt/models/a.sql",
}
"""An argument for each kind of parameter, by its annotation."""


def every_endpoint() -> list[Any]:
    """Return what each function of the endpoint modules makes."""
    found = []
    for feature in endpoints.__all__:
        module = getattr(endpoints, feature)
        for name, function in inspect.getmembers(module, inspect.isfunction):
            if name.startswith("_") or name == "path" or function.__module__ != module.__name__:
                continue
            wanted = inspect.signature(function).parameters.values()
            given_ = [ARGUMENTS[one.annotation] for one in wanted if one.default is one.empty]
            found.append(pytest.param(function(*given_), id=f"{feature}.{name}"))
    return [*found, pytest.param(endpoints.jobs.jobs(JobsQuery(7)), id="jobs.jobs of a project")]


@pytest.mark.parametrize("endpoint", every_endpoint())
def test_what_the_specification_lacks_is_optional(
    endpoint: Endpoint[Any] | ListEndpoint[Any] | StreamEndpoint | Write[Any],
) -> None:
    """Spec §4.3: a profile may ask for nothing else."""
    method = endpoint.method if isinstance(endpoint, Write) else "GET"
    assert endpoint.optional is not is_specified(method, endpoint.path)
    if isinstance(endpoint, ListEndpoint):
        assert endpoint.page().optional is endpoint.optional
        assert endpoint.page(2).target.endswith("page=2&per_page=100")


def test_a_path_is_one_segment() -> None:
    """Spec §4.1: slashes are encoded; an id stays an id."""
    path = paths.project
    assert path("group/sub group/name") == "projects/group%2Fsub%20group%2Fname"
    assert path(42) == "projects/42"
    file = endpoints.files.file(1, "a/b-ci.yml", "main")
    assert file.path == "projects/1/repository/files/a%2Fb-ci.yml"
    assert endpoints.jobs.log(1, 2).path == "projects/1/jobs/2/trace"


def test_dots_do_not_climb() -> None:
    """A file called `..` must not name another resource."""
    url = httpx.URL("https://host/api/v4/" + endpoints.files.file(1, "..", "main").path)
    assert url.raw_path == b"/api/v4/projects/1/repository/files/%2E%2E"


@given(st.text(min_size=1))
def test_no_name_leaves_its_segment(name: str) -> None:
    """Whatever a project or file is called, it is one segment, and readable again."""
    one = segment(name)
    assert one.isascii()
    assert not set(one) & set("/?#&;= ")
    expected = name.encode("utf-8", "replace").decode()
    assert unquote(one) == expected
    sent = httpx.URL(f"https://host/api/v4/projects/{one}/jobs").raw_path.decode()
    assert sent == f"/api/v4/projects/{one}/jobs"


def test_half_a_character_is_searched_as_a_question_mark() -> None:
    """As an argument that is no UTF-8 has it; nothing has such a name."""
    found = endpoints.projects.projects(ProjectsQuery("a\udcff")).page(1)
    assert "search=a%3F" in found.target
