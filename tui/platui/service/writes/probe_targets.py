"""What an outcome probe searches for after each kind of write. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from platui.api.endpoints import jobs, pipelines, projects, schedules
from platui.api.endpoints.actions import RECORDS
from platui.core.dataclass import dataclass
from platui.core.secrets import Secret
from platui.core.text import clean
from platui.models.values.queries import JobsQuery, PipelinesQuery, ProjectsQuery
from platui.models.values.writes import (
    NewPipeline,
    NewProject,
    NewSchedule,
    RecordAction,
    ScheduleChange,
    ScheduleVariable,
    WriteAction,
)
from platui.service.writes.reruns import plain_ref

if TYPE_CHECKING:
    from platui.api.endpoint import Endpoint
    from platui.models.values.feeds import Page
    from platui.models.values.writes import Intent
    from platui.models.wire import Pipeline, Schedule

# sources of pipelines that were not started through the API
_FROM_ELSEWHERE: Final = frozenset(
    {
        "push",
        "schedule",
        "merge_request_event",
        "external_pull_request_event",
        "parent_pipeline",
        "chat",
        "web",
    }
)

_CANCELED: Final = frozenset({"canceled", "canceling"})
_NOT_PLAYED: Final = frozenset({"", "manual", "scheduled"})
_NOT_RUNNING: Final = frozenset({"", "success", "failed", "canceled", "skipped", "manual"})
_SHORTEST_SHA: Final = 7


@dataclass(frozen=True, slots=True)
class NewRecord:
    """A new record, to be found in a list by its id and fields."""

    kind: str
    listing: Endpoint[Page[Any]]
    matches: Callable[[Any], bool]
    where: str = ""  # text after its name, such as ` on main`
    # whether the token owner must have created it, if the platform names the creator
    by_me: bool = False


@dataclass(frozen=True, slots=True)
class ChangedRecord:
    """A change of an existing record, visible in its details."""

    detail: Endpoint[Any]
    shows: Callable[[Any], bool]
    sentence: str  # such as `Pipeline #4711 is canceled now.`
    is_gone: bool = False  # whether a missing record proves the change
    is_mine: bool = False  # whether the ownership of the token owner proves the change


def probe_target(intent: Intent) -> NewRecord | ChangedRecord:
    """Return what to search for after an intent of unknown outcome."""
    match intent:
        case NewPipeline():
            return NewRecord(
                "pipeline",
                pipelines.pipelines(PipelinesQuery(intent.project)).page(),
                lambda record: _is_run_of(record, intent),
                f" on {clean(intent.ref)}",
                by_me=not intent.triggered,
            )
        case NewSchedule():
            return NewRecord(
                "schedule",
                schedules.schedules(intent.project).page(),
                lambda record: (
                    record.description == intent.description
                    and plain_ref(record.ref) == plain_ref(intent.ref)
                ),
            )
        case NewProject():
            query = ProjectsQuery(intent.name)
            return NewRecord(
                "project",
                projects.projects(query).page(),
                lambda record: record.name == intent.name,
            )
        case ScheduleChange():
            return ChangedRecord(
                schedules.schedule(intent.project, intent.schedule),
                lambda record: _is_changed(record, intent),
                f"Schedule #{intent.schedule} has the new values.",
            )
        case ScheduleVariable():
            result = "no longer has" if intent.value is None else "has the new"
            return ChangedRecord(
                schedules.schedule(intent.project, intent.schedule),
                lambda record: _has_variable(record, intent),
                f"Schedule #{intent.schedule} {result} variable {clean(intent.key)}.",
            )
        case RecordAction():
            return _action_target(intent)


def _action_target(intent: RecordAction) -> NewRecord | ChangedRecord:
    project, number = intent.project, intent.id
    record = RECORDS[intent.action.kind](project, number)
    name = f"{intent.action.kind.capitalize()} #{number}"
    match intent.action:
        case WriteAction.CANCEL_PIPELINE | WriteAction.CANCEL_JOB:
            return ChangedRecord(
                record, lambda one: one.status in _CANCELED, f"{name} is canceled now."
            )
        case WriteAction.RETRY_PIPELINE:
            return ChangedRecord(
                record, lambda one: one.status not in _NOT_RUNNING, f"{name} is running now."
            )
        case WriteAction.PLAY_JOB:
            return ChangedRecord(
                record, lambda one: one.status not in _NOT_PLAYED, f"{name} was started."
            )
        case WriteAction.RETRY_JOB:
            return NewRecord(
                "job",
                jobs.jobs(JobsQuery(project)).page(),
                lambda one: not intent.name or one.name == intent.name,
            )
        case WriteAction.RUN_SCHEDULE:
            return NewRecord(
                "pipeline",
                pipelines.pipelines(PipelinesQuery(project)).page(),
                lambda one: one.source in {"", "schedule"},
            )
        case WriteAction.OWN_SCHEDULE:
            return ChangedRecord(record, lambda _: True, f"{name} is yours now.", is_mine=True)
        case WriteAction.DELETE_SCHEDULE:
            return ChangedRecord(record, lambda _: False, f"{name} is deleted.", is_gone=True)


def _is_run_of(record: Pipeline, new: NewPipeline) -> bool:
    if record.source in _FROM_ELSEWHERE:
        return False
    ref = plain_ref(new.ref)
    is_commit = len(ref) >= _SHORTEST_SHA and record.sha.startswith(ref)
    return plain_ref(record.ref) == ref or is_commit


def _has_variable(record: Schedule, wanted: ScheduleVariable) -> bool:
    value = wanted.value.reveal() if isinstance(wanted.value, Secret) else wanted.value
    known = {one.key: one.value for one in record.variables}
    if value is None:  # a hidden value is null
        return wanted.key not in known
    return known.get(wanted.key) == value


def _is_changed(record: Schedule, change: ScheduleChange) -> bool:
    wanted = {
        "description": change.description,
        "cron": change.cron,
        "cron_timezone": change.cron_timezone,
        "active": change.active,
    }
    same = all(
        getattr(record, name) == value for name, value in wanted.items() if value is not None
    )
    return same and (change.ref is None or plain_ref(record.ref) == plain_ref(change.ref))
