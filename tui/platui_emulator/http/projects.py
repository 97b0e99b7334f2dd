"""Projects and namespaces (spec 4.3)."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from platui_emulator.http.access import LEVELS, MAINTAINER
from platui_emulator.http.answers import json_answer
from platui_emulator.http.credentials import Kind
from platui_emulator.http.failures import (
    bad_parameters,
    forbidden,
    invalid,
    no_keyset,
    not_found,
)
from platui_emulator.http.paging import (
    by_key,
    keyed_page,
    per_page_of,
    shallow_window_of,
    whole_list,
)
from platui_emulator.http.project_lists import ORDERS, ProjectFilter
from platui_emulator.http.render.places import (
    group_namespace,
    project_extras,
    project_simple,
    runners_token,
    user_namespace,
)
from platui_emulator.records import Group, Person, Project, WorldError

if TYPE_CHECKING:
    from starlette.responses import Response

    from platui_emulator.http.call import Call
    from platui_emulator.http.routing import Table

_MAX_NAME = 255


def list_projects(call: Call) -> Response:
    """List the projects that the caller sees, by number of page or, by id, by key."""
    params, lists = call.params, call.platform.lists
    keyed = by_key(params)
    order = params.choice("order_by", tuple(ORDERS)) or "created_at"
    if keyed and order != "id":
        raise no_keyset()
    member = params.flag("membership", default=False)
    found = lists.of(call.credential, order, call.now, member=member)
    found = ProjectFilter.of(call).applied(call, found)
    descending = (params.choice("sort", ("asc", "desc")) or "desc") == "desc"
    if descending:
        found = found[::-1]
    simple = params.flag("simple", default=False)

    def render(project: Project) -> dict[str, Any]:
        return _body(call, project, simple=simple)

    if not keyed:
        return whole_list(call, found, render, shallow_window_of(params, "Project"))
    size = per_page_of(params)
    page, name = found[:size], "id_before" if descending else "id_after"
    following = {name: str(page[-1].id)} if len(found) > size else None
    return keyed_page(call, [render(project) for project in page], following)


def show_project(call: Call) -> Response:
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
    if call.params.text("namespace_id") not in {None, "", str(call.credential.user.id)}:
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
    user = call.credential.user
    found: list[Group | Person] = [] if user.bot else [user]
    found += call.platform.access.visible_groups(call.credential)
    if call.params.flag("owned_only", default=False):
        found = [one for one in found if isinstance(one, Person) or _owns(call, one)]
    if call.params.flag("top_level_only", default=False):
        found = [one for one in found if isinstance(one, Person) or one.parent_id is None]
    wanted = (call.params.text("search") or "").casefold()
    if wanted:
        whole = call.params.flag("full_path_search", default=False)
        found = [one for one in found if wanted in _searched(one, whole=whole)]
    return whole_list(call, found, lambda one: _namespace_body(call, one))


def show_namespace(call: Call) -> Response:
    """Show one namespace, by id or full path."""
    wanted, user = call.path["namespace"], call.credential.user
    if not user.bot and wanted in {str(user.id), user.username}:
        return json_answer(_namespace_body(call, user))
    for group in call.platform.access.visible_groups(call.credential):
        if wanted in {str(group.id), group.full_path}:
            return json_answer(_namespace_body(call, group))
    raise not_found("Namespace")


def last_activity(call: Call, project: Project) -> datetime:
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
    owner = call.world.group(project.group_id) or call.world.person(project.group_id)
    if owner is None:
        raise LookupError(f"a project of nobody: {project.full_path}")
    return _namespace_body(call, owner)


def _namespace_body(call: Call, owner: Group | Person) -> dict[str, Any]:
    if isinstance(owner, Person):
        return user_namespace(owner, call.links)
    return group_namespace(owner, call.links)


def _owns(call: Call, group: Group) -> bool:
    return call.platform.access.group_level(call.credential, group.id) >= LEVELS["OWNER"]


def _searched(owner: Group | Person, *, whole: bool) -> str:
    """Return what a search looks through: name and path, of groups alone or with those above."""
    if isinstance(owner, Person):
        return f"{owner.name}\n{owner.username}".casefold()
    return f"{owner.name}\n{owner.full_path if whole else owner.path}".casefold()


ROUTES: Table = {
    "projects": {"GET": list_projects, "POST": create_project},
    "projects/{project}": {"GET": show_project},
    "namespaces": {"GET": list_namespaces},
    "namespaces/{namespace}": {"GET": show_namespace},
}
