"""What of a finished log is written to the disk, and when."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from platui.logs.spool import LogSpool
from platui.service.logs.job_logs import CachedLog
from platui.store.cache import EntryKey

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

NAME = EntryKey("https://h.example", "abc", "acme/etl 1")


class Shelf:
    """A store that counts what is put into it, written at once."""

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.log: bytes | None = None

    def get_log(self, name: EntryKey) -> bytes | None:
        """Return what is kept."""
        assert name == NAME
        return self.log

    def put_log(self, name: EntryKey, size: int, pieces: Iterable[bytes]) -> None:
        """Take note."""
        assert name == NAME
        assert len(b"".join(pieces)) == size
        self.sizes.append(size)

    def write(self, work: Callable[[], object]) -> None:
        """Do what is to be done in the background."""
        work()


def _kept_on(shelf: Any) -> CachedLog:
    return CachedLog(shelf, shelf, lambda: NAME)


def _spool(data: bytes) -> LogSpool:
    spool = LogSpool()
    spool.append(data)
    return spool


async def test_a_log_is_written_once_and_again_when_it_grew() -> None:
    """To look again at a log that has ended costs the disk nothing."""
    shelf = Shelf()
    kept, spool = _kept_on(shelf), _spool(b"one\n")
    kept.put(spool)
    kept.put(spool)
    assert shelf.sizes == [4]
    spool.append(b"two\n")
    kept.put(spool)
    kept.put(_spool(b"one\ntwo\n"))
    assert shelf.sizes == [4, 8, 8]


async def test_what_was_kept_is_not_written_again() -> None:
    """It lies there."""
    shelf = Shelf()
    shelf.log = b"one\n"
    kept = _kept_on(shelf)
    spool = await kept.get()
    assert spool is not None
    kept.put(spool)
    assert shelf.sizes == []
