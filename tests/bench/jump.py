"""A name typed after `:` among 5,000 projects: how long each letter waits for its frame.

`python -m tests.bench jump`: the scenario `big` in a pty of 120x40. All projects are loaded once,
so that they are cached; the next dashboard reads them while the first letters are typed.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from statistics import quantiles
from typing import TYPE_CHECKING, Final

from tests.bench.figures import Figure, Table
from tests.bench.program import dashboard, emulator, skip_watch_list
from tests.bench.scroll import FRAME_BEGIN, waits
from tests.bench.terminal import FRAME_END

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.bench.figures import Options
    from tests.bench.terminal import Terminal

_NAMES: Final = ("payroll", "stockcore", "ml-news", "orders history", "dbt")
_LETTER_EVERY: Final = 0.12
_FIRST_AIM: Final = 50.0
_AIM: Final = 16.0


def type_name(terminal: Terminal, name: str) -> list[float]:
    """Type a name after `:`, and clear it; returns the milliseconds each letter waited."""
    terminal.write(b":")
    terminal.listen(_LETTER_EVERY)
    keys: list[float] = []
    for letter in name:
        keys.append(time.perf_counter())
        terminal.write(letter.encode())
        terminal.listen(_LETTER_EVERY)
    found = waits(keys, terminal.frames(FRAME_BEGIN, FRAME_END))
    terminal.write(b"\x1b")
    terminal.wait_quiet(0.5)
    return found


def tables(options: Options) -> Iterator[Table]:
    """Type names in a first and in a second dashboard."""
    with (
        emulator("--scenario", "big", "--rate-limit", "100000") as platform,
        tempfile.TemporaryDirectory() as home,
    ):
        with dashboard(platform, Path(home)) as terminal:
            skip_watch_list(terminal)
            terminal.write(b":projects\r")
            terminal.wait_for("100 of 5,000 projects", limit=30)
            terminal.write(b"L")
            terminal.wait_for("5,000 projects ·", limit=120)
            terminal.wait_quiet(1.5, limit=60)
            warm = [type_name(terminal, name) for name in _NAMES * options.turns(2)]
            terminal.write(b":q\r")
            terminal.wait_end()
        with dashboard(platform, Path(home)) as terminal:
            skip_watch_list(terminal)
            cold = type_name(terminal, _NAMES[0])
    later = [one for letters in warm[1:] for one in letters]
    yield Table(
        "Letters after : among 5,000 projects",
        [
            Figure("first hits, loaded", "ms", _FIRST_AIM, [warm[0][0]]),
            Figure("first hits, of the cache", "ms", _FIRST_AIM, [cold[0]]),
            Figure("key to frame", "ms", None, later),
            Figure("key to frame, p95", "ms", _AIM, [quantiles(later, n=20)[-1]]),
            Figure("while the cache is read", "ms", None, cold),
        ],
    )
