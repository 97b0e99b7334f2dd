"""A report is read in a process of its own, which leaves a whole report or nothing."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from contextlib import aclosing
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import psutil
import pytest

from platui.core.errors import ReportError
from platui.report import importing
from platui.report.importing import read_report
from platui.report.reading.draft import ReadRequest

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

REPORT = (
    b'{"platform":{"groups":{"1":{"name":"G","path":"g","members":'
    b'{"5":{"max_access_level":"OWNER"},"6":{"max_access_level":"GUEST"}}}}},'
    b'"users":{"5":{"name":"Ada","username":"ada","email":"","state":"active"}}}'
)


def order_of(folder: Path, text: bytes = REPORT) -> ReadRequest:
    """Return the order to read a text."""
    spool = folder / "spool.json"
    spool.write_bytes(text)
    return ReadRequest(
        spool, folder / "reports" / "one", datetime(2026, 3, 1, tzinfo=UTC), "host", "d", '"e"'
    )


def workers() -> Sequence[psutil.Process]:
    """Return the workers that this process has started."""
    children = psutil.Process().children()
    return [one for one in children if "platui.report.worker" in one.cmdline()]


@pytest.mark.anyio
async def test_first_rows_come_before_the_report_and_stay_true(tmp_path: Path) -> None:
    """The early report is another one than the whole, with the same rows."""
    order = order_of(tmp_path)
    events = [event async for event in read_report(order)]
    first, saved = [event for event in events if not isinstance(event, float)]
    assert first.arrays.person_id.tolist() == [5]
    assert not first.is_whole
    assert saved.arrays.person_id.tolist() == [5, 6]
    assert (saved.info.id, saved.info.origin) == ("one", "host")
    assert (saved.info.fetched_at, saved.info.etag) == (order.fetched_at, '"e"')
    assert [one.name for one in order.folder.parent.iterdir()] == ["one"]
    assert workers() == []


@pytest.mark.anyio
async def test_what_is_wrong_with_the_text_comes_as_an_error(tmp_path: Path) -> None:
    """With the sentence the worker found."""
    order = order_of(tmp_path, REPORT[:-3])
    with pytest.raises(ReportError, match=r"truncated: it ends after \d+ bytes, in users\.5"):
        _ = [event async for event in read_report(order)]
    assert list(order.folder.parent.iterdir()) == []
    order.spool.unlink()
    with pytest.raises(ReportError, match="No such file or directory"):
        _ = [event async for event in read_report(order)]


@pytest.mark.anyio
async def test_who_stops_listening_stops_the_worker(tmp_path: Path) -> None:
    """Nothing is left of what it wrote."""
    order = order_of(tmp_path)
    async with aclosing(read_report(order)) as events:
        async for event in events:
            if not isinstance(event, float):
                break
    assert workers() == []
    assert list(order.folder.parent.iterdir()) == []


@pytest.mark.anyio
async def test_only_asyncio_waits_for_the_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who polls may get the exit code first, and asyncio then warns of an unknown child."""
    polls: list[int] = []
    monkeypatch.setattr(subprocess.Popen, "poll", lambda one: polls.append(one.pid))
    _ = [event async for event in read_report(order_of(tmp_path))]
    assert polls == []
    assert workers() == []


@pytest.mark.anyio
async def test_a_task_that_is_cancelled_stops_the_worker(tmp_path: Path) -> None:
    """Wherever it stands."""
    order = order_of(tmp_path)
    first = asyncio.Event()

    async def listen() -> None:
        async with aclosing(read_report(order)) as events:
            async for event in events:
                if not isinstance(event, float):
                    first.set()
                    await asyncio.Event().wait()

    task = asyncio.create_task(listen())
    await first.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert workers() == []
    assert list(order.folder.parent.iterdir()) == []


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("number", "said"),
    [(signal.SIGKILL, "killed by the system"), (signal.SIGBUS, "stopped by SIGBUS")],
)
async def test_a_worker_that_falls_is_explained_and_leaves_nothing(
    number: signal.Signals, said: str, tmp_path: Path
) -> None:
    """Short of memory, or the file was cut while it was mapped."""
    order = order_of(tmp_path)

    async def read() -> None:
        async for event in read_report(order):
            if not isinstance(event, float):
                (worker,) = workers()
                worker.send_signal(number)

    with pytest.raises(ReportError, match=said):
        await read()
    assert list(order.folder.parent.iterdir()) == []


@pytest.mark.anyio
async def test_a_worker_that_cannot_run_says_its_last_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An installation that is not whole."""
    monkeypatch.setattr(importing, "_WORKER", ("-c", "import sys; sys.exit('no\\x1b[31m msgspec')"))
    with pytest.raises(ReportError, match="code 1: no\ufffd\\[31m msgspec"):
        _ = [event async for event in read_report(order_of(tmp_path))]
    monkeypatch.setattr(sys, "executable", str(tmp_path / "nothing"))
    with pytest.raises(ReportError, match="Cannot start the import: No such file"):
        _ = [event async for event in read_report(order_of(tmp_path))]


@pytest.mark.anyio
async def test_the_worker_is_told_no_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither by its arguments nor by its environment, which others of the user can read."""
    monkeypatch.setenv("PLATUI_ADMIN_KEY", "planted")
    async with aclosing(read_report(order_of(tmp_path))) as events:
        async for event in events:
            if not isinstance(event, float):
                (worker,) = workers()
                assert "PLATUI_ADMIN_KEY" not in worker.environ()
                assert str(tmp_path) not in " ".join(worker.cmdline())
                break


def test_a_worker_whose_listener_is_gone_ends_and_clears_up(tmp_path: Path) -> None:
    """The dashboard was killed: nobody else would."""
    order = order_of(tmp_path)
    with subprocess.Popen(
        [sys.executable, "-m", "platui.report.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | importing._environment(),
    ) as worker:
        assert worker.stdin is not None
        assert worker.stdout is not None
        assert worker.stderr is not None
        worker.stdin.write(order.line())
        worker.stdin.flush()
        while b"first rows" not in worker.stdout.readline():
            pass
        worker.stdin.close()
        worker.stdout.close()
        assert worker.stderr.read() == b""
        assert worker.wait() == 1
    assert list(order.folder.parent.iterdir()) == []
