"""What of a finished log is written to the disk, and when."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from platui.logs.spool import LogSpool
from platui.service.logs.job_logs import CachedLog
from platui.store.cache import EntryKey

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

NAME = EntryKey("https://h.example", "abc", "acme/etl 1")


class Shelf:
    """A store that counts what is put into it, written at once or when it is told."""

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.log: bytes | None = None
        self.later: list[Callable[[], object]] | None = None

    def get_log(self, name: EntryKey) -> bytes | None:
        """Return what is kept."""
        assert name == NAME
        return self.log

    def log_fetched_at(self, name: EntryKey) -> datetime | None:
        """Return that it is unknown."""
        assert name == NAME
        return None

    def put_log(self, name: EntryKey, size: int, pieces: Iterable[bytes]) -> None:
        """Take note."""
        assert name == NAME
        assert len(b"".join(pieces)) == size
        self.sizes.append(size)

    def forget_log(self, name: EntryKey) -> None:
        """Take note."""
        assert name == NAME
        self.sizes.append(0)

    def write(self, work: Callable[[], object]) -> None:
        """Do what is to be done in the background."""
        if self.later is None:
            work()
        else:
            self.later.append(work)


def _kept_on(shelf: Any, unwritten: dict[EntryKey, LogSpool] | None = None) -> CachedLog:
    return CachedLog(shelf, shelf, lambda: NAME, {} if unwritten is None else unwritten)


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


async def test_what_is_not_written_yet_is_known() -> None:
    """A log that is opened again at once, or while a long one is written, is not requested."""
    shelf = Shelf()
    shelf.later = []
    unwritten: dict[EntryKey, LogSpool] = {}
    first, again = _kept_on(shelf, unwritten), _kept_on(shelf, unwritten)
    spool = _spool(b"one\n")
    first.put(spool)
    found = await again.get()
    assert found is not None
    spool.append(b"two\n")
    assert found.read(0, 99) == b"one\n"
    again.put(found)
    assert len(shelf.later) == 1
    shelf.later[0]()
    assert shelf.sizes == [4]
    assert not unwritten


async def test_an_erased_log_is_forgotten_although_it_is_not_written_yet() -> None:
    """What follows in the background leaves nothing."""
    shelf = Shelf()
    shelf.later = []
    unwritten: dict[EntryKey, LogSpool] = {}
    kept = _kept_on(shelf, unwritten)
    kept.put(_spool(b"one\n"))
    kept.put(LogSpool())
    assert await kept.get() is None
    for work in shelf.later:
        work()
    assert shelf.sizes == [4, 0]
    assert not unwritten


async def test_an_erased_log_is_gone_before_the_disk_was_written() -> None:
    """It is opened again while the background is busy."""
    shelf = Shelf()
    shelf.log, shelf.later = b"one\n", []
    kept = _kept_on(shelf, {})
    assert await kept.get() is not None
    kept.put(LogSpool())
    assert await kept.get() is None
