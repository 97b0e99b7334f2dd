"""Scenario `huge-log`: a log of any size, streamed, and one that grows (spec 4.3)."""

from __future__ import annotations

import gzip
import logging
import re
from bisect import bisect_left
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from tests.support.clock import FakeClock
from tests.support.platform import api_client, ask, in_project, running_platform

from platui.logs import Log
from platui_emulator.scenarios import Sizes
from platui_emulator.server import EmulatorStartError, start_emulator

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.platform import PlatformFactory

    from platui_emulator.server import RunningEmulator

SIZE = 1_234_567
RATE = 40
STAMP = re.compile(rb"^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) (00O|01O|01E)([ +])", re.MULTILINE)
BARE_END = re.compile(rb"(section_end:\d+:\w+\r\x1b\[0K)+")
MARKER = re.compile(rb"section_(start|end):(\d+):([a-z_0-9]+)(?:\[[a-z=]+\])?\r\x1b\[0K")


@pytest.fixture(scope="module")
def clock() -> FakeClock:
    """Return the time that the emulator of this module has."""
    return FakeClock()


@pytest.fixture(scope="module")
def desk(clock: FakeClock) -> Iterator[RunningEmulator]:
    """Run the scenario in a small size."""
    sizes = Sizes(log_bytes=SIZE, lines_per_second=RATE)
    with running_platform(scenario="huge-log", sizes=sizes, clock=clock) as emulator:
        yield emulator


@pytest.fixture(scope="module")
def api(desk: RunningEmulator) -> Iterator[httpx.Client]:
    """Open a client that asks for plain bodies."""
    with api_client(desk) as client:
        client.headers["Accept-Encoding"] = "identity"
        yield client


@pytest.fixture(scope="module")
def planted(desk: RunningEmulator) -> dict[str, Any]:
    """Return what the control desk tells of the finished log."""
    [log] = ask("GET", f"{desk.base_url}/-/emulator/logs").json()["logs"]
    return dict(log)


@pytest.fixture(scope="module")
def path(desk: RunningEmulator, planted: dict[str, Any]) -> str:
    """Return the path of the finished log."""
    return in_project(desk, f"jobs/{planted['job_id']}/trace")


@pytest.fixture(scope="module")
def whole(api: httpx.Client, path: str) -> bytes:
    """Return the finished log."""
    return api.get(path).content


def test_the_newest_failed_pipeline_of_the_showcase_has_the_log(
    api: httpx.Client, desk: RunningEmulator, planted: dict[str, Any]
) -> None:
    """The showcase leads to it: its newest failed pipeline, whose failed job states the size."""
    failed = api.get(in_project(desk, "pipelines"), params={"status": "failed"}).json()[0]
    assert failed["id"] == planted["pipeline_id"]
    jobs = api.get(in_project(desk, f"pipelines/{failed['id']}/jobs")).json()
    assert {job["name"]: job["status"] for job in jobs} == {
        "replay_history": "failed",
        "dbt_run": "skipped",
        "drop_dev_schema": "success",
    }
    [job] = [job for job in jobs if job["id"] == planted["job_id"]]
    trace = {"file_type": "trace", "size": SIZE, "filename": "job.log", "file_format": None}
    assert trace in job["artifacts"]


def test_the_log_is_one_that_a_runner_could_have_written(
    api: httpx.Client, desk: RunningEmulator, planted: dict[str, Any], whole: bytes
) -> None:
    """All lines are stamped in order and within the job, sections nest, and all kinds come."""
    assert len(whole) == SIZE
    job = api.get(in_project(desk, f"jobs/{planted['job_id']}")).json()
    stamps = [found[1] for found in STAMP.finditer(whole)]
    assert len(stamps) == whole.count(b"\n")
    assert stamps == sorted(stamps)
    assert job["started_at"][:19].encode() <= stamps[0]
    assert stamps[-1][:19] <= job["finished_at"][:19].encode()
    opened: list[bytes] = []
    deepest = 0
    for side, _, name in MARKER.findall(whole):
        if side == b"start":
            opened.append(name)
            deepest = max(deepest, len(opened))
        else:
            assert opened.pop() == name
    assert (opened, deepest) == ([], 3)
    assert len(set(MARKER.findall(whole))) == len(MARKER.findall(whole))
    assert b"\x1b[32mOK\x1b[0m" in whole
    assert re.search(rb"01E [^\n]*25%|01E [^\n]*8%\r\n\S+ 01E\+", whole)
    assert max(map(len, whole.split(b"\n"))) > 1000
    assert b"S\xc3\xa3o Paulo" in whole
    with pytest.raises(UnicodeDecodeError):
        whole.decode()


def test_what_was_planted_is_where_the_desk_says(planted: dict[str, Any], whole: bytes) -> None:
    """By offset, by logical line, and for the dashboard, which hides bare ends of sections."""
    log = Log(whole)
    log.finish()
    joined = re.sub(rb"\n\S{27} \S{3}\+", b"", whole).split(b"\n")[:-1]
    assert len(joined) == planted["lines"]
    hidden = [number for number, line in enumerate(joined) if BARE_END.fullmatch(line[32:])]
    assert log.line_count == len(joined) - len(hidden)
    assert len(planted["errors"]) > 5
    offsets = [error["offset"] for error in planted["errors"]]
    assert offsets == sorted(offsets)
    for error in planted["errors"]:
        there = whole[error["offset"] : error["offset"] + 300].partition(b"\n")[0]
        assert STAMP.match(there)
        assert error["text"].encode() in there
        line = error["line"] - 1
        assert joined[line].startswith(there.rstrip(b"\r"))
        assert error["text"] in log.text(line - bisect_left(hidden, line))
        starts = MARKER.findall(whole[: error["offset"]])
        opened = [name for side, _, name in starts if side == b"start"]
        closed = {name for side, _, name in starts if side == b"end"}
        assert [n.decode() for n in opened if n not in closed] == list(error["sections"])


@pytest.mark.parametrize(
    ("start", "end"), [(0, 99), (5_000, 70_000), (SIZE * 9 // 10, SIZE - 1), (65_536, 65_536)]
)
def test_any_part_is_as_in_the_whole(
    api: httpx.Client, path: str, whole: bytes, start: int, end: int
) -> None:
    """Ranges count bytes of the log, wherever its blocks begin."""
    part = api.get(path, headers={"Range": f"bytes={start}-{end}"})
    assert part.status_code == 206
    assert part.headers["Content-Range"] == f"bytes {start}-{end}/{SIZE}"
    assert part.headers["Content-Length"] == str(end - start + 1)
    assert part.content == whole[start : end + 1]


def test_conditions_need_no_body(api: httpx.Client, path: str, whole: bytes) -> None:
    """HEAD, a known tag, and a start behind the end; gzipped it is the same log."""
    head = api.head(path)
    assert (head.content, head.headers["Content-Length"]) == (b"", str(SIZE))
    known = api.get(path, headers={"If-None-Match": head.headers["ETag"]})
    assert (known.status_code, known.content) == (304, b"")
    behind = api.get(path, headers={"Range": f"bytes={SIZE}-"})
    assert (behind.status_code, behind.headers["Content-Range"]) == (416, f"bytes */{SIZE}")
    with api.stream("GET", path, headers={"Accept-Encoding": "gzip"}) as packed:
        sent = b"".join(packed.iter_raw())
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Content-Length" not in packed.headers
    assert packed.headers["ETag"] == head.headers["ETag"]
    assert len(sent) < SIZE // 3
    assert gzip.decompress(sent) == whole


def test_the_narrow_variant_streams_it_too(whole: bytes) -> None:
    """Without ranges and tags, which the spec does not know (§4.3)."""
    sizes = Sizes(log_bytes=SIZE, lines_per_second=RATE)
    with (
        running_platform(
            scenario="huge-log", sizes=sizes, clock=FakeClock(), spec_only=True
        ) as narrow,
        api_client(narrow) as client,
    ):
        jobs = client.get(in_project(narrow, "jobs")).json()
        job = next(job for job in jobs if job["name"] == "replay_history")
        path = in_project(narrow, f"jobs/{job['id']}/trace")
        answer = client.get(path, headers={"Range": "bytes=0-9"})
        assert (answer.status_code, answer.content) == (200, whole)
        assert "ETag" not in answer.headers


def test_the_running_log_grows_by_the_second(
    api: httpx.Client, desk: RunningEmulator, clock: FakeClock
) -> None:
    """So many lines more each second, the old ones as they were, no end and no ranges."""
    [job] = api.get(in_project(desk, "jobs"), params={"scope[]": "running"}).json()
    assert (job["name"], job["finished_at"], job["artifacts"]) == ("follow_events", None, [])
    path = in_project(desk, f"jobs/{job['id']}/trace")
    first = api.get(path)
    clock.jump(10.5)
    second = api.get(path, headers={"Range": "bytes=5-", "If-None-Match": first.headers["ETag"]})
    assert second.status_code == 200
    assert second.content.startswith(first.content)
    new = second.content[len(first.content) :]
    lines = [flag for _, _, flag in STAMP.findall(new) if flag == b" "]
    assert len(lines) == pytest.approx(10.5 * RATE, abs=1)
    stamps = [stamp for stamp, _, _ in STAMP.findall(second.content)]
    assert stamps == sorted(stamps)
    assert second.content.endswith(b"\n")


def test_the_end_of_the_emulator_cuts_a_long_answer_off(
    platform_with: PlatformFactory, caplog: pytest.LogCaptureFixture
) -> None:
    """Its client is told at once, and nothing looks like a crash."""
    desk = platform_with(scenario="huge-log", sizes=Sizes(log_bytes=20_000_000))
    [log] = ask("GET", f"{desk.base_url}/-/emulator/logs").json()["logs"]
    path = in_project(desk, f"jobs/{log['job_id']}/trace")
    plain = {"Accept-Encoding": "identity"}
    with api_client(desk) as client, client.stream("GET", path, headers=plain) as answer:
        pieces = answer.iter_raw()
        assert next(pieces)
        desk.stop()
        with pytest.raises((httpx.RemoteProtocolError, httpx.ReadError)):
            list(pieces)
    assert [one for one in caplog.records if one.levelno >= logging.WARNING] == []


@pytest.mark.parametrize(
    "sizes", [Sizes(log_bytes=10), Sizes(lines_per_second=0), Sizes(log_bytes=10**12)]
)
def test_impossible_sizes_are_refused(sizes: Sizes) -> None:
    """With what is possible."""
    with pytest.raises(EmulatorStartError, match="from"):
        start_emulator(scenario="huge-log", sizes=sizes)
