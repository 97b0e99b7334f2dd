"""Files, folders, branches and tags of a project."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from platui.emulator.http.answers import json_answer, plain_answer
from platui.emulator.http.failures import not_found
from platui.emulator.http.paging import whole_list
from platui.emulator.http.render.repository import branch, file, file_headers, tag, tree_entry

if TYPE_CHECKING:
    from starlette.responses import Response

    from platui.emulator.http.call import Call
    from platui.emulator.http.routing import Table
    from platui.emulator.records import Branch, Commit, File, Tag, TreeEntry

    Named = TypeVar("Named", Branch, Tag)


def show_file(call: Call) -> Response:
    """Show a file with its content in base64; the ref has to be said."""
    record, ref, at = _find_file(call)
    body = file(record, ref, at)
    return json_answer(body, headers=file_headers(body))


def show_raw_file(call: Call) -> Response:
    """Send a file as it is."""
    record, ref, at = _find_file(call)
    return plain_answer(record.content, headers=file_headers(file(record, ref, at)))


def list_tree(call: Call) -> Response:
    """List a folder, and with `recursive` all that is below it."""
    project = call.project()
    ref = call.params.text("ref") or project.default_branch
    path = (call.params.text("path") or "").strip("/")
    if call.world.commit(project.id, ref, call.now) is None:
        raise not_found("Tree")
    found = list(call.world.tree(project.id, ref, path, call.now))
    if path and not found:
        raise not_found("Tree")
    if call.params.flag("recursive", default=False):
        found = _all_below(call, project.id, ref, found)
    return whole_list(call, found, tree_entry)


def list_branches(call: Call) -> Response:
    """List branches; `search` takes the anchors `^` and `$`."""
    project = call.project()
    found = _searched(call, list(call.world.branches(project.id, call.now)))
    match call.params.choice("sort", ("name_asc", "updated_asc", "updated_desc")):
        case "updated_asc":
            found.sort(key=lambda record: record.commit.authored_at)
        case "updated_desc":
            found.sort(key=lambda record: record.commit.authored_at, reverse=True)
        case _:
            found.sort(key=lambda record: record.name)
    return whole_list(call, found, lambda record: branch(record, project, call.links))


def show_branch(call: Call) -> Response:
    """Show one branch."""
    project = call.project()
    for record in call.world.branches(project.id, call.now):
        if record.name == call.path["branch"]:
            return json_answer(branch(record, project, call.links))
    raise not_found("Branch")


def list_tags(call: Call) -> Response:
    """List tags, the newest first."""
    project = call.project()
    found = _searched(call, list(call.world.tags(project.id, call.now)))
    descending = (call.params.choice("sort", ("asc", "desc")) or "desc") == "desc"
    if call.params.choice("order_by", ("name", "updated")) == "name":
        found.sort(key=lambda record: record.name, reverse=descending)
    else:
        found.sort(key=lambda record: record.commit.authored_at, reverse=descending)
    return whole_list(call, found, lambda record: tag(record, project, call.links))


def _find_file(call: Call) -> tuple[File, str, Commit]:
    project = call.project()
    [ref] = call.params.required("ref")
    at = call.world.commit(project.id, ref, call.now)
    if at is None:
        raise not_found("Commit")
    record = call.world.file(project.id, ref, call.path["file"], call.now)
    if record is None:
        raise not_found("File")
    return record, ref, at


def _all_below(call: Call, project_id: int, ref: str, entries: list[TreeEntry]) -> list[TreeEntry]:
    found = []
    for entry in entries:
        found.append(entry)
        if entry.type == "tree":
            below = list(call.world.tree(project_id, ref, entry.path, call.now))
            found += _all_below(call, project_id, ref, below)
    return found


def _searched(call: Call, records: list[Named]) -> list[Named]:
    wanted = (call.params.text("search") or "").casefold()
    bare = wanted.removeprefix("^").removesuffix("$")
    if wanted.startswith("^") and wanted.endswith("$"):
        return [record for record in records if record.name.casefold() == bare]
    if wanted.startswith("^"):
        return [record for record in records if record.name.casefold().startswith(bare)]
    if wanted.endswith("$"):
        return [record for record in records if record.name.casefold().endswith(bare)]
    return [record for record in records if wanted in record.name.casefold()]


ROUTES: Table = {
    "projects/{project}/repository/files/{file}": {"GET": show_file},
    "projects/{project}/repository/files/{file}/raw": {"GET": show_raw_file},
    "projects/{project}/repository/tree": {"GET": list_tree},
    "projects/{project}/repository/branches": {"GET": list_branches},
    "projects/{project}/repository/branches/{branch}": {"GET": show_branch},
    "projects/{project}/repository/tags": {"GET": list_tags},
}
