"""The access report of 2,000,000 memberships, read by us, by `jq` and by Python's json.

`python -m tests.bench report`: all of them read the same file in turns, each turn in a process of
its own. From the last byte of the file: until there are rows, until the report is saved.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import httpx
from tests.bench.figures import Comparison, Table, absent
from tests.bench.program import emulator

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.bench.figures import Options
    from tests.bench.report_turn import Figures

_MEGABYTE: Final = 1 << 20
_KILOBYTE: Final = 1024


def fetch(file: Path) -> None:
    """Write the report of the scenario `huge-report` to a file."""
    with (
        emulator("--scenario", "huge-report") as platform,
        httpx.stream(
            "GET",
            f"{platform['admin_url']}/api/v1/reporting/report",
            headers={
                "Authorization": f"Bearer {platform['admin_key']}",
                "Accept": "application/json",
                "Accept-Encoding": "identity",
            },
            timeout=60,
            trust_env=False,
        ) as answer,
        file.open("wb") as opened,
    ):
        answer.raise_for_status()
        for piece in answer.iter_bytes():
            opened.write(piece)


def turn(how: str, file: Path) -> Figures:
    """Return the figures of one reading."""
    command = [sys.executable, "-m", "tests.bench.report_turn", how, str(file)]
    answer = subprocess.run(command, capture_output=True, check=True, text=True)
    figures: Figures = json.loads(answer.stdout)
    return figures


def jq_turn(file: Path) -> Figures:
    """Return the figures of `jq`, as it counts the users."""
    began = time.perf_counter()
    process = subprocess.Popen(["jq", ".users | length", str(file)], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return {
        "whole": time.perf_counter() - began,
        "peak": usage.ru_maxrss * _KILOBYTE,
        "processor": usage.ru_utime + usage.ru_stime,
    }


class Race:
    """What is compared over all turns."""

    def __init__(self, size: int) -> None:
        self._size = size / _MEGABYTE
        self._ours = [
            Comparison("first rows", "s", 0.35),
            Comparison("saved", "s"),
            Comparison("processor", "s"),
            Comparison("stall", "ms", 0.01),
        ]
        self._jq = [
            Comparison("saved", "s"),
            Comparison("processor", "s"),
            Comparison("peak", "MB"),
        ]
        self._memory = [Comparison("worker", "MB", 1.7), Comparison("dashboard", "MB", 0.4)]
        self._plain_memory = Comparison("json", "MB")

    def add(self, file: Path) -> None:
        """Let everybody read once."""
        ours, plain = turn("ours", file), turn("plain", file)
        stall = turn("threaded", file)["stall"]
        first, saved, processor, stalled = self._ours
        first.add(ours["first rows"], plain["whole"])
        saved.add(ours["whole"], plain["whole"])
        processor.add(ours["processor"], plain["processor"])
        stalled.add(ours["stall"] * 1000, stall * 1000)
        worker, dashboard = self._memory
        worker.add(ours["peak"] / _MEGABYTE, self._size)
        dashboard.add(ours["growth"] / _MEGABYTE, self._size)
        self._plain_memory.add(plain["peak"] / _MEGABYTE, self._size)
        if not absent("jq"):
            theirs = jq_turn(file)
            for one, name in zip(self._jq, ("whole", "processor", "peak"), strict=True):
                unit = _MEGABYTE if name == "peak" else 1
                one.add(ours[name] / unit, theirs[name] / unit)

    def tables(self) -> Iterator[Table]:
        """Yield all that was compared."""
        title = "Access report, from its last byte"
        yield Table(title, self._ours, "platui", "json.loads")
        yield Table(f"{title}, beside jq", self._jq, "platui", "jq '.users | length'", absent("jq"))
        memory = [*self._memory, self._plain_memory]
        yield Table("Memory for the access report", memory, "used", "bytes of the report")


@contextmanager
def emulated() -> Iterator[tuple[Path, Path]]:
    """Fetch a report; yields its file, and a folder that goes when all is done."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "report.json"
        fetch(file)
        yield file, Path(folder)


def tables(options: Options) -> Iterator[Table]:
    """Compare in turns."""
    with emulated() as (file, _):
        race = Race(file.stat().st_size)
        for _ in range(options.turns(3)):
            race.add(file)
    yield from race.tables()
