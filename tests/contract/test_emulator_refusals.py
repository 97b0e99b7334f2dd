"""Every refusal in the body shape that goes with its status (spec §7), over all handlers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.support.clock import FakeClock
from tests.support.platform import api_client, ask, in_project

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx
    from tests.support.platform import PlatformFactory

    from platui_emulator.server import RunningEmulator

P = "{project}"
NOWHERE = "projects/no%2Fsuch%2Fproject"

REFUSALS: list[tuple[str, str, int, dict[str, Any]]] = [
    # Parameters that are missing, of the wrong kind, or none of the allowed words.
    ("POST", f"{P}/pipeline", 400, {"error": "ref is missing"}),
    (
        "POST",
        f"{P}/pipeline_schedules",
        400,
        {"error": "description is missing, ref is missing, cron is missing"},
    ),
    ("POST", f"{P}/trigger/pipeline", 400, {"error": "token is missing, ref is missing"}),
    ("GET", f"{P}/pipelines?status=odd", 400, {"error": "status does not have a valid value"}),
    ("GET", f"{P}/pipelines?sort=up", 400, {"error": "sort does not have a valid value"}),
    ("GET", "projects?order_by=age", 400, {"error": "order_by does not have a valid value"}),
    ("GET", "projects?page=one", 400, {"error": "page is invalid"}),
    ("GET", "projects?per_page=0", 400, {"error": "per_page does not have a valid value"}),
    ("GET", f"{P}/repository/files/README.md", 400, {"error": "ref is missing"}),
    ("GET", f"{P}/jobs?scope=odd", 400, {"message": "Scope contains invalid value(s)"}),
    ("GET", f"{P}/pipelines/abc", 400, {"error": "pipeline_id is invalid"}),
    ("GET", f"{P}/jobs/{'9' * 40}/trace", 400, {"error": "job_id is invalid"}),
    ("GET", f"{P}/pipeline_schedules/x", 400, {"error": "pipeline_schedule_id is invalid"}),
    # What the model refuses is told field by field.
    (
        "POST",
        f"{P}/pipeline?ref=nope",
        400,
        {"message": {"base": ["Reference not found"]}},
    ),
    (
        "POST",
        f"{P}/pipeline_schedules?description=a&ref=main&cron=often",
        400,
        {"message": {"cron": ["syntax is invalid"]}},
    ),
    ("POST", "projects?name=%20", 400, {"message": {"name": ["can't be blank"]}}),
    # What is missing or invisible, in the words of whoever looks for it.
    ("GET", NOWHERE, 404, {"message": "404 Project Not Found"}),
    ("GET", f"{NOWHERE}/pipelines", 404, {"message": "404 Project Not Found"}),
    ("POST", f"{NOWHERE}/pipeline?ref=main", 404, {"message": "404 Project Not Found"}),
    ("POST", f"{NOWHERE}/trigger/pipeline?ref=a&token=b", 404, {"message": "404 Not Found"}),
    ("GET", f"{P}/pipelines/1", 404, {"message": "404 Not found"}),
    ("GET", f"{P}/pipelines/1/jobs", 404, {"message": "404 Not found"}),
    ("GET", f"{P}/pipeline_schedules/1", 404, {"message": "404 Pipeline Schedule Not Found"}),
    ("GET", f"{P}/jobs/1", 404, {"message": "404 Not Found"}),
    ("GET", f"{P}/jobs/1/trace", 404, {"message": "404 Not Found"}),
    (
        "GET",
        f"{P}/repository/files/README.md?ref=no",
        404,
        {"message": "404 Commit Not Found"},
    ),
    ("GET", f"{P}/repository/files/nope?ref=main", 404, {"message": "404 File Not Found"}),
    ("GET", f"{P}/repository/branches/nope", 404, {"message": "404 Branch Not Found"}),
    ("GET", f"{P}/repository/tree?ref=nope", 404, {"message": "404 Tree Not Found"}),
    ("GET", "namespaces/nope", 404, {"message": "404 Namespace Not Found"}),
    # No such way, or not with this verb.
    ("GET", "nowhere", 404, {"error": "404 Not Found"}),
    ("GET", "projects/acme/demo", 404, {"error": "404 Not Found"}),
    ("POST", f"{P}/pipelines", 405, {"error": "405 Not Allowed"}),
    ("DELETE", "version", 405, {"error": "405 Not Allowed"}),
    ("PUT", "namespaces", 405, {"error": "405 Not Allowed"}),
]


@pytest.fixture(scope="module")
def api(platform: RunningEmulator) -> Iterator[httpx.Client]:
    """Open a client with the token that sees most."""
    with api_client(platform) as client:
        yield client


@pytest.mark.parametrize(("method", "path", "status", "body"), REFUSALS)
def test_a_refusal_has_its_body(
    api: httpx.Client,
    platform: RunningEmulator,
    method: str,
    path: str,
    status: int,
    body: dict[str, Any],
) -> None:
    """Status, body, and that the request was counted all the same."""
    answer = api.request(method, path.replace(P, in_project(platform)))
    assert (answer.status_code, answer.json()) == (status, body)
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.headers["RateLimit-Limit"]


@pytest.mark.parametrize(("method", "path", "status", "body"), REFUSALS)
def test_without_a_credential_nothing_is_told(
    platform: RunningEmulator, method: str, path: str, status: int, body: dict[str, Any]
) -> None:
    """Spec §5.2 rule 6, §7: 401 before any word on parameters; only ways are told apart."""
    with api_client(platform, token="") as nobody:
        answer = nobody.request(method, path.replace(P, in_project(platform)))
    if status == 405 or ("error" in body and status == 404) or "trigger" in path:
        assert (answer.status_code, answer.json()) == (status, body)
    else:
        assert (answer.status_code, answer.json()) == (401, {"message": "401 Unauthorized"})


def test_a_body_that_is_too_long_or_of_no_known_kind(
    api: httpx.Client, platform: RunningEmulator
) -> None:
    """413 and 415, before anything is done with it."""
    path = in_project(platform, "pipeline")
    long = api.post(path, content=b" " * (1 << 20) + b"{}")
    assert (long.status_code, long.json()) == (413, {"error": "413 Request Entity Too Large"})
    strange = api.post(path, content=b"<a/>", headers={"Content-Type": "text/xml"})
    assert strange.status_code == 415
    assert "text/xml" in strange.json()["error"]


def test_a_405_says_what_is_allowed(api: httpx.Client, platform: RunningEmulator) -> None:
    """As HTTP wants it."""
    answer = api.delete(in_project(platform, "pipelines"))
    assert (answer.status_code, answer.headers["Allow"]) == (405, "GET")


def test_the_jobs_of_projects_have_a_limit_of_their_own(platform_with: PlatformFactory) -> None:
    """429 in JSON, without a word on quotas; counted for each user, over all projects."""
    clock = FakeClock()
    platform = platform_with(clock=clock)
    limits = f"{platform.base_url}/-/emulator/limits"
    assert ask("POST", limits, data={"jobs": 2}).json()["jobs"] == 2
    jobs = in_project(platform, "jobs")
    with api_client(platform) as api:
        elsewhere = f"projects/{api.get('projects').json()[0]['id']}/jobs"
        assert [api.get(path).status_code for path in (jobs, elsewhere)] == [200, 200]
        answer = api.get(jobs)
        assert answer.status_code == 429
        said = "This endpoint has been requested too many times. Try again later."
        assert answer.json() == {"message": {"error": said}}
        names = {name.lower() for name in answer.headers}
        assert not [name for name in names if name.startswith("ratelimit") or "retry" in name]
        pipelines = api.get(in_project(platform, "pipelines"))
        assert pipelines.status_code == 200
        assert pipelines.headers["RateLimit-Observed"] == "5"
        clock.jump(60)
        assert api.get(jobs).status_code == 200
    assert ask("POST", limits, data={"jobs": 0}).status_code == 400
    for body in ({"job": 3}, {'{"jobs": 3}': ""}):
        refused = ask("POST", limits, data=body)
        assert refused.status_code == 400
        assert "is not taken here, but requests, jobs" in refused.json()["error"]
