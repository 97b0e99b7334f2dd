"""What is stuck on the triage board, over real HTTP: jobs that no runner takes, logs that rest."""

from __future__ import annotations

from contextlib import asynccontextmanager
from datetime import timedelta
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from tests.support.clock import FastClock
from tests.support.frozen import NIGHT, FrozenClock
from tests.support.platform import running_platform
from tests.support.service import Viewer, service_of, started, viewing_any

from platui.config.settings import CacheSettings, Settings
from platui.models.values.connection import Urgency
from platui.models.values.triage_board import BoardState, LateKind
from platui.present.triage.reasons import late_details
from platui.service import resources

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from platui.models.values.connection import RequestRecord
    from platui.models.values.triage_board import Board, BoardItem, Late
    from platui.service import PlatformService
    from platui_emulator.server import RunningEmulator

LONG = 90.0
"""Seconds that much work may take on a busy machine."""
MINUTE = 60.0
GPU = 154
"""A project of which a job waits for most of an hour, as no runner has what it asks for."""
LATER = NIGHT + timedelta(hours=40)


RUNS = 103
"""A project of which a job runs."""
HALF_AN_HOUR = timedelta(minutes=30)


@pytest.fixture(scope="module")
def still() -> FrozenClock:
    """Return a clock of a platform on which nothing goes on, unless it is put forward."""
    return FrozenClock(LATER)


@pytest.fixture(scope="module")
def night(still: FrozenClock) -> Iterator[RunningEmulator]:
    """Run a company for which time stands still."""
    with running_platform(clock=still) as platform:
        yield platform


@asynccontextmanager
async def boarding(platform: RunningEmulator, project: int, clock: FastClock) -> AsyncIterator[
    tuple[PlatformService, Viewer[Board]]
]:  # fmt: skip
    """Look on at the board of a project, with nothing kept of before."""
    settings = Settings(cache=CacheSettings(disk=False))
    async with started(service_of(platform, settings, clock=clock)) as service:
        await service.triage_state.watch([project])
        async with viewing_any(
            service.watch(resources.triage.board(service.triage_state))
        ) as viewer:
            yield service, viewer


def late_item(board: Board, kind: LateKind) -> BoardItem | None:
    """Return the row of what is late in one way, and not broken beside."""
    late = (item for item in board.items if item.state is BoardState.LATE)
    return next((item for item in late if item.late is not None and item.late.kind is kind), None)


def late_of(board: Board, kind: LateKind) -> Late:
    """Return what is late in one way."""
    item = late_item(board, kind)
    assert item is not None
    assert item.late is not None
    return item.late


def sent(service: PlatformService, end: str) -> list[RequestRecord]:
    """Return the requests whose address, without its question, ends so; the oldest first."""
    every = sorted(service.journal.recent(), key=lambda one: one.number)
    return [one for one in every if one.path.partition("?")[0].endswith(end)]


async def test_a_job_that_no_runner_takes_is_on_the_board(night: RunningEmulator) -> None:
    """By name, with how long it waits; its pipeline's jobs are asked for once a minute."""
    clock = FastClock(60.0, LATER)
    async with boarding(night, GPU, clock) as (service, viewer):
        board = await viewer.until(lambda b: late_item(b, LateKind.WAITING) is not None, LONG)
        item, late = late_item(board, LateKind.WAITING), late_of(board, LateKind.WAITING)
        assert item is not None
        assert item.newest is not None
        assert (item.state, late.what) == (BoardState.LATE, "fit_model_gpu")
        assert late.tags == ("gpu-a100",)
        assert late_details(late, LATER, utc=True).endswith("waiting for a runner tagged gpu-a100")
        assert late.job is not None
        assert late.seconds > 2_700
        assert item.newest.id in board.with_jobs
        jobs = f"/pipelines/{item.newest.id}/jobs"
        # Until it is told anew, by a platform whose clock stands still.
        half = late.seconds + MINUTE / 2
        await viewer.until(lambda b: late_of(b, LateKind.WAITING).seconds > half, LONG)
        await viewer.until(lambda _: len(sent(service, jobs)) > 2, LONG)
        asked = sent(service, jobs)
        gaps = [(two.at - one.at).total_seconds() for one, two in pairwise(asked)]
        assert min(gaps) >= MINUTE - 1
        assert {one.urgency for one in asked} == {Urgency.VISIBLE}


async def test_a_log_that_rests_is_on_the_board_until_it_grows(
    night: RunningEmulator, still: FrozenClock
) -> None:
    """It is asked for once a minute; then its pipeline only takes long, as before."""
    clock = FastClock(300.0, LATER + HALF_AN_HOUR)
    async with boarding(night, RUNS, clock) as (service, viewer):
        board = await viewer.until(lambda b: late_item(b, LateKind.SILENT) is not None, LONG)
        late = late_of(board, LateKind.SILENT)
        assert (late.what, board.counts.late) == ("dbt_run", 1)
        assert 600 < late.seconds < 900
        told = sorted(service.journal.recent(), key=lambda one: one.number)
        asked = [one for one in told if one.path.endswith(f"/jobs/{late.job}/trace")]
        assert 5 <= len(asked) <= 12
        assert min((two.at - one.at).total_seconds() for one, two in pairwise(asked)) >= MINUTE - 1
        still.moment += timedelta(seconds=20)
        grown = await viewer.until(lambda b: late_item(b, LateKind.SILENT) is None, LONG)
        assert late_item(grown, LateKind.SLOW) is not None
