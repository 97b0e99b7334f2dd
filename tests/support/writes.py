"""The dashboard on the showcase, with a hand that writes: how every test of writes begins."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from tests.support.clock import FakeClock
from tests.support.dashboard import Elsewhere, dashboard, driving
from tests.support.hand import Hand
from tests.support.platform import api_client, ask, in_project

from platui.models.values.routes import Route
from platui.ui.dialogs.question import QuestionDialog

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from contextlib import AbstractAsyncContextManager

    from tests.support.dashboard import Driver

    from platui.core.clock import Clock
    from platui.ui.app import PlatuiApp
    from platui_emulator.server import RunningEmulator


H = TypeVar("H", bound=Hand)


class WriteHand(Hand):
    """A hand that answers questions."""

    async def answer_yes(self) -> None:
        """Say yes to the question, once it is there and has been seen."""
        await self.at(QuestionDialog)
        await self.press("y")


def showcase(
    platform: RunningEmulator,
    clock: Clock,
    view: str = "pipelines",
    *,
    relayed: bool = False,
    **options: Any,
) -> PlatuiApp:
    """Return the dashboard on a list of the showcase, where each write is asked about.

    Args:
        platform: the platform.
        clock: of the dashboard.
        view: which list.
        relayed: whether it is reached through its relay for faults.
        options: of `dashboard`.
    """
    project = platform.project
    reached = Elsewhere(platform.faults_url, platform.token) if relayed else platform
    start = Route(view, project, project.rpartition("/")[2])
    return dashboard(reached, start=start, clock=clock, **{"writes": "confirm", **options})


@asynccontextmanager
async def at_work_with(
    hand: type[H],
    platform: RunningEmulator,
    view: str = "pipelines",
    *,
    row: int | str | None = None,
    **options: Any,
) -> AsyncIterator[tuple[Driver, H]]:
    """Open the dashboard on a list of the showcase, and wait until its rows are there.

    Args:
        hand: what kind of hand is wanted; its clock is stepped.
        platform: the platform.
        view: which list.
        row: the id of what the cursor is to be on; None: wherever it is.
        options: of `showcase`.
    """
    clock = FakeClock()
    async with driving(showcase(platform, clock, view, **options)) as driver:
        await driver.until_at(view)
        if row is not None:
            await go_to(driver, row)
        yield driver, hand(driver, clock)


def at_work(
    platform: RunningEmulator, view: str = "pipelines", **options: Any
) -> AbstractAsyncContextManager[tuple[Driver, WriteHand]]:
    """Do the same with a hand that answers questions, and no more."""
    return at_work_with(WriteHand, platform, view, **options)


async def go_to(driver: Driver, row: int | str) -> None:
    """Put the cursor on a row, once it is there."""
    await driver.wait(lambda: driver.table.move_to(str(row)), wanted=f"a row {row}")


def started(platform: RunningEmulator, count: int = 1, **variables: str) -> list[str]:
    """Start pipelines of the showcase as others do; return their ids, newest first."""
    pairs = [{"key": key, "value": value} for key, value in variables.items()]
    with api_client(platform) as api:
        path = in_project(platform, "pipeline")
        answers = [
            api.post(path, params={"ref": "main"}, json={"variables": pairs}) for _ in range(count)
        ]
    return [str(answer.json()["id"]) for answer in reversed(answers)]


def a_failed_one(platform: RunningEmulator) -> str:
    """Return the newest pipeline of the showcase that failed."""
    with api_client(platform) as api:
        pipelines = api.get(in_project(platform, "pipelines")).json()
    return str(next(one["id"] for one in pipelines if one["status"] == "failed"))


def status_of(platform: RunningEmulator, pipeline: str) -> str:
    """Return how a pipeline of the showcase stands, as the platform says."""
    with api_client(platform) as api:
        return str(api.get(in_project(platform, f"pipelines/{pipeline}")).json()["status"])


def writes_to(platform: RunningEmulator) -> list[dict[str, Any]]:
    """Return every request that was no GET."""
    answer = ask("GET", f"{platform.base_url}/-/emulator/requests").json()
    return [one for one in answer["requests"] if one["method"] != "GET"]
