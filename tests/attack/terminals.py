"""The dashboard in terminals of every kind and size, under keys, resizes, signals and a hang-up."""

from __future__ import annotations

import os
import random
import signal
import tempfile
import time
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import psutil
from tests.attack.cases import combined
from tests.attack.dashboard import (
    INTERRUPTED,
    LANGUAGES,
    NO_PROGRAMS,
    TYPED,
    Size,
    end_faults,
    listen,
    look_for_stale_cells,
)
from tests.support.processes import emulator_process, is_gone, wait_until
from tests.support.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from tests.attack.cases import Case
    from tests.support.processes import Desk

_TERMS: Final = ("xterm-256color", "screen-256color", "tmux-256color", "linux", "vt100")
_UNUSABLE: Final = {"dumb": "dumb", "no TERM": ""}
"""Name -> `TERM` of a terminal in which it does not start."""
_SIZES: Final = (Size(5, 2), Size(20, 5), Size(80, 24), Size(120, 40), Size(300, 100))
_GONE: Final = "terminal gone"
_END: Final = 5.0
"""Seconds within which it ends on a machine that is busy with other attacks."""
_STILL_THERE: Final = f"still there after {_END:.0f} s"


def cases(_: int, __: float) -> Iterator[list[Case]]:
    """Yield the cases; the platform runs until the generator is closed."""
    with emulator_process("--speed", "0", "--rate-limit", "100000") as platform:
        yield [
            *combined(partial(_survives, platform), ACTIONS, _TERMS, _SIZES, LANGUAGES),
            *combined(partial(_refuses, platform), _UNUSABLE, _SIZES, LANGUAGES),
        ]


def _survives(platform: Desk, action: str, term: str, size: Size, language: str) -> str:
    codes, act = ACTIONS[action]
    chance = random.Random(f"{action}{term}{size}{language}")
    with _started(platform, term, size, language) as session:
        process = session.process
        listen(session, 0.3 + 2 * chance.random())
        act(session, chance)
        if action == _GONE:
            return "" if wait_until(lambda: is_gone(process), _END) else _STILL_THERE
        return _faults(session, process, codes)


def _refuses(platform: Desk, name: str, size: Size, language: str) -> str:
    with _started(platform, _UNUSABLE[name], size, language) as session:
        return _faults(session, session.process, frozenset({2}))


@contextmanager
def _started(platform: Desk, term: str, size: Size, language: str) -> Iterator[Session]:
    environ = {
        **platform.environ(),
        **NO_PROGRAMS,
        "TERM": term,
        "LC_ALL": language,
        "LANG": language,
    }
    address = f"{platform.base_url}/{platform.project}"
    with (
        tempfile.TemporaryDirectory() as folder,
        Session(address, home=Path(folder), environ=environ, size=size) as session,
    ):
        yield session


def _faults(session: Session, process: psutil.Process, codes: Collection[int]) -> str:
    began = time.monotonic()
    while not is_gone(process):
        if time.monotonic() - began > _END:
            return _STILL_THERE
        listen(session, 0.05)
    return "; ".join(end_faults(session, codes))


def _press(session: Session, *keys: str) -> None:
    """Press keys while the screen is read: a terminal whose buffers are full blocks both."""
    for key in keys:
        session.press(key)
        session.listen(0.002)


def _quit(session: Session, _: random.Random) -> None:
    """Resize it so that keys count, and leave."""
    session.resize(80, 24)
    listen(session, 0.5)
    _press(session, "\x03")
    listen(session, 0.3)
    if session.child.isalive():
        _press(session, "\x03")


def _resizes(session: Session, chance: random.Random) -> None:
    for _ in range(100):
        session.resize(chance.randint(1, 300), chance.randint(1, 100))
        listen(session, chance.random() * 0.03)
    _quit(session, chance)


def _flood(session: Session, chance: random.Random) -> None:
    for _ in range(40):
        _press(session, "".join(chance.choices(TYPED, k=50)))
    listen(session, 1.0)
    _quit(session, chance)


def _look(session: Session, chance: random.Random) -> None:
    look_for_stale_cells(session, chance)
    _quit(session, chance)


def _hurry(session: Session, _: random.Random) -> None:
    """Press Ctrl+C again and again, also when the terminal is given back."""
    for _time in range(300):
        _press(session, "\x03")


def _stop_and_continue(session: Session, chance: random.Random) -> None:
    """Stop it from outside, as a shell's job control does, and continue it."""
    process = session.process
    for _ in range(3):
        session.press("\x1a")
        listen(session, 0.3 + chance.random() * 0.3)
        is_stopped = process.status() == psutil.STATUS_STOPPED
        while session.listen(0.05):
            pass  # all that it wrote before
        if is_stopped and not session.terminal_is_itself():
            raise AssertionError("stopped, it did not give the terminal back")
        process.send_signal(signal.SIGCONT)
        listen(session, chance.random() * 0.5)
    _quit(session, chance)


def _paste(session: Session, chance: random.Random) -> None:
    _press(session, "/", "\x1b[200~")
    for _ in range(256):
        _press(session, "pasted \x1b[31m text\n" * 200)
    _press(session, "\x1b[201~")
    _quit(session, chance)


def _hang_up(session: Session, _: random.Random) -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, session.child.child_fd)  # the last descriptor of the terminal is closed
    os.close(nothing)


def _signals(number: int) -> Callable[[Session, random.Random], None]:
    return lambda session, _: session.child.kill(number)


ACTIONS: Final[dict[str, tuple[Collection[int], Callable[[Session, random.Random], None]]]] = {
    "Ctrl+C": (INTERRUPTED, _quit),
    "Ctrl+C again and again": (INTERRUPTED, _hurry),
    "stopped and continued": (INTERRUPTED, _stop_and_continue),
    "SIGTERM": ({143}, _signals(signal.SIGTERM)),
    "SIGHUP": ({129}, _signals(signal.SIGHUP)),
    "resizes": (INTERRUPTED, _resizes),
    "keys": (INTERRUPTED, _flood),
    "stale cells": (INTERRUPTED, _look),
    "paste of a megabyte": (INTERRUPTED, _paste),
    _GONE: ((), _hang_up),
}
"""Name -> exit codes that are right, and what is done."""
