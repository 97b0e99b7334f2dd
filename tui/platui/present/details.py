"""Everything that is known of one project, pipeline or job, as labelled lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from platui.core.text import clean
from platui.models.values.table import Cell
from platui.present.jobs import run_seconds
from platui.present.pipelines import took
from platui.present.projects import namespace_of
from platui.present.status import ACTIVE, status_cell
from platui.present.times import duration, stamp

if TYPE_CHECKING:
    from datetime import datetime

    from platui.models import Bridge, Commit, Job, Pipeline, Project, User
    from platui.models.wire.jobs import Artifact


@dataclass(frozen=True, slots=True)
class Field:
    """One line of a detail pane; without a label it goes on from the line above."""

    label: str
    value: Cell


@dataclass(frozen=True, slots=True)
class Details:
    """A detail pane: a title and its lines. Lines of what is not known are left out."""

    title: str
    fields: tuple[Field, ...]


def _details(title: str, fields: list[tuple[str, Cell | str]]) -> Details:
    lines = [
        Field(label, value if isinstance(value, Cell) else Cell(clean(value)))
        for label, value in fields
    ]
    return Details(clean(title), tuple(line for line in lines if line.value.text.strip()))


def _who(user: User | None) -> str:
    if user is None:
        return ""
    return (
        f"{user.name} ({user.username})"
        if user.name and user.username
        else user.name or user.username
    )


def _commit(commit: Commit | None) -> list[tuple[str, Cell | str]]:
    if commit is None:
        return []
    return [
        ("commit", f"{commit.short_id or commit.id[:8]} {commit.title}".strip()),
        ("author", commit.author_name),
    ]


def _artifact(artifact: Artifact) -> str:
    size = "" if artifact.size is None else f"{artifact.size:,} bytes"
    return " · ".join(filter(None, (artifact.filename or artifact.file_type, size)))


def project_details(project: Project, latest: Pipeline | None, *, utc: bool) -> Details:
    """Return what is known of a project."""
    return _details(
        project.name or project.path,
        [
            ("path", project.path_with_namespace),
            ("namespace", namespace_of(project)),
            ("about", project.description),
            ("id", str(project.id)),
            ("branch", project.default_branch or ""),
            ("visible", project.visibility),
            ("active", stamp(project.last_activity_at, utc=utc)),
            ("created", stamp(project.created_at, utc=utc)),
            ("last run", status_cell(latest.status) if latest else ""),
            ("", f"#{latest.id} on {latest.ref}" if latest else ""),
            ("address", project.web_url),
        ],
    )


def pipeline_details(pipeline: Pipeline, now: datetime, *, utc: bool) -> Details:
    """Return what is known of a pipeline (spec §2.2)."""
    state = pipeline.detailed_status
    label = state.label or state.text if state else ""
    return _details(
        f"Pipeline #{pipeline.id}",
        [
            ("status", status_cell(pipeline.status)),
            ("", label if label not in ("", pipeline.status) else ""),
            ("broken", Cell(clean(str(pipeline.yaml_errors or "")), "failed")),
            ("name", pipeline.name or ""),
            ("ref", f"{pipeline.ref} (tag)" if pipeline.tag else pipeline.ref),
            ("commit", pipeline.sha),
            ("before", pipeline.before_sha if pipeline.before_sha.strip("0") else ""),
            ("source", pipeline.source),
            ("by", _who(pipeline.user)),
            ("took", duration(took(pipeline, now))),
            ("queued", duration(pipeline.queued_duration)),
            ("ran", duration(pipeline.duration)),
            ("coverage", f"{pipeline.coverage}%" if pipeline.coverage is not None else ""),
            ("created", stamp(pipeline.created_at, utc=utc)),
            ("started", stamp(pipeline.started_at, utc=utc)),
            ("finished", stamp(pipeline.finished_at, utc=utc)),
            ("committed", stamp(pipeline.committed_at, utc=utc)),
            ("updated", stamp(pipeline.updated_at, utc=utc)),
            ("address", pipeline.web_url),
        ],
    )


def job_details(job: Job | Bridge, now: datetime, *, utc: bool) -> Details:
    """Return what is known of a job (spec §2.3), or of a bridge to a child pipeline."""
    runner = getattr(job, "runner", None)
    return _details(
        job.name,
        [
            ("status", status_cell(job.status)),
            ("reason", Cell(clean(job.failure_reason or "").replace("_", " "), "failed")),
            ("", "allowed to fail" if job.allow_failure else ""),
            ("stage", job.stage),
            ("ref", f"{job.ref} (tag)" if job.tag else job.ref),
            ("id", str(job.id)),
            ("pipeline", f"#{job.pipeline.id}" if job.pipeline else ""),
            ("took", duration(run_seconds(job, now))),
            ("queued", duration(job.queued_duration)),
            ("by", _who(job.user)),
            *_commit(job.commit),
            ("runner", (runner.description or runner.name) if runner else ""),
            ("", f"#{runner.id} {runner.ip_address} {runner.status}".strip() if runner else ""),
            ("coverage", f"{job.coverage}%" if job.coverage is not None else ""),
            ("created", stamp(job.created_at, utc=utc)),
            ("started", stamp(job.started_at, utc=utc)),
            ("finished", stamp(job.finished_at, utc=utc)),
            *(("artifact", _artifact(artifact)) for artifact in getattr(job, "artifacts", ())),
            ("expire", stamp(getattr(job, "artifacts_expire_at", None), utc=utc)),
            ("address", job.web_url),
        ],
    )


def job_line(job: Job, now: datetime) -> tuple[tuple[str, str], ...]:
    """Return the line above a log: how the job stands, how long it ran and where."""
    state = status_cell(job.status)
    pieces = [(state.text, state.role)]
    if job.failure_reason:
        pieces.append((clean(job.failure_reason).replace("_", " "), "failed"))
    seconds = run_seconds(job, now)
    if seconds is not None:
        pieces.append((duration(seconds), "running" if job.status in ACTIVE else "text"))
    if job.runner is not None:
        pieces.append((clean(f"runner {job.runner.description or job.runner.name}"), "muted"))
    return tuple(pieces)


def pipeline_line(pipeline: Pipeline, now: datetime) -> tuple[tuple[str, str], ...]:
    """Return the line above a pipeline's jobs: status, ref, commit, source, who, how long."""
    state = status_cell(pipeline.status)
    who = pipeline.user.username or pipeline.user.name if pipeline.user else ""
    pieces = [
        (state.text, state.role),
        (duration(took(pipeline, now)), "text"),
        (clean(pipeline.ref), "text"),
        (clean(pipeline.sha[:8]), "muted"),
        (clean(pipeline.source), "muted"),
        (clean(who), "muted"),
    ]
    return tuple(piece for piece in pieces if piece[0])
