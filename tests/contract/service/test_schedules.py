"""Schedules through the service: listed, whole, and never with their variables on disk."""

from __future__ import annotations

import sqlite3
import zlib
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from tests.support.faults import set_fault
from tests.support.frozen import StillClock
from tests.support.performing import performed
from tests.support.platform import api_client, in_project
from tests.support.service import (
    becomes,
    running_service,
    service_at,
    started,
    viewing,
    viewing_any,
)
from tests.support.wire import answer, wire_server

from platui.core.paths import cache_dir, state_dir
from platui.core.secrets import Secret
from platui.models.values.feeds import Source
from platui.models.values.queries import RecordKind, RecordRef
from platui.models.values.writes import ScheduleVariable
from platui.service import resources

if TYPE_CHECKING:
    from asyncio import StreamWriter
    from pathlib import Path

    from tests.support.platform import PlatformFactory
    from tests.support.wire import Heard

    from platui_emulator.server import RunningEmulator

PLANTED = "planted-in-a-variable"


def _made(platform: RunningEmulator) -> int:
    """Make a schedule with a secret among its variables; return its id."""
    form = {"description": "Nightly", "ref": "main", "cron": "0 1 * * *"}
    with api_client(platform) as api:
        number = int(api.post(in_project(platform, "pipeline_schedules"), data=form).json()["id"])
        variable = {"key": "API_KEY", "value": PLANTED}
        path = in_project(platform, f"pipeline_schedules/{number}/variables")
        assert api.post(path, data=variable).is_success
    return number


def _readable(file: Path) -> bytes:
    """Return what a file holds; of a database what its pages hold, unpacked."""
    if not file.is_file():
        return b""
    if file.suffix != ".sqlite3":
        return file.read_bytes()
    with closing(sqlite3.connect(file)) as database:
        tables = [
            name
            for (name,) in database.execute("select name from sqlite_master where type='table'")
        ]
        cells = [
            cell
            for table in tables
            for row in database.execute(f'select * from "{table}"')  # noqa: S608  (our own table)
            for cell in row
        ]
    return b"\n".join(_unpacked(cell) for cell in cells)


def _unpacked(cell: object) -> bytes:
    if not isinstance(cell, bytes):
        return str(cell).encode()
    try:
        return zlib.decompress(cell)
    except zlib.error:
        return cell


@pytest.mark.variants("default", reason="it lists schedules")
async def test_variables_of_a_schedule_are_read_and_never_written(
    platform_with: PlatformFactory,
) -> None:
    """In its detail, as its last run, as its raw record: nothing of it is on disk."""
    platform = platform_with()
    number = _made(platform)
    async with running_service(platform) as service:
        project = platform.project
        async with viewing(service.watch(resources.schedules.schedules(project))) as viewer:
            snapshot = await viewer.until(lambda s: s.source is Source.LIVE)
            assert snapshot.value is not None
            assert snapshot.value.is_supported
            assert number in {one.id for one in snapshot.value.items}
        async with viewing(service.watch(resources.schedules.schedule(project, number))) as detail:
            whole = await detail.until(lambda s: s.value is not None)
            assert whole.value is not None
            assert [one.value for one in whole.value.variables] == [PLANTED]
        runs = service.watch(resources.schedules.last_runs(project))
        runs.show([number])
        async with viewing_any(runs) as latest:
            known = await latest.until(lambda found: number in found)
            assert known[number].pipeline is None
            assert not known[number].refused
        raw = await service.raw(RecordRef(RecordKind.SCHEDULE, number, project))
        assert PLANTED in raw.body.decode()
    kept = b"".join(
        _readable(file) for folder in (cache_dir(), state_dir()) for file in folder.rglob("*")
    )
    assert b"Nightly" in kept, "the list of schedules is kept, so that this looks at something"
    assert PLANTED.encode() not in kept


@pytest.mark.variants("default", reason="it lists schedules")
@pytest.mark.parametrize(
    ("latency", "sent"),
    [
        pytest.param(0.5, 1, id="under-way"),
        pytest.param(0.5, 0, id="not-yet-sent"),
        pytest.param(0.0, 0, id="answered-meanwhile"),
    ],
)
async def test_what_is_fetched_in_the_background_is_not_asked_for_again_by_who_waits_for_it(
    platform_with: PlatformFactory, latency: float, sent: int
) -> None:
    """Be it that the request was sent, or is only about to be; nor the other way round."""
    platform = platform_with(faults_port=0)
    number = _made(platform)
    set_fault(platform, "latency", path="/pipeline_schedules/", seconds=latency)
    there = service_at(platform.faults_url, platform.token, clock=StillClock())
    async with started(there) as service:
        runs = service.watch(resources.schedules.last_runs(platform.project))
        runs.show([number])
        detail = service.watch(resources.schedules.schedule(platform.project, number))
        async with viewing_any(runs) as latest:
            await latest.until(lambda found: not found)
            await becomes(service.budget, lambda budget: budget.used == sent)
            async with viewing(detail) as viewer:
                await viewer.until(lambda snapshot: snapshot.value is not None)
                await latest.until(lambda found: number in found)
        assert [record.path for record in service.journal.recent()] == [
            f"projects/{platform.project.replace('/', '%2F')}/pipeline_schedules/{number}"
        ]


@pytest.mark.variants("default", reason="it lists schedules")
async def test_a_refresh_takes_no_answer_to_what_was_sent_before(
    platform_with: PlatformFactory,
) -> None:
    """Something may have changed since: it was written, or the user thinks so."""
    platform = platform_with(faults_port=0)
    number = _made(platform)
    set_fault(platform, "latency", path="/pipeline_schedules/", seconds=0.5)
    there = service_at(platform.faults_url, platform.token, clock=StillClock())
    async with started(there) as service:
        runs = service.watch(resources.schedules.last_runs(platform.project))
        runs.show([number])
        detail = service.watch(resources.schedules.schedule(platform.project, number))
        async with viewing_any(runs) as latest:
            await becomes(service.budget, lambda budget: budget.used == 1)
            detail.refresh()
            async with viewing(detail) as viewer:
                await viewer.until(lambda snapshot: snapshot.value is not None)
                await latest.until(lambda found: number in found)
        assert len(service.journal.recent()) == 2


@pytest.mark.variants("default", reason="it lists schedules")
async def test_a_record_from_before_a_write_is_fetched_again(
    platform_with: PlatformFactory,
) -> None:
    """A new schedule is shown as a last run before its variables are set."""
    platform = platform_with()
    number = _made(platform)
    async with running_service(platform, writes="confirm") as service:
        runs = service.watch(resources.schedules.last_runs(platform.project))
        runs.show([number])
        async with viewing_any(runs) as latest:
            await latest.until(lambda found: number in found)
        await performed(service, ScheduleVariable(platform.project, number, "DAY", "monday"))
        detail = service.watch(resources.schedules.schedule(platform.project, number))
        async with viewing(detail) as viewer:
            shown = await viewer.until(lambda one: one.value is not None and not one.refreshing)
            assert shown.value is not None
            assert [one.key for one in shown.value.variables] == ["API_KEY", "DAY"]


async def test_a_platform_that_lists_no_schedules_says_so(
    narrow_platform: RunningEmulator,
) -> None:
    """It is a list of none that is not offered."""
    async with (
        running_service(narrow_platform) as service,
        viewing(service.watch(resources.schedules.schedules(narrow_platform.project))) as viewer,
    ):
        snapshot = await viewer.until(lambda s: s.value is not None)
        assert snapshot.value is not None
        assert not snapshot.value.is_supported
        assert snapshot.is_final


async def test_another_token_may_list_schedules() -> None:
    """What one may not see in several projects is not missing for all users."""

    async def script(heard: Heard, writer: StreamWriter) -> None:
        listed = answer([{"id": 1}])
        missing = answer({"error": "404 Not Found"}, "404 Not Found")
        writer.write(listed if heard.headers["private-token"] == "other" else missing)

    async with wire_server(script) as server, started(service_at(server.url)) as service:
        for project in range(1, 4):
            listing = await service.read(resources.schedules.schedules(project))
            assert not listing.is_supported
        await service.replace_token(Secret("other"))
        assert (await service.read(resources.schedules.schedules(3))).is_supported
