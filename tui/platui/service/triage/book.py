"""What is remembered for the triage board: read at once, changed in a thread, observed by all."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from platui.core.observers import Observable, unheard
from platui.core.paths import state_dir
from platui.store.triage import TriageStore

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping
    from datetime import datetime

    from platui.config.profile import Profile
    from platui.core.observers import Say
    from platui.models.values.triage_memory import IncidentKey, PastIncident, TriageMemory


class TriageBook:
    """The memory of one profile; nothing on disk for one that keeps nothing. Nothing raises."""

    def __init__(self, profile: Profile, say: Say = unheard) -> None:
        folder = None if profile.keeps_nothing else state_dir() / "triage"
        self._store = TriageStore(folder, profile.name, profile.url, say)
        self._observed: Observable[TriageMemory] | None = None
        self._one_at_a_time = asyncio.Lock()
        self._under_way: set[asyncio.Task[None]] = set()

    @property
    def memory(self) -> Observable[TriageMemory]:
        """Return what is remembered, to be observed; read at the first use, unless `ready` was."""
        if self._observed is None:
            self._observed = Observable(self._store.value)
        return self._observed

    async def ready(self) -> None:
        """Read what is remembered in a thread: of hundreds of incidents it takes a while."""
        if self._observed is None:
            value = await asyncio.to_thread(lambda: self._store.value)
            self._observed = self._observed or Observable(value)

    @property
    def problem(self) -> str:
        return self._store.problem

    async def look(self) -> None:
        """Take what other processes have written since."""
        await self._do(self._store.look)

    async def watch(self, projects: Iterable[int] = (), groups: Iterable[str] = ()) -> None:
        await self._do(partial(self._store.watch, tuple(projects), tuple(groups)))

    async def unwatch(self, projects: Iterable[int] = (), groups: Iterable[str] = ()) -> None:
        await self._do(partial(self._store.unwatch, tuple(projects), tuple(groups)))

    async def acknowledge(
        self,
        signatures: Mapping[IncidentKey, str | None],
        spreading: Collection[IncidentKey] = (),
    ) -> None:
        """Say that incidents are known, all of them in one step.

        `signatures`: incident -> signature of its cause, empty where that is not known: it is known
        until that is another; None: it is not known any more.
        `spreading`: those whose cause is acknowledged with what joins it while it is red.
        """
        await self._do(partial(self._store.acknowledge, dict(signatures), frozenset(spreading)))

    async def snooze(self, keys: Iterable[IncidentKey], until: datetime | None) -> None:
        await self._do(partial(self._store.snooze, tuple(keys), until))

    async def note(self, keys: Iterable[IncidentKey], text: str) -> None:
        await self._do(partial(self._store.note, tuple(keys), text))

    async def own(self, keys: Iterable[IncidentKey], owner: str) -> None:
        await self._do(partial(self._store.own, tuple(keys), owner))

    async def see(self, seen: Iterable[PastIncident]) -> None:
        await self._do(partial(self._store.see, tuple(seen)))

    async def move(self, before: IncidentKey, after: IncidentKey) -> None:
        await self._do(partial(self._store.move, before, after))

    async def _do(self, change: Callable[[], object]) -> None:
        """Do something in a thread; once begun it is done, also where nobody waits any more."""
        memory = self.memory

        async def change_it() -> None:
            async with self._one_at_a_time:
                await asyncio.to_thread(change)
                memory.set(self._store.value)

        task = asyncio.ensure_future(change_it())
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        await asyncio.shield(task)
