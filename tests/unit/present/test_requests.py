"""Requests as rows."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from platui.models.values.connection import RequestRecord, Urgency
from platui.present.tables.requests import REQUESTS
from platui.present.tables.spec import Context

_AT = Context(datetime(2026, 11, 22, 4, tzinfo=UTC), utc=True)
_PATH = "projects/acme%2Fplatform%2Fshared%2Freference-data/pipelines/389292818/jobs?page=1"


def _record(path: str, status: int | None = 200) -> RequestRecord:
    return RequestRecord(
        number=1, at=datetime(2026, 11, 22, 3, 12, tzinfo=UTC), method="GET", path=path,
        status=status, milliseconds=4, source="live", received=2, urgency=Urgency.USER,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        (_PATH, "pipelines/389292818/jobs?page=1  reference-data"),
        ("projects/110/jobs/4/trace", "jobs/4/trace  110"),
        ("projects/acme%2Fetl", "projects/acme%2Fetl"),
        ("projects?page=2&per_page=100", "projects?page=2&per_page=100"),
        ("groups/acme/projects", "groups/acme/projects"),
    ],
)
def test_what_was_asked_comes_before_its_project(path: str, shown: str) -> None:
    """Long paths of projects made all lines look alike where they were cut."""
    row = REQUESTS.row(_record(path), _AT)
    assert row.cells[2].text == shown
    assert path.lower() in row.search


@pytest.mark.parametrize(
    ("status", "failed"), [(200, False), (304, False), (404, True), (429, True), (None, True)]
)
def test_what_failed_is_found_as_failed(status: int | None, *, failed: bool) -> None:
    """`F` filters for that word."""
    row = REQUESTS.row(_record(_PATH, status), _AT)
    assert ("failed" in row.search) is failed
