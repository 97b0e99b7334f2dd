"""The emulator with `spec_only`: what the spec promises, and not a field, route or header more."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.clock import FakeClock
from tests.support.platform import api_client, credentials, in_project, running_platform

from platui_emulator.http.variants import spec_only as fields

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import httpx

    from platui_emulator.http.variants.spec_only import Shape
    from platui_emulator.server import RunningEmulator

NEIGHBOURS = (
    "user",
    "version",
    "namespaces/11",
    "{project}",
    "{project}/pipeline_schedules",
    "{project}/pipelines/latest",
    "{project}/pipelines/{pipeline}/bridges",
    "{project}/pipelines/{pipeline}/variables",
    "{project}/repository/branches",
    "{project}/repository/tags",
    "{project}/repository/tree",
    "{project}/repository/files/README.md/raw?ref=main",
    "personal_access_tokens/self",
)
HEADERS = {"content-type", "content-length", "content-encoding", "transfer-encoding", "vary"}


@pytest.fixture(scope="module")
def narrow(narrow_platform: RunningEmulator) -> RunningEmulator:
    """Return the platform by a shorter name."""
    return narrow_platform


@pytest.fixture(scope="module")
def client(narrow: RunningEmulator) -> Iterator[httpx.Client]:
    """Open a plain client on it."""
    with api_client(narrow) as opened:
        yield opened


def shape_of(value: Any, shape: Shape | None) -> Any:
    """Return the names in a record, in the form of a shape; None where it ends."""
    if isinstance(value, list):
        shapes = [shape_of(item, shape) for item in value]
        assert all(one == shapes[0] for one in shapes if one is not None)
        return next((one for one in shapes if one is not None), shape)
    if isinstance(value, dict) and shape is not None:
        return {name: shape_of(value[name], shape.get(name)) for name in value}
    return shape  # null and empty lists show nothing


@pytest.fixture(scope="module")
def failed(client: httpx.Client, narrow: RunningEmulator) -> tuple[int, int]:
    """Return the ids of a failed pipeline and of a failed job of it."""
    listed = client.get(in_project(narrow, "pipelines?per_page=100")).json()
    pipeline = next(one["id"] for one in listed if one["status"] == "failed")
    jobs = client.get(in_project(narrow, f"pipelines/{pipeline}/jobs?per_page=100")).json()
    return pipeline, next(one["id"] for one in jobs if one["status"] == "failed")


def ask(
    client: httpx.Client, narrow: RunningEmulator, operation: str, failed: tuple[int, int]
) -> httpx.Response:
    """Send the operation of that row of the spec, with values that succeed."""
    pipeline, job = failed
    values = {"project": in_project(narrow).removeprefix("projects/"), "file": "README.md"}
    verb, _, pattern = operation.partition(" ")
    path = pattern.format(**values, pipeline=pipeline, job=job)
    bodies: dict[str, dict[str, Any]] = {
        "projects": {"name": "Narrow", "description": "of few words"},
        "pipeline": {"ref": "main", "variables": [{"key": "A", "value": "b"}]},
        "trigger/pipeline": {"token": narrow.trigger_token, "ref": "main"},
        "pipeline_schedules": {"description": "nightly", "ref": "main", "cron": "0 1 * * *"},
    }
    body = bodies.get(pattern.partition("}/")[2] or pattern) if verb == "POST" else None
    query = {"ref": "main"} if "{file}" in pattern else None
    return client.request(verb, path, json=body, params=query)


@pytest.mark.parametrize("operation", [*fields.OPERATIONS])
def test_every_answer_has_exactly_the_fields_of_the_spec(
    client: httpx.Client, narrow: RunningEmulator, failed: tuple[int, int], operation: str
) -> None:
    """Each operation of §4.3 is there, and each record in it is as §2 shows it, to the depth."""
    answer = ask(client, narrow, operation, failed)
    assert answer.status_code in {200, 201}, answer.text
    shape = fields.OPERATIONS[operation].shape
    if shape is None:
        assert answer.headers["content-type"] == "text/plain"
        assert b"ERROR: Job failed" in answer.content
    else:
        assert answer.json()
        assert shape_of(answer.json(), shape) == shape
    assert {*answer.headers} - {"date"} <= HEADERS


@pytest.mark.parametrize("path", NEIGHBOURS)
def test_neighbours_are_not_there(
    client: httpx.Client, narrow: RunningEmulator, failed: tuple[int, int], path: str
) -> None:
    """A route that the spec does not show answers as one that does not exist."""
    found = path.format(project=in_project(narrow), pipeline=failed[0])
    answer = client.get(found)
    assert (answer.status_code, answer.json()) == (404, {"error": "404 Not Found"})


@pytest.mark.parametrize("verb", ["PUT", "DELETE", "PATCH", "HEAD", "POST"])
def test_other_verbs_are_not_there(
    client: httpx.Client, narrow: RunningEmulator, verb: str
) -> None:
    """GET and POST, each where the spec shows it."""
    answer = client.request(verb, in_project(narrow, "jobs"))
    assert answer.status_code == 404
    assert "allow" not in answer.headers


def test_what_the_spec_does_not_show_is_not_heard(
    client: httpx.Client, narrow: RunningEmulator, failed: tuple[int, int]
) -> None:
    """Filters, conditions and ranges change nothing; a bearer token is no credential."""
    pipelines = in_project(narrow, "pipelines")
    plain = client.get(pipelines, params={"per_page": 7})
    filters = "status=no+such&ref=x&scope=x&order_by=x&per_page=7"
    assert client.get(f"{pipelines}?{filters}").content == plain.content
    assert len(plain.json()) == 7
    assert client.get(pipelines, headers={"If-None-Match": "*"}).status_code == 200
    assert client.get("projects?search=zzz&membership=maybe").json()
    log = in_project(narrow, f"jobs/{failed[1]}/trace")
    assert client.get(log, headers={"Range": "bytes=10-"}).status_code == 200
    bearer = {"Authorization": f"Bearer {narrow.token}", "private-token": ""}
    assert client.get("projects", headers=bearer).status_code == 401


def test_a_token_that_expired_sounds_like_any_other(narrow: RunningEmulator) -> None:
    """§7 has one body for 401; the control desk that lets it expire is there as ever."""
    expiring = credentials(narrow)["personal_second"]
    with api_client(narrow, expiring) as client:
        assert client.get("projects").status_code == 200
        desk = f"{narrow.base_url}/-/emulator/expire"
        assert client.post(desk, data={"token": expiring}).json() == {"expired": True}
        answer = client.get("projects")
    assert (answer.status_code, answer.json()) == (401, {"message": "401 Unauthorized"})


def test_the_quota_is_told_on_a_refusal_only() -> None:
    """§8: six headers on a 429, none before."""
    clock = FakeClock()
    with (
        running_platform(spec_only=True, rate_limit=1, clock=clock) as emulator,
        api_client(emulator) as client,
    ):
        first, second = client.get("namespaces"), client.get("namespaces")
    assert not [name for name in first.headers if "rate" in name]
    assert second.status_code == 429
    assert {*second.headers} - HEADERS - {"date"} == fields.REFUSAL_HEADERS


def test_the_report_is_there(narrow: RunningEmulator) -> None:
    """§4.2, for the key of the organization."""
    with api_client(narrow, "") as client:
        address = f"{narrow.admin_url}/api/v1/reporting/report"
        answer = client.get(address, headers={"Authorization": f"Bearer {narrow.admin_key}"})
    assert answer.json().keys() == {"platform", "users"}
    assert {*answer.headers} - {"date"} <= HEADERS


@pytest.mark.skipif("PLATUI_SPEC" not in os.environ, reason="no specification at hand")
def test_the_tables_are_those_of_the_specification() -> None:
    """Fields, operations and headers, read from the document itself."""
    text = Path(os.environ["PLATUI_SPEC"]).read_text(encoding="utf-8")
    pipeline, job = _section(text, "2.2"), _section(text, "2.3")
    summary = _names(pipeline.partition("Pipeline detail")[0])
    assert summary == fields.PIPELINE_SUMMARY.keys()
    assert summary | _rows(pipeline).keys() == fields.PIPELINE_DETAIL.keys()
    assert _names(_rows(pipeline)["detailed_status"]) == fields.DETAILED_STATUS.keys()
    assert _rows(job).keys() == fields.JOB.keys()
    assert _names(_rows(job)["artifacts"]) == fields.ARTIFACT.keys()
    assert _names(_rows(job)["runner"]) == fields.RUNNER.keys()
    always, _, in_jobs = _section(text, "2.4").partition("In job responses also")
    assert _names(always) == fields.USER.keys()
    assert _names(always) | _names(in_jobs) == fields.JOB_USER.keys()
    assert _names(_section(text, "2.5")) == fields.COMMIT.keys()
    assert _names(_section(text, "2.6")) == fields.FILE.keys()
    project, namespace, _ = _section(text, "2.7").strip().splitlines()
    assert _names(project) == fields.PROJECT.keys()
    assert _names(namespace) == fields.NAMESPACE.keys()
    operations = _section(text, "4.3")
    assert _operations(operations) == fields.OPERATIONS.keys()
    stored = _rows(operations.partition("Create-schedule")[2]).keys()
    assert stored - {"id"} == fields.SCHEDULE_INPUT.keys()
    told = re.findall(r"^\| (RateLimit-\w+|Retry-After) \|", text, re.MULTILINE)
    assert {name.lower() for name in told} == fields.REFUSAL_HEADERS


def _section(text: str, number: str) -> str:
    found = re.search(
        rf"^### {re.escape(number)} .*?\n(.*?)(?=^##)", text, re.MULTILINE | re.DOTALL
    )
    assert found, number
    return found[1]


def _names(text: str) -> set[str]:
    """Return the names in backquotes; those in brackets are examples."""
    return set(re.findall(r"`(\w+)`", re.sub(r"\([^()]*\)", "", text)))


def _rows(text: str) -> Mapping[str, str]:
    """Return the cells behind each name of a table; one row may name several."""
    rows: dict[str, str] = {}
    for first, rest in re.findall(r"^\| ([\w, ]+) \|(.*)\|$", text, re.MULTILINE):
        if first != "Field":
            rows |= dict.fromkeys(first.split(", "), rest)
    return rows


def _operations(text: str) -> set[str]:
    found = re.findall(r"^\| (GET|POST) \| `/([^`]*)`", text, re.MULTILINE)
    named = {"project_id": "project", "pipeline_id": "pipeline", "job_id": "job"}
    named["file_path"] = "file"
    return {
        f"{verb} {re.sub('<([a-z_]+)>', lambda match: '{' + named[match[1]] + '}', path)}"
        for verb, path in found
    }
