"""Artifacts of jobs: the archive lies in a storage elsewhere, single files come from here."""

from __future__ import annotations

import mimetypes
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from starlette.responses import Response

from platui_emulator.http.access import MAINTAINER
from platui_emulator.http.answers import json_answer, no_content
from platui_emulator.http.failures import bad_request, forbidden, not_found
from platui_emulator.http.jobs import find_job, job_body
from platui_emulator.http.streaming import StreamedAnswer

if TYPE_CHECKING:
    from platui_emulator.http.call import Call
    from platui_emulator.http.routing import Table
    from platui_emulator.records import Job, Pipeline, Project

_AT_ONCE: Final = 20
_LOOKED_BACK: Final = 200
"""How many pipelines of a ref are looked through for the newest that succeeded."""


def download(call: Call) -> Response:
    """Send the caller on to a job's archive."""
    project, record = find_job(call)
    return _sent_on(call, project, record)


def download_latest(call: Call) -> Response:
    """Send the caller on to the archive of a job of a ref's newest successful pipeline."""
    project, record = _latest(call)
    return _sent_on(call, project, record)


def show_file(call: Call) -> Response:
    project, record = find_job(call)
    return _file(call, project, record)


def show_latest_file(call: Call) -> Response:
    """Send one file of the archive of a job of a ref's newest successful pipeline."""
    project, record = _latest(call)
    return _file(call, project, record)


def keep(call: Call) -> Response:
    project = call.writable_project()
    project, record = find_job(call)
    if call.world.pipelines.archive(project.id, record.id, call.now) is None:
        raise not_found()
    call.world.artifacts.keep(record.id)
    return json_answer(job_body(call, *find_job(call)))


def delete(call: Call) -> Response:
    """Throw a job's archive away, which only maintainers may."""
    project, record = find_job(call)
    _require_maintainer(call, project)
    call.world.artifacts.delete(record.id)
    return no_content()


def delete_all(call: Call) -> Response:
    """Throw all archives of a project away, but for the kept ones."""
    project = call.project()
    _require_maintainer(call, project)
    call.world.artifacts.delete_all(project.id, call.now.timestamp())
    return json_answer({"message": "202 Accepted"}, 202)


def _require_maintainer(call: Call, project: Project) -> None:
    call.require_write_scope()
    if call.platform.access.level(call.credential, project) < MAINTAINER:
        raise forbidden()


def _sent_on(call: Call, project: Project, record: Job) -> Response:
    if call.world.pipelines.archive(project.id, record.id, call.now) is None:
        raise not_found()
    target = call.platform.storage.address(call.links.root, project.id, record.id)
    words = f"This resource has been moved temporarily to {target}."
    return Response(words, 302, {"Location": target}, media_type="text/plain")


def _file(call: Call, project: Project, record: Job) -> Response:
    archive = call.world.pipelines.archive(project.id, record.id, call.now)
    if archive is None:
        raise not_found()
    path = call.path["file"]
    if "\0" in path or ".." in path.split("/") or path.endswith("/"):
        raise bad_request("400 Bad request")
    file = archive.file(path)
    if file is None:
        raise not_found()
    kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
    name = quote(path.rpartition("/")[2])
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamedAnswer(file, media_type=kind, headers=headers)


def _latest(call: Call) -> tuple[Project, Job]:
    project = call.project()
    [name] = call.params.required("job")
    pipeline = _newest_success(call, project, call.path["ref"])
    if pipeline is not None:
        for record in call.world.pipelines.jobs(
            project.id, pipeline.id, call.now, with_retried=False
        ):
            if (record.name, record.status) == (name, "success"):
                return project, record
    raise not_found()


def _newest_success(call: Call, project: Project, ref: str) -> Pipeline | None:
    if call.world.repositories.commit(project.id, ref, call.now) is None:
        return None
    for offset in range(0, _LOOKED_BACK, _AT_ONCE):
        page, _ = call.world.pipelines.page(project.id, call.now, offset=offset, limit=_AT_ONCE)
        for pipeline in page:
            if (pipeline.ref, pipeline.status) == (ref, "success"):
                return pipeline
    return None


ROUTES: Table = {
    "projects/{project}/artifacts": {"DELETE": delete_all},
    "projects/{project}/jobs/artifacts/{ref}/download": {"GET": download_latest},
    "projects/{project}/jobs/artifacts/{ref}/raw/{*file}": {"GET": show_latest_file},
    "projects/{project}/jobs/{job}/artifacts": {"GET": download, "DELETE": delete},
    "projects/{project}/jobs/{job}/artifacts/keep": {"POST": keep},
    "projects/{project}/jobs/{job}/artifacts/{*file}": {"GET": show_file},
}
