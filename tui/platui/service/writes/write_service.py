"""The writes of a profile: guard, lock, trigger tokens, requests and tasks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping
from contextlib import aclosing
from typing import TYPE_CHECKING, Final

from platui.api.write_guard import WriteGuard
from platui.config.credentials import (
    NOT_SET,
    find_trigger_token,
    remove_trigger_token,
    save_trigger_token,
    trigger_source,
    trigger_token_file,
)
from platui.core.errors import CredentialError, PlatuiError, WriteRefusedError
from platui.core.text import clean
from platui.models.values.drafts import DraftSource, RunDraft, RunHistory, SentSchedule
from platui.models.values.write_states import WriteProgress
from platui.models.values.writes import Confirmation, Intent, NewPipeline, WriteMode, WriteRequest
from platui.service.writes.optional_writes import OptionalWrites
from platui.service.writes.requests import RequestContext, request_of
from platui.service.writes.reruns import rerun_draft
from platui.service.writes.sent_history import SentHistory
from platui.service.writes.task import WriteTask
from platui.store.audit import AuditFile, audit_path

if TYPE_CHECKING:
    from platui.config.credentials import Credentials
    from platui.config.profile import Profile
    from platui.core.clock import Clock
    from platui.core.observers import Observable
    from platui.core.secrets import Secret
    from platui.models.values.queries import ProjectRef
    from platui.service.live import Live
    from platui.service.service_context import ServiceContext

_CHECK_INTERVAL: Final = 30.0  # seconds between checks: timers stop while the machine sleeps
_HAND = "your input"  # source of a typed token, as in `trigger token of … from …`


class WriteService:
    """Creates the write requests of a profile, and sends the confirmed ones."""

    def __init__(
        self,
        context: ServiceContext,
        credentials: Credentials | None,
        open_until: Observable[float | None],
        started: Callable[[], Awaitable[Live]],
    ) -> None:
        profile = context.profile
        mode = WriteMode.OFF if context.settings.read_only else WriteMode(profile.writes)
        audit = None if profile.is_in_memory else AuditFile(audit_path())
        self._profile = profile
        self._clock = context.clock
        self._started = started
        self.trigger_tokens = TriggerTokens(profile, context.environ, credentials)
        self.guard = WriteGuard(mode, context.clock, audit=audit, profile=profile.name)
        self.history = SentHistory(context)
        self.optional = OptionalWrites(self.history, asks=profile.neighbours == "auto")
        self.lock = WriteLock(self.guard, profile.name, context.clock, open_until)

    def request(self, *intents: Intent, called: str = "") -> WriteRequest:
        """Return the write request of intents; nothing is sent."""
        triggered = (one for one in intents if isinstance(one, NewPipeline) and one.triggered)
        first = next(triggered, None)
        profile = self._profile
        context = RequestContext(
            profile.name,
            profile.production,
            "" if first is None else self.trigger_tokens.source_of(first.project),
            self.guard.problem,
            ("--url", profile.url) if profile.is_in_memory else profile.options,
            self.optional,
            called,
        )
        return request_of(intents, context)

    def task(self, confirmed: Confirmation) -> WriteTask:
        """Return the task of a confirmation; following it sends it."""
        return WriteTask(confirmed, self._clock.monotonic())

    async def perform(self, confirmed: Confirmation) -> AsyncGenerator[WriteProgress]:
        """Send the parts of a confirmation in order, while iterated.

        A rejection is a state, not an exception. A 401, 403, 429 or an unknown outcome stops the
        rest. Closing the iterator ends the current wait, request or outcome probe; the audit log
        then has a sent write as unknown.
        """
        try:
            write_runner = (await self._started()).write_runner
        except PlatuiError as error:
            yield WriteProgress((None,) * len(confirmed.request.intents), error)
            return
        async with aclosing(write_runner.perform(confirmed)) as following:
            async for progress in following:
                yield progress

    async def rerun(self, project: ProjectRef, pipeline: int) -> RunDraft:
        """Return the draft of a rerun: from the sent history, else its variables or schedule."""
        live = await self._started()
        sent = await self.history.pipeline(await live.names_of(project), pipeline)
        if sent is not None:
            return RunDraft(sent.new, DraftSource.SENT, knows_file=True, knows_variables=True)
        return await rerun_draft(live.client, project, pipeline)

    async def run_history(self, project: ProjectRef) -> RunHistory:
        live = await self._started()
        return await self.history.history(await live.names_of(project))

    async def sent_schedules(self, project: ProjectRef) -> tuple[SentSchedule, ...]:
        """Return the schedules created by platui in a project, newest first."""
        live = await self._started()
        return await self.history.schedules(await live.names_of(project))

    async def keep_trigger_token(self, project: ProjectRef, token: Secret) -> None:
        """Use a trigger token for its project; the first accepted write saves it."""
        live = await self._started()
        self.trigger_tokens.keep(await live.names_of(project), token)


class WriteLock:
    def __init__(
        self, guard: WriteGuard, profile: str, clock: Clock, open_until: Observable[float | None]
    ) -> None:
        """Create the lock; `open_until` gets the monotonic second of the lock, None: locked."""
        self._guard = guard
        self._profile = profile
        self._clock = clock
        self._timer: asyncio.Task[None] | None = None
        self._open_until = open_until

    def unlock(self, typed: str) -> None:
        """Unlock for 15 minutes by the typed profile name, or raise WriteRefusedError."""
        if typed.strip() != self._profile:
            name = clean(self._profile)
            raise WriteRefusedError(f"This profile is called {name}.", hint="Type its full name.")
        self._guard.unlock()
        if self._guard.mode is not WriteMode.LOCKED:
            return
        self.close()
        self._timer = asyncio.create_task(self._lock_when_due(), name="platui write lock")
        self._open_until.set(self._guard.open_until)

    def lock(self) -> None:
        self.close()
        self._guard.lock()
        self._open_until.set(self._guard.open_until)

    def close(self) -> None:
        """Stop the timer."""
        task, self._timer = self._timer, None
        if task is not None:
            task.cancel()

    async def _lock_when_due(self) -> None:
        while (left := self._guard.unlocked_for) > 0:
            await self._clock.sleep(min(left, _CHECK_INTERVAL))
        self._guard.lock()
        self._open_until.set(self._guard.open_until)


class TriggerTokens:
    """Finds and saves the trigger tokens of one profile, one per project."""

    def __init__(
        self, profile: Profile, environ: Mapping[str, str], credentials: Credentials | None
    ) -> None:
        self._profile = profile
        self._environ = environ
        self._credentials = credentials
        self._typed: dict[ProjectRef, Secret] = {}
        self._saved: set[ProjectRef] = set()  # Those of `_typed` that were accepted

    def source_of(self, project: ProjectRef) -> str:
        """Describe the source of a project's token, without reading it; empty: none."""
        if project in self._typed:
            return self._file_of(project) if project in self._saved else _HAND
        if self._given is not None:
            source = self._credentials.trigger_token_source if self._credentials else NOT_SET
            return "the start options" if source == NOT_SET else source
        return trigger_source(self._profile, project, self._environ)

    async def token_of(self, project: ProjectRef) -> Secret:
        """Return the token of a project. Raises CredentialError: none, or its source failed."""
        token = self._typed.get(project) or self._given
        if token is None:
            token, _ = await asyncio.to_thread(
                find_trigger_token, self._profile, project, self._environ
            )
        if token is None:
            raise CredentialError(
                f"No trigger token for {clean(str(project))}.",
                hint="Enter one, set PLATUI_TRIGGER_TOKEN, or configure a trigger_token_command.",
            )
        return token

    def keep(self, names: Iterable[ProjectRef], token: Secret) -> None:
        """Use a token for a project in this session, until `accepted` saves it."""
        self._typed.update(dict.fromkeys(names, token))
        self._saved.difference_update(names)

    async def accepted(self, project: ProjectRef, token: Secret) -> None:
        """Save a typed token, if the profile saves any. Raises CredentialError."""
        if self._typed.get(project) is not token or project in self._saved:
            return
        for name in [name for name, one in self._typed.items() if one is token]:
            if trigger_token_file(self._profile, name) is not None:
                await asyncio.to_thread(save_trigger_token, self._profile, name, token)
                if self._typed.get(name) is token:  # else removed or replaced meanwhile
                    self._saved.add(name)

    def can_forget(self, project: ProjectRef) -> bool:
        return self.source_of(project) in {_HAND, self._file_of(project)}

    async def forget(self, project: ProjectRef) -> None:
        """Drop a typed token, else the saved one. Raises CredentialError."""
        if project not in self._typed or project in self._saved:
            await asyncio.to_thread(remove_trigger_token, self._profile, project)
        token = self._typed.get(project)
        for name in [name for name, one in self._typed.items() if one is token]:
            del self._typed[name]
            self._saved.discard(name)

    def _file_of(self, project: ProjectRef) -> str:
        return clean(f"file {trigger_token_file(self._profile, project)}")

    @property
    def _given(self) -> Secret | None:
        return None if self._credentials is None else self._credentials.trigger_token
