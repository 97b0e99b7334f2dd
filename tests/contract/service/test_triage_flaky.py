"""What is flaky on the triage board, over real HTTP: a job that fails and passes on one commit."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from tests.support.frozen import NIGHT, FrozenClock
from tests.support.platform import api_client, running_platform
from tests.support.service import service_of, started, viewing_any

from platui.config.settings import CacheSettings, Settings
from platui.models.values.triage_board import BoardState
from platui.present.triage.reasons import flaky_words
from platui.service import resources

if TYPE_CHECKING:
    from platui.models.values.triage_board import Board

LONG = 90.0
"""Seconds that much work may take on a busy machine."""
PROJECT = 101
BROKEN, FLAKY = "dbt_test", "dbt_run"
"""Jobs of it: one that keeps failing, and one of an earlier stage."""


async def test_a_job_that_failed_and_passed_on_one_commit_is_flaky() -> None:
    """Beside the one that broke the pipeline, with the commit and both of its attempts."""
    clock = FrozenClock(NIGHT)
    with running_platform(clock=clock) as platform, api_client(platform) as client:
        wish = [{"key": "_FAIL_JOB", "value": BROKEN}, {"key": "_FLAKY_JOB", "value": FLAKY}]
        path = f"projects/{PROJECT}/pipeline"
        run = client.post(path, json={"ref": "main", "variables": wish}).json()
        clock.moment += timedelta(minutes=30)
        jobs = client.get(
            f"projects/{PROJECT}/pipelines/{run['id']}/jobs",
            params={"include_retried": "true", "per_page": 100},
        ).json()
        tried = {one["status"]: one["id"] for one in jobs if one["name"] == FLAKY}
        assert tried.keys() == {"failed", "success"}
        settings = Settings(cache=CacheSettings(disk=False))
        async with started(service_of(platform, settings)) as service:
            await service.triage_state.watch([PROJECT])
            async with viewing_any(
                service.watch(resources.triage.board(service.triage_state))
            ) as viewer:

                def told(board: Board) -> bool:
                    return any(
                        item.point is not None
                        and item.incident is not None
                        and item.incident.newest_red.id == run["id"]
                        for item in board.items
                    )

                board = await viewer.until(told, LONG)
        [item] = [
            one
            for one in board.items
            if one.incident is not None and one.incident.newest_red.id == run["id"]
        ]
        assert item.state is BoardState.BROKEN
        assert item.point is not None
        assert item.point.step is not None
        assert item.point.step.name == BROKEN
        [flaky] = item.point.flaky
        assert (flaky.name, flaky.sha) == (FLAKY, run["sha"])
        assert (flaky.failed, flaky.passed) == (tried["failed"], tried["success"])
        said = f"{FLAKY} passed and failed on {run['sha'][:8]}"
        assert flaky_words(item.point) == said
