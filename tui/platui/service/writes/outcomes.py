"""The outcome of a write, from its response. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.analysis.action_states import disabled_reason
from platui.core.errors import (
    ApiError,
    ForbiddenError,
    NothingToDoError,
    RateLimitedError,
    UnauthorizedError,
)
from platui.models.values.write_states import Outcome, Refused, Unknown, WriteState
from platui.models.values.writes import (
    NewPipeline,
    NewProject,
    RecordAction,
    ScheduleChange,
    ScheduleVariable,
    WriteAction,
)

if TYPE_CHECKING:
    from platui.core.errors import PlatuiError
    from platui.models.values.writes import Intent
    from platui.models.wire import Record


_OF_ONE: Final = (ApiError, NothingToDoError)  # errors of one record, which do not stop the rest
_OF_ALL: Final = (ForbiddenError, RateLimitedError, UnauthorizedError)  # except these responses


def outcome_of(intent: Intent, record: Record | None) -> Outcome:
    kind, known_id = _target_of(intent)
    return Outcome(
        kind,
        None if isinstance(intent, NewProject) else intent.project,
        getattr(record, "id", None) or known_id,
        getattr(record, "status", ""),
        getattr(record, "web_url", ""),
        getattr(record, "created_at", None),
        record,
    )


def nothing_to_do(intent: RecordAction, status: str, hint: str = "") -> NothingToDoError:
    why = disabled_reason(intent.action, status, f"{intent.action.kind} #{intent.id}")
    return NothingToDoError(f"Nothing to {intent.action.verb}: {why}.", hint=hint)


def _target_of(intent: Intent) -> tuple[str, int | None]:
    """Return the kind of the record that is created or changed, and its id if it is known."""
    match intent:
        case NewPipeline():
            return "pipeline", None
        case NewProject():
            return "project", None
        case RecordAction(action=WriteAction.RETRY_JOB):
            return "job", None  # the retried job gets a new id
        case RecordAction():
            return intent.action.kind, intent.id
        case ScheduleChange() | ScheduleVariable():
            return "schedule", intent.schedule
    return "schedule", None


def reason_to_stop(state: WriteState) -> PlatuiError | None:
    """Return the error that stops the rest of a request; None to continue."""
    match state:
        case Unknown(error):
            return error
        case Refused(error) if isinstance(error, _OF_ALL) or not isinstance(error, _OF_ONE):
            return error
    return None
