"""The emulator's own desk, outside both APIs, for tests and the curious.

- `GET /-/emulator/requests?after=N` lists the requests that came to the platform.
- `GET /-/emulator/credentials` lists a credential of every kind, whose it is and what it is for.
- `POST /-/emulator/expire` and `/revoke` with the field `token` let that credential end.
- `GET /-/emulator/job-token?project=P&job=N` gives what that job finds in `CI_JOB_TOKEN`.
- `POST /-/emulator/allowlist` with `project`, `enabled` and `listed[]` changes an allowlist.
- `POST /-/emulator/reporting` with `enabled` switches the organization's report on or off.
- `POST /-/emulator/limits` with `requests` or `jobs` changes the requests a minute for each user.
- `/-/emulator/faults` lists, sets and takes away the faults of the relay.
- `GET /-/emulator/logs` tells where long logs are, and which errors were planted in them.
- `GET /-/emulator/truth` tells the causes behind what is red, and what each has broken.
- `GET /-/emulator/report` tells the period of the access report; `POST /-/emulator/report/advance`
  moves it on by `periods`; `GET /-/emulator/report/changes?from=A&to=B` tells what they changed.

Nothing here is counted, journaled or asked for a credential: what it hands out opens a
simulated company only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starlette.requests import Request

from platui.emulator.faults import endpoint as faults
from platui.emulator.http import truths
from platui.emulator.http.answers import failure_answer, json_answer
from platui.emulator.http.failures import ApiFailure, bad_parameters, no_such_route, not_found
from platui.emulator.http.keyring import all_credentials
from platui.emulator.http.parameters import MAX_BODY, read_parameters
from platui.emulator.http.project_api import raw_path

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeAlias

    from starlette.responses import Response
    from starlette.types import Receive, Scope, Send

    from platui.emulator.http.parameters import Parameters
    from platui.emulator.http.platform import Platform
    from platui.emulator.records import Project

    Answer: TypeAlias = Callable[[Platform, Parameters], Any]

PREFIX: Final = "/-/emulator"


class Control:
    """The desk as an ASGI application."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        request = Request(scope, receive)
        body = await request.body()
        try:
            response = self._answer(request, body[:MAX_BODY])
        except ApiFailure as failure:
            response = failure_answer(failure)
        await response(scope, receive, send)

    def _answer(self, request: Request, body: bytes) -> Response:
        path = raw_path(request).removeprefix(PREFIX)
        if faults.serves(path):
            return faults.answer(self._platform.faults, request.method, path, body)
        found = _ANSWERS.get((request.method, path))
        if found is None:
            raise no_such_route()
        params = read_parameters(
            request.scope["query_string"], request.headers.get("content-type", ""), body
        )
        return json_answer(found(self._platform, params))


def _requests(platform: Platform, params: Parameters) -> dict[str, Any]:
    return {"requests": platform.journal.as_json(params.number("after", 0))}


def _credentials(platform: Platform, params: Parameters) -> dict[str, Any]:
    del params
    return all_credentials(platform, platform.time.now())


def _expire(platform: Platform, params: Parameters) -> dict[str, bool]:
    [token] = params.required("token")
    if not platform.credentials.expire(token):
        raise not_found("Token")
    return {"expired": True}


def _revoke(platform: Platform, params: Parameters) -> dict[str, bool]:
    [token] = params.required("token")
    if not platform.credentials.revoke(token):
        raise not_found("Token")
    return {"revoked": True}


def _job_token(platform: Platform, params: Parameters) -> dict[str, Any]:
    name, _ = params.required("project", "job")
    project = _project(platform, name)
    job = platform.world.job(project.id, params.number("job", 0), platform.time.now())
    if job is None:
        raise not_found("Job")
    token = platform.credentials.job_token(project.id, job.id)
    return {"token": token, "status": job.status, "user": job.user.username}


def _allowlist(platform: Platform, params: Parameters) -> dict[str, Any]:
    [name] = params.required("project")
    project = _project(platform, name)
    changed = platform.allowlists.change(
        project,
        enabled=params.flag("enabled", default=platform.allowlists.of(project).enabled),
        added=[_project(platform, one).id for one in params.texts("listed")],
    )
    return {"enabled": changed.enabled, "group": changed.group, "listed": sorted(changed.listed)}


def _reporting(platform: Platform, params: Parameters) -> dict[str, bool]:
    [_] = params.required("enabled")
    platform.reporting.enabled = params.flag("enabled", default=True)
    return {"enabled": platform.reporting.enabled}


def _limits(platform: Platform, params: Parameters) -> dict[str, int]:
    quotas = {"requests": platform.quota, "jobs": platform.jobs_quota}
    for name, quota in quotas.items():
        limit = params.number(name, quota.limit)
        if limit < 1:
            raise bad_parameters(f"{name} does not have a valid value")
        quota.limit = limit
    return {name: quota.limit for name, quota in quotas.items()}


def _project(platform: Platform, name: str) -> Project:
    project = platform.world.project(int(name) if name.isdecimal() else name)
    if project is None:
        raise not_found("Project")
    return project


_ANSWERS: Final[Mapping[tuple[str, str], Answer]] = {
    ("GET", "/requests"): _requests,
    ("GET", "/credentials"): _credentials,
    ("GET", "/job-token"): _job_token,
    ("POST", "/expire"): _expire,
    ("POST", "/revoke"): _revoke,
    ("POST", "/allowlist"): _allowlist,
    ("POST", "/reporting"): _reporting,
    ("POST", "/limits"): _limits,
    **truths.ANSWERS,
}
