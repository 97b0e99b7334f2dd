"""From a platform's answer to what a write made or changed. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.models.values.write_states import Outcome
from platui.models.values.writes import Act, ActOn, NewPipeline, NewProject, ScheduleChange

if TYPE_CHECKING:
    from platui.models.values.writes import Intent
    from platui.models.wire import Record


def outcome_of(intent: Intent, record: Record | None) -> Outcome:
    """Return what is known of the thing that an intent made or changed.

    Args:
        intent: what was asked for.
        record: what the platform says of it; None where it says nothing.
    """
    project = None if isinstance(intent, NewProject) else intent.project
    return Outcome(
        kind_of(intent),
        project,
        getattr(record, "id", None) or _named(intent),
        getattr(record, "status", ""),
        getattr(record, "web_url", ""),
        getattr(record, "created_at", None),
        record,
    )


def kind_of(intent: Intent) -> str:
    """Return what kind of thing an intent makes or changes."""
    match intent:
        case NewPipeline():
            return "pipeline"
        case NewProject():
            return "project"
        case ActOn():
            return intent.act.kind
        case _:
            return "schedule"


def _named(intent: Intent) -> int | None:
    """Return the id that the intent names; a job that is tried again becomes another one."""
    match intent:
        case ActOn(act=act, id=number) if act is not Act.RETRY_JOB:
            return number
        case ScheduleChange(schedule=number):
            return number
    return None
