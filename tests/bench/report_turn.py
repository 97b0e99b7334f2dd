"""One reading of a report in a process of its own: `python -m tests.bench.report_turn HOW FILE`.

What is measured are memory and stalls, which whatever ran before in the process would change.
"""

from __future__ import annotations

import asyncio
import json
import resource
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import psutil

from platui.report.importing import read_report
from platui.report.reading.draft import ReadRequest
from platui.report.saved_report import open_saved

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from platui.report.saved_report import SavedReport

_KILOBYTE: Final = 1024
_PAGE: Final = 4096
_TICK: Final = 0.001

Figures = dict[str, float]


def ours(file: Path) -> Figures:
    """Read a report as the dashboard does; seconds, bytes."""
    with tempfile.TemporaryDirectory() as folder:
        order = ReadRequest(file, Path(folder) / "report", datetime.now(UTC), "bench", "")
        before = psutil.Process().memory_info().rss
        figures = asyncio.run(_stalled(lambda: _ours(order)))
        report = open_saved(order.folder)
        _touch(report)
        figures["growth"] = psutil.Process().memory_info().rss - before
    worker = resource.getrusage(resource.RUSAGE_CHILDREN)
    figures["peak"] = worker.ru_maxrss * _KILOBYTE
    figures["processor"] = worker.ru_utime + worker.ru_stime
    return figures


async def _ours(order: ReadRequest) -> Figures:
    figures: Figures = {}
    began = time.perf_counter()
    async for event in read_report(order):
        if not isinstance(event, float):
            figures["whole" if event.is_whole else "first rows"] = time.perf_counter() - began
    return figures


def _touch(report: SavedReport) -> None:
    """Look at every page of every array, so that all of them count."""
    arrays = report.arrays
    for name in type(arrays).__slots__:
        sum(getattr(arrays, name).cast("B")[::_PAGE])


def plain(file: Path) -> Figures:
    """Read a report with `json.loads` and nothing else; seconds, bytes."""
    text = file.read_bytes()
    began, busy = time.perf_counter(), time.process_time()
    whole = json.loads(text)
    figures = {
        "whole": time.perf_counter() - began,
        "processor": time.process_time() - busy,
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _KILOBYTE,
    }
    del whole
    return figures


def threaded(file: Path) -> Figures:
    """Read a report with `json.loads` in a thread beside an event loop; seconds."""

    async def read() -> Figures:
        text = file.read_bytes()
        return {"people": len((await asyncio.to_thread(json.loads, text))["users"])}

    return asyncio.run(_stalled(read))


async def _stalled(work: Callable[[], Coroutine[None, None, Figures]]) -> Figures:
    """Return the figures of some work, and the longest stall of the event loop meanwhile."""
    stall = 0.0

    async def tick() -> None:
        nonlocal stall
        while True:
            began = time.perf_counter()
            await asyncio.sleep(_TICK)
            stall = max(stall, time.perf_counter() - began - _TICK)

    ticking = asyncio.create_task(tick())
    await asyncio.sleep(0.05)
    figures = await work()
    ticking.cancel()
    return figures | {"stall": stall}


if __name__ == "__main__":
    how, path = sys.argv[1:]
    print(json.dumps({"ours": ours, "plain": plain, "threaded": threaded}[how](Path(path))))
