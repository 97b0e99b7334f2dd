"""Requests that are cancelled at any moment leave their connections to the next ones."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from tests.support.wire import says, wire_server

from platui.api import endpoints
from platui.api.connect import Server, open_project_api
from platui.core.clock import SystemClock
from platui.core.secrets import Secret
from platui.models.values.connection import Urgency

if TYPE_CHECKING:
    from platui.api.connect import ProjectConnection

_TURNS = 400
_MOMENTS = 60
"""Turns of the loop that a request takes, at most."""


async def _fetch(api: ProjectConnection) -> None:
    await api.client.get(endpoints.pipelines.pipeline("group/name", 7), Urgency.USER)


@pytest.mark.parametrize("times", [1, 2])
async def test_no_cancellation_loses_a_connection(times: int) -> None:
    """Whatever a request was doing when it was cancelled, all connections serve later ones."""
    async with wire_server(says({"id": 7, "status": "failed", "ref": "main"})) as server:
        options = Server(server.url, insecure=True, timeout=5.0)
        api = await open_project_api(options, Secret("a-token"), SystemClock(), rate_limit=10_000)
        for turn in range(_TURNS):
            task = asyncio.ensure_future(_fetch(api))
            for _ in range(turn % _MOMENTS):
                await asyncio.sleep(0)
            for _ in range(times):
                task.cancel()
                await asyncio.sleep(0)
            await asyncio.wait({task})
        async with asyncio.timeout(5.0):
            await asyncio.gather(*(_fetch(api) for _ in range(20)))
        await api.aclose()
