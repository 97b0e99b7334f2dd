"""Keys in our table against keys in Textual's DataTable: `python -m tests.bench.table`.

Both run in a pty of 120x40 at the same time, and take turns key by key, so that what
slows the machine slows both.
"""

from __future__ import annotations

import argparse
import sys
from itertools import cycle, islice
from typing import Final

from tests.bench.figures import Comparison, heading
from tests.bench.terminal import Stroke, Terminal

# To and fro within the window: past its end a cursor key scrolls, and counts as a page.
_CURSOR: Final = [b"\x1b[B"] * 20 + [b"\x1b[A"] * 20
_PAGE: Final = [b"\x1b[6~"]
_WARM_UP: Final = 5
_REFERENCE_ROWS: Final = 10_000


def program(name: str, rows: int) -> Terminal:
    """Start one of the compared programs."""
    return Terminal([sys.executable, "-m", f"tests.bench.apps.{name}", str(rows)])


def compare(rows: int, keys: int) -> list[Comparison]:
    """Return what cursor and page keys cost in both tables.

    Args:
        rows: rows of our table; the reference always has ten thousand.
        keys: how many of each key are counted.
    """
    down_time = Comparison("cursor key", "ms", 0.5)
    down_size = Comparison("cursor key", "bytes", 0.4)
    page_time = Comparison("page key", "ms", 0.2)
    page_size = Comparison("page key", "bytes", 0.6)
    with program("table", rows) as ours, program("datatable", _REFERENCE_ROWS) as theirs:
        for terminal in (ours, theirs):
            terminal.wait_for("Status", limit=60)
            terminal.wait_quiet()
        for strokes, time, size in (
            (_CURSOR, down_time, down_size),
            (_PAGE, page_time, page_size),
        ):
            for turn, key in enumerate(islice(cycle(strokes), _WARM_UP + keys)):
                mine, other = ours.key(key), theirs.key(key)
                if turn >= _WARM_UP:
                    _add(time, size, mine, other)
    return [down_time, down_size, page_time, page_size]


def _add(time: Comparison, size: Comparison, ours: Stroke, theirs: Stroke) -> None:
    time.add(ours.milliseconds, theirs.milliseconds)
    size.add(ours.size, theirs.size)


def main() -> None:
    """Compare at ten thousand and at a hundred thousand rows, and print the figures."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--keys", type=int, default=60, help="keys counted of each kind")
    options = parser.parse_args()
    for rows in (_REFERENCE_ROWS, 100_000):
        print(heading("Table", f"Table, {rows:,} rows", f"DataTable, {_REFERENCE_ROWS:,} rows"))
        for comparison in compare(rows, options.keys):
            print(comparison)


if __name__ == "__main__":
    main()
