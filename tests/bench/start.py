"""Start, readiness for keys, memory and end against those of a minimal Textual app.

`python -m tests.bench start`: both start in turns, in a pty of 120x40. The first frame is
the first moment at which most words of the rows that the last run kept are on the screen.
An app is ready for keys when the effect of a key that was typed at its start is on the screen:
a stored frame, painted before the app is there, has none.
"""

from __future__ import annotations

import re
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from tests.bench.figures import Comparison, Table
from tests.bench.program import dashboard, emulator
from tests.bench.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tests.bench.figures import Options

Shows: TypeAlias = "Callable[[Sequence[str]], bool]"


class Program(NamedTuple):
    """What to start, and how to tell what it shows."""

    start: Callable[[], Terminal]
    shows_content: Shows
    shows_key: Callable[[Terminal], bool]
    """Whether the effect of `_KEY` is there."""


class Measured(NamedTuple):
    """The figures of one start."""

    first_frame: float
    """Milliseconds."""
    ready: float
    """Milliseconds until the effect of a key."""
    quit: float
    """Milliseconds from `q` to the end of the process."""
    memory: float
    """Resident megabytes, some seconds after the start."""
    size: int
    """Bytes until all is quiet."""


_KEY: Final = b"j"
_SETTLED: Final = 4.0
"""Seconds after which the memory is read: all that is imported ahead is there."""

_BODY: Final = slice(2, -1)
"""Lines between header and footer: those may be there before any row is."""


def words(lines: Sequence[str]) -> frozenset[str]:
    """Return the words of the body; ages and numbers differ from run to run."""
    return frozenset(re.findall(r"[^\W\d_]{4,}", "\n".join(lines[_BODY])))


def _cursor_has_moved(terminal: Terminal) -> bool:
    """Return whether the row with a ground of its own is not the first."""
    _, plain, first, *others, _ = terminal.grounds()
    return first == plain != "default" and any(one != plain for one in others)


def compare(start: Callable[[], Terminal], starts: int) -> list[Comparison]:
    """Return the figures of both programs, started in turns."""
    kept = _keep_rows(start)
    mine = Program(
        start,
        lambda lines: 2 * len(words(lines) & kept) >= len(kept),
        _cursor_has_moved,
    )
    other = Program(
        minimal,
        lambda lines: any("ready" in line for line in lines),
        lambda terminal: terminal.screen()[0].strip() == "j",
    )
    comparisons = [
        Comparison("first frame", "ms", 1.35),
        Comparison("ready", "ms", 1.3),
        Comparison("quit", "ms", 0.15),
        Comparison("memory", "MB", 1.9),
        Comparison("until quiet", "bytes"),
    ]
    for turn in range(-1, starts):  # the first turn warms the disk's cache
        figures = _measure(mine), _measure(other)
        if turn >= 0:
            for comparison, ours, theirs in zip(comparisons, *figures, strict=True):
                comparison.add(ours, theirs)
    return comparisons


def _measure(program: Program) -> Measured:
    with program.start() as terminal:
        first_frame = terminal.wait_until(program.shows_content) * 1000
        terminal.wait_quiet(1.0)
        size = terminal.size
        terminal.listen(max(0.0, terminal.started + _SETTLED - time.perf_counter()))
        memory = _resident(terminal.pid)
        terminal.catch_up()
        pressed = time.perf_counter()
        terminal.write(b"q")
        terminal.wait_end()
        end = time.perf_counter() - pressed
    with program.start() as terminal:
        terminal.write(_KEY)
        ready = terminal.wait_until(lambda _: program.shows_key(terminal)) * 1000
    return Measured(first_frame, ready, end * 1000, memory, size)


def _resident(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    assert found is not None
    return int(found[1]) / 1024


def _keep_rows(start: Callable[[], Terminal]) -> frozenset[str]:
    """Run the dashboard once, so that it keeps rows; returns their words."""
    with start() as first:
        first.wait_quiet(2.0, limit=60)
        first.write(b"\r")  # the first start asks what to watch, and proposes
        first.wait_quiet(2.0, limit=60)
        kept = words(first.screen())
        first.write(b":q\r")
        first.wait_end()
    if not kept:
        raise RuntimeError("the dashboard showed no rows:\n" + "\n".join(first.screen()))
    return kept


def minimal() -> Terminal:
    """Start the least that Textual can show."""
    return Terminal([sys.executable, "-m", "tests.bench.apps.minimal"])


def tables(options: Options) -> Iterator[Table]:
    """Start both in turns."""
    with emulator("--rate-limit", "100000") as platform, tempfile.TemporaryDirectory() as home:
        found = compare(lambda: dashboard(platform, Path(home)), options.turns(9, 3))
    yield Table("Start", found, "platui, kept rows", "Textual, one word")
