"""The first frame with kept rows against that of a minimal Textual app.

`python -m tests.bench.start`: both start in turns, in a pty of 120x40. The first frame is
the first moment at which most words of the rows that the last run kept are on the screen.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.bench.figures import Comparison, heading
from tests.bench.program import dashboard, emulator
from tests.bench.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Measured = tuple[float, int]
"""Milliseconds to the first frame, and bytes until all is quiet."""

_BODY: Final = slice(2, -1)
"""Lines between header and footer: those may be there before any row is."""


def words(lines: Sequence[str]) -> frozenset[str]:
    """Return the words of the body; ages and numbers differ from run to run."""
    return frozenset(re.findall(r"[^\W\d_]{4,}", "\n".join(lines[_BODY])))


def compare(start: Callable[[], Terminal], starts: int) -> list[Comparison]:
    """Return the time to the first frame, and the bytes until all is quiet, of both."""
    time = Comparison("first frame", "ms", 1.35)
    size = Comparison("until quiet", "bytes")
    kept = _keep_rows(start)
    for turn in range(-1, starts):  # the first turn warms the disk's cache
        mine = _start(start, lambda lines: 2 * len(words(lines) & kept) >= len(kept))
        other = _start(minimal, lambda lines: any("ready" in line for line in lines))
        if turn >= 0:
            time.add(mine[0], other[0])
            size.add(mine[1], other[1])
    return [time, size]


def _start(start: Callable[[], Terminal], shows: Callable[[Sequence[str]], bool]) -> Measured:
    with start() as terminal:
        milliseconds = terminal.wait_until(shows) * 1000
        terminal.wait_quiet(1.0)
        return milliseconds, terminal.size


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


def main() -> None:
    """Start both in turns and print the figures."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--starts", type=int, default=9, help="starts counted of each")
    options = parser.parse_args()
    with emulator("--rate-limit", "100000") as platform, tempfile.TemporaryDirectory() as home:
        comparisons = compare(lambda: dashboard(platform, Path(home)), options.starts)
    print(heading("Start", "platui, kept rows", "Textual, one word"))
    for comparison in comparisons:
        print(comparison)


if __name__ == "__main__":
    main()
