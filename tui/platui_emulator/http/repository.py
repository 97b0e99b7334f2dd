"""Files, folders, branches, tags and commits of a project."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import quote

from starlette.responses import Response

from platui_emulator.http.access import DEVELOPER, MAINTAINER
from platui_emulator.http.answers import json_answer, no_content, plain_answer
from platui_emulator.http.failures import bad_parameters, not_found, unprocessable
from platui_emulator.http.paging import by_key, token_page, whole_list
from platui_emulator.http.patterns import Pattern, PatternError
from platui_emulator.http.render.people import commit
from platui_emulator.http.render.repository import (
    branch,
    change,
    file,
    file_headers,
    merge_request,
    tag,
    tree_entry,
)

if TYPE_CHECKING:
    from platui_emulator.http.call import Call
    from platui_emulator.http.routing import Table
    from platui_emulator.records import Branch, Commit, File, Project, Tag, TreeEntry

    Named = TypeVar("Named", Branch, Tag)


def show_file(call: Call) -> Response:
    """Show a file with base64 content; `ref` is required."""
    record, ref, at = _find_file(call)
    body = file(record, ref, at)
    return json_answer(body, headers=file_headers(body))


def show_raw_file(call: Call) -> Response:
    """Send a raw file; the default ref is the default branch."""
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
    if call.world.repositories.commit(project.id, ref, call.now) is None:
        raise not_found("Tree")
    found = list(call.world.repositories.tree(project.id, ref, path, call.now))
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
    at = _named(call, project, ref)
    record = call.world.repositories.file(project.id, ref, call.path["file"], call.now)
    if record is None:
        raise not_found("File")
    return record, ref, at


def _all_below(call: Call, project_id: int, ref: str, entries: list[TreeEntry]) -> list[TreeEntry]:
    found = []
    for entry in entries:
        found.append(entry)
        if entry.type == "tree":
            below = list(call.world.repositories.tree(project_id, ref, entry.path, call.now))
            found += _all_below(call, project_id, ref, below)
    return found


_NUMBERS: Final = re.compile(r"([0-9]+)")


def list_branches(call: Call) -> Response:
    """List branches; `search` takes the anchors `^` and `$`, `regex` a pattern."""
    project = call.project()
    found = _searched(call, list(call.world.repositories.branches(project.id, call.now)))
    match call.params.text("sort") or "name_asc":
        case "name_asc":
            found.sort(key=lambda record: record.name)
        case "updated_asc":
            found.sort(key=lambda record: record.commit.authored_at)
        case "updated_desc":
            found.sort(key=lambda record: record.commit.authored_at, reverse=True)
        case _:
            raise unprocessable()
    level = call.platform.access.level(call.credential, project)
    return _listed(call, found, lambda record: _branch(call, record, project, level))


def show_branch(call: Call) -> Response:
    project = call.project()
    level = call.platform.access.level(call.credential, project)
    for record in call.world.repositories.branches(project.id, call.now):
        if record.name == call.path["branch"]:
            return json_answer(_branch(call, record, project, level))
    raise not_found("Branch")


def find_branch(call: Call) -> Response:
    """Answer a HEAD request for a branch."""
    show_branch(call)
    return no_content()


def list_tags(call: Call) -> Response:
    """List tags, the newest first."""
    project = call.project()
    found = _searched(call, list(call.world.repositories.tags(project.id, call.now)))
    order = call.params.choice("order_by", ("name", "updated", "version")) or "updated"
    direction = call.params.text("sort") or "desc"
    if direction not in {"asc", "desc"}:
        raise unprocessable()
    found.sort(key=_ORDERS[order], reverse=direction == "desc")
    return _listed(call, found, lambda record: tag(record, project, call.links))


def show_tag(call: Call) -> Response:
    project = call.project()
    for record in call.world.repositories.tags(project.id, call.now):
        if record.name == call.path["tag"]:
            return json_answer(tag(record, project, call.links))
    raise not_found("Tag")


def show_commit(call: Call) -> Response:
    """Show the commit that a hash, branch or tag names."""
    project = call.project()
    found = _named(call, project, call.path["commit"])
    body = commit(found, project, call.links)
    return json_answer(body | {"project_id": project.id} | _last_pipeline(call, project, found))


def compare(call: Call) -> Response:
    """Compare two commits: what is new in `to`, and the files that differ."""
    project = call.project()
    before, after = (_named(call, project, ref) for ref in call.params.required("from", "to"))
    found = call.world.repositories.commits_between(project.id, before, after)
    commits = [commit(one, project, call.links) for one in found]
    files = call.world.repositories.changes(project.id, before, after)
    return json_answer(
        {
            "commit": commits[-1] if commits else None,
            "commits": commits,
            "diffs": [change(one) for one in files],
            "compare_timeout": False,
            "compare_same_ref": before.sha == after.sha,
            "web_url": call.links.comparison(project, before.sha, after.sha),
        }
    )


def show_diff(call: Call) -> Response:
    """List the files that a commit changed, compared with its first parent."""
    project = call.project()
    after = _named(call, project, call.path["commit"])
    before = _named(call, project, after.parents[0]) if after.parents else after
    return whole_list(call, call.world.repositories.changes(project.id, before, after), change)


def list_merge_requests(call: Call) -> Response:
    """List the merge requests that a commit belongs to."""
    project = call.project()
    at = _named(call, project, call.path["commit"])
    found = call.world.repositories.merge_request(project.id, at, call.now)
    rows = [] if found is None else [merge_request(found, project, call.links)]
    return json_answer(rows)


def _named(call: Call, project: Project, ref: str) -> Commit:
    found = call.world.repositories.commit(project.id, ref, call.now)
    if found is None:
        raise not_found("Commit")
    return found


def _last_pipeline(call: Call, project: Project, found: Commit) -> dict[str, Any]:
    ran, _ = call.world.pipelines.page(project.id, call.now, offset=0, limit=1, sha=found.sha)
    return {"status": ran[0].status if ran else None}


def _branch(call: Call, record: Branch, project: Project, level: int) -> dict[str, Any]:
    least = MAINTAINER if record.protected else DEVELOPER
    return branch(record, project, call.links) | {"can_push": level >= least}


def _listed(call: Call, found: list[Named], render: Callable[[Named], Any]) -> Response:
    if by_key(call.params):
        return token_page(call, found, lambda record: record.name, render)
    return whole_list(call, found, render)


def _searched(call: Call, records: list[Named]) -> list[Named]:
    if regex := call.params.text("regex"):
        return _fitting(regex, records)
    wanted = (call.params.text("search") or "").casefold()
    bare = wanted.removeprefix("^").removesuffix("$")
    if wanted.startswith("^") and wanted.endswith("$"):
        return [record for record in records if record.name.casefold() == bare]
    if wanted.startswith("^"):
        return [record for record in records if record.name.casefold().startswith(bare)]
    if wanted.endswith("$"):
        return [record for record in records if record.name.casefold().endswith(bare)]
    return [record for record in records if wanted in record.name.casefold()]


def _fitting(regex: str, records: list[Named]) -> list[Named]:
    try:
        pattern = Pattern(regex)
    except PatternError as error:
        raise bad_parameters("regex is invalid") from error
    return [record for record in records if pattern.found_in(record.name)]


def _version(record: Tag) -> Sequence[Any]:
    parts = _NUMBERS.split(record.name)
    return [(int(part), "") if part.isdigit() else (-1, part) for part in parts]


_ORDERS: Final[dict[str, Callable[[Tag], Any]]] = {
    "name": lambda record: record.name,
    "updated": lambda record: (record.commit.authored_at, record.name),
    "version": _version,
}

_PATH: Final = "projects/{project}/repository"


ROUTES: Table = {
    "projects/{project}/repository/files/{file}": {"GET": show_file},
    "projects/{project}/repository/files/{file}/raw": {"GET": show_raw_file},
    "projects/{project}/repository/tree": {"GET": list_tree},
    f"{_PATH}/branches": {"GET": list_branches},
    f"{_PATH}/branches/{{branch}}": {"GET": show_branch, "HEAD": find_branch},
    f"{_PATH}/tags": {"GET": list_tags},
    f"{_PATH}/tags/{{tag}}": {"GET": show_tag},
    f"{_PATH}/compare": {"GET": compare},
    f"{_PATH}/commits/{{commit}}": {"GET": show_commit},
    f"{_PATH}/commits/{{commit}}/diff": {"GET": show_diff},
    f"{_PATH}/commits/{{commit}}/merge_requests": {"GET": list_merge_requests},
}
