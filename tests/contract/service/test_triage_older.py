"""What leaves the newest page of a busy project while it runs, over real HTTP."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from tests.contract.service.test_triage_stuck import LATER, LONG, RUNS, boarding, sent
from tests.support.clock import FastClock
from tests.support.frozen import FrozenClock
from tests.support.platform import api_client, running_platform

if TYPE_CHECKING:
    from platui.models.values.triage_board import Board

PAGE = 100


def running(board: Board) -> list[int]:
    """Return the running pipelines of the default branch."""
    moving = (item.moving for item in board.items if item.is_main)
    return [run.id for run in moving if run is not None]


async def test_a_pipeline_that_a_hundred_newer_ones_hide_is_followed_to_its_end() -> None:
    """Its row does not say that it runs for ever, nor is its failure missed."""
    still, clock = FrozenClock(LATER), FastClock(60.0, LATER)
    with running_platform(clock=still) as platform:
        async with boarding(platform, RUNS, clock) as (service, viewer):
            board = await viewer.until(lambda b: b.is_live and bool(running(b)), LONG)
            [number] = running(board)
            with api_client(platform) as client:
                branches = client.get(f"projects/{RUNS}/repository/branches").json()
                other = next(one["name"] for one in branches if one["name"] != "main")
                for _ in range(PAGE):
                    made = client.post(f"projects/{RUNS}/pipeline", json={"ref": other})
                    assert made.status_code == 201
            still.moment += timedelta(hours=5)
            with api_client(platform) as client:
                ended = client.get(f"projects/{RUNS}/pipelines/{number}").json()
            assert ended["status"] in {"success", "failed"}
            one = f"/pipelines/{number}"
            await viewer.until(
                lambda b: number not in running(b) and bool(sent(service, one)), LONG
            )
            assert len(sent(service, one)) <= 3
