"""Advisory file locks between processes, with a timeout."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def lock(descriptor: int, timeout: float, *, shared: bool = False) -> Iterator[bool]:
    """Hold the lock of an open file for the block; yield False if not acquired after `timeout`."""
    acquired = acquire(descriptor, timeout, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)
    try:
        yield acquired
    finally:
        if acquired:
            with contextlib.suppress(OSError):  # As in `acquire`
                fcntl.flock(descriptor, fcntl.LOCK_UN)


@contextlib.contextmanager
def lock_beside(path: Path, timeout: float) -> Iterator[bool]:
    """Hold a lock for `path`, on a file beside it because `path` itself is replaced."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(path.with_name(f".{path.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        with lock(descriptor, timeout) as acquired:
            yield acquired
    finally:
        os.close(descriptor)


def acquire(descriptor: int, timeout: float = 0.0, kind: int = fcntl.LOCK_EX) -> bool:
    """Acquire the lock of an open file; return False if another process holds it."""
    deadline = time.monotonic() + timeout
    while True:
        try:
            fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(0.001)
        except OSError:
            # Some network file systems do not support locks.
            return True
        else:
            return True
