"""Artifacts: archives in a storage of their own, single files, and for how long there are any."""

from __future__ import annotations

import io
import json
import zipfile
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.clock import FakeClock
from tests.support.platform import api_client, ask, in_project, running_platform
from tests.support.staff import person_of_level, token_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx

    from platui_emulator.server import RunningEmulator


@pytest.fixture(scope="module")
def clock() -> FakeClock:
    """Return the time of the platform below."""
    return FakeClock()


@pytest.fixture(scope="module")
def own(clock: FakeClock) -> Iterator[RunningEmulator]:
    """Run a platform whose artifacts these tests throw away."""
    with running_platform(clock=clock) as running:
        yield running


@pytest.fixture(scope="module")
def api(own: RunningEmulator) -> Iterator[httpx.Client]:
    """Open a client with the token that sees most."""
    with api_client(own) as client:
        yield client


def jobs_of(api: httpx.Client, name: str, count: int = 1) -> list[dict[str, Any]]:
    """Return some successful jobs of that name, of one project and its default branch."""
    query: dict[str, str | int] = {"per_page": 60, "scope[]": "success"}
    for project in projects(api):
        if name == "fit_model" and not project["path"].startswith("ml-"):
            continue
        path = f"projects/{project['id']}/jobs"
        found = [
            {**one, "at": f"{path}/{one['id']}"}
            for one in api.get(path, params=query).json()
            if (one["name"], one["ref"]) == (name, "main")
        ]
        if len(found) >= count:
            return found
    raise LookupError(name)


def projects(api: httpx.Client) -> list[dict[str, Any]]:
    """Return all projects."""
    return list(api.get("projects", params={"per_page": 100, "simple": "true"}).json())


def archive_of(job: dict[str, Any]) -> dict[str, Any]:
    """Return what a job says of its archive."""
    return next(one for one in job["artifacts"] if one["file_type"] == "archive")


def sent_to(api: httpx.Client, path: str) -> str:
    """Return where a download leads."""
    answer = api.get(path)
    assert answer.status_code == 302
    return str(answer.headers["Location"])


def test_an_archive_is_fetched_from_another_server(api: httpx.Client, own: RunningEmulator) -> None:
    """302 to a signed address on another port; a real zip, as long as the job says."""
    job = jobs_of(api, "dbt_run")[0]
    address = sent_to(api, f"{job['at']}/artifacts")
    assert not address.startswith(own.base_url)
    assert own.token not in address
    answer = ask("GET", address)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "application/zip"
    archive = archive_of(job)
    assert len(answer.content) == archive["size"] == int(answer.headers["Content-Length"])
    assert job["artifacts_file"] == {"filename": "artifacts.zip", "size": archive["size"]}
    with zipfile.ZipFile(io.BytesIO(answer.content)) as packed:
        assert packed.testzip() is None
        assert packed.namelist() == ["logs/dbt.log", "target/manifest.json", "target/run_results.json"]  # fmt: skip  # noqa: E501
        manifest = json.loads(packed.read("target/manifest.json"))
        results = json.loads(packed.read("target/run_results.json"))
        log = packed.read("logs/dbt.log").decode()
    assert manifest["metadata"]["env"]["CI_COMMIT_SHA"] == job["commit"]["id"]
    assert {one["unique_id"] for one in results["results"]} <= manifest["nodes"].keys()
    passed = log.split("Done. PASS=")[1].split()[0]
    assert len(results["results"]) == int(passed)
    again = ask("GET", sent_to(api, f"{job['at']}/artifacts"))
    assert (again.content, again.headers["ETag"]) == (answer.content, answer.headers["ETag"])


def test_the_storage_refuses_and_remembers_a_token(api: httpx.Client, own: RunningEmulator) -> None:
    """400 for whoever hands a token on, and the journal names where it was; 403 for a forger."""
    job = jobs_of(api, "dbt_run")[0]
    address = sent_to(api, f"{job['at']}/artifacts")
    for headers in (
        {"PRIVATE-TOKEN": own.token},
        {"JOB-TOKEN": own.token},
        {"Authorization": f"Bearer {own.token}"},
    ):
        answer = ask("GET", address, headers=headers)
        assert answer.status_code == 400
        assert "<Code>InvalidArgument</Code>" in answer.text
    assert ask("GET", f"{address}&private_token={own.token}").status_code == 400
    assert ask("GET", address).status_code == 200
    entries = ask("GET", f"{own.base_url}/-/emulator/requests").json()["requests"]
    stored = [one for one in entries if one["server"] == "storage"]
    assert [one["tokens"] for one in stored[-5:]] == [
        ["private-token"], ["job-token"], ["authorization"], ["private_token"], [],
    ]  # fmt: skip
    assert all("signature=***" in one["path"] for one in stored)
    assert own.token not in json.dumps(entries)

    assert ask("GET", address[:-1] + ("0" if address[-1] != "0" else "1")).status_code == 403
    other = address.replace(f"/{job['id']}/", f"/{job['id'] + 1}/")
    assert "SignatureDoesNotMatch" in ask("GET", other).text
    assert ask("POST", address).status_code == 405
    # The storage is nothing but a storage, and the platform no storage.
    root = address.partition("/artifacts/")[0]
    assert ask("GET", f"{root}/api/v4/user").status_code == 403
    assert ask("GET", address.replace(root, own.base_url)).status_code == 404


def test_an_address_is_good_for_ten_minutes(api: httpx.Client, clock: FakeClock) -> None:
    """Then it is 403, and another one has to be asked for."""
    job = jobs_of(api, "dbt_run")[0]
    address = sent_to(api, f"{job['at']}/artifacts")
    clock.jump(599)
    assert ask("GET", address).status_code == 200
    clock.jump(2)
    late = ask("GET", address)
    assert late.status_code == 403
    assert "Request has expired" in late.text
    assert ask("GET", sent_to(api, f"{job['at']}/artifacts")).status_code == 200


def test_a_broken_download_goes_on_where_it_ended(api: httpx.Client) -> None:
    """Megabytes of a trained model in parts: each range, resumed under the same tag."""
    job = jobs_of(api, "fit_model")[0]
    address = sent_to(api, f"{job['at']}/artifacts")
    whole = ask("GET", address)
    size = archive_of(job)["size"]
    assert len(whole.content) == size > 3 << 20
    with zipfile.ZipFile(io.BytesIO(whole.content)) as packed:
        assert packed.testzip() is None
        model = packed.getinfo("target/model.bin").file_size
    log = api.get(f"{job['at']}/trace").text
    assert f"saved target/model.bin ({model >> 20} MiB)" in log
    tag = whole.headers["ETag"]
    for asked, start, end in (
        ("bytes=0-99", 0, 100),
        ("bytes=1000000-2100000", 1_000_000, 2_100_001),
        (f"bytes={size - 70_000}-", size - 70_000, size),
        ("bytes=-500", size - 500, size),
    ):
        part = ask("GET", address, headers={"Range": asked, "If-Range": tag})
        assert part.status_code == 206
        assert part.headers["Content-Range"] == f"bytes {start}-{end - 1}/{size}"
        assert part.content == whole.content[start:end]
    assert ask("GET", address, headers={"Range": f"bytes={size}-"}).status_code == 416
    changed = ask("GET", address, headers={"Range": "bytes=5-9", "If-Range": '"other"'})
    assert (changed.status_code, len(changed.content)) == (200, size)
    head = ask("HEAD", address)
    assert (int(head.headers["Content-Length"]), head.content) == (size, b"")


def test_single_files_come_from_the_platform_itself(api: httpx.Client) -> None:
    """By the job, or by ref and job name for the newest that succeeded."""
    job = jobs_of(api, "dbt_run")[0]
    with zipfile.ZipFile(io.BytesIO(ask("GET", sent_to(api, f"{job['at']}/artifacts")).content)) as packed:  # fmt: skip  # noqa: E501
        names = {name: packed.read(name) for name in packed.namelist()}
    for name, content in names.items():
        assert api.get(f"{job['at']}/artifacts/{name}").content == content
    answer = api.get(f"{job['at']}/artifacts/target/manifest.json")
    assert answer.headers["Content-Type"] == "application/json"
    for path, status in (("nowhere.txt", 404), ("target", 404), ("target%2F..%2Fx", 400)):
        assert api.get(f"{job['at']}/artifacts/{path}").status_code == status

    at = job["at"].rpartition("/")[0]
    latest = sent_to(api, f"{at}/artifacts/main/download?job=dbt_run")
    log = api.get(f"{at}/artifacts/main/raw/logs/dbt.log", params={"job": "dbt_run"})
    with zipfile.ZipFile(io.BytesIO(ask("GET", latest).content)) as packed:
        assert packed.read("logs/dbt.log") == log.content
    for query, status in (("?job=no_such_job", 404), ("", 400)):
        assert api.get(f"{at}/artifacts/main/download{query}").status_code == status
    assert api.get(f"{at}/artifacts/no%2Fref/download?job=dbt_run").status_code == 404
    without = jobs_of(api, "drop_dev_schema")[0]
    assert [one["file_type"] for one in without["artifacts"]] == ["trace"]
    assert "artifacts_file" not in without
    missing = api.get(f"{without['at']}/artifacts")
    assert (missing.status_code, missing.json()) == (404, {"message": "404 Not Found"})


def test_archives_expire_are_kept_and_are_deleted(
    api: httpx.Client, own: RunningEmulator, clock: FakeClock
) -> None:
    """After a week the archive is gone, unless somebody kept it or threw it away before."""
    kept, gone, left = jobs_of(api, "dbt_run", 3)[:3]
    ends = datetime.fromisoformat(kept["artifacts_expire_at"])
    assert ends == datetime.fromisoformat(kept["finished_at"]) + timedelta(days=7)
    project = own.platform.world.project(int(kept["at"].split("/")[1]))
    assert project is not None
    developer = token_of(own, person_of_level(own, project, "DEVELOPER"))
    with api_client(own, developer) as dev:
        refused = dev.delete(f"{gone['at']}/artifacts")
        assert (refused.status_code, refused.json()) == (403, {"message": "403 Forbidden"})
        answer = dev.post(f"{kept['at']}/artifacts/keep")
    assert (answer.status_code, answer.json()["artifacts_expire_at"]) == (200, None)
    reader = token_of(own, own.platform.user, read_only=True)
    with api_client(own, reader) as looking:
        assert looking.delete(f"{gone['at']}/artifacts").status_code == 403
        assert looking.post(f"{gone['at']}/artifacts/keep").status_code == 403
    assert api.delete(f"{gone['at']}/artifacts").status_code == 204
    after = api.get(gone["at"]).json()
    assert [one["file_type"] for one in after["artifacts"]] == ["trace"]
    assert (after["artifacts_expire_at"], "artifacts_file" in after) == (None, False)
    for path in ("artifacts", "artifacts/logs/dbt.log"):
        assert api.get(f"{gone['at']}/{path}").status_code == 404
    assert api.post(f"{gone['at']}/artifacts/keep").status_code == 404

    address = sent_to(api, f"{left['at']}/artifacts")
    clock.jump(7 * 86_400 + 60)
    expired = api.get(left["at"]).json()
    assert expired["artifacts_expire_at"] == left["artifacts_expire_at"]
    assert api.get(f"{left['at']}/artifacts").status_code == 404
    assert ask("GET", address).status_code == 403
    assert archive_of(api.get(kept["at"]).json()) == archive_of(kept)

    newer = next(one for one in jobs_of(api, "dbt_run", 3) if one["id"] != kept["id"])
    assert newer["at"].startswith(f"projects/{project.id}/")
    all_of_them = f"projects/{project.id}/artifacts"
    with api_client(own, developer) as dev:
        assert dev.delete(all_of_them).status_code == 403
    assert api.delete(all_of_them).status_code == 202
    assert api.get(f"{newer['at']}/artifacts").status_code == 404
    assert api.get(f"{kept['at']}/artifacts").status_code == 302


def test_reports_of_tests_say_what_the_logs_say(api: httpx.Client, own: RunningEmulator) -> None:
    """Every case of the report is a row of the log, the failing one is the failing one."""
    job = next(
        found
        for project in projects(api)
        for found in api.get(
            f"projects/{project['id']}/jobs", params={"scope[]": "failed", "per_page": 30}
        ).json()
        if found["name"].startswith(("dbt_test", "check_", "test_", "integration"))
        and any(one["file_type"] == "junit" for one in found["artifacts"])
        and found["pipeline"]["status"] == "failed"
    )
    project_id = next(one["id"] for one in projects(api) if f"/{one['path']}/-/" in job["web_url"])
    at = f"projects/{project_id}/pipelines/{job['pipeline']['id']}"
    report = api.get(f"{at}/test_report").json()
    suite = next(one for one in report["test_suites"] if one["name"] == job["name"])
    cases = suite["test_cases"]
    failed = [one for one in cases if one["status"] == "failed"]
    log = api.get(f"projects/{project_id}/jobs/{job['id']}/trace").text
    assert failed
    for case in failed:
        assert f"Failure in test {case['name']} " in log
        assert case["system_output"].split("\n")[0] in log
    for case in cases:
        assert case.keys() >= {"status", "name", "classname", "execution_time", "stack_trace"}
        assert f"in {case['execution_time']:.2f}s]" in log
        assert (case["system_output"] is None) == (case["status"] == "success")
    assert suite["total_count"] == len(cases)
    assert (suite["failed_count"], suite["success_count"]) == (
        len(failed),
        len(cases) - len(failed),
    )
    assert report["total_count"] == sum(one["total_count"] for one in report["test_suites"])
    assert report["failed_count"] >= len(failed)

    summary = api.get(f"{at}/test_report_summary").json()
    assert summary["total"]["count"] == report["total_count"]
    assert summary["total"]["failed"] == report["failed_count"]
    row = next(one for one in summary["test_suites"] if one["name"] == job["name"])
    assert (row["build_ids"], row["total_count"]) == ([job["id"]], len(cases))
    junit = api.get(f"projects/{project_id}/jobs/{job['id']}/artifacts/target/junit.xml")
    assert junit.text.count("<testcase ") == len(cases)
    assert junit.text.count("<failure>") == len(failed)
    lost = api.get(in_project(own, "pipelines/1/test_report"))
    assert (lost.status_code, lost.json()) == (404, {"message": "404 Not found"})


def test_unit_tests_fail_with_an_object(
    api: httpx.Client, own: RunningEmulator, clock: FakeClock
) -> None:
    """What a unit test says comes with its type, as an object."""
    project = next(
        one["id"]
        for one in projects(api)
        if "unit_tests:" in api.get(
            f"projects/{one['id']}/repository/files/full-ci.yml/raw", params={"ref": "main"}
        ).text
    )  # fmt: skip
    started = api.post(
        f"projects/{project}/pipeline",
        json={"ref": "main", "variables": [{"key": "_FAIL_JOB", "value": "unit_tests"}]},
    ).json()
    clock.jump(600)
    at = f"projects/{project}/pipelines/{started['id']}"
    report = api.get(f"{at}/test_report").json()
    suite = next(one for one in report["test_suites"] if one["name"] == "unit_tests")
    [failed] = [one for one in suite["test_cases"] if one["status"] == "failed"]
    assert failed["system_output"]["type"] == "AssertionError"
    assert failed["stack_trace"].startswith(failed["file"])
    job = next(one for one in api.get(f"{at}/jobs").json() if one["name"] == "unit_tests")
    log = api.get(f"projects/{project}/jobs/{job['id']}/trace").text
    assert f"FAILED {failed['file']}::{failed['name']} - " in log
    assert failed["system_output"]["message"] in log
    assert own.platform.journal.entries()[-1].server == "platform"
