"""A resource of one's own: a record, its endpoint and its polling, with no line in the product."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.support.service import service_at, started, viewing
from tests.support.wire import Heard, answer, wire_server

from platui.api.endpoint import ListEndpoint, record
from platui.core.errors import ForbiddenError, NotFoundError
from platui.models.values.feeds import Source
from platui.models.wire import Record
from platui.models.wire.record import OrElse
from platui.service.resources.resource import Poll, Resource

if TYPE_CHECKING:
    import asyncio

    from platui.core.errors import PlatuiError
    from platui.models.values.feeds import Listing


class Runner(Record):
    """A machine that runs jobs: no feature of platui."""

    id: int
    status: Annotated[str, OrElse("")] = ""


def runners(status: str = "") -> Resource[Listing[Runner]]:
    """Return the runners, three a page."""
    endpoint = ListEndpoint("runners", Runner, (("status", status),), per_page=3, optional=True)
    return Resource(
        lambda: endpoint,
        poll=Poll.WHILE_ACTIVE,
        is_active=lambda items: any(one.status == "busy" for one in items),
        is_final=lambda items: all(one.status == "gone" for one in items),
    )


def runner(number: int) -> Resource[Runner]:
    """Return one runner; one that is gone never comes back."""
    return Resource(
        lambda: record(f"runners/{number}", Runner), is_final=lambda one: one.status == "gone"
    )


class Machines:
    """A platform that has runners and nothing else."""

    def __init__(self, count: int = 8, status: str = "idle") -> None:
        self.runners = [{"id": number, "status": status} for number in range(1, count + 1)]
        self.asked: list[str] = []
        self.failures = 0
        """How many requests fail before one succeeds."""
        self.refusal = "503 Service Unavailable"

    async def __call__(self, heard: Heard, writer: asyncio.StreamWriter) -> None:
        """Answer one request."""
        target = urlsplit(heard.target)
        path, query = target.path.rpartition("/api/v4/")[2], parse_qs(target.query)
        self.asked.append(path + "".join(query.get("page", ())))
        if self.failures:
            self.failures -= 1
            writer.write(answer({"message": self.refusal}, self.refusal))
        elif path == "runners" and self.runners:
            number = int(query["page"][0])
            status = query.get("status", [""])[0]
            wanted = [one for one in self.runners if status in {"", one["status"]}]
            more = str(number + 1) if number * 3 < len(wanted) else ""
            total = str(len(wanted))
            page = wanted[(number - 1) * 3 : number * 3]
            writer.write(answer(page, x_next_page=more, x_per_page="3", x_total=total))
        elif path.startswith("runners/") and self.runners:
            writer.write(answer(self.runners[int(path.rpartition("/")[2]) - 1]))
        else:
            writer.write(answer({"message": "404 Not Found"}, "404 Not Found"))


async def test_it_is_watched_before_and_after_the_start() -> None:
    """Cached value first, then live; further pages when they are asked for."""
    machines = Machines()
    async with wire_server(machines) as server:
        service = service_at(server.url)
        early = service.watch(runners())
        early.load_all()
        async with started(service), viewing(early) as viewer:
            whole = await viewer.until(lambda s: s.value is not None and s.value.complete)
            assert whole.value is not None
            assert [one.id for one in whole.value.items] == list(range(1, 9))
            assert whole.value.total == 8
            async with viewing(service.watch(runners())) as second:
                await second.until(lambda s: s.value is not None)
                cached = second.seen[0]
                assert cached.source is Source.CACHE
                assert cached.value is not None
                assert len(cached.value.items) == 3


async def test_it_is_polled_while_it_is_active_and_left_alone_when_final() -> None:
    """The functions of the resource decide, with the rhythm of the settings."""
    machines = Machines(2, "busy")
    async with wire_server(machines) as server, started(service_at(server.url)) as service:
        async with viewing(service.watch(runners())) as viewer:
            await viewer.until(lambda _: len(machines.asked) >= 3)
            for one in machines.runners:
                one["status"] = "gone"
            last = await viewer.until(lambda s: s.is_final)
            assert last.value is not None
            assert {one.status for one in last.value.items} == {"gone"}
        machines.asked.clear()
        assert await service.read(runners()) is not None
        assert await service.read(runner(1)) == Runner(id=1, status="gone")
        assert await service.read(runner(1)) == Runner(id=1, status="gone")
        assert machines.asked == ["runners/1"], "final values are read from the cache"
        await service.read(runner(1), live=True)
        assert machines.asked == ["runners/1", "runners/1"]


async def test_it_is_read_once_as_far_as_is_wanted() -> None:
    """Page after page up to a limit; nothing is asked again, each value is given on."""
    machines = Machines()
    async with wire_server(machines) as server, started(service_at(server.url)) as service:
        grown: list[int] = []
        some = await service.read(
            runners(), limit=4, on_value=lambda listing: grown.append(len(listing.items))
        )
        assert (len(some.items), some.total, some.complete) == (6, 8, False)
        assert grown == [3, 6]
        assert machines.asked == ["runners1", "runners2"]
        machines.asked.clear()
        assert len((await service.read(runners(), pages=1)).items) == 3
        assert machines.asked == ["runners1"]
        machines.asked.clear()
        whole = await service.read(runners())
        assert (len(whole.items), whole.complete) == (8, True)
        assert sorted(machines.asked) == ["runners1", "runners2", "runners3"]
        idle = await service.read(runners("busy"))
        assert (idle.items, idle.complete) == ((), True)


async def test_failures_are_given_to_who_reads() -> None:
    """Who raises, gives up; who does not, is patient."""
    machines = Machines()
    machines.refusal = "403 Forbidden"
    async with wire_server(machines) as server, started(service_at(server.url)) as service:
        machines.failures = 1
        with pytest.raises(ForbiddenError):
            await service.read(runner(1))
        machines.failures = 1
        borne: list[PlatuiError] = []
        found = await service.read(runner(1), on_error=borne.append)
        assert found == Runner(id=1, status="idle")
        assert [type(one) for one in borne] == [ForbiddenError]


async def test_where_the_platform_lacks_it() -> None:
    """An optional list is empty and not offered; a record is an error."""
    machines = Machines(0)
    async with wire_server(machines) as server, started(service_at(server.url)) as service:
        none = await service.read(runners())
        assert (none.items, none.complete, none.is_supported) == ((), True, False)
        assert machines.asked == ["runners1"]
        await service.read(runners())
        assert machines.asked == ["runners1"], "what is known to be absent is not asked for"
        with pytest.raises(NotFoundError):
            await service.read(runner(1))


async def test_a_profile_that_asks_for_nothing_optional() -> None:
    """Nothing is sent; the reason names the setting."""
    machines = Machines()
    secret: Any = Resource(lambda: record("runners/1", Runner, optional=True))
    async with (
        wire_server(machines) as server,
        started(service_at(server.url, neighbours="off")) as service,
    ):
        assert not (await service.read(runners())).is_supported
        with pytest.raises(NotFoundError) as refused:
            await service.read(secret)
        assert refused.value.status == 404
        assert "neighbours" in refused.value.hint
    assert machines.asked == []
