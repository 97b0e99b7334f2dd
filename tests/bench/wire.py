"""Bytes on the wire, and how long a slow line takes for them: `python -m tests.bench wire`.

The dashboard runs in a pty of 120x40 on a platform whose time stands still, beside lnav in the
same run. A key has settled when nothing more has come for some time; lnav shows a clock, so for it
that is less than a second. The slow line carries 16 kB a second; where it is a long one, too, keys
and output are under way for 150 ms each.
"""

from __future__ import annotations

import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.bench.figures import Comparison, Figure, Table, absent
from tests.bench.logs import make
from tests.bench.program import PLATUI, dashboard, emulator, watch
from tests.bench.terminal import Settled, Terminal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tests.bench.figures import Options

_DOWN: Final = b"\x1b[B"
_LNAV_DOWN: Final = b"j"
"""Arrows are other bytes there: it sets the keypad to its application mode."""
_PAGE_DOWN: Final = b"\x1b[6~"
_PAGE_UP: Final = b"\x1b[5~"
_ESCAPE: Final = b"\x1b"
_PROJECTS: Final = b":projects\r"
_DETAILS: Final = b"d"
_WITHIN: Final = 0.004
"""Seconds without a byte after which a frame of lnav is over."""
_RATE: Final = 16_000
_ROUND_TRIP: Final = 0.3
_HELD: Final = 2.0
_KEYS_A_SECOND: Final = 30
_SETTLED: Final = 1.0
_QUIET: Final = 0.6
"""Seconds without a byte after which lnav has settled."""


def tables(options: Options) -> Iterator[Table]:
    """Press keys on a fast and on a slow line."""
    turns, has_lnav = options.turns(7, 3), not absent("lnav")
    with (
        emulator("--speed", "0", "--rate-limit", "100000") as platform,
        tempfile.TemporaryDirectory() as folder,
    ):
        home = Path(folder, "home")
        home.mkdir()
        small, large = (
            _unfold(make(size, Path(folder, name)).path)
            for size, name in ((1_000_000, "small.log"), (10_000_000, "large.log"))
        )
        watch(platform, home)
        programs = _Programs(platform, home, has_lnav=has_lnav)
        yield Table("Start", [programs.start(small, turns)], "platui", "lnav, 1 MB", absent("lnav"))
        yield Table("Keys", programs.cursor(small, turns), "platui", "lnav, 1 MB", absent("lnav"))
        yield Table("Views, until settled", programs.views(turns))
        title = f"A page key held for {_HELD:g} s, at {_RATE // 1000} kB/s"
        held = programs.held(large, options.turns(3))
        yield Table(title, held, "platui log --file", "lnav, 10 MB", absent("lnav"))
        yield Table(f"{title}, in pipelines", programs.held_in_pipelines(options.turns(3)))
        title = f"Board to log and back, at {_RATE // 1000} kB/s and {_ROUND_TRIP * 1000:.0f} ms"
        yield Table(title, programs.walk(options.turns(3)))


class _Programs:
    """The dashboard and lnav, with one home."""

    def __init__(self, platform: Mapping[str, str], home: Path, *, has_lnav: bool) -> None:
        self._platform = platform
        self._home = home
        self._has_lnav = has_lnav

    def start(self, log: Path, turns: int) -> Figure:
        """Return the bytes of a start with cached rows."""
        found = Comparison("until settled", "bytes", 12_000, absolute=True)
        for _ in range(turns):
            sizes = []
            with dashboard(self._platform, self._home) as terminal:
                terminal.wait_quiet(2.0, limit=60)
                sizes.append(terminal.size)
                terminal.write(b":q\r")
                terminal.wait_end()
            with self._lnav(log) as other:
                if other is not None:
                    sizes.append(other.size)
            _add(found, sizes)
        return found

    def cursor(self, log: Path, turns: int) -> list[Figure]:
        """Return what the cursor key costs in a list alone; in turns with lnav, key by key."""
        taken = Comparison("cursor key", "ms", 2)
        sizes = Comparison("cursor key", "bytes", 400, absolute=True)
        with self._pipelines() as ours, self._lnav(log) as theirs:
            ours.settle(_DETAILS)
            _check_details(ours, are_shown=False)
            if theirs is not None:
                theirs.settle(b"g", _QUIET)
            for _ in range(3 * turns):
                stroke = ours.key(_DOWN, quiet=0.2)
                milliseconds, written = [stroke.milliseconds], [stroke.size]
                if theirs is not None:
                    before = theirs.size
                    milliseconds.append(theirs.burst(_LNAV_DOWN, quiet=_WITHIN) * 1000)
                    theirs.wait_quiet(0.1)
                    written.append(theirs.size - before)
                _add(taken, milliseconds)
                _add(sizes, written)
        return [taken, sizes]

    def views(self, turns: int) -> list[Figure]:
        """Return the bytes of keys with details beside the list, and of views that open."""
        names = (
            ("cursor key, with details", 2_500),
            ("page key, with details", 6_000),
            ("pipelines, from projects", None),
            ("back to projects", None),
            ("log, from the board", None),
            ("back to the board", None),
        )
        found = {name: Figure(name, "bytes", aim) for name, aim in names}
        with self._pipelines() as terminal:
            _check_details(terminal, are_shown=True)
            for _ in range(turns):
                found["cursor key, with details"].ours.append(terminal.settle(_DOWN).size)
            for _ in range(turns):
                found["page key, with details"].ours.append(terminal.settle(_PAGE_DOWN).size)
            terminal.settle(_PROJECTS)
            self._back_and_forth(terminal, turns, list(found.values())[2:4])
        with dashboard(self._platform, self._home) as terminal:
            terminal.wait_quiet(2.0, limit=60)
            self._back_and_forth(terminal, turns, list(found.values())[4:6])
        return list(found.values())

    def held(self, log: Path, turns: int) -> list[Figure]:
        """Return what a held page key leads to in a log."""
        taken, sizes = Comparison("until settled", "s", 1), Comparison("all", "bytes")
        for _ in range(turns):
            found = []
            with self._slow([PLATUI, "log", "--file", str(log)]) as terminal:
                found.append(_hold(terminal, _PAGE_UP))
            if self._has_lnav:
                with self._slow(["lnav", str(log)]) as terminal:
                    found.append(_hold(terminal, _PAGE_UP))
            _add(taken, [one.seconds for one in found])
            _add(sizes, [one.size for one in found])
        return [taken, sizes]

    def held_in_pipelines(self, turns: int) -> list[Figure]:
        """Return what a held page key leads to in a list with details."""
        found = Figure("until settled", "s"), Figure("all", "bytes")
        for _ in range(turns):
            with self._pipelines(rate=_RATE) as terminal:
                _note(found, _hold(terminal, _PAGE_DOWN))
        return [*found]

    def walk(self, turns: int) -> list[Figure]:
        """Return what each step costs on the way from the board to a log, and back."""
        steps = (("next cause", _DOWN), ("its log", b"\r"), ("back", _ESCAPE))
        start = Figure("start", "s"), Figure("start", "bytes")
        total = Figure("all steps", "s", 4), Figure("all steps", "bytes", 20_000)
        each = {name: (Figure(name, "s"), Figure(name, "bytes")) for name, _ in steps}
        for _ in range(turns):
            with dashboard(
                self._platform, self._home, rate=_RATE, round_trip=_ROUND_TRIP
            ) as terminal:
                terminal.wait_quiet(2.0, limit=60)
                _note(start, Settled(terminal.newest - terminal.started, terminal.size))
                found = [terminal.settle(key, _SETTLED + _ROUND_TRIP) for _, key in steps]
            for name, settled in zip(each, found, strict=True):
                _note(each[name], settled)
            _note(total, Settled(sum(one.seconds for one in found), sum(one.size for one in found)))
        return [figure for pair in (start, *each.values(), total) for figure in pair]

    @contextmanager
    def _pipelines(self, rate: int = 0) -> Iterator[Terminal]:
        """Start at the pipelines of a project."""
        address = f"{self._platform['base_url']}/{self._platform['project']}"
        with dashboard(self._platform, self._home, address, rate=rate) as terminal:
            terminal.wait_for("COMMIT", limit=60)
            terminal.wait_quiet(2.0, limit=60)
            yield terminal

    def _back_and_forth(self, terminal: Terminal, turns: int, figures: Sequence[Figure]) -> None:
        """Open row by row, and go back."""
        opened, left = figures
        for _ in range(turns):
            opened.ours.append(terminal.settle(b"\r").size)
            left.ours.append(terminal.settle(_ESCAPE).size)
            terminal.settle(_DOWN)

    @contextmanager
    def _lnav(self, log: Path) -> Iterator[Terminal | None]:
        """Show a log in lnav, from its top; yields None where lnav is not installed."""
        if not self._has_lnav:
            yield None
            return
        with Terminal(["lnav", str(log)], environment=self._own_home) as terminal:
            terminal.wait_quiet(_QUIET, limit=60)
            yield terminal

    def _slow(self, argv: Sequence[str]) -> Terminal:
        return Terminal(argv, environment=self._own_home, rate=_RATE)

    @property
    def _own_home(self) -> dict[str, str]:
        return {"HOME": str(self._home), "XDG_CONFIG_HOME": str(self._home)}


def _unfold(log: Path) -> Path:
    """Take the sections out of a log: pages of folded ones end before the key is released."""
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(line for line in lines if b"section_" not in line))
    return log


def _hold(terminal: Terminal, key: bytes) -> Settled:
    """Hold a key once the program has come to rest; counts time from the release."""
    terminal.wait_quiet(_QUIET, limit=60)
    before, begun = terminal.size, time.perf_counter()
    for number in range(int(_HELD * _KEYS_A_SECOND)):
        while (left := begun + number / _KEYS_A_SECOND - time.perf_counter()) > 0:
            terminal.read(left)
        terminal.write(key)
    released = time.perf_counter()
    terminal.wait_quiet(_QUIET, limit=120)
    return Settled(max(0.0, terminal.newest - released), terminal.size - before)


def _check_details(terminal: Terminal, *, are_shown: bool) -> None:
    """Refuse to measure a list with details as one without, or the other way round."""
    if any("▏ status" in line for line in terminal.screen()) != are_shown:
        raise RuntimeError("details are not as expected:\n" + "\n".join(terminal.screen()))


def _add(comparison: Comparison, values: Sequence[float]) -> None:
    """Take ours, and the reference where there is one."""
    comparison.ours.append(values[0])
    comparison.reference.extend(values[1:])


def _note(figures: tuple[Figure, Figure], settled: Settled) -> None:
    """Take the seconds and the bytes."""
    figures[0].ours.append(settled.seconds)
    figures[1].ours.append(settled.size)
