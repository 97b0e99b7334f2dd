"""What nobody needs any more goes by its age: left by processes that were killed, or long unused.

Only in platui's own folders, and there only what has a name that platui gave it. What a person
said (acknowledgements, notes, tokens), the audit log and whole reports have no age.
"""

from __future__ import annotations

import contextlib
import os
import re
import time
from typing import TYPE_CHECKING, Final

from platui.core.paths import cache_dir, config_dir, data_dir, state_dir
from platui.store.inventory import files_in, is_aside

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_DAY: Final = 86_400.0

PART_DAYS: Final = 1
"""Of a file that was being written when its process was killed."""
PLACE_DAYS: Final = 90
"""Of the rows of a last visit, since that visit."""
SENT_DAYS: Final = 400
"""Of what was sent with one profile, since the last time."""
COPIED_DAYS: Final = 7
DAMAGED_DAYS: Final = 180

_PART: Final = re.compile(r"\..+\.[0-9a-f]{12}")
"""A file beside the one that it was to replace."""


def is_due(now: float | None = None) -> bool:
    """Return whether nobody has swept today; from now on somebody has.

    `now` is in Unix seconds of the machine, which file systems note.
    """
    now = time.time() if now is None else now
    stamp = state_dir() / ".swept"
    try:
        if 0 <= now - stamp.stat().st_mtime < _DAY:
            return False
    except FileNotFoundError:
        pass
    except OSError:
        return False  # nothing that could be swept either
    try:
        stamp.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(stamp, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600))
        os.utime(stamp, (now, now))
    except OSError:
        return False
    return True


def sweep(now: float | None = None) -> list[Path]:
    """Remove what is too old; returns what went. It takes as long as listing the folders."""
    now = time.time() if now is None else now
    gone = []
    for path, days in _aging():
        with contextlib.suppress(OSError):  # another process sweeps too, or it is not ours to
            state = path.lstat()
            # When it got this name counts, too: what is put aside is as old as it was.
            if now - max(state.st_mtime, state.st_ctime) > days * _DAY:
                path.unlink()
                gone.append(path)
    return gone


def _aging() -> Iterator[tuple[Path, int]]:
    state = state_dir()
    for folder in (state, cache_dir(), data_dir() / "reports", config_dir() / "credentials"):
        for path in files_in(folder):
            if _PART.fullmatch(path.name):
                yield path, PART_DAYS
            elif is_aside(path):
                yield path, DAMAGED_DAYS
    yield from ((path, PART_DAYS) for path in config_dir().glob(".config.toml.*")
                if _PART.fullmatch(path.name))  # fmt: skip
    for name in ("places", "homes", "boards"):
        yield from ((path, PLACE_DAYS) for path in (state / name).glob("*.json"))
    yield from ((path, SENT_DAYS) for path in (state / "sent").glob("*.json"))
    yield state / "copied.txt", COPIED_DAYS
