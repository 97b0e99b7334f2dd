"""The records of spec §2: every field is there, and what they say fits together."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.platform import api_client, ask, in_project

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx

    from platui_emulator.server import RunningEmulator

SUMMARY = {"id", "sha", "ref", "status", "created_at", "updated_at", "web_url"}
DETAIL = SUMMARY | {
    "before_sha", "tag", "yaml_errors", "user", "started_at", "finished_at", "committed_at",
    "duration", "coverage", "detailed_status",
}  # fmt: skip
DETAILED_STATUS = {
    "icon", "text", "label", "group", "tooltip", "has_details", "details_path", "illustration",
    "favicon",
}  # fmt: skip
JOB = {
    "id", "status", "stage", "name", "ref", "tag", "coverage", "allow_failure", "created_at",
    "started_at", "finished_at", "duration", "user", "commit", "pipeline", "web_url", "artifacts",
    "runner", "artifacts_expire_at",
}  # fmt: skip
USER = {"id", "name", "username", "state", "avatar_url", "web_url"}
JOB_USER = USER | {
    "created_at", "bio", "bio_html", "location", "public_email", "skype", "linkedin", "twitter",
    "website_url", "organization", "job_title", "work_information",
}  # fmt: skip
COMMIT = {
    "id", "short_id", "title", "message", "author_name", "author_email", "committer_name",
    "committer_email", "web_url", "created_at", "authored_date", "committed_date", "parent_ids",
}  # fmt: skip
RUNNER = {
    "id", "description", "ip_address", "active", "is_shared", "name", "online", "status",
}  # fmt: skip
STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


@pytest.fixture(scope="module")
def api(still_platform: RunningEmulator) -> Iterator[httpx.Client]:
    """Open a client with the token that sees most."""
    with api_client(still_platform) as client:
        yield client


@pytest.fixture(scope="module")
def failed(api: httpx.Client, still_platform: RunningEmulator) -> dict[str, Any]:
    """Return the summary of the newest failed pipeline of the showcase."""
    query = {"status": "failed", "ref": "main"}
    found = api.get(in_project(still_platform, "pipelines"), params=query).json()
    return dict(found[0])


def test_a_summary_has_what_the_spec_says(failed: dict[str, Any]) -> None:
    """Spec 2.2, items of the list."""
    assert failed.keys() >= SUMMARY
    assert failed["status"] == "failed"
    assert STAMP.fullmatch(failed["created_at"])
    assert re.fullmatch("[0-9a-f]{40}", failed["sha"])


def test_a_detail_has_what_the_spec_says(
    api: httpx.Client, still_platform: RunningEmulator, failed: dict[str, Any]
) -> None:
    """Spec 2.2, the single operation."""
    body = api.get(in_project(still_platform, f"pipelines/{failed['id']}")).json()
    assert body.keys() >= DETAIL
    assert body["user"].keys() >= USER
    assert body["detailed_status"].keys() == DETAILED_STATUS
    assert body["detailed_status"]["details_path"] == body["web_url"].removeprefix(
        still_platform.base_url
    )
    assert failed.items() <= body.items()
    assert isinstance(body["duration"], int | float)


def test_jobs_have_what_the_spec_says(
    api: httpx.Client, still_platform: RunningEmulator, failed: dict[str, Any]
) -> None:
    """Spec 2.3 to 2.5; `failure_reason` stands in failed jobs only."""
    jobs = api.get(in_project(still_platform, f"pipelines/{failed['id']}/jobs")).json()
    assert [job["id"] for job in jobs] == sorted((job["id"] for job in jobs), reverse=True)
    assert any(job["status"] == "failed" for job in jobs)
    for job in jobs:
        assert job.keys() >= JOB
        assert job["user"].keys() >= JOB_USER
        assert job["commit"].keys() >= COMMIT
        assert job["pipeline"] == failed
        assert job["runner"] is None or job["runner"].keys() >= RUNNER
        assert ("failure_reason" in job) == (job["status"] == "failed")
        one = api.get(in_project(still_platform, f"jobs/{job['id']}"))
        assert one.json() == job
        _check_log(api, still_platform, job)


def _check_log(api: httpx.Client, still_platform: RunningEmulator, job: dict[str, Any]) -> None:
    log = api.get(in_project(still_platform, f"jobs/{job['id']}/trace"))
    assert log.status_code == 200
    sizes = [one["size"] for one in job["artifacts"] if one["file_type"] == "trace"]
    if job["started_at"] is None:
        assert (log.content, sizes) == (b"", [])
    else:
        assert sizes == [len(log.content)]
    for artifact in job["artifacts"]:
        assert artifact.keys() == {"file_type", "size", "filename", "file_format"}


def test_bridges_are_jobs_without_a_machine(api: httpx.Client) -> None:
    """A bridge has a child pipeline or none, no runner, and is no job of its own."""
    for project in api.get("projects", params={"per_page": 100, "simple": "true"}).json():
        path = f"projects/{project['id']}"
        for pipeline in api.get(f"{path}/pipelines", params={"per_page": 10}).json():
            bridges = api.get(f"{path}/pipelines/{pipeline['id']}/bridges").json()
            for bridge in bridges:
                assert "downstream_pipeline" in bridge
                assert not {"runner", "artifacts", "tag_list"} & bridge.keys()
                assert api.get(f"{path}/jobs/{bridge['id']}").status_code == 404
                return
    pytest.fail("the company has no bridge")


def test_namespaces_and_projects_have_what_the_spec_says(api: httpx.Client) -> None:
    """Spec 2.7, and that each project lies in a namespace one can ask for."""
    namespaces = api.get("namespaces", params={"per_page": 100}).json()
    assert {one["kind"] for one in namespaces} == {"group", "user"}
    for one in namespaces:
        assert one.keys() >= {"id", "name", "path", "kind", "full_path", "parent_id"}
    wanted = next(one for one in namespaces if one["parent_id"] is not None)
    assert api.get(f"namespaces/{wanted['id']}").json() == wanted
    assert api.get(f"namespaces/{wanted['full_path'].replace('/', '%2F')}").json() == wanted
    for project in api.get("projects", params={"membership": "true"}).json():
        assert project.keys() >= {"id", "description", "name", "permissions", "namespace"}
        assert project["path_with_namespace"].startswith(project["namespace"]["full_path"] + "/")


@pytest.mark.parametrize("order", ["id", "name", "path", "created_at", "last_activity_at"])
def test_projects_come_in_the_order_that_was_asked_for(api: httpx.Client, order: str) -> None:
    """Every order goes both ways."""
    query: dict[str, str | int] = {"order_by": order, "per_page": 100}
    up = api.get("projects", params={**query, "sort": "asc"}).json()
    down = api.get("projects", params={**query, "sort": "desc"}).json()
    values = [str(one[order]).casefold() if order != "id" else one[order] for one in up]
    assert values == sorted(values)
    assert {one["id"] for one in up} == {one["id"] for one in down}
    assert down[0][order] != up[0][order]


def test_filters_of_pipelines_hold(
    api: httpx.Client, still_platform: RunningEmulator, failed: dict[str, Any]
) -> None:
    """Status, ref, sha, source, user and scope each narrow the list to what they say."""
    path = in_project(still_platform, "pipelines")
    for query, field, expected in (
        ({"sha": failed["sha"]}, "sha", {failed["sha"]}),
        ({"source": "schedule"}, "source", {"schedule"}),
        ({"scope": "finished"}, "status", {"success", "failed", "canceled"}),
        ({"scope": "finished", "status": "failed"}, "status", {"failed"}),
    ):
        found = api.get(path, params=query).json()
        assert found
        assert {one[field] for one in found} <= expected
    assert api.get(path, params={"scope": "running", "status": "failed"}).json() == []
    username = api.get(f"{path}/{failed['id']}").json()["user"]["username"]
    by_user = api.get(path, params={"username": username, "per_page": 3}).json()
    assert by_user
    for one in by_user:
        assert api.get(f"{path}/{one['id']}").json()["user"]["username"] == username
    latest = api.get(f"{path}/latest").json()
    assert latest["id"] == api.get(path, params={"ref": "main"}).json()[0]["id"]
    branches = api.get(path, params={"scope": "branches"}).json()
    assert len({one["ref"] for one in branches}) == len(branches)
    assert latest["id"] in {one["id"] for one in branches}


def test_retried_jobs_are_hidden_until_asked_for(api: httpx.Client) -> None:
    """`include_retried` shows the earlier attempts too."""
    for project in api.get("projects", params={"per_page": 100, "simple": "true"}).json():
        path = f"projects/{project['id']}"
        for pipeline in api.get(f"{path}/pipelines", params={"per_page": 20}).json():
            jobs = f"{path}/pipelines/{pipeline['id']}/jobs"
            shown = api.get(jobs, params={"per_page": 100}).json()
            every = api.get(jobs, params={"per_page": 100, "include_retried": "true"}).json()
            if len(every) > len(shown):
                assert {job["id"] for job in shown} < {job["id"] for job in every}
                assert {job["name"] for job in shown} == {job["name"] for job in every}
                return
    pytest.fail("nobody ever retried a job")


def test_branches_and_tags_can_be_searched(
    api: httpx.Client, still_platform: RunningEmulator
) -> None:
    """The anchors `^` and `$` hold; each branch has its commit."""
    path = in_project(still_platform, "repository/branches")
    every = [one["name"] for one in api.get(path, params={"per_page": 100}).json()]
    for search, expected in (
        ("^main$", [name for name in every if name == "main"]),
        ("^ma", [name for name in every if name.startswith("ma")]),
        ("in$", [name for name in every if name.endswith("in")]),
        ("AI", [name for name in every if "ai" in name.lower()]),
    ):
        found = api.get(path, params={"search": search, "per_page": 100}).json()
        assert [one["name"] for one in found] == expected
        assert all(one["commit"].keys() >= COMMIT for one in found)
    tags = api.get(in_project(still_platform, "repository/tags")).json()
    assert all(one["commit"].keys() >= COMMIT for one in tags)


def test_web_addresses_lead_to_a_page(
    api: httpx.Client, still_platform: RunningEmulator, failed: dict[str, Any]
) -> None:
    """What `web_url` says answers; what nobody said is a 404 of HTML, not of JSON."""
    job = api.get(in_project(still_platform, f"pipelines/{failed['id']}/jobs")).json()[0]
    group = next(one for one in api.get("namespaces").json() if one["kind"] == "group")
    for body in (
        failed,
        job,
        job["commit"],
        job["user"],
        group,
        api.get(in_project(still_platform)).json(),
    ):
        page = ask("GET", body["web_url"])
        assert page.status_code == 200
        assert page.headers["Content-Type"].startswith("text/html")
    lost = ask("GET", f"{still_platform.base_url}/<script>/nobody")
    assert lost.status_code == 404
    assert "<script>" not in lost.text
