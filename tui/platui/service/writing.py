"""One write from the user's yes to its outcome, told as it happens."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING, Any, Final

from platui.core.errors import (
    ForbiddenError,
    OutcomeUnknownError,
    PlatuiError,
    RateLimitedError,
    UnauthorizedError,
    WriteRefusedError,
)
from platui.models.values.write_states import (
    Done,
    NotFound,
    Outcome,
    Refused,
    Sent,
    Unknown,
    Waiting,
    WriteProgress,
)
from platui.models.values.writes import (
    ActOn,
    Confirmation,
    NewPipeline,
    NewProject,
)
from platui.service.write_plans import write_of

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence

    from platui.api.budget import Budget
    from platui.api.caller import Caller
    from platui.api.operations import Write
    from platui.core.clock import Clock
    from platui.core.secrets import Secret
    from platui.models.values.queries import ProjectRef
    from platui.models.values.write_states import WriteState
    from platui.models.values.writes import Intent
    from platui.models.wire import Record
    from platui.service.sent_book import SentBook

_ROUNDS: Final = 5
"""How often a write goes again after a 429, which changes nothing."""

_BRIEFLY: Final = 2.0
"""Seconds that a retry may wait unseen, where a connection surely did not come about."""


class Writing:
    """Sends writes of the user's and follows each to its end."""

    def __init__(
        self,
        caller: Caller,
        budget: Budget,
        clock: Clock,
        trigger_token: Callable[[ProjectRef], Awaitable[Secret]],
        book: SentBook,
    ) -> None:
        """Take what is needed.

        Args:
            caller: sends, and asks the guard first.
            budget: of requests; a write waits where it is spent.
            clock: the time.
            trigger_token: gives the trigger token of a project; raises CredentialError.
            book: remembers what was sent.
        """
        self._caller = caller
        self._budget = budget
        self._clock = clock
        self._trigger_token = trigger_token
        self._book = book

    async def perform(self, intent: Intent) -> AsyncGenerator[WriteState]:
        """Send what the user has confirmed, and yield what becomes of it."""
        try:
            token = await self._token_for(intent)
        except PlatuiError as error:
            yield Refused(error)
            return
        write = write_of(intent, token)
        for round_ in range(1, _ROUNDS + 1):
            while (delay := self._budget.wait_for(self._budget.limit)) > 0:
                yield Waiting(self._clock.monotonic() + delay, _reason(round_))
                await self._clock.sleep(delay)
            yield Sent()
            try:
                record = await self._send(write)
            except RateLimitedError as error:
                if round_ == _ROUNDS:
                    yield Refused(error)
                    return
            except OutcomeUnknownError as error:
                await self._book.keep(intent, None, self._clock.now())
                yield Unknown(error)
                yield NotFound("Nobody has looked for it.")
                return
            except PlatuiError as error:
                yield Refused(error)
                return
            else:
                outcome = outcome_of(intent, record)
                await self._book.keep(intent, outcome, self._clock.now())
                yield Done(outcome)
                return

    async def perform_all(self, intents: Sequence[Intent]) -> AsyncGenerator[WriteProgress]:
        """Send several writes, one after the other, until one of them says to stop."""
        states: list[WriteState | None] = [None] * len(intents)
        for index, intent in enumerate(intents):
            stopped: PlatuiError | None = None
            async with aclosing(self.perform(intent)) as following:
                async for state in following:
                    states[index] = state
                    stopped = _stops(state) or stopped
                    yield WriteProgress(tuple(states))
            if stopped is not None:
                yield WriteProgress(tuple(states), stopped)
                return

    async def _send(self, write: Write[Any]) -> Record | None:
        record: Record | None = await self._caller.send(
            write, Confirmation(write.key), patience=_BRIEFLY
        )
        return record

    async def _token_for(self, intent: Intent) -> Secret | None:
        if isinstance(intent, NewPipeline) and intent.triggered:
            return await self._trigger_token(intent.project)
        return None


def outcome_of(intent: Intent, record: Record | None) -> Outcome:
    """Return what an answer says of the thing that was made or changed."""
    project = None if isinstance(intent, NewProject) else intent.project
    match intent:
        case NewPipeline():
            kind = "pipeline"
        case NewProject():
            kind = "project"
        case ActOn():
            kind = intent.act.kind
        case _:
            kind = "schedule"
    return Outcome(
        kind,
        project,
        getattr(record, "id", None),
        getattr(record, "status", ""),
        getattr(record, "web_url", ""),
        getattr(record, "created_at", None),
        record,
    )


def _stops(state: WriteState) -> PlatuiError | None:
    """Return why what comes after must not be begun; None where it may."""
    match state:
        case Unknown(error):
            return error
        case Refused(error) if isinstance(
            error, ForbiddenError | UnauthorizedError | RateLimitedError | WriteRefusedError
        ):
            return error
    return None


def _reason(round_: int) -> str:
    if round_ == 1:
        return "The requests of this minute are spent; nothing was sent yet."
    return "The platform asked to wait; nothing was changed yet."
