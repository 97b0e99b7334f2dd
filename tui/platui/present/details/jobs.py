"""A job, or a bridge to a child pipeline, as a detail pane (spec §2.3)."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from platui.present.counts import counted, human_bytes
from platui.present.details.layout import Details, Line, details, once, percent, stamps, text_cell
from platui.present.details.pipelines import TIMES
from platui.present.details.users import commit_lines, user_lines, user_technical
from platui.present.jobs import run_seconds
from platui.present.status import status_cell
from platui.present.times import duration

if TYPE_CHECKING:
    from platui.models.wire import Bridge, Job, Pipeline, Runner
    from platui.models.wire.jobs import Artifact
    from platui.present.tables.spec import Context


def job_details(job: Job | Bridge, at: Context, *, is_printed: bool = False) -> Details:
    """Return the details of a job; `is_printed` uses the runner's field names as in JSON."""
    pipeline = job.pipeline
    return details(
        job.name or f"Job {job.id}",
        {
            "": _how(job, at.now),
            "commit": commit_lines(job.commit, at),
            "when": stamps(at, job, "created", "started", "finished", "erased"),
            "runner": _runner(getattr(job, "runner", None), is_printed=is_printed),
            "who": user_lines(job.user, at),
            "artifacts": _artifacts(job, at),
            "pipeline": _pipeline(pipeline, at),
            "links": [
                ("job", job.web_url),
                ("pipeline", pipeline.web_url if pipeline else ""),
                ("commit", job.commit.web_url if job.commit else ""),
                ("user", job.user.web_url if job.user else ""),
            ],
            "technical": user_technical(job.user),
        },
    )


def _how(job: Job | Bridge, now: datetime) -> list[Line]:
    child: Pipeline | None = getattr(job, "downstream_pipeline", None)
    return [
        ("status", status_cell(job.status)),
        ("reason", text_cell(job.failure_reason.replace("_", " "), "failed")),
        ("", text_cell("allowed to fail", "warning") if job.allow_failure else ""),
        ("took", duration(run_seconds(job, now))),
        ("queued", duration(job.queued_duration)),
        ("coverage", percent(job.coverage)),
        ("stage", job.stage),
        ("ref", f"{job.ref} (tag)" if job.tag else job.ref),
        ("id", str(job.id)),
        ("tags", ", ".join(getattr(job, "tag_list", ()))),
        ("child", f"#{child.id} {child.status}" if child else ""),
    ]


def _runner(runner: Runner | None, *, is_printed: bool) -> list[Line]:
    if runner is None:
        return []
    well = runner.online is not False and runner.status in {"", "online"}
    flags = (("online", runner.online), ("active", runner.active), ("shared", runner.is_shared))
    words = (word if flag else f"not {word}" for word, flag in flags if flag is not None)
    state = once(runner.status, *words)
    called: list[Line] = [  # the name may be shared by all runners
        ("name", runner.description or runner.name),
        ("alias", runner.name if runner.description != runner.name else ""),
    ]
    named: list[Line] = [("name", runner.name), ("description", runner.description)]
    return [
        *(named if is_printed else called),
        ("address", runner.ip_address),
        ("state", text_cell(state, "text" if well else "warning")),
        ("id", f"#{runner.id}" if runner.id else ""),
    ]


def _pipeline(pipeline: Pipeline | None, at: Context) -> list[Line]:
    if pipeline is None:
        return []
    return [
        ("id", f"#{pipeline.id}"),
        ("status", status_cell(pipeline.status)),
        ("ref", pipeline.ref),
        ("sha", pipeline.sha),
        ("source", pipeline.source),
        *stamps(at, pipeline, *TIMES),
    ]


def _artifacts(job: Job | Bridge, at: Context) -> list[Line]:
    artifacts: tuple[Artifact, ...] = getattr(job, "artifacts", ())
    lines: list[Line] = []
    for one in artifacts:
        size = "" if one.size is None else _size(one.size)
        lines.append(("file", once(one.file_type, one.filename, size, one.file_format)))
    expires = getattr(job, "artifacts_expire_at", None)
    if expires is not None:
        word = "expires" if expires > at.now else "expired"
        lines.append((word, text_cell(at.stamp(expires), "text" if word == "expires" else "muted")))
    return lines


def _size(count: int) -> str:
    human, exact = human_bytes(count), counted(count, "byte")
    return human if count < 1000 else f"{human} ({exact})"  # noqa: PLR2004  (no larger unit)
