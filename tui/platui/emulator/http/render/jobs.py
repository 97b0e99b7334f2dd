"""Jobs (spec 2.3) and the jobs that start child pipelines."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from platui.emulator.http.render.moments import moment
from platui.emulator.http.render.people import commit, job_user
from platui.emulator.http.render.pipelines import pipeline_summary

if TYPE_CHECKING:
    from platui.emulator.http.render.links import Links
    from platui.emulator.records import Bridge, Job, Pipeline, Project, Runner

_ARTIFACTS_KEPT = timedelta(days=30)
_ARCHIVE_SIZE = 48_211
_METADATA_SIZE = 396


def job(record: Job, pipeline: Pipeline, project: Project, links: Links) -> dict[str, Any]:
    """Return a job."""
    body = _common(record, pipeline, project, links) | {
        "artifacts": _artifacts(record),
        "runner": _runner(record.runner) if record.runner else None,
        "artifacts_expire_at": _artifacts_expire_at(record),
        "erased_at": moment(record.erased_at),
        "tag_list": [],
    }
    if record.has_archive:
        body["artifacts_file"] = {"filename": "artifacts.zip", "size": _ARCHIVE_SIZE}
    return body


def bridge(record: Bridge, pipeline: Pipeline, project: Project, links: Links) -> dict[str, Any]:
    """Return a job that starts a child pipeline: no runner, no artifacts."""
    child = record.downstream
    return _common(record.job, pipeline, project, links) | {
        "downstream_pipeline": pipeline_summary(child, project, links) if child else None
    }


def _common(record: Job, pipeline: Pipeline, project: Project, links: Links) -> dict[str, Any]:
    body: dict[str, Any] = {
        "id": record.id,
        "status": record.status,
        "stage": record.stage,
        "name": record.name,
        "ref": record.ref,
        "tag": record.tag,
        "coverage": record.coverage,
        "allow_failure": record.allow_failure,
        "created_at": moment(record.created_at),
        "started_at": moment(record.started_at),
        "finished_at": moment(record.finished_at),
        "duration": record.duration,
        "queued_duration": record.queued_duration,
        "user": job_user(record.user, links),
        "commit": commit(record.commit, project, links),
        "pipeline": pipeline_summary(pipeline, project, links),
        "web_url": links.job(project, record.id),
        "project": {"ci_job_token_scope_enabled": True},
    }
    if record.status == "failed":
        # The platform leaves the key out of jobs that did not fail.
        body["failure_reason"] = record.failure_reason or "unknown_failure"
    return body


def _artifacts(record: Job) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    if record.has_archive:
        found.append(_artifact("archive", _ARCHIVE_SIZE, "artifacts.zip", "zip"))
        found.append(_artifact("metadata", _METADATA_SIZE, "metadata.gz", "gzip"))
    if record.finished_at is not None and record.log_size:
        found.append(_artifact("trace", record.log_size, "job.log", None))
    return found


def _artifact(kind: str, size: int, filename: str, packing: str | None) -> dict[str, Any]:
    return {"file_type": kind, "size": size, "filename": filename, "file_format": packing}


def _artifacts_expire_at(record: Job) -> str | None:
    if record.finished_at is None or not record.has_archive:
        return None
    return moment(record.finished_at + _ARTIFACTS_KEPT)


def _runner(record: Runner) -> dict[str, Any]:
    return {
        "id": record.id,
        "description": record.description,
        "ip_address": record.ip_address,
        "active": True,
        "paused": False,
        "is_shared": record.shared,
        "runner_type": "instance_type" if record.shared else "project_type",
        "name": record.name,
        "online": record.online,
        "status": "online" if record.online else "offline",
    }
