"""Changes of the triage state by other dashboards are followed, or the user is told."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from platui.config.profile import Profile
from platui.config.settings import Settings
from platui.service import PlatformService
from platui.service.triage.state import TriageState

if TYPE_CHECKING:
    from platui.models.values.stored_triage import StoredTriage

PROFILE = Profile("test", "https://data.example.com")


async def test_a_failure_while_following_is_told_and_the_next_view_follows_again() -> None:
    """Whatever failed, the state on disk is whole."""
    notices: asyncio.Queue[str] = asyncio.Queue()
    mine, other = TriageState(PROFILE, notices.put_nowait), TriageState(PROFILE)
    await mine.ready()

    def fail(_: StoredTriage) -> None:
        raise LookupError("no such row")

    stop_failing = mine.memory.observe(fail)
    stop = mine.follow()
    await other.watch([7])
    assert await asyncio.wait_for(notices.get(), 20) == (
        "Triage state: changes by other dashboards are no longer shown. LookupError: no such row"
    )
    stop_failing()
    stop()
    is_changed = asyncio.Event()
    mine.memory.observe(lambda _: is_changed.set())
    stop = mine.follow()
    await other.watch([8])
    await asyncio.wait_for(is_changed.wait(), 20)
    assert mine.memory.value.watched.projects == (7, 8)
    stop()
    assert notices.empty()


async def test_nothing_is_followed_after_the_end() -> None:
    """The last view of a dashboard is shown until it ends, and stops nothing."""
    service = PlatformService(PROFILE, Settings())
    before = asyncio.all_tasks()
    service.triage_state.follow()
    await service.triage_state.refresh()
    assert asyncio.all_tasks() - before
    await service.close()
    assert not asyncio.all_tasks() - before
