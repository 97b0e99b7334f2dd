"""Following a log that grows fast, beside lnav: `python -m tests.bench tail`.

A job of the emulator's `huge-log` writes so many lines a second. The dashboard follows it over
the API; lnav follows a file that another process brings the same bytes to. Told are the processor
time that each takes, the frames a second, and how long a cursor key waits for its paint meanwhile;
then what reaches the terminal while one has scrolled up.

The platform sends a running job's log from its first byte at each look, so the dashboard looks the
less often the more that costs: at the highest speed every half minute or minute. Whether a look
falls into a short window is chance. `--long` goes on counting for a minute at the lowest and the
highest speed, which tells what following costs with the looks; it makes a turn 90 s longer.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from statistics import quantiles
from typing import TYPE_CHECKING, Final, NamedTuple

import httpx
import psutil
from tests.bench.figures import Comparison, Figure, Table, absent
from tests.bench.program import dashboard, emulator
from tests.bench.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tests.bench.figures import Options

_FRAME_BEGIN: Final = b"\x1b[?2026h"
_PAGE_UP: Final = b"\x1b[5~"
_UP: Final = b"k"
"""As an arrow, which is other bytes in lnav."""
_KEYS: Final = 60
_LEAST_KEYS: Final = 6
_BETWEEN: Final = 0.1
"""Seconds between two cursor keys."""
_TEXT: Final = slice(5, 30)
"""Rows of the screen that show nothing but the log, in either program."""
_MOST_FRAMES: Final = 10.0
_PAUSED: Final = 5.0
_MINUTE: Final = 60.0
_SLOW, _FAST, _VERY_FAST = 1_000, 10_000, 50_000

# Writes so many lines of one file a second to another, without our process's interpreter.
_FEEDER: Final = """
import sys, time
source, target, lines_a_second = sys.argv[1], sys.argv[2], int(sys.argv[3])
share = max(1, lines_a_second // 20)
with open(source, "rb") as lines, open(target, "ab", buffering=0) as file:
    begun, turn = time.monotonic(), 0
    while piece := b"".join(lines.readline() for _ in range(share)):
        file.write(piece)
        turn += 1
        time.sleep(max(0.0, begun + turn / 20 - time.monotonic()))
"""


class Followed(NamedTuple):
    """What following came to."""

    busy: float
    """Percent of one processor."""
    frames: float
    """Frames a second; of a program that does not bracket them, bursts."""
    key: float
    """Milliseconds that a cursor key waits, at the 95th percentile."""
    busy_a_minute: float = 0.0
    """The same as `busy` over a whole minute, where that was counted."""


class Running(NamedTuple):
    """A job that writes."""

    trace: str
    url: str


def connected(platform: Mapping[str, str]) -> httpx.Client:
    """Return a client of the platform."""
    headers = {"PRIVATE-TOKEN": platform["token"]}
    return httpx.Client(base_url=platform["base_url"], headers=headers, trust_env=False, timeout=60)


def running_job(platform: Mapping[str, str]) -> Running:
    """Return the job of `huge-log` that goes on and on."""
    with connected(platform) as client:
        [log] = client.get("/-/emulator/logs").raise_for_status().json()["logs"]
        jobs = f"/api/v4/projects/{log['project_id']}/jobs"
        answer = client.get(jobs, params={"scope[]": "running"}).raise_for_status()
        [job] = [job for job in answer.json() if job["name"] == "follow_events"]
    return Running(f"{jobs}/{job['id']}/trace", job["web_url"])


@contextmanager
def fed(content: bytes, target: Path, lines_a_second: int) -> Iterator[None]:
    """Let a file grow for the length of a block: half of a log is there, the rest comes."""
    half = content.index(b"\n", len(content) // 2) + 1
    target.write_bytes(content[:half])
    source = target.with_suffix(".rest")
    source.write_bytes(content[half:])
    process = subprocess.Popen(
        [sys.executable, "-c", _FEEDER, str(source), str(target), str(lines_a_second)]
    )
    try:
        yield
    finally:
        process.kill()
        process.wait()


def follow(terminal: Terminal, seconds: float, *, minute: bool = False) -> Followed:
    """Watch a program that follows, first alone, then with keys."""
    terminal.listen(3.0)
    process = psutil.Process(terminal.pid)
    before, begun = spent(process), time.perf_counter()
    first = len(terminal.frames(_FRAME_BEGIN, b"\x1b[?2026l"))
    terminal.listen(seconds)
    took = time.perf_counter() - begun
    busy = (spent(process) - before) / took * 100
    frames = len(terminal.frames(_FRAME_BEGIN, b"\x1b[?2026l")) - first
    busy_a_minute = 0.0
    if minute:
        terminal.listen(max(0.0, begun + _MINUTE - time.perf_counter()))
        whole = time.perf_counter() - begun
        busy_a_minute = (spent(process) - before) / whole * 100
    waits = []
    terminal.write(_PAGE_UP)
    terminal.listen(1.0)
    for number in range(_KEYS):
        try:
            waits.append(terminal.change(_UP, _TEXT) * 1000)
        except TimeoutError:
            # lnav goes back by as many lines as came meanwhile: its top is soon reached.
            if number < _LEAST_KEYS:
                raise
            break
        terminal.listen(_BETWEEN)
    return Followed(busy, frames / took, quantiles(waits, n=20)[-1], busy_a_minute)


def spent(process: psutil.Process) -> float:
    """Return the processor seconds of a process and its children."""
    family = [process, *process.children(recursive=True)]
    return sum(one.cpu_times().user + one.cpu_times().system for one in family)


def ours(
    lines_a_second: int, seconds: float, home: Path, *, minute: bool = False
) -> tuple[Followed, int]:
    """Follow with the dashboard; returns also the bytes sent while one had scrolled up."""
    with emulator(*_options(lines_a_second)) as platform:
        job = running_job(platform)
        with dashboard(platform, home, job.url) as terminal:
            terminal.wait_for("following", limit=30)
            found = follow(terminal, seconds, minute=minute)
            terminal.write(_PAGE_UP)
            terminal.listen(1.0)
            return found, terminal.listen(_PAUSED)


def lnav(lines_a_second: int, seconds: float, home: Path) -> Followed:
    """Follow a file of the same job's bytes with lnav."""
    with emulator(*_options(lines_a_second)) as platform:
        job = running_job(platform)
        time.sleep(2 * seconds)
        with connected(platform) as client:
            content = client.get(job.trace).raise_for_status().content
    with (
        fed(content, home / "growing.log", lines_a_second),
        Terminal(
            ["lnav", str(home / "growing.log")],
            environment={"HOME": str(home), "XDG_CONFIG_HOME": str(home)},
        ) as terminal,
    ):
        return follow(terminal, seconds)


def _options(lines_a_second: int) -> tuple[str, ...]:
    return (
        "--scenario", "huge-log", "--log-bytes", "1000000", "--rate-limit", "100000",
        "--lines-per-second", str(lines_a_second),
    )  # fmt: skip


def tables(options: Options) -> Iterator[Table]:
    """Follow at three speeds."""
    seconds = options.size(15, 4)
    busy = Comparison("processor", "%", 1.0)
    keys = Comparison("cursor key", "ms p95", 0.25)
    growth = Comparison("processor", "%", 2.0)
    long_growth = Comparison("processor, a minute", "%", 2.0)
    most_frames, bytes_paused = 0.0, 0
    has_lnav = not absent("lnav")
    for _ in range(options.turns(3)):
        followed = {}
        for rate in (_SLOW, _FAST, _VERY_FAST):
            minute = options.long and rate != _FAST
            with tempfile.TemporaryDirectory() as home:
                followed[rate], paused = ours(rate, seconds, Path(home), minute=minute)
            most_frames = max(most_frames, followed[rate].frames)
            bytes_paused = max(bytes_paused, paused)
        growth.add(followed[_VERY_FAST].busy, followed[_SLOW].busy)
        if options.long:
            long_growth.add(followed[_VERY_FAST].busy_a_minute, followed[_SLOW].busy_a_minute)
        if has_lnav:
            with tempfile.TemporaryDirectory() as home:
                theirs = lnav(_FAST, seconds, Path(home))
            busy.add(followed[_FAST].busy, theirs.busy)
            keys.add(followed[_FAST].key, theirs.key)
    yield Table(
        f"Following {_FAST:,} lines a second",
        [busy, keys],
        "platui, over the API",
        "lnav, a file",
        absent("lnav"),
    )
    yield Table(
        "Following faster and slower",
        [growth, long_growth],
        f"{_VERY_FAST:,} a second",
        f"{_SLOW:,} a second",
    )
    yield Table(
        "Following at any speed",
        [
            Figure("frames a second, most", "", _MOST_FRAMES, [most_frames]),
            Figure(f"in {_PAUSED:g} s scrolled up", "bytes", 0, [bytes_paused]),
        ],
    )
