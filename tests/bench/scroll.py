"""Page-down held from the first to the 5,000th project: how long each key waits for its paint.

`python -m tests.bench scroll`: the scenario `big` behind a line of 50 ms, the dashboard in a pty
of 120x40, thirty keys a second. A key has waited until the end of the first frame that began
after it; a key that moves nothing, because the next page is still on its way, waits for that.
"""

from __future__ import annotations

import re
import tempfile
import time
from pathlib import Path
from statistics import quantiles
from threading import Event, Thread
from typing import TYPE_CHECKING, Final

import httpx
from tests.bench.figures import Figure, Table
from tests.bench.program import dashboard, emulator, skip_watch_list
from tests.bench.terminal import FRAME_END

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tests.bench.figures import Options
    from tests.bench.terminal import Terminal

_PAGE_DOWN: Final = b"\x1b[6~"
FRAME_BEGIN: Final = b"\x1b[?2026h"
_LIST: Final = re.compile(r"/api/v4/projects\?")
_STATE: Final = re.compile(r"/api/v4/projects/\d+/pipelines\?")
_PROJECTS: Final = 5000
_PAGE: Final = 100
_LOOK_EVERY: Final = 0.3
"""Seconds after which the emulator is asked how far it is."""
_LATENCY: Final = 0.05
_KEYS_A_SECOND: Final = 30.0
_AIM: Final = 100.0

Frame = tuple[float, float]
"""When it began and ended."""

_MOST_REQUESTS: Final = 50


def hold(
    terminal: Terminal, platform: Mapping[str, str], a_second: float, limit: float
) -> tuple[list[float], list[Frame]]:
    """Hold the key until the last page was asked for; returns when keys went, and the frames."""
    keys: list[float] = []
    start = time.perf_counter()
    there = Event()
    # Beside the hand on the key: what waits for an answer does not see the frames that come.
    watch = Thread(target=_until_asked, args=(platform, there, limit), daemon=True)
    watch.start()
    while time.perf_counter() < start + limit and not there.is_set():
        due = start + len(keys) / a_second
        if (left := due - time.perf_counter()) > 0:
            terminal.read(left)
            continue
        terminal.write(_PAGE_DOWN)
        keys.append(time.perf_counter())
    terminal.listen(1.0)
    return keys, terminal.frames(FRAME_BEGIN, FRAME_END)


def _until_asked(platform: Mapping[str, str], there: Event, limit: float) -> None:
    """Look now and then whether the last page was asked for."""
    end = time.perf_counter() + limit
    with httpx.Client(verify=False, trust_env=False) as client:  # noqa: S501  (loopback)
        while time.perf_counter() < end and requests(platform, client)[0] < _PROJECTS // _PAGE:
            time.sleep(_LOOK_EVERY)
    there.set()


def waits(keys: Sequence[float], frames: Sequence[Frame]) -> list[float]:
    """Return the milliseconds each key waited; those after the last frame moved nothing."""
    found: list[float] = []
    place = 0
    for key in keys:
        while place < len(frames) and frames[place][0] < key:
            place += 1
        if place == len(frames):
            break
        found.append((frames[place][1] - key) * 1000)
    return found


def requests(platform: Mapping[str, str], client: httpx.Client) -> tuple[int, int]:
    """Return how many pages of projects were asked for, and how many states."""
    answer = client.get(f"{platform['base_url']}/-/emulator/requests").json()
    paths = [entry["path"] for entry in answer["requests"]]
    return (
        sum(1 for path in paths if _LIST.match(path)),
        sum(1 for path in paths if _STATE.match(path)),
    )


def tables(_: Options) -> Iterator[Table]:
    """Hold the key."""
    with (
        emulator("--scenario", "big", "--rate-limit", "100000") as platform,
        tempfile.TemporaryDirectory() as home,
    ):
        httpx.post(
            f"{platform['base_url']}/-/emulator/faults",
            json={"kind": "latency", "seconds": _LATENCY},
            trust_env=False,
        ).raise_for_status()
        far = {**platform, "base_url": platform["faults_url"]}
        with dashboard(far, Path(home)) as terminal:
            skip_watch_list(terminal)
            terminal.write(b":projects\r")
            terminal.wait_for(f"100 of {_PROJECTS:,} projects", limit=30)
            terminal.wait_quiet(1.5, limit=30)
            keys, frames = hold(terminal, platform, _KEYS_A_SECOND, 60.0)
            with httpx.Client(trust_env=False) as client:
                lists, states = requests(platform, client)
    found = waits(keys, frames)
    yield Table(
        f"Page-down held over {_PROJECTS:,} projects, {_LATENCY * 1000:.0f} ms away",
        [
            Figure("key to frame, p95", "ms", None, [quantiles(found, n=20)[-1]]),
            Figure("key to frame, worst", "ms", _AIM, [max(found)]),
            Figure("pages of projects", "requests", _MOST_REQUESTS, [lists]),
            Figure("states", "requests", None, [states]),
        ],
        notes=[f"{len(found)} keys"],
    )
