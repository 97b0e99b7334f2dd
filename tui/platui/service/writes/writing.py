"""One write from the user's yes to its outcome, told as it happens."""

from __future__ import annotations

import os
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, Final

from platui.core.errors import (
    OutcomeUnknownError,
    PlatuiError,
    RateLimitedError,
)
from platui.models.values.write_states import (
    Done,
    Found,
    NotFound,
    Refused,
    Sent,
    Unknown,
    Waiting,
)
from platui.models.values.writes import NewPipeline
from platui.service.writes.outcomes import outcome_of, without_effect
from platui.service.writes.plans import write_of

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable

    from platui.api.connect import ProjectConnection
    from platui.api.endpoint import Write
    from platui.core.clock import Clock
    from platui.core.secrets import Secret
    from platui.models.values.queries import ProjectRef
    from platui.models.values.write_states import WriteState
    from platui.models.values.writes import Confirmation, Intent
    from platui.models.wire import Record
    from platui.service.connection_state import LineWatch
    from platui.service.writes.outcome_probe import Before, OutcomeProbe
    from platui.service.writes.refusals import Refusals
    from platui.service.writes.sent_book import SentBook

_ROUNDS: Final = 5
"""How often a write goes again after a 429, which changes nothing."""

_BRIEFLY: Final = 2.0
"""Seconds that a retry may wait unseen, where a connection surely did not come about."""


class Writing:
    """Sends writes of the user's and follows each to its end."""

    def __init__(
        self,
        connection: ProjectConnection,
        clock: Clock,
        line: LineWatch,
        trigger_token: Callable[[ProjectRef], Awaitable[Secret]],
        book: SentBook,
        probe: OutcomeProbe,
        refusals: Refusals,
    ) -> None:
        self._writes = connection.writes
        self._guard = connection.guard
        self._budget = connection.budget
        self._clock = clock
        self._line = line
        self._trigger_token = trigger_token
        self._book = book
        self._probe = probe
        self._refusals = refusals

    async def perform(self, intent: Intent, confirmed: Confirmation) -> AsyncGenerator[WriteState]:
        """Send what the user has confirmed, and yield what becomes of it."""
        mark = os.urandom(4).hex()
        try:
            write = write_of(intent, await self._token_for(intent))
            self._guard.allow(write, confirmed)
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
                before = await self._probe.before(intent)
                yield Sent()
                record: Record | None = await self._writes.send(
                    write, confirmed, patience=_BRIEFLY, mark=mark
                )
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

    async def _accepted(
        self, intent: Intent, write: Write[Any], record: Record | None, mark: str
    ) -> Done | Refused:
        self._refusals.accepted(intent)
        outcome = outcome_of(intent, record)
        if (idle := without_effect(intent, outcome)) is not None:
            self._writes.note(write, f"without effect: {idle.sentence}", mark)
            return Refused(idle)
        await self._book.keep(intent, outcome, self._clock.now())
        return Done(outcome)

    async def _look(
        self, intent: Intent, write: Write[Any], before: Before, mark: str
    ) -> AsyncGenerator[WriteState]:
        await self._book.keep(intent, None, self._clock.now())
        result = "not found: given up"
        try:
            async with aclosing(self._probe.after(intent, before)) as looking:
                async for state in looking:
                    match state:
                        case Found(sentence=sentence):
                            result = f"found: {sentence}"
                        case NotFound(sentence):
                            result = f"not found: {sentence}"
                    yield state
        finally:
            self._writes.note(write, result, mark)

    async def _token_for(self, intent: Intent) -> Secret | None:
        if isinstance(intent, NewPipeline) and intent.triggered:
            return await self._trigger_token(intent.project)
        return None


def _reason(*, again: bool) -> str:
    if again:
        return "The platform asks to wait; nothing was changed yet."
    return "The requests of this minute are spent; nothing was sent yet."
