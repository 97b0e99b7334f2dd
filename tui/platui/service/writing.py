"""One write from the user's yes to its outcome, told as it happens."""

from __future__ import annotations

import os
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, Final

from platui.core.errors import (
    ApiError,
    ForbiddenError,
    NothingToDoError,
    NotOfferedError,
    OfflineError,
    OutcomeUnknownError,
    PlatuiError,
    RateLimitedError,
    UnauthorizedError,
    WriteRefusedError,
)
from platui.models.values.write_states import (
    Done,
    Found,
    NotFound,
    Refused,
    Sent,
    Unknown,
    Waiting,
    WriteProgress,
)
from platui.models.values.writes import Confirmation, NewPipeline
from platui.service.outcomes import outcome_of, without_effect
from platui.service.write_plans import write_of

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence

    from platui.api.connect import ProjectConnection
    from platui.api.operations import Write
    from platui.core.clock import Clock
    from platui.core.secrets import Secret
    from platui.models.values.queries import ProjectRef
    from platui.models.values.write_states import WriteState
    from platui.models.values.writes import Intent
    from platui.models.wire import Record
    from platui.service.line_watch import LineWatch
    from platui.service.lookout import Before, Lookout
    from platui.service.refusals import Refusals
    from platui.service.sent_book import SentBook

_ROUNDS: Final = 5
"""How often a write goes again after a 429, which changes nothing."""

_BRIEFLY: Final = 2.0
"""Seconds that a retry may wait unseen, where a connection surely did not come about."""

_STOPPING: Final = (
    ForbiddenError,
    NotOfferedError,
    OfflineError,
    RateLimitedError,
    UnauthorizedError,
    WriteRefusedError,
)
"""What would happen to the next write, too."""


_OF_ONE: Final = (ApiError, NothingToDoError)
"""What is about the one thing, and says nothing of others."""


class Writing:
    """Sends writes of the user's and follows each to its end."""

    def __init__(
        self,
        connection: ProjectConnection,
        clock: Clock,
        line: LineWatch,
        trigger_token: Callable[[ProjectRef], Awaitable[Secret]],
        book: SentBook,
        lookout: Lookout,
        refusals: Refusals,
    ) -> None:
        """Take what is needed.

        Args:
            connection: sends, asks the guard first, and has the budget that is waited for.
            clock: the time.
            line: is told whether the platform answers.
            trigger_token: gives the trigger token of a project; raises CredentialError.
            book: remembers what was sent.
            lookout: looks for what a write did whose answer was lost.
            refusals: says what a no of the platform means.
        """
        self._caller = connection.caller
        self._guard = connection.guard
        self._budget = connection.budget
        self._clock = clock
        self._line = line
        self._trigger_token = trigger_token
        self._book = book
        self._lookout = lookout
        self._refusals = refusals

    async def perform(self, intent: Intent) -> AsyncGenerator[WriteState]:
        """Send what the user has confirmed, and yield what becomes of it."""
        mark = os.urandom(4).hex()
        try:
            write = write_of(intent, await self._token_for(intent))
            self._guard.allow(write, Confirmation(write.key))
        except PlatuiError as error:
            yield Refused(error)
            return
        for left in reversed(range(_ROUNDS)):
            again = left < _ROUNDS - 1
            while (delay := self._budget.wait_for(self._budget.limit)) > 0:
                yield Waiting(self._clock.monotonic() + delay, _reason(again=again))
                await self._clock.sleep(delay)
            number = self._line.begin()
            try:
                before = await self._lookout.before(intent)
                yield Sent()
                record = await self._send(write, mark)
            except RateLimitedError as error:
                if not left:
                    yield Refused(error)
                    return
            except OutcomeUnknownError as error:
                self._line.failed(error, number)
                yield Unknown(error)
                async with aclosing(self._look(intent, write, before, mark)) as looking:
                    async for state in looking:
                        yield state
                return
            except PlatuiError as error:
                self._line.failed(error, number)
                yield Refused(await self._refusals.explained(intent, error))
                return
            else:
                self._line.answered(number)
                yield await self._accepted(intent, write, record, mark)
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

    async def _send(self, write: Write[Any], mark: str) -> Record | None:
        record: Record | None = await self._caller.send(
            write, Confirmation(write.key), patience=_BRIEFLY, mark=mark
        )
        return record

    async def _accepted(
        self, intent: Intent, write: Write[Any], record: Record | None, mark: str
    ) -> Done | Refused:
        """Take note of a write that the platform accepted; return what came of it."""
        self._refusals.accepted(intent)
        outcome = outcome_of(intent, record)
        if (idle := without_effect(intent, outcome)) is not None:
            self._caller.note(write, f"without effect: {idle.sentence}", mark)
            return Refused(idle)
        await self._book.keep(intent, outcome, self._clock.now())
        return Done(outcome)

    async def _look(
        self, intent: Intent, write: Write[Any], before: Before, mark: str
    ) -> AsyncGenerator[WriteState]:
        """Look for what a write did, and write down what it turned out to be."""
        await self._book.keep(intent, None, self._clock.now())
        result = "not found: given up"
        try:
            async with aclosing(self._lookout.after(intent, before)) as looking:
                async for state in looking:
                    match state:
                        case Found(sentence=sentence):
                            result = f"found: {sentence}"
                        case NotFound(sentence):
                            result = f"not found: {sentence}"
                    yield state
        finally:
            self._caller.note(write, result, mark)

    async def _token_for(self, intent: Intent) -> Secret | None:
        if isinstance(intent, NewPipeline) and intent.triggered:
            return await self._trigger_token(intent.project)
        return None


def _stops(state: WriteState) -> PlatuiError | None:
    """Return why what comes after must not be begun; None where it may."""
    match state:
        case Unknown(error):
            return error
        case Refused(error) if isinstance(error, _STOPPING) or not isinstance(error, _OF_ONE):
            return error
    return None


def _reason(*, again: bool) -> str:
    if again:
        return "The platform asks to wait; nothing was changed yet."
    return "The requests of this minute are spent; nothing was sent yet."
