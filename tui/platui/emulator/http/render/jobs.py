"""Jobs (spec 2.3) and the jobs that start child pipelines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from platui.emulator.http.render.moments import moment
from platui.emulator.http.render.people import commit, job_user
from platui.emulator.http.render.pipelines import pipeline_summary

if TYPE_CHECKING:
    from platui.emulator.http.render.links import Links
    from platui.emulator.records import Artifact, Bridge, Job, Pipeline, Project, Runner


def job(record: Job, pipeline: Pipeline, project: Project, links: Links) -> dict[str, Any]:
    """Return a job."""
    body = _common(record, pipeline, project, links) | {
        "artifacts": [_artifact(one) for one in record.artifacts],
        "runner": _runner(record.runner) if record.runner else None,
        "artifacts_expire_at": moment(record.artifacts_expire_at),
        "erased_at": moment(record.erased_at),
        "tag_list": list(record.tags),
    }
    for one in record.artifacts:
        if one.file_type == "archive":
            body["artifacts_file"] = {"filename": one.filename, "size": one.size}
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


def _artifact(record: Artifact) -> dict[str, Any]:
    return {
        "file_type": record.file_type,
        "size": record.size,
        "filename": record.filename,
        "file_format": record.file_format,
    }


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
