"""The dashboard in a terminal, as several parts attack it: sizes, keys, and how it is left."""

from __future__ import annotations

import re
import time
from contextlib import contextmanager, suppress
from threading import Lock
from typing import TYPE_CHECKING, Final, NamedTuple

import psutil
from tests.support.session import KEYS

if TYPE_CHECKING:
    import random
    from collections.abc import Collection, Iterator

    from tests.support.session import Session

LANGUAGES: Final = ("C.UTF-8", "C")
TYPED: Final = (
    *"jkhlgGdv?/:1234567SBCD[]", *(typed for name, typed in KEYS.items() if name != "ctrl+c"),
)  # fmt: skip
"""Keys that write nothing, and those that answer what they open."""
NO_PROGRAMS: Final = {"VISUAL": "true", "EDITOR": "true", "PAGER": "true"}
"""Environment in which `v` opens no editor, which would take all further keys."""
INTERRUPTED: Final = frozenset({0, 130})
"""Exit codes after Ctrl+C; a second one may come when the terminal is given back."""
SCREEN_OFF: Final = "\x1b[?1049l"
_CURSOR_ON: Final = "\x1b[?25h"
_USUAL: Final = 0.1
"""Seconds after which a redraw is asked for: the key may have nothing to show."""
_REDRAW: Final = "\x0c"
"""Ctrl+L, which always shows something."""
_LIMIT: Final = 10.0
_AGE: Final = re.compile(r" *~?\d+[smhd]? *")
"""An age, or a count of requests, which is estimated after a while without responses."""
_WAITS: Final = "no response"
"""Words of the header, the first line, while the platform is stopped: their age moves others."""
_ONE_LOOKS: Final = Lock()
_LOOKS: Final = 10
_KEYS: Final = 8
"""Keys before each look."""
_PAUSE: Final = 0.1
_REST: Final = 6.0
"""Seconds without keys after which no toast is left, and nothing waits for a pause."""
_RESIZED: Final = 0.2
"""Chance that the terminal is resized before a look."""


class Size(NamedTuple):
    """The size of a terminal."""

    columns: int
    rows: int

    def __str__(self) -> str:
        return f"{self.columns}x{self.rows}"


def listen(session: Session, seconds: float) -> None:
    """Take all that comes for so long."""
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        session.listen(left)


def time_of_key(session: Session, key: str) -> float:
    """Return the seconds until the dashboard answered: the key, or a redraw 0.1 s after it."""
    while session.listen(0):
        pass
    began = time.monotonic()
    session.press(key)
    if not session.listen(_USUAL):
        session.press(_REDRAW)
        session.listen(_LIMIT)
    taken = time.monotonic() - began
    while session.listen(0.03):
        pass
    return taken


def leave(session: Session) -> list[str]:
    """Press Ctrl+C, again where a dialog takes it; return what is wrong with the end."""
    for _ in range(3):
        if session.child.isalive():
            session.press("\x03")
            listen(session, 0.5)
    return end_faults(session, INTERRUPTED)


def end_faults(session: Session, codes: Collection[int]) -> list[str]:
    """Read all that it wrote; return what is wrong with exit code, terminal and last words."""
    ended = session.end()
    if ended is None:
        ended = 128 + int(session.child.signalstatus or 0)
    faults = [] if ended in codes else [f"exit code {ended}"]
    if not session.terminal_is_itself():
        faults.append(f"the terminal was not restored: {session.written[-200:]!r}")
    # A log on the screen may have one, too; a VT100 has no other screen to leave.
    off = SCREEN_OFF if SCREEN_OFF in session.written else _CURSOR_ON
    last = session.written.rpartition(off)[2]
    if "Traceback" in last:
        faults.append(f"traceback: {last[-3000:]!r}")
    return faults


def look_for_stale_cells(session: Session, chance: random.Random) -> None:
    """Press keys and resize; raise AssertionError if drawing all again shows something else."""
    session.until(lambda text: text.strip())  # before, the terminal shows the keys itself
    for _ in range(_LOOKS):
        if chance.random() < _RESIZED:
            session.resize(chance.randint(60, 140), chance.randint(20, 50))
        for key in chance.choices(TYPED, k=_KEYS):
            session.press(key)
            listen(session, chance.random() * _PAUSE)
        if stale := _stale_lines(session):
            raise AssertionError("stale cells:\n" + "\n".join(stale))


@contextmanager
def _silent_platforms() -> Iterator[None]:
    """Let all platforms of this process answer nothing: what is drawn meanwhile is no news."""
    with _ONE_LOOKS:
        silenced: list[psutil.Process] = []
        try:
            for one in psutil.Process().children():
                with suppress(psutil.Error):  # it has ended meanwhile
                    if "emulator" in one.cmdline():
                        silenced.append(one)
                        one.suspend()
            yield
        finally:
            for one in silenced:
                with suppress(psutil.Error):
                    one.resume()


def _stale_lines(session: Session) -> list[str]:
    """Return the lines of which drawing all again changes a cell, other than an age."""
    listen(session, _REST)
    with _silent_platforms():
        session.settle(0.3)
        before, shown = session.screen.picture, list(session.screen.lines)
        session.press(_REDRAW)
        session.settle(0.3)
        after, drawn = session.screen.picture, list(session.screen.lines)
    return [
        f"{was}\n{now}"
        for line, (old, new, was, now) in enumerate(zip(before, after, shown, drawn, strict=True))
        if old != new
        and (line or _WAITS not in now)
        and (was == now or _AGE.sub("#", was) != _AGE.sub("#", now))
    ]
