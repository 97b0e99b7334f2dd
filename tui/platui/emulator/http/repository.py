"""Files and folders of a project."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from starlette.responses import Response

from platui.emulator.http.answers import json_answer, plain_answer
from platui.emulator.http.failures import not_found
from platui.emulator.http.keyset import token_page
from platui.emulator.http.paging import by_key, whole_list
from platui.emulator.http.render.repository import file, file_headers, tree_entry

if TYPE_CHECKING:
    from platui.emulator.http.call import Call
    from platui.emulator.http.routing import Table
    from platui.emulator.records import Commit, File, TreeEntry


def show_file(call: Call) -> Response:
    """Show a file with its content in base64; the ref has to be said."""
    record, ref, at = _find_file(call)
    body = file(record, ref, at)
    return json_answer(body, headers=file_headers(body))


def show_raw_file(call: Call) -> Response:
    """Send a file as it is, from the default branch where no ref is said."""
    record, ref, at = _find_file(call, otherwise="HEAD")
    headers = file_headers(file(record, ref, at))
    name = quote(record.path.rpartition("/")[2])
    headers["Content-Disposition"] = f"inline; filename*=UTF-8''{name}"
    if b"\0" in record.content:
        return Response(record.content, headers=headers, media_type="application/octet-stream")
    return plain_answer(record.content, headers=headers)


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
    if by_key(call.params):
        return token_page(call, found, lambda entry: entry.id, tree_entry)
    return whole_list(call, found, tree_entry)


def _find_file(call: Call, *, otherwise: str = "") -> tuple[File, str, Commit]:
    project = call.project()
    ref = call.params.text("ref") or otherwise
    if not ref:
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


ROUTES: Table = {
    "projects/{project}/repository/files/{file}": {"GET": show_file},
    "projects/{project}/repository/files/{file}/raw": {"GET": show_raw_file},
    "projects/{project}/repository/tree": {"GET": list_tree},
}
