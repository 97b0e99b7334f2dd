"""Projects and namespaces (spec 4.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from platui.emulator.http.access import MAINTAINER
from platui.emulator.http.answers import json_answer
from platui.emulator.http.credentials import Kind
from platui.emulator.http.failures import bad_parameters, forbidden, invalid, not_found
from platui.emulator.http.paging import whole_list
from platui.emulator.http.render.places import (
    group_namespace,
    project_extras,
    project_simple,
    runners_token,
    user_namespace,
)
from platui.emulator.world_protocol import WorldError

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from starlette.responses import Response

    from platui.emulator.http.call import Call
    from platui.emulator.http.routing import Table
    from platui.emulator.records import Project

_MAX_NAME = 255


def list_projects(call: Call) -> Response:
    """List the projects that the caller sees."""
    params, access = call.params, call.platform.access
    found = list(access.visible_projects(call.credential))
    if params.flag("membership", default=False):
        found = [project for project in found if access.level(call.credential, project)]
    if params.flag("archived", default=False):
        found = []
    wanted = (params.text("search") or "").casefold()
    if wanted:
        in_path = params.flag("search_namespaces", default=False)
        found = [project for project in found if wanted in _searched(project, in_path=in_path)]
    visibility = params.choice("visibility", ("private", "internal", "public"))
    found = [project for project in found if visibility in {None, project.visibility}]
    order = params.choice("order_by", _orders(call)) or "created_at"
    descending = (params.choice("sort", ("asc", "desc")) or "desc") == "desc"
    found.sort(key=_orders(call)[order], reverse=descending)
    simple = params.flag("simple", default=False)
    return whole_list(call, found, lambda project: _body(call, project, simple=simple))


def show_project(call: Call) -> Response:
    """Show one project."""
    return json_answer(_body(call, call.project()))


def create_project(call: Call) -> Response:
    """Create a project in the caller's own namespace; `permissions` is taken and ignored."""
    call.require_write_scope()
    if call.credential.kind is not Kind.PERSONAL:
        raise forbidden()
    name = call.params.text("name")
    if name is None:
        name = call.params.text("path")
    if name is None:
        raise bad_parameters("name, path are missing, at least one parameter must be provided")
    if "namespace_id" in call.params:
        raise invalid(namespace=["is not valid"])
    if not name.strip():
        raise invalid(name=["can't be blank"])
    if len(name) > _MAX_NAME:
        raise invalid(name=[f"is too long (maximum is {_MAX_NAME} characters)"])
    try:
        created = call.world.create_project(
            name=name.strip(),
            description=call.params.text("description") or "",
            creator=call.credential.user,
            now=call.now,
        )
    except WorldError as refusal:
        raise invalid(name=[str(refusal)]) from refusal
    return json_answer(_body(call, created), 201)


def list_namespaces(call: Call) -> Response:
    """List the groups of the caller and the caller's own namespace."""
    found = [
        group_namespace(group, call.links)
        for group in call.platform.access.visible_groups(call.credential)
    ]
    if not call.credential.user.bot:
        found.insert(0, _own_namespace(call))
    if call.params.flag("top_level_only", default=False):
        found = [body for body in found if body["parent_id"] is None]
    wanted = (call.params.text("search") or "").casefold()
    found = [body for body in found if wanted in f"{body['name']}\n{body['path']}".casefold()]
    return whole_list(call, found, lambda body: body)


def show_namespace(call: Call) -> Response:
    """Show one namespace, by id or full path."""
    wanted = call.path["namespace"]
    bodies = [
        group_namespace(group, call.links)
        for group in call.platform.access.visible_groups(call.credential)
    ]
    if not call.credential.user.bot:
        bodies.append(_own_namespace(call))
    for body in bodies:
        if wanted in {str(body["id"]), body["full_path"]}:
            return json_answer(body)
    raise not_found("Namespace")


def last_activity(call: Call, project: Project) -> datetime:
    """Return when a project last ran something."""
    return call.world.last_activity(project.id, call.now)


def _body(call: Call, project: Project, *, simple: bool = False) -> dict[str, Any]:
    access = call.platform.access
    active_at = last_activity(call, project)
    body = project_simple(project, _namespace(call, project), active_at, call.links)
    if simple:
        return body
    direct = access.direct_level(call.credential, project)
    inherited = access.group_level(call.credential, project.group_id)
    body |= project_extras(direct, inherited)
    if max(direct, inherited) >= MAINTAINER:
        body["runners_token"] = runners_token(project)
    return body


def _namespace(call: Call, project: Project) -> dict[str, Any]:
    group = call.world.group(project.group_id)
    if group is not None:
        return group_namespace(group, call.links)
    owner = call.world.person(project.group_id)
    if owner is None:
        raise LookupError(f"a project of nobody: {project.full_path}")
    return user_namespace(owner, call.links)


def _own_namespace(call: Call) -> dict[str, Any]:
    return user_namespace(call.credential.user, call.links)


def _searched(project: Project, *, in_path: bool) -> str:
    path = project.full_path if in_path else project.path
    return f"{project.name}\n{path}\n{project.description}".casefold()


def _orders(call: Call) -> dict[str, Callable[[Project], Any]]:
    return {
        "id": lambda project: project.id,
        "name": lambda project: (project.name.casefold(), project.id),
        "path": lambda project: (project.path.casefold(), project.id),
        "created_at": lambda project: (project.created_at, project.id),
        "last_activity_at": lambda project: (last_activity(call, project), project.id),
    }


ROUTES: Table = {
    "projects": {"GET": list_projects, "POST": create_project},
    "projects/{project}": {"GET": show_project},
    "namespaces": {"GET": list_namespaces},
    "namespaces/{namespace}": {"GET": show_namespace},
}
