"""Where the bytes of a spool lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from platui.logs.spool import LogSpool


def in_memory(spool: LogSpool) -> int:
    """Return how many bytes of a spool are in memory, and not in a file."""
    return len(spool._memory)
