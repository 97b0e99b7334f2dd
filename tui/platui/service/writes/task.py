"""Send confirmed writes once, and follow each to its outcome."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Any, Final

from platui.analysis.action_states import had_no_effect
from platui.core.errors import (
    CredentialError,
    OutcomeUnknownError,
    PlatuiError,
    RateLimitedError,
    UnauthorizedError,
)
from platui.core.observers import Observable
from platui.models.values.write_states import (
    LAST_STATES,
    Done,
    Found,
    NotFound,
    Probing,
    Refused,
    Sent,
    Unknown,
    Waiting,
    WriteProgress,
)
from platui.models.values.writes import NewPipeline, RecordAction
from platui.service.writes.outcome_probe import Baseline, OutcomeProbe
from platui.service.writes.outcomes import nothing_to_do, outcome_of, reason_to_stop
from platui.service.writes.requests import write_of
from platui.service.writes.write_errors import WriteErrors

if TYPE_CHECKING:
    from platui.api.connect import ProjectConnection
    from platui.api.write import Write
    from platui.core.clock import Clock
    from platui.core.secrets import Secret
    from platui.models.values.write_states import Outcome, WriteState
    from platui.models.values.writes import Confirmation, Intent, MaskedRequest
    from platui.models.wire import Record
    from platui.service.connection_state import ConnectionWatch
    from platui.service.writes.write_service import WriteService

_ROUNDS: Final = 5  # attempts: a 429 changes nothing, so the write can be sent again
_BRIEFLY: Final = 2.0  # seconds of retries while no connection was made
_QUOTA_USED_UP: Final = "Request quota of this minute used up; not sent yet."
_RATE_LIMITED: Final = "Rate limited by the platform; not done yet."


class WriteTask:
    """The progress of one confirmation: one write, or several in order."""

    def __init__(self, confirmed: Confirmation, began: float) -> None:
        self.request = request = confirmed.request
        self._confirmed = confirmed
        self.began = began
        # `has_ended` is set before the last change
        self.progress = Observable(WriteProgress((None,) * len(request.intents)))
        self.has_ended = False
        self.was_stopped = False  # Whether the user stopped it before all of it was sent
        self.interrupt: Callable[[], object] | None = None
        self.at = 0  # Index of the current part, or of the last one

    @property
    def state(self) -> WriteState | None:
        return self.progress.value.states[self.at]

    @property
    def can_stop(self) -> bool:
        """Return whether an unsent part can be canceled."""
        if self.has_ended or self.was_stopped:
            return False
        if self.state is None or isinstance(self.state, Waiting):
            return True
        # After an unknown outcome, the rest is not sent anyway.
        lost = isinstance(self.state, Unknown | Probing)
        return not lost and self.at < len(self.request.intents) - 1

    def _each(self) -> Iterator[tuple[MaskedRequest, WriteState | None]]:
        return zip(self.request.http_requests, self.progress.value.states, strict=True)

    @property
    def open(self) -> frozenset[MaskedRequest]:
        """Return the requests without an outcome yet."""
        if self.has_ended:
            return frozenset()
        return frozenset(
            one
            for one, state in self._each()
            if not isinstance(state, LAST_STATES) and not (state is None and self.was_stopped)
        )

    @property
    def lost(self) -> dict[MaskedRequest, WriteState | None]:
        """Return the requests of unknown outcome, each with its last state."""
        return {
            one: state
            for one, state in self._each()
            if isinstance(state, Unknown | Probing | Found | NotFound)
        }

    @property
    def outcome(self) -> Outcome | None:
        """Return the outcome to open: that of a single write, or its best candidate."""
        state = self.progress.value.states[0]
        if len(self.request.intents) > 1 or not self.has_ended:
            return None
        if isinstance(state, Found):
            return state.candidates[0]
        return state.outcome if isinstance(state, Done) else None

    @property
    def is_done(self) -> bool:
        return all(isinstance(state, Done) for state in self.progress.value.states)

    async def follow(self, write_service: WriteService) -> None:
        """Send it, and update `progress` until its end."""
        last = self.progress.value
        try:
            states = write_service.perform(self._confirmed)
            async with aclosing(states) as following:
                async for last in following:
                    while self.at + 1 < len(last.states) and last.states[self.at + 1] is not None:
                        self.at += 1
                    # Waiting again: the platform rejected it for its rate limit.
                    ended = isinstance(last.states[self.at], (Waiting, *LAST_STATES))
                    if self.was_stopped and ended:
                        break
                    self.progress.set(last)
        except asyncio.CancelledError:
            if not self.was_stopped:
                raise  # the app is exiting: the user did not cancel it
        finally:
            self.has_ended = True
            if self.was_stopped:
                unsent = (None if isinstance(one, Waiting) else one for one in last.states)
                last = WriteProgress(tuple(unsent), last.stopped)
            if last == self.progress.value:
                self.progress.notify()  # only `has_ended` is new
            else:
                self.progress.set(last)

    def stop(self) -> None:
        """Cancel the unsent parts; a part that was sent is followed to its end."""
        if not self.can_stop:
            return
        self.was_stopped = True
        # Also between two parts, where the next one reads what its probe compares with.
        is_unsent = self.state is None or isinstance(self.state, (Waiting, *LAST_STATES))
        if is_unsent and self.interrupt is not None:
            self.interrupt()


class WriteRunner:
    def __init__(
        self,
        connection: ProjectConnection,
        clock: Clock,
        line: ConnectionWatch,
        write_service: WriteService,
    ) -> None:
        self._writes = connection.writes
        self._guard = connection.guard
        self._budget = connection.budget
        self._clock = clock
        self._line = line
        self._trigger_tokens = write_service.trigger_tokens
        self._history = write_service.history
        self._probe = OutcomeProbe(connection.client, clock, write_service.history)
        self._refusals = WriteErrors(connection.client, write_service)

    async def perform(self, confirmed: Confirmation) -> AsyncGenerator[WriteProgress]:
        """Send the parts of a confirmation in order, and yield the progress."""
        intents = confirmed.request.intents
        states: list[WriteState | None] = [None] * len(intents)
        for index, intent in enumerate(intents):
            stopped: PlatuiError | None = None
            async with aclosing(self._perform_one(intent, confirmed)) as following:
                async for state in following:
                    states[index] = state
                    stopped = reason_to_stop(state) or stopped
                    yield WriteProgress(tuple(states))
            if stopped is not None:
                yield WriteProgress(tuple(states), stopped)
                return

    async def _perform_one(
        self, intent: Intent, confirmed: Confirmation
    ) -> AsyncGenerator[WriteState]:
        mark = os.urandom(4).hex()
        try:
            token = await self._token_for(intent)
            write = write_of(intent, token)
            self._guard.allow(write, confirmed)
        except PlatuiError as error:
            yield Refused(error)
            return
        for left in reversed(range(_ROUNDS)):
            reason = _RATE_LIMITED if left < _ROUNDS - 1 else _QUOTA_USED_UP
            while (delay := self._budget.wait_for(self._budget.limit)) > 0:
                yield Waiting(self._clock.monotonic() + delay, reason)
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
                async with aclosing(self._probe_outcome(intent, write, before, mark)) as looking:
                    async for state in looking:
                        yield state
                return
            except PlatuiError as error:
                yield await self._refused(intent, error, number)
                return
            else:
                self._line.answered(number)
                await self._save_token(intent, token)
                yield await self._accepted(intent, write, record, mark)
                return

    async def _refused(self, intent: Intent, error: PlatuiError, number: int) -> Refused:
        is_triggered = isinstance(intent, NewPipeline) and intent.triggered
        # A rejected trigger token says nothing about the access token.
        if not (is_triggered and isinstance(error, UnauthorizedError)):
            self._line.failed(error, number)
        return Refused(await self._refusals.explained(intent, error))

    async def _accepted(
        self, intent: Intent, write: Write[Any], record: Record | None, mark: str
    ) -> Done | Refused:
        self._refusals.accepted(intent)
        outcome = outcome_of(intent, record)
        if isinstance(intent, RecordAction) and had_no_effect(intent.action, outcome.status):
            idle = nothing_to_do(intent, outcome.status)
            self._writes.note(write, f"without effect: {idle.sentence}", mark)
            return Refused(idle)
        await self._history.keep(intent, outcome, self._clock.now())
        return Done(outcome)

    async def _probe_outcome(
        self, intent: Intent, write: Write[Any], before: Baseline, mark: str
    ) -> AsyncGenerator[WriteState]:
        await self._history.keep(intent, None, self._clock.now())
        result = "not found: check canceled"
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

    async def _save_token(self, intent: Intent, token: Secret | None) -> None:
        if token is not None and isinstance(intent, NewPipeline):
            with suppress(CredentialError):  # the pipeline runs; the token stays in memory
                await self._trigger_tokens.accepted(intent.project, token)

    async def _token_for(self, intent: Intent) -> Secret | None:
        if isinstance(intent, NewPipeline) and intent.triggered:
            return await self._trigger_tokens.token_of(intent.project)
        return None
