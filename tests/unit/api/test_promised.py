"""What a profile that keeps to the specification may ask for."""

from __future__ import annotations

import pytest

from platui.api.promised import check_promised
from platui.core.errors import NotFoundError

PROJECT = "projects/acme%2Fetl"


@pytest.mark.parametrize(
    ("method", "target"),
    [
        ("GET", "projects?membership=true&page=2"),
        ("POST", "projects"),
        ("GET", "namespaces?page=1&per_page=100"),
        ("POST", f"{PROJECT}/trigger/pipeline"),
        ("POST", f"{PROJECT}/pipeline?ref=main"),
        ("GET", f"{PROJECT}/pipelines"),
        ("GET", "projects/7/pipelines/41"),
        ("GET", "projects/7/pipelines/41/jobs?include_retried=true"),
        ("GET", "projects/7/jobs?scope[]=failed"),
        ("GET", "projects/7/jobs/9"),
        ("GET", "projects/7/jobs/9/trace"),
        ("GET", "projects/7/repository/files/dbt%2Fmodels%2Fa.sql?ref=main"),
        ("POST", f"{PROJECT}/pipeline_schedules"),
    ],
)
def test_every_operation_of_the_specification_goes(method: str, target: str) -> None:
    """Spec §4.3, line by line; what stands in a query is no operation of its own."""
    check_promised(method, target)


@pytest.mark.parametrize(
    ("method", "target"),
    [
        ("GET", PROJECT),
        ("GET", "user"),
        ("GET", "version"),
        ("GET", "namespaces/7"),
        ("GET", f"{PROJECT}/pipeline_schedules"),
        ("GET", "projects/7/pipelines/41/bridges"),
        ("GET", "projects/7/pipelines/41/variables"),
        ("GET", "projects/7/jobs/9/artifacts"),
        ("GET", "projects/7/repository/branches"),
        ("GET", "projects/7/repository/tree?path=a"),
        ("POST", "projects/7/jobs/9/retry"),
        ("POST", "projects/7/pipelines/41/cancel"),
        ("PUT", "projects/7/pipeline_schedules/3"),
        ("DELETE", "projects/7/pipeline_schedules/3"),
        ("GET", "projects/7/jobs/9/trace/"),
        ("GET", "projects/7/jobs/9/../../pipelines"),
        ("HEAD", "projects"),
    ],
)
def test_nothing_else_does(method: str, target: str) -> None:
    """The answer is that of a platform without it: every view knows what to do then."""
    with pytest.raises(NotFoundError) as raised:
        check_promised(method, target)
    assert raised.value.status == 404
    assert "neighbours" in raised.value.hint
