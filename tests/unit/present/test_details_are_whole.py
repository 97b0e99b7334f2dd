"""Every field of the spec that a record has is in its detail pane (spec §2.2 to §2.5, §2.7)."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from platui.models.wire import Job, Namespace, Pipeline, Project
from platui.present.details.jobs import job_details
from platui.present.details.pipelines import pipeline_details
from platui.present.details.projects import namespace_details, project_details
from platui.present.tables.spec import Context

if TYPE_CHECKING:
    from collections.abc import Iterator

    from platui.present.details.layout import Details

NOW: Final = datetime(2026, 3, 14, 3, 12, tzinfo=UTC)
AT: Final = Context(NOW, utc=True)

FIELDS: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "2.2": {
        "summary": ("id", "sha", "ref", "status", "created_at", "updated_at", "web_url"),
        "detail": (
            "before_sha", "tag", "yaml_errors", "user", "started_at", "finished_at",
            "committed_at", "duration", "coverage", "detailed_status",
        ),
        "detailed_status": (
            "icon", "text", "label", "group", "tooltip", "has_details", "details_path",
            "illustration", "favicon",
        ),
    },
    "2.3": {
        "job": (
            "id", "status", "stage", "name", "ref", "tag", "coverage", "allow_failure",
            "created_at", "started_at", "finished_at", "duration", "user", "commit", "pipeline",
            "web_url", "artifacts", "runner", "artifacts_expire_at",
        ),
        "artifacts": ("file_type", "size", "filename", "file_format"),
        "runner": (
            "id", "description", "ip_address", "active", "is_shared", "name", "online", "status",
        ),
    },
    "2.4": {
        "always": ("id", "name", "username", "state", "avatar_url", "web_url"),
        "in jobs": (
            "created_at", "bio", "bio_html", "location", "public_email", "skype", "linkedin",
            "twitter", "website_url", "organization", "job_title", "work_information",
        ),
    },
    "2.5": {
        "commit": (
            "id", "short_id", "title", "message", "author_name", "author_email",
            "committer_name", "committer_email", "web_url", "created_at", "authored_date",
            "committed_date", "parent_ids",
        ),
    },
    "2.7": {"project": ("id", "description", "name"), "namespace": ("id", "name", "path", "kind")},
}  # fmt: skip
"""Section -> record -> its fields."""

USER: Final = {
    "id": 71001, "name": "Uma User", "username": "uma.handle", "state": "blocked-state",
    "avatar_url": "https://x.test/avatar.png", "web_url": "https://x.test/uma",
}  # fmt: skip
USER_IN_JOB: Final = USER | {
    "created_at": "2020-02-03T04:05:06.000Z", "bio": "bio words", "bio_html": "<p>bio html</p>",
    "location": "Kraków", "public_email": "uma@x.test", "skype": "uma-skype",
    "linkedin": "uma-linkedin", "twitter": "uma-twitter", "website_url": "https://uma.test",
    "organization": "Uma Inc", "job_title": "Engineer", "work_information": "Engineer at Uma",
}  # fmt: skip
STATUS: Final = {
    "icon": "status_icon", "text": "status text", "label": "status label", "group": "status-group",
    "tooltip": "status tooltip", "has_details": True, "details_path": "/the/details/path",
    "illustration": {"image": "picture.svg"}, "favicon": "/the/favicon.png",
}  # fmt: skip
SUMMARY: Final = {
    "id": 72002, "sha": "5a" * 20, "ref": "the-ref", "status": "odd-status",
    "created_at": "2026-03-14T01:01:01.000Z", "updated_at": "2026-03-14T01:02:02.000Z",
    "web_url": "https://x.test/pipelines/72002",
}  # fmt: skip
PIPELINE: Final = SUMMARY | {
    "before_sha": "6b" * 20, "tag": True, "yaml_errors": "jobs:x unknown keys", "user": USER,
    "started_at": "2026-03-14T01:03:03.000Z", "finished_at": "2026-03-14T01:04:04.000Z",
    "committed_at": "2026-03-14T01:00:09.000Z", "duration": 61.0, "coverage": 87.65,
    "detailed_status": STATUS,
}  # fmt: skip
COMMIT: Final = {
    "id": "7c" * 20, "short_id": "7c7c7c7c7c7", "title": "the title",
    "message": "the title\n\nthe body", "author_name": "Ann Author",
    "author_email": "ann@x.test", "committer_name": "Carl Committer",
    "committer_email": "carl@x.test", "web_url": "https://x.test/commit/7c",
    "created_at": "2026-03-13T20:01:01.000Z", "authored_date": "2026-03-13T20:02:02.000Z",
    "committed_date": "2026-03-13T20:03:03.000Z", "parent_ids": ["8d" * 20, "9e" * 20],
}  # fmt: skip
ARTIFACT: Final = {
    "file_type": "kind-of-file", "size": 28412, "filename": "job.log", "file_format": "raw-format",
}  # fmt: skip
RUNNER: Final = {
    "id": 73003, "description": "runner words", "ip_address": "192.0.2.44", "active": True,
    "is_shared": True, "name": "runner-name", "online": True, "status": "runner-status",
}  # fmt: skip
JOB: Final = {
    "id": 74004, "status": "odd-job-status", "stage": "the stage", "name": "the job",
    "ref": "the-job-ref", "tag": True, "coverage": 12.5, "allow_failure": True,
    "created_at": "2026-03-14T01:11:01.000Z", "started_at": "2026-03-14T01:12:02.000Z",
    "finished_at": "2026-03-14T01:13:03.000Z", "duration": 3723.4, "user": USER_IN_JOB,
    "commit": COMMIT, "pipeline": SUMMARY, "web_url": "https://x.test/jobs/74004",
    "artifacts": [ARTIFACT], "runner": RUNNER,
    "artifacts_expire_at": "2026-03-17T04:12:00.000Z",
}  # fmt: skip
PROJECT: Final = {"id": 75005, "description": "about the project", "name": "The Project"}
NAMESPACE: Final = {"id": 76006, "name": "The Space", "path": "the-space", "kind": "group-kind"}

SAID: Final[dict[str, list[str]]] = {
    "coverage": ["87.65%", "12.5%"],
    "duration": ["1m01s", "1h02m"],
    "size": ["28.4 kB (28,412 bytes)"],
    "artifacts_expire_at": ["17 Mar 04:12:00 UTC · in 3d"],
    "illustration": ["picture.svg"],
    "parent_ids": ["8d" * 20, "9e" * 20],
    "message": ["the body"],
}
"""What is looked for where it is not the value itself."""


def text_of(details: Details) -> str:
    """Return the text of a pane, a line a field."""
    lines = (f"{field.label}: {field.value.text}" for field in details.fields)
    return "\n".join((details.title, *lines))


def pipeline_text(record: dict[str, Any]) -> str:
    """Return the pane of a pipeline."""
    return text_of(pipeline_details(Pipeline.model_validate(record), AT))


def job_text(record: dict[str, Any]) -> str:
    """Return the pane of a job."""
    return text_of(job_details(Job.model_validate(record), AT))


def project_text(record: dict[str, Any]) -> str:
    """Return the pane of a project with the namespace that was listed."""
    namespace = Namespace.model_validate(NAMESPACE)
    project = Project.model_validate(record)
    return text_of(project_details(project, namespace, None, AT))


def namespace_text(record: dict[str, Any]) -> str:
    """Return the pane of a namespace."""
    return text_of(namespace_details(Namespace.model_validate(record)))


Pane = tuple[str, str, Callable[[dict[str, Any]], str], dict[str, Any], tuple[str, ...]]

PANES: Final[list[Pane]] = [
    ("2.2", "summary", pipeline_text, PIPELINE, ()),
    ("2.2", "detail", pipeline_text, PIPELINE, ()),
    ("2.2", "detailed_status", pipeline_text, PIPELINE, ("detailed_status",)),
    ("2.4", "always", pipeline_text, PIPELINE, ("user",)),
    ("2.3", "job", job_text, JOB, ()),
    ("2.3", "artifacts", job_text, JOB, ("artifacts", "0")),
    ("2.3", "runner", job_text, JOB, ("runner",)),
    ("2.4", "always", job_text, JOB, ("user",)),
    ("2.4", "in jobs", job_text, JOB, ("user",)),
    ("2.5", "commit", job_text, JOB, ("commit",)),
    ("2.2", "summary", job_text, JOB, ("pipeline",)),
    ("2.7", "project", project_text, PROJECT, ()),
    ("2.7", "namespace", project_text, NAMESPACE, ("namespace",)),
    ("2.7", "namespace", namespace_text, NAMESPACE, ()),
]
"""Section, record, the pane that must tell of it, the record shown, and the way into it."""


@pytest.mark.parametrize(
    ("section", "name", "draw", "record", "way"),
    PANES,
    ids=[f"{section}-{name}-in-{draw.__name__}" for section, name, draw, *_ in PANES],
)
def test_each_field_is_told(
    section: str,
    name: str,
    draw: Callable[[dict[str, Any]], str],
    record: dict[str, Any],
    way: tuple[str, ...],
) -> None:
    """By its value, which stands nowhere else; a flag by what its opposite does not say."""
    shown = record if name != "namespace" or not way else PROJECT
    told = draw(shown)
    inner = inside(record, () if name == "namespace" else way)
    for field in FIELDS[section][name]:
        value = inner[field]
        if isinstance(value, bool):
            assert draw(changed(record, (*way, field), not value)) != told, field
            continue
        if isinstance(value, dict | list) and field not in SAID:
            continue  # a record of its own, with a row of its own
        found = [text for text in expected(field, value) if text in told]
        assert len(found) >= (len(value) if isinstance(value, list) else 1), (field, told)


def expected(field: str, value: Any) -> list[str]:
    """Return what a pane may say for a value."""
    if field in SAID:
        return SAID[field]
    if field.endswith(("_at", "_date")):
        moment = datetime.fromisoformat(value)
        day = f"{moment:%d %b}" if moment.year == NOW.year else f"{moment:%Y-%m-%d}"
        return [f"{day} {moment:%H:%M:%S} UTC"]
    return [str(value)]


def inside(record: Any, way: tuple[str, ...]) -> Any:
    """Return the part of a record that a way leads to."""
    for step in way:
        record = record[int(step)] if step.isdecimal() else record[step]
    return record


def changed(record: Any, way: tuple[str, ...], value: Any) -> Any:
    """Return a copy of a record with one value changed."""
    if not way:
        return value
    step, *rest = way
    if isinstance(record, list):
        copy = list(record)
        copy[int(step)] = changed(record[int(step)], tuple(rest), value)
        return copy
    return record | {step: changed(record[step], tuple(rest), value)}


def test_what_is_not_told_has_no_line() -> None:
    """Neither a label without a value nor a heading without lines."""
    for details in (
        pipeline_details(Pipeline.model_validate({"id": 1}), AT),
        job_details(Job.model_validate(JOB), AT),
        job_details(Job.model_validate({"id": 1, "user": {}, "runner": {}}), AT),
    ):
        assert all(group.fields for group in details.groups)
        assert all(field.value.text.strip() for field in details.fields)


def test_why_a_pipeline_has_no_jobs_comes_first_and_in_red() -> None:
    """Before the status; every line of it."""
    record = PIPELINE | {"yaml_errors": "first error\nsecond error"}
    details = pipeline_details(Pipeline.model_validate(record), AT)
    assert [(line.label, line.value.text, line.value.role) for line in details.fields[:2]] == [
        ("cause", "first error", "failed"),
        ("", "second error", "failed"),
    ]


def test_what_only_a_web_page_needs_comes_last_and_quiet() -> None:
    """Favicons are no help at night."""
    details = pipeline_details(Pipeline.model_validate(PIPELINE), AT)
    assert [group.quiet for group in details.groups].index(True) == len(details.groups) - 1


def test_equal_words_of_a_status_are_shown_once() -> None:
    """Text, label and tooltip of the platform's own presentation."""
    state = {"text": "failed", "label": "failed", "tooltip": "failed - (script failure)"}
    pipeline = Pipeline.model_validate({"id": 1, "status": "failed", "detailed_status": state})
    fields = pipeline_details(pipeline, AT).fields
    shown = [one.value.text for one in fields if one.label == "shown as"]
    assert shown == ["failed · failed - (script failure)"]


def test_a_committer_is_told_where_it_is_another() -> None:
    """The same person at the same time is one line less."""
    same = COMMIT | {
        "committer_name": "Ann Author", "committer_email": "ann@x.test",
        "committed_date": COMMIT["authored_date"],
    }  # fmt: skip
    assert "Carl" in job_text(JOB)
    assert "committer:" not in job_text(JOB | {"commit": same})


@pytest.mark.parametrize(
    ("expires", "said"),
    [("2026-03-17T04:12:00Z", "expires: 17 Mar 04:12:00 UTC · in 3d"),
     ("2026-03-12T02:12:00Z", "expired: 12 Mar 02:12:00 UTC · 2d ago")],
)  # fmt: skip
def test_artifacts_tell_whether_they_are_still_there(expires: str, said: str) -> None:
    """In words, and for how long."""
    assert said in job_text(JOB | {"artifacts_expire_at": expires})


def tables_of(spec: str) -> Iterator[tuple[str, str, str]]:
    """Yield (section, record, field) as the spec has them in tables and in prose."""
    parts = dict(re.findall(r"(?ms)^### (2\.\d) [^\n]*\n(.*?)(?=^### |^## )", spec))
    summary = re.search(r"Pipeline summary \(items[^:]*: ([^\n]*)", parts["2.2"])
    assert summary
    yield from (("2.2", "summary", name) for name in _named(summary[1]))
    rows = re.findall(r"^\| (\w+) \| ([^\n|]*)", parts["2.2"], re.MULTILINE)
    for name, kind in rows:
        if name == "Field":
            continue
        yield "2.2", "detail", name
        if name == "detailed_status":
            yield from (("2.2", name, inner) for inner in _named(kind))
    for names, kind in re.findall(r"^\| ([\w, ]+) \| ([^\n]*) \|$", parts["2.3"], re.MULTILINE):
        if names == "Field":
            continue
        for name in names.split(", "):
            yield "2.3", "job", name
            if name in {"artifacts", "runner"}:
                yield from (("2.3", name, inner) for inner in _named(kind) if "seen" not in inner)
    always, in_jobs = parts["2.4"].split("In job responses also:")
    yield from (("2.4", "always", name) for name in _named(always))
    yield from (("2.4", "in jobs", name) for name in _named(in_jobs))
    yield from (("2.5", "commit", name) for name in _named(parts["2.5"]))
    for record in ("Project", "Namespace"):
        found = re.search(rf"^- {record} \(list item\): ([^\n]*)", parts["2.7"], re.MULTILINE)
        assert found
        yield from (("2.7", record.lower(), name) for name in _named(found[1]))


def _named(text: str) -> list[str]:
    """Return the names in code, without example values (those are `seen`)."""
    return re.findall(r"`(\w+)`(?! seen)(?! is seen)", text)


@pytest.mark.skipif("PLATUI_SPEC" not in os.environ, reason="PLATUI_SPEC names no file")
def test_the_fields_are_those_of_the_spec() -> None:
    """None is missing from the table above, and none is of our own."""
    spec = Path(os.environ["PLATUI_SPEC"]).read_text("utf-8")
    ours = {
        (part, name, one) for part, all_ in FIELDS.items() for name in all_ for one in all_[name]
    }
    assert ours == set(tables_of(spec))
