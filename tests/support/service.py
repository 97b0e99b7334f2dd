"""A service on a platform, as a screen would use it."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from tests.support.platform import ask

from platui.config.credentials import Credentials
from platui.config.profile import Profile
from platui.config.settings import PollSettings, Settings
from platui.core.secrets import Secret
from platui.service import PlatformService

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from platui.core.clock import Clock
    from platui.core.observers import Observable
    from platui.models.values.feeds import Feed, Snapshot
    from platui.models.values.log import LogFeed
    from platui.service.feeds.latest_pipelines import LatestFeed
    from platui.service.logs.comparing import ComparedLogs
    from platui.service.logs.pipeline_search import PipelineSearch
    from platui.service.logs.previews import PreviewFeed
    from platui.service.triage.board import BoardFeed
    from platui_emulator.server import RunningEmulator

T = TypeVar("T")

PATIENCE = 20.0
"""Seconds a test waits for what must come; the machine may be busy."""

QUICK = Settings(poll=PollSettings(running=0.2, idle=0.3))
"""Polls so often that a test need not wait for them."""


def service_of(
    platform: RunningEmulator, settings: Settings = QUICK, **profile: Any
) -> PlatformService:
    """Return a service of a platform, with its token at hand; not started."""
    token = profile.pop("token", platform.token)
    return service_at(platform.base_url, token, settings, **profile)


def service_at(
    url: str,
    token: str = "planted-token",  # noqa: S107  (opens nothing)
    settings: Settings = QUICK,
    **profile: Any,
) -> PlatformService:
    """Return a service of whatever answers at an address; not started."""
    clock: Clock | None = profile.pop("clock", None)
    return PlatformService(
        replace(Profile("test", url, timeout=5.0), **profile),
        settings,
        clock,
        credentials=Credentials(token=Secret(token) if token else None),
    )


@asynccontextmanager
async def running_service(
    platform: RunningEmulator, settings: Settings = QUICK, **profile: Any
) -> AsyncIterator[PlatformService]:
    """Run a service for the length of a block."""
    async with started(service_of(platform, settings, **profile)) as service:
        yield service


@asynccontextmanager
async def started(service: PlatformService) -> AsyncIterator[PlatformService]:
    """Start a service and close it after the block."""
    await service.start()
    try:
        yield service
    finally:
        await service.close()


class Viewer(Generic[T]):
    """Looks on at a feed and remembers all it saw."""

    def __init__(self) -> None:
        self.seen: list[T] = []
        self._came = asyncio.Event()

    @property
    def last(self) -> T:
        """Return what was seen last."""
        return self.seen[-1]

    def see(self, item: T) -> None:
        """Take one more."""
        self.seen.append(item)
        self._came.set()

    async def until(self, condition: Callable[[T], bool], seconds: float = PATIENCE) -> T:
        """Wait until something seen from now on, or seen last, is as it should be."""
        start = max(0, len(self.seen) - 1)
        async with asyncio.timeout(seconds):
            while True:
                for item in self.seen[start:]:
                    if condition(item):
                        return item
                start = len(self.seen)
                self._came.clear()
                await self._came.wait()


@asynccontextmanager
async def viewing(feed: Feed[T]) -> AsyncIterator[Viewer[Snapshot[T]]]:
    """Look on at a feed of snapshots for the length of a block."""
    async with _viewing(feed) as viewer:
        yield viewer


@asynccontextmanager
async def viewing_any(
    feed: BoardFeed | LatestFeed[Any] | LogFeed | ComparedLogs | PipelineSearch | PreviewFeed,
) -> AsyncIterator[Viewer[Any]]:
    """Look on at a feed of another kind for the length of a block."""
    async with _viewing(feed) as viewer:
        yield viewer


@asynccontextmanager
async def _viewing(feed: Any) -> AsyncIterator[Viewer[Any]]:
    viewer: Viewer[Any] = Viewer()

    async def look() -> None:
        async for item in feed:
            viewer.see(item)

    task = asyncio.ensure_future(look())
    try:
        yield viewer
    finally:
        task.cancel()
        await asyncio.wait({task})
        if not task.cancelled():
            task.result()


async def becomes(observable: Observable[T], condition: Callable[[T], bool]) -> T:
    """Wait until an observable is as it should be."""
    came = asyncio.Event()
    stop = observable.observe(lambda _: came.set())
    try:
        async with asyncio.timeout(PATIENCE):
            while not condition(observable.value):
                came.clear()
                await came.wait()
    finally:
        stop()
    return observable.value


def requests_of(platform: RunningEmulator, after: int = 0) -> list[dict[str, Any]]:
    """Return what the platform was asked, as it tells itself."""
    answer = ask("GET", f"{platform.base_url}/-/emulator/requests?after={after}")
    return list(answer.json()["requests"])
