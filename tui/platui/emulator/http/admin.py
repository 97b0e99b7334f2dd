"""The administration API (spec 4.2): the access report, and its own documentation."""

from __future__ import annotations

import uuid
from collections import defaultdict
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from starlette.requests import Request
from starlette.responses import HTMLResponse

from platui.emulator.http.accept import HTML, JSON, preference
from platui.emulator.http.admission import bearer
from platui.emulator.http.answers import failure_answer, json_answer
from platui.emulator.http.conditional import compressed
from platui.emulator.http.docs_page import docs_page
from platui.emulator.http.failures import (
    ApiFailure,
    forbidden,
    method_not_allowed,
    no_such_route,
    not_acceptable,
    unauthorized,
)
from platui.emulator.http.openapi import description
from platui.emulator.http.project_api import raw_path, root_of
from platui.emulator.http.tokens import REPORT_SCOPE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.responses import Response
    from starlette.types import Receive, Scope, Send

    from platui.emulator.http.platform import Platform
    from platui.emulator.records import Group, Membership, Person, Project
    from platui.emulator.world_protocol import World

PREFIX: Final = "/admin/api/v1"


class AdminApi:
    """The API as an ASGI application. The spec knows no rate limit here."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        request = Request(scope, receive)
        try:
            response = self._answer(request)
        except ApiFailure as failure:
            response = failure_answer(failure)
            if failure.status == HTTPStatus.UNAUTHORIZED:
                response.headers["WWW-Authenticate"] = "Bearer"
        self._platform.face.sent(response)
        await compressed(request.headers, response)(scope, receive, send)

    def _answer(self, request: Request) -> Response:
        base = f"{root_of(request)}{PREFIX}"
        path = raw_path(request).removeprefix(PREFIX)
        if path not in {"/reporting/report", "/docs", "/openapi.json"}:
            raise no_such_route()
        if request.method not in {"GET", "HEAD"}:
            raise method_not_allowed("GET")
        accept = request.headers.get("accept")
        described = description(base)
        if path == "/docs" and preference(accept, HTML) >= preference(accept, JSON):
            return HTMLResponse(docs_page(described))
        if path != "/reporting/report":
            return json_answer(described)
        self._check_key(request)
        if not preference(accept, JSON):
            raise not_acceptable()
        answer = json_answer(report(self._platform.world))
        return self._platform.face.answered("GET reporting/report", answer)

    def _check_key(self, request: Request) -> None:
        platform = self._platform
        scopes = platform.credentials.admin_scopes(bearer(request.headers), platform.time.now())
        if scopes is None:
            raise unauthorized()
        if REPORT_SCOPE not in scopes:
            raise forbidden(f"The key does not have the scope {REPORT_SCOPE}")
        if not platform.reporting.enabled:
            raise forbidden("Reporting is not enabled for this organization")


def report(world: World) -> dict[str, Any]:
    """Return the report of spec 2.1; subgroups are nested in the groups they belong to."""
    below: dict[int | None, list[Group]] = defaultdict(list)
    projects: dict[int, list[Project]] = defaultdict(list)
    for group in world.groups():
        below[group.parent_id].append(group)
    for project in world.projects():
        projects[project.group_id].append(project)

    def entry(group: Group) -> dict[str, Any]:
        body: dict[str, Any] = {
            "name": group.name,
            "path": group.full_path,
            "members": _members(world.group_members(group.id)),
        }
        if projects[group.id]:
            body["projects"] = {
                str(project.id): _project(world, project) for project in projects[group.id]
            }
        if below[group.id]:
            body["subgroups"] = {str(one.id): entry(one) for one in below[group.id]}
        return body

    return {
        "platform": {"groups": {str(group.id): entry(group) for group in below[None]}},
        "users": {str(person.id): _user(person) for person in world.people()},
    }


def _project(world: World, project: Project) -> dict[str, Any]:
    return {
        "name": project.name,
        "path": project.full_path,
        "members": _members(world.project_members(project.id)),
    }


def _members(members: Sequence[Membership]) -> dict[str, Any]:
    return {str(member.person_id): {"max_access_level": member.level} for member in members}


def _user(person: Person) -> dict[str, Any]:
    identity = None if person.bot else str(uuid.uuid5(uuid.NAMESPACE_URL, person.email))
    return {
        "email": person.email,
        "name": person.name,
        "service_identity_uuid": identity,
        "state": person.state,
        "username": person.username,
    }
