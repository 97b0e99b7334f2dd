"""The control API of the emulator, outside both APIs; it asks for no credential."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from platui.core.text import shorten
from platui_emulator.faults import endpoint as faults
from platui_emulator.http import planted_data as truths
from platui_emulator.http.answers import failure_answer, json_answer
from platui_emulator.http.failures import (
    ApiFailure,
    bad_parameters,
    method_not_allowed,
    no_such_route,
    not_found,
)
from platui_emulator.http.keyring import all_credentials
from platui_emulator.http.parameters import Parameters, read_parameters
from platui_emulator.http.project_api import raw_path, read_body
from platui_emulator.http.routing import Offer, offer

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from platui_emulator.http.platform import Platform
    from platui_emulator.records import Project

PREFIX: Final = "/-/emulator"


class Control:
    """The desk as an ASGI application."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            response = self._answer(request, await read_body(request))
        except ClientDisconnect:
            return
        except ApiFailure as failure:
            response = failure_answer(failure)
        await response(scope, receive, send)

    def _answer(self, request: Request, body: bytes) -> Response:
        path = raw_path(request).removeprefix(PREFIX)
        if faults.serves(path):
            return faults.answer(self._platform.faults, request.method, path, body)
        found = _OFFERS.get((request.method, path or "/"))
        if found is None:
            raise _refusal(path or "/")
        params = read_parameters(
            request.scope["query_string"], request.headers.get("content-type", ""), body
        )
        _check(params, found.docs.takes)
        answer = found.answer(self._platform, params)
        return answer if isinstance(answer, Response) else json_answer(answer)


def _check(params: Parameters, taken: Mapping[str, str]) -> None:
    """Raise ApiFailure for unknown parameters, and for JSON sent as a form."""
    unknown = next((name for name in params.all() if name not in taken), None)
    if unknown is not None:
        known = ", ".join(taken) or "nothing"
        raise bad_parameters(
            f"{shorten(unknown, 40)} is not taken here, but {known}, as a form, in the query, or "
            "in JSON with its Content-Type"
        )


def _refusal(path: str) -> ApiFailure:
    verbs = [verb for verb, known in _OFFERS if known == path]
    return method_not_allowed(", ".join(verbs)) if verbs else no_such_route()


def _overview(platform: Platform, params: Parameters) -> dict[str, Any]:
    del platform, params
    endpoints = {key: found.docs for key, found in _OFFERS.items()} | dict(faults.OFFERED)
    return {
        "endpoints": [
            {"method": verb, "path": f"{PREFIX}{path}", "does": one.does, "takes": dict(one.takes)}
            for (verb, path), one in endpoints.items()
        ],
        "fault_kinds": faults.kinds(),
    }


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
    job = platform.world.pipelines.job(project.id, params.number("job", 0), platform.time.now())
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


_CREDENTIAL: Final = "any credential that this emulator knows"
_PROJECT: Final = "id or full path"

_OFFERS: Final[Mapping[tuple[str, str], Offer]] = {
    ("GET", "/"): offer(_overview, "This list."),
    ("GET", "/requests"): offer(
        _requests,
        "The newest requests to the platform and its storage, with their answers' status.",
        after="only those with a number above this one; default 0",
    ),
    ("GET", "/credentials"): offer(
        _credentials, "A credential of every kind, good and bad: whose it is and what it is for."
    ),
    ("GET", "/job-token"): offer(
        _job_token, "What a job finds in CI_JOB_CREDENTIAL.", project=_PROJECT, job="id of the job"
    ),
    ("POST", "/expire"): offer(_expire, "Let a credential expire.", token=_CREDENTIAL),
    ("POST", "/revoke"): offer(_revoke, "Withdraw a credential.", token=_CREDENTIAL),
    ("POST", "/allowlist"): offer(
        _allowlist,
        "Change whose job tokens a project lets in.",
        project=_PROJECT,
        enabled="false lets every project's in",
        listed="projects to add, by id or full path",
    ),
    ("POST", "/reporting"): offer(
        _reporting, "Switch the organization's report on or off.", enabled="true or false"
    ),
    ("POST", "/limits"): offer(
        _limits,
        "Change the requests a minute for each user.",
        requests="all requests to the project API",
        jobs="lists of a project's jobs besides",
    ),
    **truths.OFFERS,
}
