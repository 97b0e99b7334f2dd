"""Requests of the emulator's journal, summed."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.bench.requests import Sent, kind, table


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("/api/v4/projects?per_page=100", "projects"),
        ("/api/v4/projects/12/pipelines?per_page=1", "pipelines"),
        ("/api/v4/projects/acme%2Fa%2Fb/pipelines/34/jobs", "pipelines/:id/jobs"),
        ("/api/v4/projects/12/jobs/7/trace", "jobs/:id/trace"),
        ("/api/v4/projects/12/repository/commits/" + "ab" * 20, "repository/commits/:id"),
        ("/api/v4/projects/12", "projects/:id"),
        ("/admin/api/v1/reporting/report", "reporting/report"),
    ],
)
def test_a_kind_is_a_path_without_ids(path: str, told: str) -> None:
    """Requests of one kind are counted together."""
    assert kind(path) == told


def test_requests_are_counted_by_kind_and_answer() -> None:
    """A response without change has no body."""
    path = "/api/v4/projects/{}/pipelines"
    sent = Sent.of(
        [
            {"path": path.format(1), "status": 200, "size": 900},
            {"path": path.format(2), "status": 304, "size": 0},
            {"path": "/api/v4/user", "status": 200, "size": 100},
        ]
    )
    assert sent == Sent(Counter(pipelines=2, user=1), unchanged=1, size=1000)


def test_a_kind_that_one_turn_lacks_is_none_there() -> None:
    """Each turn counts in each figure."""
    turns = [Sent.of([{"path": "/api/v4/user", "status": 200, "size": 1}]), Sent()]
    figures = {figure.name: figure.ours for figure in table("step", turns).figures}
    assert figures == {
        "all": [1, 0],
        "with something new": [1, 0],
        "  user": [1, 0],
        "responses": [0.001, 0.0],
    }
