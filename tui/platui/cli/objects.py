"""Records of the platform as JSON objects: the platform's own names, and null for the unknown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from platui.present.jobs import run_seconds
from platui.present.masking import Masking
from platui.present.pipelines import took
from platui.present.projects import namespace_of

if TYPE_CHECKING:
    from datetime import datetime

    from platui.models import (
        Bridge,
        Commit,
        Job,
        Namespace,
        Pipeline,
        Project,
        Runner,
        User,
        Variable,
    )
    from platui.models.wire.pipelines import DetailedStatus


def namespace_object(one: Namespace) -> dict[str, Any]:
    """Return a namespace."""
    return {
        "id": one.id,
        "name": one.name or None,
        "path": one.path or None,
        "full_path": one.full_path or None,
        "kind": one.kind or None,
        "parent_id": one.parent_id,
        "web_url": one.web_url or None,
    }


def project_object(one: Project) -> dict[str, Any]:
    """Return a project."""
    return {
        "id": one.id,
        "name": one.name or None,
        "path_with_namespace": one.path_with_namespace or None,
        "namespace": namespace_of(one) or None,
        "description": one.description or None,
        "default_branch": one.default_branch or None,
        "visibility": one.visibility or None,
        "created_at": moment(one.created_at),
        "last_activity_at": moment(one.last_activity_at),
        "web_url": one.web_url or None,
    }


def pipeline_object(one: Pipeline, now: datetime) -> dict[str, Any]:
    """Return a pipeline as a list has it; `took` is what its table says."""
    return {
        "id": one.id,
        "status": one.status or None,
        "ref": one.ref or None,
        "sha": one.sha or None,
        "source": one.source or None,
        "name": one.name or None,
        "created_at": moment(one.created_at),
        "updated_at": moment(one.updated_at),
        "took": seconds(took(one, now)),
        "web_url": one.web_url or None,
    }


def pipeline_record(one: Pipeline, now: datetime) -> dict[str, Any]:
    """Return a pipeline with all that its own record says."""
    return {
        **pipeline_object(one, now),
        "iid": one.iid,
        "project_id": one.project_id,
        "before_sha": one.before_sha or None,
        "tag": one.tag,
        "yaml_errors": one.yaml_errors or None,
        "user": user_object(one.user),
        "started_at": moment(one.started_at),
        "finished_at": moment(one.finished_at),
        "committed_at": moment(one.committed_at),
        "duration": seconds(one.duration),
        "queued_duration": seconds(one.queued_duration),
        "coverage": one.coverage,
        "detailed_status": status_object(one.detailed_status),
    }


def status_object(one: DetailedStatus | None) -> dict[str, Any] | None:
    """Return how the platform's own pages word a status."""
    if one is None:
        return None
    return {"text": one.text or None, "label": one.label or None, "group": one.group or None}


def variable_object(one: Variable) -> dict[str, Any]:
    """Return a variable; the value of one that is a secret by its name is null, like an unknown."""
    secret = one.value is None or Masking().names_secret(one.key)
    return {
        "key": one.key,
        "value": None if secret else Masking().text(one.value or ""),
        "variable_type": one.variable_type or None,
        "is_secret": secret,
    }


def job_object(one: Job | Bridge, now: datetime) -> dict[str, Any]:
    """Return a job as a list has it; `duration` is how long it ran, or runs by now."""
    return {
        "id": one.id,
        "status": one.status or None,
        "name": one.name or None,
        "stage": one.stage or None,
        "ref": one.ref or None,
        "pipeline_id": one.pipeline.id if one.pipeline is not None else None,
        "allow_failure": one.allow_failure,
        "failure_reason": one.failure_reason or None,
        "created_at": moment(one.created_at),
        "started_at": moment(one.started_at),
        "finished_at": moment(one.finished_at),
        "duration": seconds(run_seconds(one, now)),
        "queued_duration": seconds(one.queued_duration),
        "web_url": one.web_url or None,
    }


def job_record(one: Job, now: datetime) -> dict[str, Any]:
    """Return a job with all that its own record says."""
    return {
        **job_object(one, now),
        "tag": one.tag,
        "coverage": one.coverage,
        "user": user_object(one.user),
        "commit": commit_object(one.commit),
        "runner": runner_object(one.runner),
        "tag_list": list(one.tag_list),
        "artifacts": [
            {
                "file_type": file.file_type or None,
                "filename": file.filename or None,
                "size": file.size,
                "file_format": file.file_format or None,
            }
            for file in one.artifacts
        ],
        "artifacts_expire_at": moment(one.artifacts_expire_at),
        "erased_at": moment(one.erased_at),
    }


def bridge_object(one: Bridge, now: datetime) -> dict[str, Any]:
    """Return a job that starts a child pipeline, with as much of that as it says."""
    child = one.downstream_pipeline
    return {
        **job_object(one, now),
        "downstream_pipeline": None if child is None else pipeline_object(child, now),
    }


def user_object(one: User | None) -> dict[str, Any] | None:
    """Return who did it."""
    if one is None:
        return None
    return {"id": one.id or None, "username": one.username or None, "name": one.name or None}


def commit_object(one: Commit | None) -> dict[str, Any] | None:
    """Return a commit."""
    if one is None:
        return None
    return {
        "id": one.id or None,
        "title": one.title or None,
        "author_name": one.author_name or None,
        "created_at": moment(one.created_at),
        "web_url": one.web_url or None,
    }


def runner_object(one: Runner | None) -> dict[str, Any] | None:
    """Return the machine that ran it."""
    if one is None:
        return None
    return {
        "id": one.id or None,
        "name": one.name or None,
        "description": one.description or None,
        "status": one.status or None,
        "online": one.online,
    }


def moment(at: datetime | None) -> str | None:
    """Return a time as ISO 8601 with its offset."""
    return None if at is None else at.isoformat()


def seconds(count: float | None) -> float | None:
    """Return seconds to the millisecond, as the platform's own times are."""
    return None if count is None else round(count, 3)
