"""The other attempts of a job, which its log names."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from platui.core.errors import OfflineError, OfflineReason
from platui.models.values.feeds import Listing, Snapshot, Source
from platui.models.values.routes import Route
from platui.models.wire import Job, Pipeline
from platui.ui.screens.logs.attempts import Attempts

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine

OLD, NEW = (
    Job(id=number, name="etl", status="failed", pipeline=Pipeline(id=3)) for number in (7, 9)
)
BOTH: Snapshot[Listing[Job]] = Snapshot(Listing((NEW, OLD), complete=True), Source.LIVE, None)
AWAY: Snapshot[Listing[Job]] = Snapshot(
    None, Source.NOTHING, None, error=OfflineError("Away.", reason=OfflineReason.TIMEOUT)
)


class Body:
    """A log of the old attempt, on a platform that answers with one snapshot, or never."""

    route = Route("log", "acme/etl", job=7)
    job = OLD

    def __init__(self) -> None:
        self.answer: Snapshot[Listing[Job]] | None = None
        self.started: list[Coroutine[Any, Any, None]] = []
        effects = SimpleNamespace(value={})
        self.service = SimpleNamespace(write_effects=effects, watch=lambda _: self._feed())

    async def _feed(self) -> AsyncIterator[Snapshot[Listing[Job]]]:
        if self.answer is None:
            await asyncio.Event().wait()
        else:
            yield self.answer

    def in_background(
        self, _: str, function: Callable[..., Coroutine[Any, Any, None]], *arguments: object
    ) -> None:
        """Keep what would be run."""
        self.started.append(function(*arguments))

    def draw_lines(self) -> None:
        """Do nothing."""


@pytest.mark.parametrize("first", [AWAY, None], ids=["offline", "left"])
async def test_attempts_that_were_not_loaded_are_loaded_the_next_time(
    first: Snapshot[Listing[Job]] | None,
) -> None:
    """Not "no other attempt": a reader would take the old failure for the current one."""
    body = Body()
    screen = SimpleNamespace(body=body, refresh_bindings=lambda: None, key_of=lambda _: "a")
    attempts = Attempts(screen)
    body.answer = first
    attempts.load(OLD)
    loading = asyncio.ensure_future(body.started.pop())
    await asyncio.sleep(0)
    loading.cancel()
    await asyncio.wait([loading])
    assert attempts.words() is None
    assert attempts.disabled_reason("log.attempt") == "The attempts of this job are not loaded."
    body.answer = BOTH
    attempts.load(OLD)
    await body.started.pop()
    assert attempts.words() == ("attempt 1 of 2, a opens the newest", "warning")
    attempts.load(OLD)
    assert not body.started
