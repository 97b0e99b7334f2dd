"""The log view beside lnav and less on the same bytes: `python -m tests.bench logs`.

The finished log of the emulator's `huge-log`, as it is at a set hour, is opened by
`platui log --file`, lnav and less in turns, in a pty of 120x40. Told are: the time from the start
of the process until the last line is on the screen; from the last letter of a search for a string
that stands once in the log, as near to its first third as the other finds one, until its line is;
a key that turns a page; and memory that is the process's own, before that search and after it.
What the network costs is timed apart, over a platform's API.
"""

from __future__ import annotations

import re
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Final

import httpx
import psutil
from tests.bench.figures import Comparison, Table, absent
from tests.bench.program import PLATUI, dashboard, emulator
from tests.bench.terminal import Terminal
from tests.support.clock import FakeClock
from tests.support.platform import running_platform

from platui_emulator.scenarios import Sizes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tests.bench.figures import Figure, Options

_PAGE_UP: Final = b"\x1b[5~"
_PLACE: Final = 0.37
"""Where about in the log the searched line stands."""
_MEGA: Final = 1e6
_READ: Final = 1 << 18
_PAGES: Final = 20
_PATIENCE: Final = 4.0
"""Seconds in which a string that is found at all is found."""
_WITHIN: Final = 0.004
"""Seconds without a byte after which a frame is over."""
_APART: Final = 0.05
"""Seconds without a byte between two keys."""
_SETTLED: Final = 0.7
"""Seconds without a byte after which a program has nothing left to do."""


@dataclass(frozen=True)
class Needle:
    """A string that stands once in a log."""

    text: str
    line: str
    """What more of its line is shown when it is found."""
    place: float
    """Where in the log it stands, 0 to 1."""

    def is_told(self, lines: Sequence[str]) -> bool:
        """Return whether a screen shows the line, or says that it is known, as lnav may."""
        return any(self.line in line or f"1 hits for “{self.text}”" in line for line in lines)


@dataclass(frozen=True)
class HugeLog:
    """A log on disk, and what to look for in it."""

    path: Path
    needles: Sequence[Needle]
    """The best one first."""


@dataclass(frozen=True)
class Viewer:
    """A program that shows a log in a terminal."""

    name: str
    argv: Sequence[str]


@dataclass(frozen=True)
class Turn:
    """What one run of a viewer came to."""

    last_line: float
    """Milliseconds from its start until the last line is shown."""
    search: float
    """Milliseconds from the search being typed until the line is shown."""
    page: float
    """Milliseconds of a page key, the median."""
    before: Memory
    after: Memory


@dataclass(frozen=True)
class Memory:
    """What a process alone holds, in megabytes."""

    private: float
    """Pages that nobody shares, those of files too."""
    anonymous: float
    """Pages that no file stands behind."""


_LAST: Final = "ERROR: Job failed"
_LEAST: Final = 5
"""Characters of a search at least."""
_MORE: Final = 12
"""Characters around it that tell its line from the prompt that it was typed in."""


def memory_of(pid: int) -> Memory:
    """Return what a process and its children hold."""
    family = [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]
    private = anonymous = 0
    for process in family:
        told = Path(f"/proc/{process.pid}/smaps_rollup").read_text()
        sizes = {
            name: int(size) for name, size in re.findall(r"^(\w+): +(\d+) kB", told, re.MULTILINE)
        }
        private += sizes["Private_Clean"] + sizes["Private_Dirty"]
        anonymous += sizes["Anonymous"]
    return Memory(private / 1000, anonymous / 1000)


def run(viewer: Viewer, log: HugeLog, home: Path, *, patience: float = 60.0) -> Turn:
    """Open, turn pages, search from the top, and look at the memory."""
    environment = {"HOME": str(home), "XDG_CONFIG_HOME": str(home), "LESSHISTFILE": "-"}
    with Terminal([*viewer.argv, str(log.path)], environment=environment) as terminal:
        last_line = terminal.wait_for(_LAST, limit=60)
        settle(terminal)
        page = median(turned(terminal) for _ in range(_PAGES))
        before = memory_of(terminal.pid)
        terminal.write(b"g")
        settle(terminal)
        # Both search while one types: what counts is the last letter, with its confirmation.
        word = log.needles[0].text
        terminal.write(f"/{word[:-1]}".encode())
        settle(terminal)
        terminal.catch_up()
        begun = time.perf_counter()
        terminal.write(f"{word[-1]}\r".encode())
        shown = terminal.started + terminal.wait_until(log.needles[0].is_told, limit=patience)
        settle(terminal)
        after = memory_of(terminal.pid)
    return Turn(last_line * 1000, (shown - begun) * 1000, page * 1000, before, after)


def turned(terminal: Terminal) -> float:
    """Return the seconds from a page key to the end of the first burst, as one frame is."""
    seconds = terminal.burst(_PAGE_UP, quiet=_WITHIN)
    terminal.wait_quiet(_APART)
    return seconds


def findable(viewer: Viewer, log: HugeLog, home: Path) -> HugeLog:
    """Return the log with a string that a viewer finds: the best, or else the next best.

    lnav 0.11 gives up on most that stand far behind the top.
    """
    for needle in log.needles:
        sought = HugeLog(log.path, [needle])
        try:
            run(viewer, sought, home, patience=_PATIENCE)
        except TimeoutError:
            continue
        return sought
    return log


def settle(terminal: Terminal) -> None:
    """Wait until the program has nothing left to write."""
    terminal.wait_quiet(_SETTLED, limit=60)


def make(size: int, path: Path) -> HugeLog:
    """Write the log of a set hour: the same bytes, and the same needles, in every run."""
    sizes = Sizes(log_bytes=size)
    with running_platform(scenario="huge-log", sizes=sizes, clock=FakeClock()) as platform:
        return fetch(platform.announcement(), path)[0]


def fetch(platform: Mapping[str, str], path: Path) -> tuple[HugeLog, str, float]:
    """Bring the finished log to disk; returns it, its job's address, and the seconds it took."""
    with httpx.Client(
        base_url=platform["base_url"],
        headers={"PRIVATE-TOKEN": platform["token"]},
        trust_env=False,
        timeout=60,
    ) as client:
        logs = client.get("/-/emulator/logs").raise_for_status().json()["logs"]
        told = max(logs, key=lambda one: one["size"])
        address = f"/api/v4/projects/{told['project_id']}/jobs/{told['job_id']}"
        url = client.get(address).raise_for_status().json()["web_url"]
        begun = time.perf_counter()
        with path.open("wb") as file, client.stream("GET", f"{address}/trace") as answer:
            for chunk in answer.iter_bytes(_READ):
                file.write(chunk)
        seconds = time.perf_counter() - begun
    content = path.read_bytes()
    errors = sorted(told["errors"][:-1], key=lambda one: abs(one["offset"] / told["size"] - _PLACE))
    needles = [
        Needle(*rare(error["text"], content), error["offset"] / told["size"]) for error in errors
    ]
    return HugeLog(path, needles), url, seconds


def rare(line: str, content: bytes) -> tuple[str, str]:
    """Return the shortest string of a line that stands nowhere else, and more of the line."""
    for length in range(_LEAST, len(line)):
        for start in range(len(line) - length):
            piece = line[start : start + length]
            if piece.isalnum() and piece == piece.lower():
                more = line[max(0, start - _MORE) : start + length + _MORE]
                if content.count(piece.encode()) == 1:
                    return piece, more
    raise RuntimeError(f"nothing in {line!r} is rare")


def compare(
    ours: Viewer, other: Viewer, log: HugeLog, turns: int, home: Path, *, strict: bool
) -> list[Figure]:
    """Run both in turns; there are aims where it is strict."""
    found = {
        name: Comparison(label, unit, aim if strict else None)
        for name, label, unit, aim in (
            ("last_line", "last line", "ms", 0.4),
            ("search", "found", "ms", 0.1),
            ("page", "page key", "ms", 2.5),
            ("private", "private", "MB", 0.5),
            ("anonymous", "anonymous", "MB", 0.5),
            ("private_after", "private, searched", "MB", 0.5),
            ("anonymous_after", "anonymous, searched", "MB", 0.5),
        )
    }
    for turn in range(-1, turns):  # the first turn warms the disk's cache
        mine, theirs = run(ours, log, home), run(other, log, home)
        if turn < 0:
            continue
        for name in ("last_line", "search", "page"):
            found[name].add(getattr(mine, name), getattr(theirs, name))
        for kind in ("private", "anonymous"):
            found[kind].add(getattr(mine.before, kind), getattr(theirs.before, kind))
            found[f"{kind}_after"].add(getattr(mine.after, kind), getattr(theirs.after, kind))
    return list(found.values())


def over_the_line(platform: Mapping[str, str], url: str) -> float:
    """Return the milliseconds until the dashboard shows the log's last line, never kept before."""
    with tempfile.TemporaryDirectory() as home, dashboard(platform, Path(home), url) as shown:
        shown.wait_until(lambda lines: any(" lines" in line for line in lines), limit=60)
        shown.write(b"G")
        return shown.wait_for(_LAST, limit=60) * 1000


def tables(options: Options) -> Iterator[Table]:
    """Open the same bytes in turns."""
    turns, size = options.turns(5, 2), options.size(100_000_000, 10_000_000)
    title = f"A log of {size / _MEGA:,.0f} MB"
    ours = Viewer("platui", (PLATUI, "log", "--file"))
    others = [Viewer("lnav", ("lnav",)), Viewer("less", ("less", "-f", "-R", "+G"))]
    with tempfile.TemporaryDirectory() as directory:
        home = Path(directory, "home")
        home.mkdir()
        log = make(size, Path(directory, "huge.log"))
        for other in others:
            beside = f"{title}, beside {other.name}"
            if notes := absent(other.name):
                yield Table(beside, [], notes=notes)
                continue
            sought = findable(other, log, home)
            found = compare(
                ours, other, sought, turns, home, strict=other.name == "lnav" and not options.quick
            )
            notes = [f"searched: what stands at {sought.needles[0].place:.0%}"]
            yield Table(beside, found, "platui log --file", other.name, notes)
        with emulator("--scenario", "huge-log", "--log-bytes", str(size)) as platform:
            taken = Comparison("last line", "ms")
            for _ in range(min(turns, 3)):
                _, url, seconds = fetch(platform, Path(directory, "again.log"))
                taken.add(over_the_line(platform, url), seconds * 1000)
    yield Table(f"{title} over the API", [taken], "platui, from its start", "bytes to a file")
