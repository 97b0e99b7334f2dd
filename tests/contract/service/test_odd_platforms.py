"""The service against platforms that are slow, forgetful or cut short, on a real socket."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.support.service import service_at, started, viewing, viewing_any
from tests.support.wire import Heard, answer, wire_server

from platui.api.request_limiter import RequestLimiter
from platui.config.settings import PollSettings, Settings
from platui.core.errors import InvalidResponseError, NotFoundError, OfflineError, PlatuiError
from platui.core.secrets import Secret
from platui.models.values.connection import ConnectionState
from platui.models.values.feeds import Source
from platui.models.values.log import LogState
from platui.models.values.queries import JobsQuery, PipelinesQuery
from platui.service import resources

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from platui.models.values.connection import Urgency

STEP = "T00:00:00.000Z"


class Script:
    """A platform with one project, one pipeline list, one job and its log."""

    def __init__(self) -> None:
        self.pipelines: list[dict[str, Any]] = [{"id": 5, "status": "failed"}]
        self.jobs: list[dict[str, Any]] = [{"id": 9, "status": "failed"}]
        self.status = "running"
        self.log = b""
        self.honours_ranges = True
        self.longest_part = 1_000_000
        self.page: bytes | None = None
        """What is sent instead of any JSON."""
        self.log_hook: Callable[[asyncio.StreamWriter], Awaitable[None]] | None = None
        self.ranges: list[str] = []

    async def __call__(self, heard: Heard, writer: asyncio.StreamWriter) -> None:
        """Answer one request."""
        target = urlsplit(heard.target)
        path = target.path
        if path.endswith("/trace"):
            await self._answer_log(heard, writer)
        elif self.page is not None:
            writer.write(answer(self.page, content_type="text/html"))
        elif path.endswith("/pipelines"):
            writer.write(_paged(self.pipelines, target.query))
        elif path.endswith("/pipelines/5/jobs"):
            writer.write(answer(self.jobs))
        elif path.endswith("/jobs/9"):
            writer.write(
                answer({"id": 9, "status": self.status, "started_at": f"2026-01-01{STEP}"})
            )
        else:
            writer.write(answer({"message": "404 Not Found"}, "404 Not Found"))

    async def _answer_log(self, heard: Heard, writer: asyncio.StreamWriter) -> None:
        self.ranges.append(heard.headers.get("range", ""))
        if self.log_hook is not None:
            hook, self.log_hook = self.log_hook, None
            await hook(writer)
            return
        asked = heard.headers.get("range", "")
        if not asked or not self.honours_ranges:
            writer.write(answer(self.log, content_type="text/plain"))
            return
        start, total = int(asked.removeprefix("bytes=").rstrip("-")), len(self.log)
        if start >= total:
            writer.write(answer(b"", "416 Range Not Satisfiable", content_range=f"bytes */{total}"))
            return
        body = self.log[start : start + self.longest_part]
        part = f"bytes {start}-{start + len(body) - 1}/{total}"
        writer.write(answer(body, "206 Partial Content", "text/plain", content_range=part))


def _paged(items: list[dict[str, Any]], query: str) -> bytes:
    """Return a page of five, told by `X-Next-Page`."""
    number = int(parse_qs(query)["page"][0])
    window = items[(number - 1) * 5 : number * 5]
    more = str(number + 1) if number * 5 < len(items) else ""
    return answer(window, x_next_page=more, x_per_page="5", x_total=str(len(items)))


def _list(*ids: int, status: str = "success", updated: str = "2026-01-01") -> list[dict[str, Any]]:
    return [{"id": i, "status": status, "updated_at": updated + STEP} for i in ids]


async def test_a_log_that_was_replaced_is_a_new_document() -> None:
    """Erased, shorter or different: the update says so once, and the text is the new one."""
    script = Script()
    script.log = b"one\ntwo\nthree\n"
    async with (
        wire_server(script) as server,
        started(service_at(server.url)) as service,
        viewing_any(service.watch(resources.logs.job_log(1, 9))) as viewer,
    ):
        first = await viewer.until(lambda u: u.document.size == 14)
        script.log = b"one\nTWO\n"
        reset = await viewer.until(lambda u: u.document.size == 8)
        assert reset.document is not first.document
        assert reset.document.text(1) == "TWO"
        script.log = b"one\nTWO\nmore\n"
        grown = await viewer.until(lambda u: u.document.size == 13)
        assert grown.document is reset.document
        assert sum(update.reset for update in viewer.seen) == 1
        assert grown.state is LogState.FOLLOWING


async def test_only_the_new_part_travels_where_parts_are_honoured() -> None:
    """A long log is asked for from its known end on; one that shrank is read whole again."""
    script = Script()
    script.log = b"0123456789abcde\n" * 2000
    async with wire_server(script) as server, started(service_at(server.url)) as service:
        async with viewing_any(service.watch(resources.logs.job_log(1, 9))) as viewer:
            await viewer.until(lambda u: u.document.size == 32_000)
            script.log += b"more\n"
            update = await viewer.until(lambda u: u.document.size == 32_005)
            assert update.document.text(2000) == "more"
            assert set(script.ranges[1:]) <= {"bytes=31936-", "bytes=31941-"}
            script.log = b"erased\n"
            gone = await viewer.until(lambda u: u.document.size == 7)
            assert gone.document.text(0) == "erased"
        received = [r.received for r in service.journal.recent() if r.path.endswith("/trace")]
        assert sorted(received)[-2:] != [32_000, 32_000]


async def test_a_part_that_is_shorter_than_requested_is_not_the_end_of_a_log() -> None:
    """A proxy may send less than the rest: the log is read whole, and parts are not asked for."""
    script = Script()
    script.log, script.longest_part = b"0123456789abcde\n" * 2000, 10_000
    async with wire_server(script) as server, started(service_at(server.url)) as service:
        async with viewing_any(service.watch(resources.logs.job_log(1, 9))) as viewer:
            await viewer.until(lambda u: u.document.size == 32_000)
            script.log += b"more and more\n" * 3000
            script.status = "failed"
            ended = await viewer.until(lambda u: u.state is LogState.ENDED)
            assert ended.document.size == len(script.log)
        async with viewing_any(service.watch(resources.logs.job_log(1, 9))) as viewer:
            again = await viewer.until(lambda u: u.state is LogState.ENDED)
            assert again.document.size == len(script.log)
    assert [bool(asked) for asked in script.ranges].count(True) == 1


async def test_a_log_that_was_erased_does_not_come_back_from_the_cache() -> None:
    """Somebody erased it as a secret had leaked into it."""
    script = Script()
    script.log, script.status = b"planted\n", "failed"
    async with wire_server(script) as server, started(service_at(server.url)) as service:
        async with viewing_any(feed := service.watch(resources.logs.job_log(1, 9))) as viewer:
            await viewer.until(lambda u: u.state is LogState.ENDED and u.document.size == 8)
            script.log = b""
            feed.refresh()
            await viewer.until(lambda u: u.document.size == 0 and u.is_current)
        async with viewing_any(service.watch(resources.logs.job_log(1, 9))) as viewer:
            again = await viewer.until(lambda u: u.state is LogState.ENDED)
            assert again.document.size == 0
        assert all(one.document.size == 0 for one in viewer.seen)


async def test_a_platform_that_ignores_ranges_is_not_asked_for_them_again() -> None:
    """One try; then whole answers, of which only the new bytes are taken."""
    script = Script()
    script.honours_ranges = False
    script.log = b"0123456789abcde\n" * 2000
    async with (
        wire_server(script) as server,
        started(service_at(server.url)) as service,
        viewing_any(service.watch(resources.logs.job_log(1, 9))) as viewer,
    ):
        first = await viewer.until(lambda u: u.document.size == 32_000)
        for _ in range(3):
            script.log += b"more\n"
            grown = await viewer.until(lambda u: u.document.size == len(script.log))
        assert grown.document is first.document
    assert [bool(asked) for asked in script.ranges].count(True) == 1


async def test_the_first_screen_shows_before_the_last_byte_came() -> None:
    """On a slow line a big log is read while it arrives."""
    script = Script()
    script.status = "failed"
    script.log = b"first\n" + b"x" * 100_000 + b"\nlast\n"
    rest = asyncio.Event()

    async def slowly(writer: asyncio.StreamWriter) -> None:
        whole = answer(script.log, content_type="text/plain")
        cut = len(whole) - 50_000
        writer.write(whole[:cut])
        await writer.drain()
        await rest.wait()
        writer.write(whole[cut:])

    script.log_hook = slowly
    async with (
        wire_server(script) as server,
        started(service_at(server.url)) as service,
        viewing_any(service.watch(resources.logs.job_log(1, 9))) as viewer,
    ):
        early = await viewer.until(lambda u: u.document.size > 0)
        assert early.document.text(0) == "first"
        assert early.state is LogState.FOLLOWING
        rest.set()
        ended = await viewer.until(lambda u: u.state is LogState.ENDED)
        assert ended.document.size == len(script.log)
        assert ended.document is early.document


async def test_a_log_that_broke_off_is_completed() -> None:
    """The bytes that came stay; the next round brings the rest."""
    script = Script()
    script.log = b"first\n" + b"x" * 50_000 + b"\nlast\n"

    async def half(writer: asyncio.StreamWriter) -> None:
        whole = answer(script.log, content_type="text/plain")
        writer.write(whole[: len(whole) // 2])
        await writer.drain()
        writer.close()

    script.log_hook = half
    async with (
        wire_server(script) as server,
        started(service_at(server.url)) as service,
        viewing_any(service.watch(resources.logs.job_log(1, 9))) as viewer,
    ):
        broken = await viewer.until(lambda u: u.error is not None)
        assert isinstance(broken.error, OfflineError)
        assert 0 < broken.document.size < len(script.log)
        whole = await viewer.until(lambda u: u.error is None)
        assert whole.document.size == len(script.log)
        assert whole.document is broken.document


async def test_a_finished_pipeline_that_was_retried_is_read_again() -> None:
    """Its jobs were settled; a list that shows it running unsettles them."""
    script = Script()
    script.pipelines = _list(5, status="failed")
    script.jobs = [{"id": 9, "status": "failed", "pipeline": script.pipelines[0]}]
    async with wire_server(script) as server, started(service_at(server.url)) as service:

        async def look(job: int) -> None:
            async with viewing(service.watch(resources.jobs.jobs(JobsQuery(1, 5)))) as viewer:
                await viewer.until(lambda s: s.value is not None and s.value.items[0].id == job)

        await look(9)
        asked = service.journal.newest.value
        await look(9)
        assert service.journal.newest.value == asked
        script.pipelines = _list(5, status="running", updated="2026-01-02")
        script.jobs = [{"id": 10, "status": "running", "pipeline": script.pipelines[0]}]
        async with viewing(
            service.watch(resources.pipelines.pipelines(PipelinesQuery(1)))
        ) as list_:
            await list_.until(lambda s: s.source is Source.LIVE)
        await look(10)


async def test_more_news_than_a_page_leaves_no_hole() -> None:
    """What was loaded before is loaded again, because nobody knows what lies between."""
    script = Script()
    script.pipelines = _list(*range(20, 0, -1))
    async with wire_server(script) as server, started(service_at(server.url)) as service:
        feed = service.watch(resources.pipelines.pipelines(PipelinesQuery(1)))
        async with viewing(feed) as viewer:
            await viewer.until(lambda s: s.source is Source.LIVE)
            feed.load_more()
            await viewer.until(lambda s: s.value is not None and len(s.value.items) == 10)
            script.pipelines = _list(*range(40, 0, -1))
            snapshot = await viewer.until(
                lambda s: (
                    s.value is not None and s.value.items[0].id == 40 and len(s.value.items) == 10
                )
            )
            assert snapshot.value is not None
            assert [p.id for p in snapshot.value.items] == list(range(40, 30, -1))
            assert snapshot.value.total == 40


async def test_a_refresh_renews_all_loaded_pages() -> None:
    """Polls renew the first one only; the rows of later ones stay in their place meanwhile."""
    script = Script()
    script.pipelines = _list(*range(20, 0, -1), status="running")
    patient = Settings(poll=PollSettings(running=1000, idle=1000))
    async with (
        wire_server(script) as server,
        started(service_at(server.url, settings=patient)) as service,
    ):
        feed = service.watch(resources.pipelines.pipelines(PipelinesQuery(1)))
        async with viewing(feed) as viewer:
            await viewer.until(lambda s: s.source is Source.LIVE)
            feed.load_more(2)
            await viewer.until(lambda s: s.value is not None and len(s.value.items) == 15)
            script.pipelines = _list(*range(20, 0, -1))
            asked, seen = len(server.heard), len(viewer.seen)
            feed.refresh()
            done = await viewer.until(
                lambda s: s.value is not None and {p.status for p in s.value.items} == {"success"}
            )
            assert done.value is not None
            assert [p.id for p in done.value.items] == list(range(20, 5, -1))
            assert all(s.value is not None and len(s.value.items) == 15 for s in viewer.seen[seen:])
            assert len(server.heard) == asked + 3


async def test_without_etags_equal_bytes_are_the_same_object() -> None:
    """A platform that knows no 304 costs bytes, but no work and no paint."""
    script = Script()
    async with (
        wire_server(script) as server,
        started(service_at(server.url)) as service,
        viewing(service.watch(resources.pipelines.pipelines(PipelinesQuery(1)))) as viewer,
    ):
        first = await viewer.until(lambda s: s.source is Source.LIVE)
        again = await viewer.until(lambda s: s.fetched_at != first.fetched_at)
        assert again.value is first.value


async def test_two_who_look_at_the_same_share_one_request() -> None:
    """Two panes of one list cost what one costs."""
    script = Script()
    async with wire_server(script) as server, started(service_at(server.url)) as service:
        query = PipelinesQuery(1)
        async with (
            viewing(service.watch(resources.pipelines.pipelines(query))) as one,
            viewing(service.watch(resources.pipelines.pipelines(query))) as other,
        ):
            await one.until(lambda s: s.source is Source.LIVE)
            await other.until(lambda s: s.source is Source.LIVE)
            assert len(server.heard) == 1
            assert one.last.value is not None
            assert other.last.value is not None
            assert other.last.value.items[0] is one.last.value.items[0]


@pytest.mark.parametrize("is_cached", [False, True])
async def test_a_request_that_waited_while_another_user_signed_in_is_of_that_user(
    monkeypatch: pytest.MonkeyPatch, *, is_cached: bool
) -> None:
    """It is sent with the new token: what comes is kept for that, and 304 confirms nothing."""
    waits, turn = asyncio.Event(), RequestLimiter._turn

    async def wait(limiter: RequestLimiter, urgency: Urgency) -> None:
        waits.set()
        await turn(limiter, urgency)

    async def script(heard: Heard, writer: asyncio.StreamWriter) -> None:
        if "if-none-match" in heard.headers:
            writer.write(answer(b"", "304 Not Modified"))
        else:
            number = {"mine": 5, "other": 7}[heard.headers["private-token"]]
            writer.write(answer([{"id": number, "status": "failed"}], etag='"same"'))

    lists = [resources.pipelines.pipelines(PipelinesQuery(number)) for number in range(6)]
    async with wire_server(script) as server:
        async with started(service_at(server.url, "mine", Settings(), rate_limit=4)) as service:
            for spent in lists[:4] if is_cached else lists[1:5]:
                await service.read(spent)
            monkeypatch.setattr(RequestLimiter, "_turn", wait)
            waiting = asyncio.ensure_future(service.read(lists[0], live=True))
            await waits.wait()
            await service.replace_token(Secret("other"))
            assert [one.id for one in (await waiting).items] == [7]
        kept = {}
        for token in ("mine", "other"):
            async with (
                started(service_at(server.url, token)) as service,
                viewing(service.watch(lists[0])) as viewer,
            ):
                first = await viewer.until(lambda _: True)
                kept[token] = None if first.value is None else first.value.items[0].id
    assert kept == {"mine": 5 if is_cached else None, "other": 7}


async def test_a_login_page_is_no_data() -> None:
    """What a proxy puts in between is an error with words; the data of before stays."""
    script = Script()
    async with (
        wire_server(script) as server,
        started(service_at(server.url)) as service,
        viewing(service.watch(resources.pipelines.pipelines(PipelinesQuery(1)))) as viewer,
    ):
        before = await viewer.until(lambda s: s.source is Source.LIVE)
        script.page = b"<html><body>Sign in</body></html>"
        failed = await viewer.until(lambda s: s.error is not None)
        assert isinstance(failed.error, InvalidResponseError)
        assert failed.value is before.value
        script.page = None
        await viewer.until(lambda s: s.error is None)


def test_the_script_pages_as_it_says() -> None:
    """The platform of these tests is checked itself."""
    body = _paged(_list(*range(7)), "page=2").partition(b"\r\n\r\n")[2]
    assert [item["id"] for item in json.loads(body)] == [5, 6]


async def test_what_the_profile_disables_is_no_sign_of_life() -> None:
    """Nothing was sent, so a platform that is gone does not become live."""
    async with started(
        service_at("http://127.0.0.1:1", neighbours="off", is_in_memory=True)
    ) as service:
        with pytest.raises(OfflineError):
            await service.read(resources.pipelines.pipelines(PipelinesQuery(1)), on_error=_stop)
        assert service.line.value.state is ConnectionState.OFFLINE
        with pytest.raises(NotFoundError):
            await service.read(resources.projects.project(1), on_error=_stop)
        assert service.line.value.state is ConnectionState.OFFLINE


def _stop(error: PlatuiError) -> None:
    raise error
