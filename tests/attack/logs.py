"""The log view on logs of odd shapes: keys are answered, memory is bounded, leaving is quick."""

from __future__ import annotations

import os
import random
import re
import signal
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.attack.cases import Case, combined
from tests.attack.dashboard import INTERRUPTED, SCREEN_OFF, end_faults, listen, time_of_key
from tests.attack.log_shapes import SHAPES, sent, written
from tests.attack.views import open_views
from tests.attack.wrong_server import WrongServer
from tests.support.processes import emulator_process
from tests.support.session import KEYS, Session

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from tests.support.processes import Desk

MOST_WORKERS: Final = os.cpu_count() or 1
_KEYS: Final = (
    *"jkGgeEn[]w", "/word\r", "/\\d+ %\r", KEYS["pgdn"], KEYS["pgup"], KEYS["right"],
)  # fmt: skip
"""Keys of the log view that open no other one."""
_PRESSES: Final = 60
_SLOW: Final = 1.0
"""Seconds for a key on a machine that is busy with other attacks; 0.2 are wanted."""
_MOST_MEMORY: Final = 300.0
"""MB that are its own, without the pages of the file."""
_RESTORED: Final = 0.5
"""Seconds until the terminal is given back; 0.1 are wanted."""
_ENDED: Final = 2.0
"""Seconds until the process has ended; 1 is wanted."""


@dataclass(frozen=True)
class Outcome:
    """What was seen, and what of it is wrong."""

    figures: str
    faults: list[str]


@dataclass(frozen=True)
class Fixture:
    """Where logs come from."""

    server: WrongServer
    platform: Desk
    line: str
    """Opens the log view of a job of the platform."""
    folder: Path

    def open(self, shape: str, source: str, home: Path) -> Session:
        """Start the log view on a log of some shape."""
        if source == "file":
            path = str(written(shape, self.folder))
            return Session("log", "--file", path, home=home, size=(120, 40))
        environ = {**self.platform.environ(), "PLATUI_URL": self.server.url}
        return Session(self.line, home=home, environ=environ, size=(120, 40))


def cases(_: int, __: float) -> Iterator[list[Case]]:
    """Yield the cases; the servers run until the generator is closed."""
    with (
        emulator_process("--speed", "0", "--rate-limit", "1000000") as platform,
        tempfile.TemporaryDirectory() as folder,
    ):
        line = next(one.line for one in open_views(platform, Path(folder)) if one.id == "log")
        fixtures = {}
        for shape in SHAPES:
            server = WrongServer(sent(shape, Path(folder)))
            server.start()
            server.upstream = platform.base_url.removeprefix("http://")
            fixtures[shape] = Fixture(server, platform, line, Path(folder))
        try:
            yield combined(partial(_survives, fixtures), SHAPES, ("file", "platform"), _ACTS)
        finally:
            for fixture in fixtures.values():
                fixture.server.stop()


def _survives(fixtures: Mapping[str, Fixture], shape: str, source: str, name: str) -> str:
    chance = random.Random(f"{shape}{source}")
    with (
        tempfile.TemporaryDirectory() as home,
        fixtures[shape].open(shape, source, Path(home)) as session,
    ):
        session.until(lambda text: text.strip())
        outcome = _ACTS[name](session, chance)
        print(f"  {shape} × {source} × {name}: {outcome.figures}", flush=True)
        return "; ".join(outcome.faults)


def _use(session: Session, chance: random.Random) -> Outcome:
    """Press keys from the first moment on."""
    slowest, memory = (0.0, ""), 0.0
    for _ in range(_PRESSES):
        key = chance.choice(_KEYS)
        slowest = max(slowest, (time_of_key(session, key), key))
        if not session.child.isalive():
            return Outcome("", [f"it ended\n{session.text}"])
        memory = max(memory, _own_memory(session.child.pid))
    left = _leave(session, lambda: session.press("\x03"), INTERRUPTED)
    seconds, key = slowest
    figures = f"{seconds * 1000:.0f} ms for {key!r}, {memory:.0f} MB, {left.figures}"
    faults = left.faults
    if seconds > _SLOW:
        faults.append(f"{key!r} took {seconds:.1f} s")
    if memory > _MOST_MEMORY:
        faults.append(f"{memory:.0f} MB")
    return Outcome(figures, faults)


def _interrupted(session: Session, chance: random.Random) -> Outcome:
    listen(session, chance.random() * 3)
    return _leave(session, lambda: session.press("\x03"), INTERRUPTED)


def _signalled(number: int, session: Session, chance: random.Random) -> Outcome:
    listen(session, chance.random() * 3)
    return _leave(session, partial(session.child.kill, number), {128 + number})


def _leave(session: Session, leave: Callable[[], object], codes: Collection[int]) -> Outcome:
    began = time.monotonic()
    leave()
    restored = 0.0
    while session.child.isalive() and time.monotonic() - began < 2 * _ENDED:
        session.listen(0.01)
        if not restored and SCREEN_OFF in session.written[-2000:]:
            restored = time.monotonic() - began
    ended = time.monotonic() - began
    restored = restored or ended
    figures = f"given back after {restored * 1000:.0f} ms, ended after {ended * 1000:.0f}"
    faults = end_faults(session, codes)
    if restored > _RESTORED:
        faults.append(f"the terminal was given back after {restored:.1f} s")
    if ended > _ENDED:
        faults.append(f"it ended after {ended:.1f} s")
    return Outcome(figures, faults)


def _own_memory(pid: int) -> float:
    """Return the memory of a process without pages of files, in MB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"RssAnon:\s+(\d+)", status)[1]) / 1024  # type: ignore[index]


_ACTS: Final[dict[str, Callable[[Session, random.Random], Outcome]]] = {
    "keys": _use,
    "Ctrl+C": _interrupted,
    "SIGTERM": partial(_signalled, signal.SIGTERM),
    "SIGHUP": partial(_signalled, signal.SIGHUP),
}
"""Name → what is done while the log is read."""
