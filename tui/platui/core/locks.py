"""Locks between processes that never stop a program: patience ends, work goes on."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextlib.contextmanager
def lock(descriptor: int, patience: float, *, shared: bool = False) -> Iterator[bool]:
    """Hold the open file's lock inside the block; yields whether it was got.

    Locks are advisory and end with the process. A process that was stopped in the middle holds its
    own for as long as it likes, which is why nobody waits for ever. `patience` is in seconds.
    """
    got = acquire(descriptor, patience, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)
    try:
        yield got
    finally:
        if got:
            fcntl.flock(descriptor, fcntl.LOCK_UN)


@contextlib.contextmanager
def lock_beside(path: Path, patience: float) -> Iterator[bool]:
    """Hold a lock for `path`, which is replaced while it is held: on a file beside it.

    Raises OSError: the folder cannot be made or written.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(path.with_name(f".{path.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        with lock(descriptor, patience) as got:
            yield got
    finally:
        os.close(descriptor)


def acquire(descriptor: int, patience: float = 0.0, kind: int = fcntl.LOCK_EX) -> bool:
    """Take the lock of an open file, which ends with it; return False where another has it."""
    deadline = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(0.001)
        except OSError:
            # Some network file systems know no locks, so that nobody can have it.
            return True
        else:
            return True
