"""Faults during a write: nothing happens twice, and what is said of it is true.

A platform of one's own each time, real HTTP, and its own count of what arrived and was done.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.faults import fault
from tests.support.platform import api_client, credentials
from tests.support.quick_clock import QuickClock
from tests.support.service import requests_of, service_at
from tests.support.service import started as running

from platui.core.errors import (
    OfflineError,
    OutcomeUnknownError,
    RateLimitedError,
    ServerFailedError,
    UnauthorizedError,
)
from platui.models.values.write_states import (
    Done,
    Found,
    Looking,
    NotFound,
    Refused,
    Sent,
    Unknown,
    Waiting,
    WriteState,
)
from platui.models.values.writes import Confirmation, NewPipeline
from platui.service.lookout import LOOKS_FOR

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from platui.emulator.server import RunningEmulator
    from platui.service import PlatformService

POST = {"method": "POST", "path": r"/pipeline(\?|$)"}


@asynccontextmanager
async def faulty(platform: RunningEmulator, **profile: Any) -> AsyncIterator[PlatformService]:
    """Run a service that speaks to the platform through its faults."""
    profile = {"writes": "confirm", "clock": QuickClock(), **profile}
    async with running(service_at(platform.faults_url, platform.token, **profile)) as service:
        yield service


async def start(service: PlatformService, platform: RunningEmulator) -> list[WriteState]:
    """Start a pipeline and return all that becomes of it."""
    intent = NewPipeline(platform.project, "main")
    yes = Confirmation(service.plan(intent).key)
    return [state async for state in service.perform(intent, yes)]


def kinds(states: list[WriteState]) -> list[type]:
    """Return the kind of each state."""
    return [type(state) for state in states]


def started(platform: RunningEmulator) -> list[int]:
    """Return the ids of the pipelines that were started through the API, newest first."""
    with api_client(platform) as client:
        project = platform.project.replace("/", "%2F")
        listed = client.get(f"projects/{project}/pipelines", params={"source": "api"}).json()
    return [one["id"] for one in listed]


class Count:
    """Counts what came to a platform and what it did, from now on."""

    def __init__(self, platform: RunningEmulator) -> None:
        self._platform = platform
        self._before = set(started(platform))
        self._seen = max((one["number"] for one in requests_of(platform)), default=0)

    @property
    def new(self) -> list[int]:
        """Return the ids of new pipelines."""
        return [number for number in started(self._platform) if number not in self._before]

    @property
    def arrived(self) -> int:
        """Return how many requests to start one arrived."""
        requests = requests_of(self._platform, self._seen)
        return sum(one["method"] == "POST" for one in requests)


ACTED = [
    ("reset_before", {}),
    ("reset_during", {}),
    ("truncated", {}),
    ("slow_body", {"seconds": 5}),
]
"""The platform did it, and its answer is lost: no answer, half of one, one that never ends."""


@pytest.mark.parametrize(("kind", "wish"), ACTED)
async def test_what_was_done_without_an_answer_is_found(
    platform: RunningEmulator, kind: str, wish: dict[str, Any]
) -> None:
    """Unknown, then found, told as probable; and there is one."""
    count = Count(platform)
    async with faulty(platform, timeout=0.5, clock=QuickClock()) as service:
        with fault(platform, kind, times=1, **POST, **wish):
            states = await start(service, platform)
    assert kinds(states) == [Sent, Unknown, Looking, Found]
    found = states[-1]
    assert isinstance(found, Found)
    assert [one.id for one in found.candidates] == count.new
    assert len(count.new) == 1
    assert f"#{count.new[0]} on main" in found.sentence
    assert "probably" in found.sentence


NOT_ACTED = [
    ("hang", {"seconds": 5}),
    ("server_error", {"status": 502}),
    ("server_error", {"status": 504}),
    ("server_error", {"status": 500}),
    ("html", {"status": 502}),
    ("html", {"status": 200}),
    ("garbage", {"what": "json"}),
]
"""The platform did nothing, and does not say so."""


@pytest.mark.parametrize(("kind", "wish"), NOT_ACTED)
async def test_what_was_not_done_without_an_answer_is_not_found(
    platform: RunningEmulator, kind: str, wish: dict[str, Any]
) -> None:
    """Unknown, looked for so long, not found; nothing is sent again."""
    count = Count(platform)
    clock = QuickClock()
    async with faulty(platform, timeout=0.5, clock=clock) as service:
        with fault(platform, kind, times=1, **POST, **wish):
            states = await start(service, platform)
    assert kinds(states) == [Sent, Unknown, Looking, NotFound]
    assert isinstance(states[1], Unknown)
    assert isinstance(states[1].error, OutcomeUnknownError)
    assert states[-1] == NotFound("Nothing was found within 30 s; it may still come.")
    assert sum(clock.slept) >= LOOKS_FOR
    assert count.new == []
    assert count.arrived <= 1


async def test_an_answer_that_came_whole_counts(platform: RunningEmulator) -> None:
    """Whatever happened to the line afterwards."""
    count = Count(platform)
    async with faulty(platform) as service:
        with fault(platform, "reset_after", times=1, **POST):
            states = await start(service, platform)
    last = states[-1]
    if isinstance(last, Done):
        assert [last.outcome.id] == count.new
    else:  # the reset was quicker than we
        assert isinstance(last, Found)
        assert [one.id for one in last.candidates] == count.new
    assert len(count.new) == 1


async def test_a_429_is_waited_out_and_changes_nothing(platform: RunningEmulator) -> None:
    """Visibly, for as long as the platform asks; then it is sent, once."""
    count = Count(platform)
    clock = QuickClock()
    async with faulty(platform, clock=clock) as service:
        with fault(platform, "quota", times=1, seconds=30, **POST):
            states = await start(service, platform)
    assert kinds(states) == [Sent, Waiting, Sent, Done]
    waiting = states[1]
    assert isinstance(waiting, Waiting)
    assert waiting.until - 1000.0 >= 29.0
    assert "asks to wait" in waiting.reason
    assert len(count.new) == 1


async def test_a_429_before_anything_is_sent_can_be_given_up(platform: RunningEmulator) -> None:
    """Who closes the iterator while it waits has sent nothing."""
    count = Count(platform)
    async with faulty(platform) as service:
        with fault(platform, "quota", times=1, seconds=30, method="GET"):
            intent = NewPipeline(platform.project, "main")
            states = service.perform(intent, Confirmation(service.plan(intent).key))
            async for state in states:
                if isinstance(state, Waiting):
                    break
            await states.aclose()
    assert count.arrived == 0
    assert count.new == []


async def test_who_is_always_told_to_wait_is_told_so(platform: RunningEmulator) -> None:
    """After some rounds the answer is no, and nothing was changed."""
    count = Count(platform)
    async with faulty(platform) as service:
        with fault(platform, "limiter", **POST):
            states = await start(service, platform)
    assert isinstance(states[-1], Refused)
    assert isinstance(states[-1].error, RateLimitedError)
    assert count.new == []


async def test_an_expired_token_is_named(platform: RunningEmulator) -> None:
    """401: nothing was changed, and nothing is looked for."""
    count = Count(platform)
    async with faulty(platform) as service:
        with fault(platform, "expired", times=1, **POST):
            states = await start(service, platform)
    assert kinds(states) == [Sent, Refused]
    assert isinstance(states[-1], Refused)
    assert isinstance(states[-1].error, UnauthorizedError)
    assert "expired" in states[-1].error.sentence
    assert count.new == []


async def test_a_platform_in_maintenance_has_done_nothing(platform: RunningEmulator) -> None:
    """503 is said before anything is done."""
    count = Count(platform)
    async with faulty(platform) as service:
        with fault(platform, "server_error", status=503, times=1, **POST):
            states = await start(service, platform)
    assert kinds(states) == [Sent, Refused]
    assert isinstance(states[-1], Refused)
    assert isinstance(states[-1].error, ServerFailedError)
    assert count.new == []


async def test_nobody_at_the_door_has_done_nothing(platform: RunningEmulator) -> None:
    """A refused connection is no lost answer: it is tried some more, and told as it is."""
    count = Count(platform)
    async with faulty(platform) as service:
        with fault(platform, "refuse"):
            states = await start(service, platform)
    assert kinds(states) == [Sent, Refused]
    assert isinstance(states[-1], Refused)
    assert isinstance(states[-1].error, OfflineError)
    assert count.new == []
    assert count.arrived == 0


async def test_what_somebody_else_started_meanwhile_is_not_taken_for_ours(
    platform: RunningEmulator,
) -> None:
    """On the same ref, after ours was sent: who started it tells them apart."""
    count = Count(platform)
    other = credentials(platform)["project"]
    intent = NewPipeline(platform.project, "main")
    states: list[WriteState] = []
    async with faulty(platform) as service:
        with fault(platform, "reset_before", times=1, **POST):
            async for state in service.perform(intent, Confirmation(service.plan(intent).key)):
                states.append(state)
                if isinstance(state, Unknown):
                    theirs = start_as(platform, other)
    found = states[-1]
    assert isinstance(found, Found)
    [ours] = [number for number in count.new if number != theirs]
    assert [one.id for one in found.candidates] == [ours]
    assert found.sentence == f"Found pipeline #{ours} on main, started by you: probably yours."


async def test_with_nothing_of_ours_what_others_started_is_not_found(
    platform: RunningEmulator,
) -> None:
    """Better no candidate than a wrong one."""
    other = credentials(platform)["project"]
    intent = NewPipeline(platform.project, "main")
    states: list[WriteState] = []
    async with faulty(platform) as service:
        with fault(platform, "server_error", status=502, times=1, **POST):
            async for state in service.perform(intent, Confirmation(service.plan(intent).key)):
                states.append(state)
                if isinstance(state, Unknown):
                    start_as(platform, other)
    assert isinstance(states[-1], NotFound)


def start_as(platform: RunningEmulator, token: str) -> int:
    """Start a pipeline with somebody's token; return its id."""
    with api_client(platform, token) as client:
        project = platform.project.replace("/", "%2F")
        return int(client.post(f"projects/{project}/pipeline", params={"ref": "main"}).json()["id"])
