"""What is said of one thing, also where the platform says little of it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from platui.models.wire import Job
from platui.present.details.jobs import job_details
from platui.present.tables.spec import Context

AT = Context(datetime(2026, 3, 14, 3, 0, tzinfo=UTC), utc=True)


@pytest.mark.parametrize(
    ("artifact", "said"),
    [
        ({"filename": "docs.zip", "size": 12345}, ["docs.zip · 12.3 kB (12,345 bytes)"]),
        ({"file_type": "trace", "size": 0}, ["trace · 0 bytes"]),
        ({"file_type": "trace"}, ["trace"]),
        ({"filename": "docs.zip", "size": "many"}, ["docs.zip"]),
        ({}, []),
    ],
)
def test_an_artifact_is_listed_by_what_is_known_of_it(
    artifact: dict[str, object], said: list[str]
) -> None:
    """Its size, and even its name, may be missing."""
    job = Job.model_validate({"id": 1, "name": "docs", "artifacts": [artifact]})
    fields = job_details(job, AT).fields
    assert [field.value.text for field in fields if field.label == "file"] == said


def test_a_job_of_an_id_alone_has_details() -> None:
    """Everything beyond the id is optional, and what is not known has no line."""
    details = job_details(Job.model_validate({"id": 7}), AT)
    assert [(field.label, field.value.text) for field in details.fields] == [("id", "7")]
