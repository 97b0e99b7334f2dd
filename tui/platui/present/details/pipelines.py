"""A pipeline as a detail pane (spec §2.2), and as the line above its jobs."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Final

from platui.core.text import clean
from platui.present.details.layout import details, once, paragraphs, percent, stamps, yes_no
from platui.present.details.users import user_lines, user_technical
from platui.present.pipelines import took
from platui.present.status import status_cell
from platui.present.times import duration

if TYPE_CHECKING:
    from platui.models.values.queries import ProjectRef
    from platui.models.wire import Pipeline
    from platui.models.wire.pipelines import DetailedStatus
    from platui.present.details.layout import Details, Line
    from platui.present.tables.spec import Context

TIMES: Final = ("committed", "created", "started", "finished", "updated")
_DULL: Final = frozenset({"passed", "not found"})


def pipeline_details(pipeline: Pipeline, at: Context, project: ProjectRef = 0) -> Details:
    """Return the details; `project` is that of the pipeline, if its path is known."""
    user = pipeline.user
    number = f"#{pipeline.project_id}" if pipeline.project_id else ""
    return details(
        f"Pipeline #{pipeline.id}",
        {
            "": _how(pipeline, at.now),
            "what": [
                ("ref", f"{pipeline.ref} (tag)" if pipeline.tag else pipeline.ref),
                ("commit", pipeline.sha),
                ("before", pipeline.before_sha if pipeline.before_sha.strip("0") else ""),
                ("name", pipeline.name),
                ("source", pipeline.source),
                ("number", f"{pipeline.iid} of its project" if pipeline.iid else ""),
                ("project", project if isinstance(project, str) else number),
            ],
            "who": user_lines(user, at),
            "when": stamps(at, pipeline, *TIMES),
            "links": [("pipeline", pipeline.web_url), ("user", user.web_url if user else "")],
            "technical": [*_status_technical(pipeline.detailed_status), *user_technical(user)],
        },
    )


def _how(pipeline: Pipeline, now: datetime) -> list[Line]:
    seconds, ran, state = took(pipeline, now), pipeline.duration, pipeline.detailed_status
    words = (state.label, state.tooltip) if state is not None else ()
    return [
        *paragraphs("cause", pipeline.yaml_errors, "failed"),
        ("status", status_cell(pipeline.status)),
        ("", once(*(word for word in words if word not in {pipeline.status, *_DULL}))),
        ("took", duration(seconds)),
        ("ran", duration(ran) if ran is not None and duration(ran) != duration(seconds) else ""),
        ("queued", duration(pipeline.queued_duration)),
        ("coverage", percent(pipeline.coverage)),
    ]


def _status_technical(state: DetailedStatus | None) -> list[Line]:
    if state is None:
        return []
    return [
        ("shown as", once(state.text, state.label, state.tooltip)),
        ("group", state.group),
        ("icon", state.icon),
        ("favicon", state.favicon),
        ("has page", yes_no(state.has_details)),
        ("page", state.details_path),
        ("picture", state.illustration),
    ]


def pipeline_line(pipeline: Pipeline, now: datetime) -> tuple[tuple[str, str], ...]:
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
