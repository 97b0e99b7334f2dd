"""Local triage state: loaded once, changed in threads, observed by all boards."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, ParamSpec

from platui.core.file_changes import FileChanges
from platui.core.observers import Observable, OnNotice, ignore_notice
from platui.core.paths import state_dir
from platui.service.cancellation import cancel_and_wait
from platui.store.triage import TriageStore

if TYPE_CHECKING:
    from platui.config.profile import Profile
    from platui.models.values.stored_triage import StoredTriage

P = ParamSpec("P")

_NOT_FOLLOWED: Final = "Triage state: changes by other dashboards are no longer shown."
CHECK_INTERVAL: Final = 2.0
"""Seconds between two reads of the file, where the system does not report changes."""


class TriageState:
    """The local triage state of one profile, on disk unless it keeps nothing; never raises."""

    def __init__(self, profile: Profile, say: OnNotice = ignore_notice) -> None:
        folder = None if profile.is_in_memory else state_dir() / "triage"
        self._say = say
        self._store = TriageStore(folder, profile.name, profile.url, say)
        self._observed: Observable[StoredTriage] | None = None
        self._one_at_a_time = asyncio.Lock()
        self._under_way: set[asyncio.Task[None]] = set()
        self._followers = 0
        self._following: asyncio.Task[None] | None = None
        store = self._store
        self.refresh = self._in_thread(store.refresh)
        self.watch, self.unwatch = self._in_thread(store.watch), self._in_thread(store.unwatch)
        self.acknowledge = self._in_thread(store.acknowledge)
        self.snooze = self._in_thread(store.snooze)
        self.note, self.own = self._in_thread(store.note), self._in_thread(store.own)
        self.hide_branches = self._in_thread(store.hide_branches)
        self.record, self.move = self._in_thread(store.record), self._in_thread(store.move)

    @property
    def memory(self) -> Observable[StoredTriage]:
        """Return the state to observe; loaded on first use, unless `ready` has."""
        if self._observed is None:
            self._observed = Observable(self._store.value)
        return self._observed

    async def ready(self) -> None:
        """Load the state in a thread: hundreds of incidents take a while."""
        if self._observed is None:
            value = await asyncio.to_thread(lambda: self._store.value)
            self._observed = self._observed or Observable(value)

    def follow(self) -> Callable[[], None]:
        """Take over changes by other dashboards of the user; return a function that ends it.

        A failure is reported, and the next call starts to follow again.
        """
        self._followers += 1
        if self._following is None:
            self._following = asyncio.ensure_future(self._follow())
            self._following.add_done_callback(self._following_ended)
        is_following = True

        def stop() -> None:
            nonlocal is_following
            self._followers -= is_following
            is_following = False
            if not self._followers and self._following is not None:
                self._following.cancel()
                self._following = None

        return stop

    async def close(self) -> None:
        """End following, also for views that were shown until the end; finish changes."""
        await cancel_and_wait(self._following)
        if self._under_way:
            await asyncio.wait(self._under_way)

    def _following_ended(self, task: asyncio.Task[None]) -> None:
        if task is self._following:
            self._following = None
        if not task.cancelled() and (error := task.exception()) is not None:
            self._say(f"{_NOT_FOLLOWED} {type(error).__name__}: {error}")

    async def _follow(self) -> None:
        path = self._store.path
        if path is None:
            return
        with suppress(OSError):  # Only a folder that exists is watched
            await asyncio.to_thread(path.parent.mkdir, mode=0o700, parents=True, exist_ok=True)
        with FileChanges(path) as changes:
            while True:
                await self.refresh()
                await changes.wait(CHECK_INTERVAL)

    @property
    def problem(self) -> str:
        return self._store.problem

    @property
    def is_damaged(self) -> bool:
        return self._store.is_damaged

    def _in_thread(self, change: Callable[P, object]) -> Callable[P, Coroutine[Any, Any, None]]:
        """Run a change in a thread; it completes even if the caller is cancelled."""

        async def run(*args: P.args, **kwargs: P.kwargs) -> None:
            memory = self.memory

            async def run_change() -> None:
                async with self._one_at_a_time:
                    await asyncio.to_thread(change, *args, **kwargs)
                    memory.set(self._store.value)

            task = asyncio.ensure_future(run_change())
            self._under_way.add(task)
            task.add_done_callback(self._under_way.discard)
            await asyncio.shield(task)

        return run
