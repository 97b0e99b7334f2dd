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
    from platui.models.values.write_plans import WritePlan
    from platui.models.values.write_states import WriteState
    from platui.models.values.writes import Confirmation, Intent
    from platui.service.surface import Surface
    from platui.service.writing import Writing

_MANY: Final = 50
"""Intents from which a plan is made beside the event loop."""


class WriteDesk:
    """Made at the first thing that has to do with writes; the facade passes on to it."""

    def __init__(
        self,
        surface: Surface,
        credentials: Credentials | None,
        open_until: Observable[float | None],
        writing: Callable[[], Awaitable[Writing]],
    ) -> None:
        """Take what is needed.

        Args:
            surface: profile, clock and settings.
            credentials: secrets at hand; None: the profile says where they are.
            open_until: is told when the lock opens and shuts.
            writing: gives what sends, once there is a connection; raises PlatuiError.
        """
        profile = surface.profile
        mode = WriteMode.OFF if surface.settings.read_only else WriteMode(profile.writes)
        audit = None if profile.keeps_nothing else AuditFile(audit_path())
        self._profile = profile
        self._writing = writing
        self.trigger_tokens = TriggerTokens(profile, surface.environ, credentials)
        self.guard = WriteGuard(mode, surface.clock, audit=audit, profile=profile.name)
        self.book = SentBook(profile, surface.clock, surface.scribe)
        self.neighbours = Neighbours(self.book)
        self.lock = WriteLock(self.guard, profile.name, surface.clock, open_until)

    def plan(self, intents: Sequence[Intent], called: str = "") -> WritePlan:
        """Return the plan of one write, or of several to be confirmed together.

        Args:
            intents: what is to be done.
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
        """Do what the user has said yes to, and yield what becomes of it."""
        try:
            await self._check(confirmed, intent)
            writing = await self._writing()
        except PlatuiError as error:
            yield Refused(error)
            return
        async with aclosing(writing.perform(intent)) as states:
            async for state in states:
                yield state

    async def perform_all(
        self, intents: Sequence[Intent], confirmed: Confirmation
    ) -> AsyncGenerator[WriteProgress]:
        """Do several things that the user has said one yes to, one after the other."""
        try:
            await self._check(confirmed, *intents)
            writing = await self._writing()
        except PlatuiError as error:
            yield WriteProgress((None,) * len(intents), error)
            return
        async with aclosing(writing.perform_all(intents)) as following:
            async for progress in following:
                yield progress

    async def _check(self, confirmed: Confirmation, *intents: Intent) -> None:
        """Let only through what the user has seen and said yes to."""
        if len(intents) > _MANY:  # 10,000 take a third of a second
            plan = await asyncio.to_thread(self.plan, intents)
        else:
            plan = self.plan(intents)
        if confirmed.key != plan.key:
            raise WriteRefusedError("Nobody has confirmed exactly this.", hint="")
