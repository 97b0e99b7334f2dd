"""Paths of the records that other paths begin with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.api.endpoint import segment

if TYPE_CHECKING:
    from platui.models.values.queries import ProjectRef


def project(ref: ProjectRef) -> str:
    return f"projects/{segment(ref)}"


def pipeline(ref: ProjectRef, pipeline_id: int) -> str:
    return f"{project(ref)}/pipelines/{segment(pipeline_id)}"


def job(ref: ProjectRef, job_id: int) -> str:
    return f"{project(ref)}/jobs/{segment(job_id)}"


def schedules(ref: ProjectRef) -> str:
    return f"{project(ref)}/pipeline_schedules"


def schedule(ref: ProjectRef, schedule_id: int) -> str:
    return f"{schedules(ref)}/{segment(schedule_id)}"
