"""Pipelines (spec 2.2) and schedules (spec 2.7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from platui.emulator.http.render.moments import moment
from platui.emulator.http.render.people import user
from platui.emulator.http.render.statuses import detailed_status

if TYPE_CHECKING:
    from platui.emulator.http.render.links import Links
    from platui.emulator.records import Pipeline, Project, Schedule, Variable


def pipeline_summary(record: Pipeline, project: Project, links: Links) -> dict[str, Any]:
    """Return a pipeline as lists and jobs show it."""
    return {
        "id": record.id,
        "iid": record.iid,
        "project_id": record.project_id,
        "sha": record.sha,
        "ref": record.ref,
        "status": record.status,
        "source": record.source,
        "created_at": moment(record.created_at),
        "updated_at": moment(record.updated_at),
        "web_url": links.pipeline(project, record.id),
        "name": record.name,
    }


def pipeline_detail(record: Pipeline, project: Project, links: Links) -> dict[str, Any]:
    """Return a pipeline as it is shown alone."""
    page = links.pipeline(project, record.id).removeprefix(links.root)
    return pipeline_summary(record, project, links) | {
        "before_sha": record.before_sha,
        "tag": record.tag,
        "yaml_errors": record.yaml_errors,
        "user": user(record.user, links),
        "started_at": moment(record.started_at),
        "finished_at": moment(record.finished_at),
        "committed_at": moment(record.committed_at),
        "duration": record.duration,
        "queued_duration": record.queued_duration,
        "coverage": record.coverage,
        "detailed_status": detailed_status(record, page),
    }


def schedule(record: Schedule, links: Links) -> dict[str, Any]:
    """Return a schedule as lists show it."""
    return {
        "id": record.id,
        "description": record.description,
        "ref": record.ref,
        "cron": record.cron,
        "cron_timezone": record.cron_timezone,
        "next_run_at": moment(record.next_run_at),
        "active": record.active,
        "created_at": moment(record.created_at),
        "updated_at": moment(record.updated_at),
        "owner": user(record.owner, links) if record.owner else None,
        "inputs": [{"name": one.name, "value": one.value} for one in record.inputs],
    }


def schedule_detail(
    record: Schedule, last: Pipeline | None, project: Project, links: Links
) -> dict[str, Any]:
    """Return a schedule as it is shown alone: with its last run and its variables."""
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
