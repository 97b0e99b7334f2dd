"""Everything about writes before they are sent: guard, lock, plans, and the user's yes."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING, Final

from platui.api.write_guard import WriteGuard
from platui.core.errors import PlatuiError, WriteRefusedError
from platui.models.values.write_states import Refused, WriteProgress
from platui.models.values.writes import NewPipeline, WriteMode
from platui.service.neighbours import Neighbours
from platui.service.sent_book import SentBook
from platui.service.trigger_tokens import TriggerTokens
from platui.service.write_lock import WriteLock
from platui.service.write_plans import Stance, plan_of
from platui.store.audit import AuditFile, audit_path

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence

    from platui.config.credentials import Credentials
    from platui.core.observers import Observable
    from platui.core.secrets import Secret
    from platui.models.values.queries import ProjectRef
    from platui.models.values.write_plans import WritePlan
    from platui.models.values.write_states import WriteState
    from platui.models.values.writes import Confirmation, Intent
    from platui.service.live import Live
    from platui.service.surface import Surface

_MANY: Final = 50
"""Intents from which a plan is made beside the event loop."""


class WriteDesk:
    """Made at the first thing that has to do with writes."""

    def __init__(
        self,
        surface: Surface,
        credentials: Credentials | None,
        open_until: Observable[float | None],
        started: Callable[[], Awaitable[Live]],
    ) -> None:
        """Take what is needed.

        Args:
            surface: profile, clock and settings.
            credentials: secrets at hand; None: the profile says where they are.
            open_until: is told when the lock opens and shuts.
            started: gives the live half of the service, once there is one; raises PlatuiError.
        """
        profile = surface.profile
        mode = WriteMode.OFF if surface.settings.read_only else WriteMode(profile.writes)
        audit = None if profile.keeps_nothing else AuditFile(audit_path())
        self._profile = profile
        self._started = started
        self.trigger_tokens = TriggerTokens(profile, surface.environ, credentials)
        self.guard = WriteGuard(mode, surface.clock, audit=audit, profile=profile.name)
        self.book = SentBook(profile, surface.clock, surface.scribe, surface.remarks.say)
        self.neighbours = Neighbours(self.book, asks=profile.neighbours == "auto")
        self.lock = WriteLock(self.guard, profile.name, surface.clock, open_until)

    def plan(self, *intents: Intent, called: str = "") -> WritePlan:
        """Return what a question and a preview show of a write; nothing is asked or sent.

        Args:
            intents: what is to be done; several are confirmed together.
            called: what their project is called, where they name it by its number.
        """
        triggered = (one for one in intents if isinstance(one, NewPipeline) and one.triggered)
        sources = [self.trigger_tokens.source_of(intent.project) for intent in triggered]
        profile = self._profile
        stance = Stance(
            profile.name,
            profile.production,
            sources[0] if sources else "",
            self.guard.problem,
            profile.url if profile.ephemeral or profile.keeps_nothing else "",
            self.neighbours,
            called,
        )
        return plan_of(intents, stance)

    async def perform(self, intent: Intent, confirmed: Confirmation) -> AsyncGenerator[WriteState]:
        """Do what the user has said yes to; iterate to send it and see what becomes of it.

        Nothing is raised: a refusal is a state. Closing the iterator ends the wait, the
        sending or the looking; a write that was sent by then is noted as unknown.

        Args:
            intent: what is to be done.
            confirmed: the yes, to `plan(intent).key`.
        """
        try:
            await self._check(confirmed, intent)
            writing = (await self._started()).writing
        except PlatuiError as error:
            yield Refused(error)
            return
        async with aclosing(writing.perform(intent)) as states:
            async for state in states:
                yield state

    async def perform_all(
        self, intents: Sequence[Intent], confirmed: Confirmation
    ) -> AsyncGenerator[WriteProgress]:
        """Do several things that the user has said one yes to, one after the other.

        Nothing further is begun after a 401, 403 or 429, or an unknown outcome.

        Args:
            intents: what is to be done.
            confirmed: the yes, to `plan(*intents).key`.
        """
        try:
            await self._check(confirmed, *intents)
            writing = (await self._started()).writing
        except PlatuiError as error:
            yield WriteProgress((None,) * len(intents), error)
            return
        async with aclosing(writing.perform_all(intents)) as following:
            async for progress in following:
                yield progress

    async def keep_trigger_token(self, project: ProjectRef, token: Secret) -> None:
        """Use a trigger token for its project from now on, and keep it as other credentials.

        Raises:
            PlatuiError: the service cannot start, or the token's file cannot be written.
        """
        live = await self._started()
        await self.trigger_tokens.keep(await live.names_of(project), token)

    async def _check(self, confirmed: Confirmation, *intents: Intent) -> None:
        """Let only through what the user has seen and said yes to."""
        if len(intents) > _MANY:  # 10,000 take a third of a second
            plan = await asyncio.to_thread(self.plan, *intents)
        else:
            plan = self.plan(*intents)
        if confirmed.key != plan.key:
            raise WriteRefusedError("Nobody has confirmed exactly this.", hint="")
