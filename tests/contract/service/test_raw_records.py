"""Records as bytes: kept ones first, then one request, then what a list had."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.service import running_service, service_at, started, viewing
from tests.support.wire import answer, wire_server

from platui.core.errors import NotFoundError, OfflineError
from platui.models.values.queries import (
    JobsQuery,
    PipelinesQuery,
    ProjectsQuery,
    RecordKind,
    RecordRef,
)
from platui.service import resources
from platui.service.raw_records import item_of

if TYPE_CHECKING:
    import asyncio

    from tests.support.wire import Heard

    from platui_emulator.server import RunningEmulator

ODD = b'{ "id":5,  "status":"failed", "z":1.50, "a":"\\u001b", "id2": null }'


async def listed(service: Any, platform: RunningEmulator) -> int:
    """Return the id of a pipeline that was listed."""
    async with viewing(
        service.watch(resources.pipelines.pipelines(PipelinesQuery(platform.project)))
    ) as viewer:
        snapshot = await viewer.until(lambda one: bool(one.value and one.value.items))
    assert snapshot.value is not None
    return int(snapshot.value.items[0].id)


async def test_a_record_costs_one_request_and_then_none(still_platform: RunningEmulator) -> None:
    """The second time it is kept, with its time; asked anew it is asked again."""
    async with running_service(still_platform) as service:
        ref = RecordRef(RecordKind.PIPELINE, await listed(service, still_platform),
                        still_platform.project)  # fmt: skip
        before = len(service.journal.recent())
        first = await service.raw(ref)
        assert (first.is_cached, first.is_from_list) == (False, False)
        assert json.loads(first.body)["detailed_status"]
        second = await service.raw(ref)
        while not second.is_cached:  # the write to the cache is behind nobody's back
            second = await service.raw(ref)
        spent = len(service.journal.recent()) - before
        assert second.body == first.body
        assert not second.is_final  # it may be retried
        again = await service.raw(ref, refresh=True)
        assert (again.is_cached, len(service.journal.recent()) - before) == (False, spent + 1)


async def test_what_a_view_has_fetched_is_not_asked_for(still_platform: RunningEmulator) -> None:
    """A job that was looked at is kept as it came, and settled once it has ended."""
    async with running_service(still_platform) as service:
        pipeline = await listed(service, still_platform)
        query = JobsQuery(still_platform.project, pipeline, with_retried=True)
        async with viewing(service.watch(resources.jobs.jobs(query))) as jobs:
            snapshot = await jobs.until(lambda one: bool(one.value and one.value.complete))
        assert snapshot.value is not None
        job = next(one for one in snapshot.value.items if one.status != "skipped")
        async with viewing(
            service.watch(resources.jobs.job(still_platform.project, job.id))
        ) as viewer:
            await viewer.until(lambda one: one.value is not None)
        ref = RecordRef(RecordKind.JOB, job.id, still_platform.project, pipeline)
        record = await service.raw(ref)
        assert json.loads(record.body)["name"] == job.name
        assert record.target.endswith(f"/jobs/{job.id}")
        assert job.status in {"success", "failed"}
        while not (
            record.is_cached and record.is_final
        ):  # the write to the cache is behind one's back
            record = await service.raw(ref)


@pytest.mark.parametrize("body", [ODD, b"\xff not json"], ids=["odd", "no JSON at all"])
async def test_the_bytes_are_those_of_the_answer(body: bytes) -> None:
    """Blanks, escapes and all; also where no model can read them."""

    async def script(_: Heard, writer: asyncio.StreamWriter) -> None:
        writer.write(answer(body))

    async with wire_server(script) as server, started(service_at(server.url)) as service:
        record = await service.raw(RecordRef(RecordKind.PIPELINE, 5, "acme/etl"))
    assert record.body == body


async def test_a_platform_without_the_neighbour_has_its_lists() -> None:
    """A project that cannot be asked for by its id is shown as the list has it, to the byte."""
    items = b'[ {"id":4,"name":"a"} ,\n\t' + ODD + b',{"id":6}]'

    async def script(heard: Heard, writer: asyncio.StreamWriter) -> None:
        if heard.target.split("?")[0].endswith("/projects"):
            writer.write(answer(items))
        else:
            writer.write(answer({"message": "404 Not Found"}, "404 Not Found"))

    async with wire_server(script) as server, started(service_at(server.url)) as service:
        with pytest.raises(NotFoundError):
            await service.raw(RecordRef(RecordKind.PROJECT, 5))
        async with viewing(service.watch(resources.projects.projects(ProjectsQuery()))) as viewer:
            await viewer.until(lambda one: bool(one.value and one.value.items))
        while True:
            try:
                record = await service.raw(RecordRef(RecordKind.PROJECT, 5))
                break
            except NotFoundError:  # the list is written to the cache behind one's back
                continue
        assert (record.body, record.is_from_list, record.is_cached) == (ODD, True, True)
        with pytest.raises(NotFoundError):
            await service.raw(RecordRef(RecordKind.PROJECT, 7))


async def test_offline_without_anything_kept_is_said() -> None:
    """Not a blank page."""

    async def script(_: Heard, writer: asyncio.StreamWriter) -> None:
        writer.close()

    async with wire_server(script) as server, started(service_at(server.url)) as service:
        with pytest.raises(OfflineError):
            await service.raw(RecordRef(RecordKind.PIPELINE, 5, "acme/etl"))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('[{"id":1},{"id":2,"a":[{"id":3}]}]', '{"id":2,"a":[{"id":3}]}'),
        ('\ufeff [ {"id":2} ] ', '{"id":2}'),
        ('[{"id":"2"},7,null]', ""),
        ('[{"id":1},{"id":', ""),
        ("", ""),
        ("[" * 100_000, ""),
    ],
)
def test_an_item_is_cut_out_of_its_list(text: str, found: str) -> None:
    """By its own id and not by one inside another."""
    assert item_of(text, 2) == found
