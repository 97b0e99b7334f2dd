"""Explain rejected writes: missing record, missing operation, or wrong token."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from platui.analysis.action_states import is_applicable
from platui.api.endpoints import schedules
from platui.api.endpoints.actions import RECORDS
from platui.core.errors import (
    MISSING,
    NO_OPERATION,
    ApiError,
    DisabledEndpointError,
    ForbiddenError,
    NotFoundError,
    NothingToDoError,
    NotSupportedError,
    PlatuiError,
    UnauthorizedError,
)
from platui.core.text import clean
from platui.models.values.connection import Urgency
from platui.models.values.writes import (
    NewPipeline,
    RecordAction,
    ScheduleChange,
    ScheduleVariable,
)
from platui.service.writes.outcomes import nothing_to_do
from platui.service.writes.requests import not_offered, operation_of

if TYPE_CHECKING:
    from platui.api.api_client import ApiClient
    from platui.api.endpoint import Endpoint
    from platui.models.values.writes import Intent
    from platui.service.writes.write_service import WriteService

    _OfRecord = RecordAction | ScheduleChange | ScheduleVariable

OWNERS_ONLY: Final = "Only the owner can edit a schedule: take ownership first."
_ITS_PROJECT: Final = "A trigger token is valid for one project only."

# how platforms reject an action without effect, such as `Unplayable Job`
_SCOPE: Final = re.compile(r"scope|privileges", re.IGNORECASE)
_IN_NO_STATE: Final = re.compile(r"\b(?:un|not )(?:play|retry|cancel)", re.IGNORECASE)


class WriteErrors:
    def __init__(self, caller: ApiClient, write_service: WriteService) -> None:
        self._caller = caller
        self._optional = write_service.optional
        self._tokens = write_service.trigger_tokens

    def accepted(self, intent: Intent) -> None:
        if operation := operation_of(intent):
            self._optional.tried(operation, offered=True)

    async def explained(self, intent: Intent, error: PlatuiError) -> PlatuiError:
        """Return a more specific error for a rejection where there is one."""
        if isinstance(intent, NewPipeline) and intent.triggered:
            return self._of_trigger(intent, error)
        of_schedule = isinstance(intent, ScheduleChange | ScheduleVariable)
        if of_schedule and isinstance(error, ForbiddenError) and not _SCOPE.search(error.sentence):
            return ForbiddenError(error.sentence, status=error.status, hint=OWNERS_ONLY)
        if isinstance(intent, RecordAction | ScheduleChange | ScheduleVariable) and isinstance(
            error, ApiError
        ):
            operation = operation_of(intent)
            if isinstance(error, DisabledEndpointError):
                return NotSupportedError(not_offered(operation, is_off=True), hint=error.hint)
            if await self._lacks(intent, error):
                self._optional.tried(operation, offered=False)
                return NotSupportedError(not_offered(operation))
            if isinstance(intent, RecordAction) and _IN_NO_STATE.search(error.sentence):
                return await self._idle(intent, error) or error
        return error

    async def _idle(self, intent: RecordAction, error: ApiError) -> NothingToDoError | None:
        """Return the error that there is nothing to do, if the status of the record confirms it."""
        if intent.action.kind == "schedule":
            return None
        try:
            record = await self._caller.get(_detail_of(intent), Urgency.USER)
        except PlatuiError:
            return None  # keep the error of the platform
        if not record.status or is_applicable(intent.action, record.status):
            return None
        return nothing_to_do(intent, record.status, f"Response: {error.sentence}")

    def _of_trigger(self, intent: NewPipeline, error: PlatuiError) -> PlatuiError:
        """Explain a 404 (wrong project or trigger token) or a 401 (trigger token) of a trigger."""
        if not isinstance(error, NotFoundError | UnauthorizedError):
            return error
        project = clean(str(intent.project))
        source = self._tokens.source_of(intent.project)
        of = f" (from {clean(source)})" if source else ""
        if isinstance(error, UnauthorizedError):
            return UnauthorizedError(
                f"The platform rejected the trigger token{of}: it is wrong, expired or revoked.",
                status=error.status,
                hint=_ITS_PROJECT,
            )
        return NotFoundError(
            f"The trigger token{of} is not valid for {project}, or the project was not found.",
            status=error.status,
            hint=_ITS_PROJECT,
        )

    async def _lacks(self, intent: _OfRecord, error: ApiError) -> bool:
        """Return whether the operation is missing rather than the record."""
        if error.status in NO_OPERATION:
            return True
        if not isinstance(error, NotFoundError) or error.missing == "project":
            return False
        if isinstance(intent, ScheduleVariable) and error.missing:
            return False  # it names what is missing: the variable, or its schedule
        try:
            if await self._answers(_detail_of(intent)):
                return True
            is_schedule = not isinstance(intent, RecordAction) or intent.action.kind == "schedule"
            # Without a list of schedules there are no operations on them.
            listed = schedules.schedules(intent.project).page()
            return is_schedule and not await self._answers(listed)
        except PlatuiError:
            return False  # unknown

    async def _answers(self, endpoint: Endpoint[Any]) -> bool:
        try:
            await self._caller.get(endpoint, Urgency.USER)
        except MISSING:
            return False
        return True


def _detail_of(intent: _OfRecord) -> Endpoint[Any]:
    if not isinstance(intent, RecordAction):
        return schedules.schedule(intent.project, intent.schedule)
    return RECORDS[intent.action.kind](intent.project, intent.id)
