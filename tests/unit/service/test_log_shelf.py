"""What of a finished log is written to the disk, and when."""

from __future__ import annotations

from typing import Any

from platui.logs.spool import LogSpool
from platui.service.logs.job_logs import KeptLog


class Shelf:
    """A shelf that counts what is put on it."""

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.spool: LogSpool | None = None

    async def get(self, project: object, job: int) -> LogSpool | None:
        """Return what is kept."""
        del project, job
        return self.spool

    def put(self, project: object, job: int, spool: LogSpool) -> None:
        """Take note."""
        del project, job
        self.sizes.append(spool.size)


def _spool(data: bytes) -> LogSpool:
    spool = LogSpool()
    spool.append(data)
    return spool


async def test_a_log_is_written_once_and_again_when_it_grew() -> None:
    """To look again at a log that has ended costs the disk nothing."""
    shelf: Any = Shelf()
    kept, spool = KeptLog(shelf, "acme/etl", 1), _spool(b"one\n")
    kept.put(spool)
    kept.put(spool)
    assert shelf.sizes == [4]
    spool.append(b"two\n")
    kept.put(spool)
    kept.put(_spool(b"one\ntwo\n"))
    assert shelf.sizes == [4, 8, 8]


async def test_what_was_kept_is_not_written_again() -> None:
    """It lies there."""
    shelf: Any = Shelf()
    shelf.spool = _spool(b"one\n")
    kept = KeptLog(shelf, "acme/etl", 1)
    spool = await kept.get()
    assert spool is not None
    kept.put(spool)
    assert shelf.sizes == []
