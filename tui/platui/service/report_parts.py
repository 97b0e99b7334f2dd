"""Files among the reports that are not whole yet; what a process left that was killed is swept."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from io import BufferedWriter
    from pathlib import Path

_STALE: Final = 24 * 3600.0
"""Seconds after which a part that nobody finished is nobody's: its process was killed."""


def part_in(folder: Path) -> Path:
    """Return a name for a part; there is no file of it yet."""
    return folder / f".{os.urandom(6).hex()}.part"


def open_part(part: Path) -> BufferedWriter:
    """Make a part that only its owner reads, its folder too; those that were left go.

    Raises:
        OSError: the folder does not take it.
    """
    part.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    sweep_parts(part.parent)
    return os.fdopen(
        os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "wb"
    )


def sweep_parts(folder: Path) -> None:
    """Remove the parts that nobody finishes any more."""
    for left in folder.glob(".*.part"):
        with suppress(OSError):  # another process sweeps too
            if time.time() - left.stat().st_mtime > _STALE:
                left.unlink()
