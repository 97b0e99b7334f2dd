"""The dashboard in terminals of every kind and size, under keys, resizes, signals and a hang-up."""

from __future__ import annotations

import os
import random
import signal
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import psutil
from tests.attack.cases import Case
from tests.support.processes import emulator_process
from tests.support.session import KEYS, Session

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.support.processes import Desk

_TERMS: Final = (
    "xterm-256color", "screen-256color", "tmux-256color", "linux", "vt100", "dumb", "",
)  # fmt: skip
_UNUSABLE: Final = frozenset({"dumb", ""})
_SIZES: Final = ((5, 2), (20, 5), (80, 24), (120, 40), (300, 100))
_LANGUAGES: Final = ("C.UTF-8", "C")
TYPED: Final = (
    *"jkhlgGdv?/:1234567SBCD[]", *(typed for name, typed in KEYS.items() if name != "ctrl+c"),
)  # fmt: skip
"""Keys that write nothing, and those that answer what they open."""
_END: Final = 5.0
"""Seconds within which it ends on a machine that is busy with other attacks."""


def cases(_: int, __: float) -> Iterator[list[Case]]:
    """Yield the cases; the platform runs until the generator is closed."""
    with emulator_process("--speed", "0", "--rate-limit", "100000") as platform:
        yield [
            Case(
                f"{action} × {term or 'no TERM'} × {size[0]}x{size[1]} × {language}",
                partial(_survives, platform, action, term, size, language),
            )
            for action in ACTIONS
            for term in _TERMS
            for size in _SIZES
            for language in _LANGUAGES
        ]


def _survives(platform: Desk, action: str, term: str, size: tuple[int, int], language: str) -> str:
    codes, act = ACTIONS[action]
    environ = {**platform.environ(), "TERM": term, "LC_ALL": language, "LANG": language}
    chance = random.Random(f"{action}{term}{size}{language}")
    with (
        tempfile.TemporaryDirectory() as folder,
        Session(
            f"{platform.base_url}/{platform.project}",
            home=Path(folder), environ=environ, size=size,
        ) as session,
    ):  # fmt: skip
        process = psutil.Process(session.child.pid)
        if term in _UNUSABLE:
            codes = {2}
        else:
            _listen(session, 0.3 + 2 * chance.random())
            act(session, chance)
        return _faults(session, process, codes, is_gone=action == "terminal gone")


def _faults(session: Session, process: psutil.Process, codes: set[int], *, is_gone: bool) -> str:
    began = time.monotonic()
    while process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
        if time.monotonic() - began > _END:
            return f"still there after {_END:.0f} s"
        _listen(session, 0.05, is_gone=is_gone)
    if is_gone:
        return ""
    faults = []
    session.end()  # all that it wrote is read
    ended = session.child.exitstatus
    if ended is None:
        ended = 128 + int(session.child.signalstatus or 0)
    if ended not in codes:
        faults.append(f"exit code {ended}")
    if not session.terminal_is_itself():
        faults.append(f"the terminal was not restored: {session.written[-200:]!r}")
    if "Traceback" in session.written:
        faults.append(f"traceback: {session.written[-3000:]!r}")
    return "; ".join(faults)


def _listen(session: Session, seconds: float, *, is_gone: bool = False) -> None:
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        if is_gone:
            time.sleep(left)
        else:
            session.listen(left)


def _press(session: Session, *keys: str) -> None:
    """Press keys while the screen is read: a terminal whose buffers are full blocks both."""
    for key in keys:
        session.press(key)
        session.listen(0.002)


def _quit(session: Session, _: random.Random) -> None:
    """Resize it so that keys count, and leave."""
    session.resize(80, 24)
    _listen(session, 0.5)
    _press(session, "\x03")
    _listen(session, 0.3)
    if session.child.isalive():
        _press(session, "\x03")


def _resizes(session: Session, chance: random.Random) -> None:
    for _ in range(100):
        session.resize(chance.randint(1, 300), chance.randint(1, 100))
        _listen(session, chance.random() * 0.03)
    _quit(session, chance)


def _flood(session: Session, chance: random.Random) -> None:
    for _ in range(40):
        _press(session, "".join(chance.choices(TYPED, k=50)))
    _listen(session, 1.0)
    _quit(session, chance)


def _hurry(session: Session, _: random.Random) -> None:
    """Press Ctrl+C again and again, also when the terminal is given back."""
    for _time in range(300):
        _press(session, "\x03")


def _stop_and_continue(session: Session, chance: random.Random) -> None:
    """Stop it from outside, as a shell's job control does, and continue it."""
    process = psutil.Process(session.child.pid)
    for _ in range(3):
        session.press("\x1a")
        _listen(session, 0.3 + chance.random() * 0.3)
        is_stopped = process.status() == psutil.STATUS_STOPPED
        while session.listen(0.05):
            pass  # all that it wrote before
        if is_stopped and not session.terminal_is_itself():
            raise AssertionError("stopped, it did not give the terminal back")
        process.send_signal(signal.SIGCONT)
        _listen(session, chance.random() * 0.5)
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


_LEFT: Final = {0, 130}
"""Ctrl+C for a second time may come when the terminal is given back."""

ACTIONS: Final[dict[str, tuple[set[int], Callable[[Session, random.Random], None]]]] = {
    "Ctrl+C": (_LEFT, _quit),
    "Ctrl+C again and again": (_LEFT, _hurry),
    "stopped and continued": (_LEFT, _stop_and_continue),
    "SIGTERM": ({143}, _signals(signal.SIGTERM)),
    "SIGHUP": ({129}, _signals(signal.SIGHUP)),
    "resizes": (_LEFT, _resizes),
    "keys": (_LEFT, _flood),
    "paste of a megabyte": (_LEFT, _paste),
    "terminal gone": (set(), _hang_up),
}
"""Name -> exit codes that are right, and what is done."""
