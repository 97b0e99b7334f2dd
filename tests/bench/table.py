"""Keys in our table against DataTable's, and in blocks: `python -m tests.bench table`.

Both run in a pty of 120x40 at the same time, and take turns key by key, so that what
slows the machine slows both. Rows of three lines take turns with plain ones.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from tests.bench.figures import Comparison, Table
from tests.bench.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.bench.figures import Options

_DOWN: Final = b"\x1b[B"
_PAGE_DOWN: Final = b"\x1b[6~"
_WARM_UP: Final = 5
_CURSOR_KEYS: Final = 30
"""As many as stay within the window: past its end a cursor key paints a page."""
_REFERENCE_ROWS: Final = 10_000


def program(name: str, rows: int, *options: str) -> Terminal:
    """Start one of the compared programs."""
    return Terminal([sys.executable, "-m", f"tests.bench.apps.{name}", str(rows), *options])


def compare(rows: int, rounds: int, pages: int) -> list[Comparison]:
    """Return what cursor and page keys cost in both tables.

    A cursor key always reaches a row for the first time, as it does for somebody who reads
    on. Back and forth over the same rows both are fast, since both keep what they painted.

    Args:
        rows: rows of our table; the reference always has ten thousand.
        rounds: how often both are started anew.
        pages: how many page keys are counted in a round.
    """
    down = (Comparison("cursor key", "ms", 0.5), Comparison("cursor key", "bytes", 0.4))
    page = (Comparison("page key", "ms", 0.2), Comparison("page key", "bytes", 0.6))
    for _ in range(rounds):
        with program("table", rows) as ours, program("datatable", _REFERENCE_ROWS) as theirs:
            _take_turns((ours, theirs), pages, down, page)
    return [*down, *page]


def compare_blocks(rounds: int, pages: int) -> list[Comparison]:
    """Return what the same keys cost in rows of three lines and in plain rows.

    A cursor key paints six lines there and not two; past the end of the window it paints
    all of it, after twelve keys. So only pages have an aim.
    """
    down = (Comparison("cursor key", "ms"), Comparison("cursor key", "bytes"))
    page = (Comparison("page key", "ms", 1.1), Comparison("page key", "bytes"))
    for _ in range(rounds):
        with (
            program("table", _REFERENCE_ROWS, "blocks") as several,
            program("table", _REFERENCE_ROWS) as one,
        ):
            _take_turns((several, one), pages, down, page)
    return [*down, *page]


def _take_turns(
    terminals: tuple[Terminal, Terminal],
    pages: int,
    down: tuple[Comparison, Comparison],
    page: tuple[Comparison, Comparison],
) -> None:
    for terminal in terminals:
        terminal.wait_for("Status", limit=60)
        terminal.wait_quiet()
    _press(_DOWN, _CURSOR_KEYS, terminals, *down)
    _press(_PAGE_DOWN, pages, terminals, *page)


def _press(
    key: bytes,
    times: int,
    terminals: tuple[Terminal, Terminal],
    time: Comparison,
    size: Comparison,
) -> None:
    for turn in range(-_WARM_UP, times):
        ours, theirs = (terminal.key(key) for terminal in terminals)
        if turn >= 0:
            time.add(ours.milliseconds, theirs.milliseconds)
            size.add(ours.size, theirs.size)


def tables(options: Options) -> Iterator[Table]:
    """Compare at ten thousand and at a hundred thousand rows, then blocks."""
    rounds, pages = options.turns(3), options.size(30, 10)
    for rows in (_REFERENCE_ROWS, 100_000):
        yield Table(
            f"Table of {rows:,} rows",
            compare(rows, rounds, pages),
            "Table",
            f"DataTable, {_REFERENCE_ROWS:,} rows",
        )
    yield Table(
        f"Blocks, {_REFERENCE_ROWS:,} rows",
        compare_blocks(rounds, pages),
        "of three lines",
        "of one line",
    )
