"""A dashboard in use for a long time: random keys, a platform with faults, memory over time."""

from __future__ import annotations

import os
import random
import re
import subprocess
import tempfile
import time
from collections import Counter
from contextlib import suppress
from functools import partial
from heapq import nlargest
from pathlib import Path
from statistics import fmean, quantiles
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import psutil
from tests.attack.cases import combined
from tests.attack.dashboard import NO_PROGRAMS, leave, time_of_key
from tests.attack.views import open_views
from tests.support.faults import clear_faults, set_fault
from tests.support.processes import emulator_process
from tests.support.session import KEYS, PROGRAM, Session, at_home

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.attack.cases import Case
    from tests.attack.views import OpenView
    from tests.support.processes import Desk

_WATCHED: Final = {"big": "acme-bank/platform/", "storm": "acme/platform/"}
"""Scenario → the group whose failures the board shows."""
_KEYS: Final = (
    *"jjjjkkkkgGlldv/?:1112233456BCD[]xnoeb", *[KEYS["esc"]] * 6,
    *(key for name, key in KEYS.items() if name != "ctrl+c"),
)  # fmt: skip
"""Keys that write nothing; those that go back are frequent, so that all views are visited."""
_FAULTS: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("server_error", {"status": 502}), ("hang", {"seconds": 3}), ("reset_before", {}),
    ("truncated", {"bytes": 20}), ("html", {"status": 200}), ("garbage", {"what": "type"}),
    ("slow_body", {"seconds": 2}), ("quota", {"seconds": 3}),
)  # fmt: skip
_CHANCE_OF_FAULT: Final = 0.01
"""For each key."""
_FAULT_KEYS: Final = 60
"""Keys after which the platform is well again."""
_SLOW: Final = 1.0
"""Seconds for a key that are too many also where the machine is shared; 0.2 are wanted."""
_FROZEN: Final = 20
"""Keys in a row without an answer in time, after which it is not waited for any longer."""
_SLOWEST: Final = 8
"""Keys that are printed."""
_GROWTH: Final = 1.05
_SETTLING: Final = 600.0
"""Seconds after which memory may not grow further; half of the time where that is shorter."""
_SAMPLES: Final = 60
_LIST: Final = re.compile(r" Projects  .*\n *[\d,]+ (?P<part>of [\d,]+ )?projects ·")
_MOST_PAGES: Final = 200
_BOARD: Final = re.compile(r" Triage  [\s\S]*\n enter log ")
"""With a cause under the cursor."""
_LOG: Final = re.compile(r"\n lines [\d,]+–")
_PLAIN: Final = re.compile(r"\bplain\b")
_EXPRESSION: Final = re.compile(r"\bregex\b")


class Wait(NamedTuple):
    """How long a key waited for its answer, and where it was pressed."""

    seconds: float
    key: str
    title: str

    def __str__(self) -> str:
        return f"{self.seconds * 1000:.0f} ms for {self.key!r} in {self.title!r}"


class Sample(NamedTuple):
    """What the process holds, after some seconds."""

    seconds: float
    megabytes: float
    """On average since the last sample: it falls with each collection of garbage."""
    most: float
    files: int
    threads: int


def cases(_: int, seconds: float) -> Iterator[list[Case]]:
    """Yield one case for each scenario, which takes all of the time."""
    yield combined(partial(_survives, seconds), _WATCHED)


def _survives(seconds: float, scenario: str) -> str:
    chance = random.Random(scenario)
    with (
        emulator_process("--scenario", scenario) as platform,
        tempfile.TemporaryDirectory() as folder,
        _dashboard(platform, _WATCHED[scenario], Path(folder)) as session,
    ):
        session.until(lambda text: text.strip())
        session.settle()
        _load_projects(session)
        _search_by_expression(session)
        _open_views(session, open_views(platform, Path(folder)))
        samples, waits = _use(session, platform, scenario, chance, seconds)
        cuts = [round(cut * 1000) for cut in quantiles((one.seconds for one in waits), n=100)]
        print(
            f"{scenario:6} {len(waits):,} keys; answered after {cuts[49]} ms in the median, "
            f"{cuts[98]} ms at the 99th percentile; the slowest:",
            *nlargest(_SLOWEST, waits),
            sep="\n  ",
            flush=True,
        )
        found = _open_files(session.child.pid).items()
        named = ", ".join(f"{count} {name}" for name, count in sorted(found))
        print(f"{scenario:6} open: {named}", flush=True)
        return "; ".join([*_judged(samples, waits), *leave(session)])


def _dashboard(platform: Desk, group: str, home: Path) -> Session:
    """Start the dashboard of somebody who watches a group; the platform answers with faults."""
    environ = {**platform.environ(), **NO_PROGRAMS, "PLATUI_URL": platform.faults_url}
    subprocess.run(
        [*PROGRAM, "triage", "watch", group],
        env={**os.environ, **at_home(home), **environ},
        check=True,
        capture_output=True,
    )
    return Session(":triage", home=home, environ=environ, size=(120, 40))


def _load_projects(session: Session) -> None:
    """Load the whole list: what keys would load during the soak is no leak."""
    session.press("2")
    for _ in range(_MOST_PAGES):
        session.until(_LIST.search)
        if (listed := _LIST.search(session.text)) is not None and not listed["part"]:
            return
        session.press("G")
        session.settle()
    raise AssertionError(f"projects are left\n{session.text}")


def _search_by_expression(session: Session) -> None:
    """Search a log once: the library for expressions is imported for the first one only."""
    for key, shown in (("1", _BOARD), ("\r", _LOG), ("/", _PLAIN), (KEYS["tab"], _EXPRESSION)):
        session.press(key)
        session.until(shown.search)
        session.settle()  # the board sorts its rows while they are loaded
    for key in ("e", "\r", KEYS["esc"], KEYS["esc"]):
        session.press(key)
        session.settle()


def _open_views(session: Session, views: Sequence[OpenView]) -> None:
    """Open each view twice: what it imports, caches and builds at first is no leak."""
    for view in (*views, *views):
        for key in ("esc", "esc", view.line, "enter"):
            session.press(key)
            session.listen(0.05)
        session.settle()
    session.press("1")
    session.until(_BOARD.search)


def _use(
    session: Session, platform: Desk, scenario: str, chance: random.Random, seconds: float
) -> tuple[list[Sample], list[Wait]]:
    """Press keys, each answered before the next one; return samples and seconds of the keys.

    Each sample is printed when it is taken: what was seen is not lost where the soak is ended.
    """
    process = psutil.Process(session.child.pid)
    samples, waits, sizes = list[Sample](), list[Wait](), list[float]()
    began, well_at = time.monotonic(), 0
    while (now := time.monotonic() - began) < seconds:
        if not session.child.isalive():
            raise AssertionError(f"it ended\n{session.text}")
        sizes.append(process.memory_info().rss / 1e6)
        if len(samples) <= now / seconds * _SAMPLES:
            samples.append(_sampled(scenario, process, now, sizes))
            sizes.clear()
        if well_at and len(waits) >= well_at:
            clear_faults(platform)  # type: ignore[arg-type]
            well_at = 0
        elif not well_at and chance.random() < _CHANCE_OF_FAULT:
            kind, wish = chance.choice(_FAULTS)
            set_fault(platform, kind, **wish)  # type: ignore[arg-type]
            well_at = len(waits) + _FAULT_KEYS
        title, key = " ".join(session.screen.lines[0].split()), chance.choice(_KEYS)
        waits.append(Wait(time_of_key(session, key), key, title))
        if len(waits) >= _FROZEN and min(waits[-_FROZEN:]).seconds > _SLOW:
            raise AssertionError(f"it answers no key\n{session.text}")
    return samples, waits


def _open_files(pid: int) -> Counter[str]:
    """Return what a process has open."""
    found = Counter[str]()
    for one in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(OSError):  # closed meanwhile
            found[re.sub(r"[0-9a-f]{8,}|\d+", "#", str(one.readlink()))] += 1
    return found


def _sampled(scenario: str, process: psutil.Process, seconds: float, sizes: list[float]) -> Sample:
    opened, threads = _open_files(process.pid), process.num_threads()
    # Without connections: some are kept open for the next requests.
    files = sum(count for name, count in opened.items() if not name.startswith("socket:"))
    sample = Sample(seconds, fmean(sizes), max(sizes), files, threads)
    print(
        f"{scenario:6} {seconds:6.0f} s  {sample.megabytes:6.1f} MB (at most {sample.most:.0f})  "
        f"{files:3} files  {threads:2} threads",
        flush=True,
    )
    return sample


def _judged(samples: list[Sample], waits: list[Wait]) -> list[str]:
    """Return what is wrong; memory is compared in periods, as it rises and falls within each."""
    settling = min(_SETTLING, samples[-1].seconds / 2)
    later = [one for one in samples if one.seconds >= settling]
    fifth = max(1, len(later) // 5)
    settled, last = later[:fifth], later[-fifth:]
    faults = []
    before, after = (fmean(one.megabytes for one in some) for some in (settled, last))
    if after > before * _GROWTH:
        faults.append(f"memory grew from {before:.0f} to {after:.0f} MB")
    for name in ("files", "threads"):
        # Connections and files come and go; what is left over raises also the lowest number.
        before, after = (min(getattr(one, name) for one in some) for some in (settled, last))
        if after > before + 2:
            faults.append(f"{name} grew from at least {before} to {after}")
    if (slowest := max(waits)).seconds > _SLOW:
        faults.append(f"too slow: {slowest}")
    return faults
