"""Pipelines (spec 2.1, 2.2), schedules, and jobs (spec 2.3) with those that start children."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from platui_emulator.http.render.people import Links, commit, fields, job_user, moment, user

if TYPE_CHECKING:
    from platui_emulator.records import (
        Bridge,
        Job,
        Pipeline,
        Project,
        Runner,
        Schedule,
        Variable,
    )


_PIPELINE = "id iid project_id sha ref status source created_at updated_at"
_TIMES = "started_at finished_at committed_at duration queued_duration coverage"
_SCHEDULE = "id description ref cron cron_timezone next_run_at active created_at updated_at"
_JOB = (
    "id status stage name ref tag coverage allow_failure created_at started_at finished_at"
    " duration queued_duration"
)
_ARTIFACT = "file_type size filename file_format"
_TEXTS = {
    "success": ("passed", "passed"),
    "waiting_for_resource": ("waiting", "waiting for resource"),
    "waiting_for_callback": ("waiting", "waiting for callback"),
    "manual": ("manual", "manual action"),
    "scheduled": ("delayed", "delayed"),
}


def detailed_status(pipeline: Pipeline, page: str) -> dict[str, Any]:
    """Return icon, words and address; a page is an address without its host."""
    if pipeline.status == "success" and pipeline.warnings:
        return _status("warning", "passed", "passed with warnings", "success-with-warnings", page)
    text, label = _TEXTS.get(pipeline.status, (pipeline.status, pipeline.status))
    return _status(pipeline.status, text, label, pipeline.status.replace("_", "-"), page)


def _status(icon: str, text: str, label: str, group: str, page: str) -> dict[str, Any]:
    favicon = "success" if icon == "warning" else icon
    return {
        "icon": f"status_{icon}",
        "text": text,
        "label": label,
        "group": group,
        "tooltip": label,
        "has_details": True,
        "details_path": page,
        "illustration": None,
        "favicon": f"/assets/ci_favicons/favicon_status_{favicon}.png",
    }


def pipeline_summary(record: Pipeline, project: Project, links: Links) -> dict[str, Any]:
    """Return a pipeline as lists and jobs show it."""
    page = links.pipeline(project, record.id)
    return fields(record, _PIPELINE) | {"web_url": page, "name": record.name}


def pipeline_detail(record: Pipeline, project: Project, links: Links) -> dict[str, Any]:
    """Return a pipeline with all fields."""
    page = links.pipeline(project, record.id).removeprefix(links.root)
    body = pipeline_summary(record, project, links) | fields(record, "before_sha tag yaml_errors")
    body |= {"user": user(record.user, links)} | fields(record, _TIMES)
    return body | {"detailed_status": detailed_status(record, page)}


def schedule(record: Schedule, links: Links) -> dict[str, Any]:
    return fields(record, _SCHEDULE) | {
        "owner": user(record.owner, links) if record.owner else None,
        "inputs": [fields(one, "name value") for one in record.inputs],
    }


def schedule_detail(
    record: Schedule, last: Pipeline | None, project: Project, links: Links
) -> dict[str, Any]:
    """Return a schedule with all fields, its last pipeline and variables."""
    return schedule(record, links) | {
        "last_pipeline": pipeline_summary(last, project, links) if last else None,
        "variables": [variable(item) for item in record.variables],
    }


def variable(record: Variable) -> dict[str, Any]:
    """Return a variable; the value of a secret one stays here."""
    return {
        "key": record.key,
        "variable_type": record.variable_type,
        "value": None if record.secret else record.value,
        "raw": False,
    }


def job(record: Job, pipeline: Pipeline, project: Project, links: Links) -> dict[str, Any]:
    body = _common(record, pipeline, project, links) | {
        "artifacts": [fields(one, _ARTIFACT) for one in record.artifacts],
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
    body = fields(record, _JOB) | {
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
