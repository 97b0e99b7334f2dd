"""The cache on disk: what is put comes back, within its cap, whatever happens to the file."""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import sys
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from multiprocessing import get_context
from typing import TYPE_CHECKING

import pytest
from tests.support.clock import START, FakeClock

from platui.store.cache import EntryKey, StoredPage
from platui.store.logs import log_name
from platui.store.pages import PageStore

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

KEY = EntryKey("https://h.example", "abc", "GET projects?page=1")
PAGE = StoredPage(b'[{"id": 1}]', START, {"X-Next-Page": "2"}, '"tag"', settled=True)
MB = 1_000_000


_open: list[PageStore] = []


def opened(path: Path | None, max_bytes: int, clock: FakeClock) -> PageStore:
    """Open a store that is closed when the test ends."""
    _open.append(PageStore(path, max_bytes, clock))
    return _open[-1]


@pytest.fixture(autouse=True)
def _close_stores() -> Iterator[None]:
    yield
    while _open:
        _open.pop().close()


def key(number: int) -> EntryKey:
    """Return one of many keys."""
    return EntryKey(KEY.origin, KEY.fingerprint, f"GET {number}")


def page(size: int = 10_000, *, settled: bool = False) -> StoredPage:
    """Return an answer that does not compress."""
    return StoredPage(os.urandom(size), START, settled=settled)


def put_log(store: PageStore, project: int | str, job: int, log: bytes) -> None:
    """Keep a finished job's log."""
    store.put_log(log_name(KEY.origin, KEY.fingerprint, project, job), len(log), [log])


@pytest.fixture
def clock() -> FakeClock:
    """Return a clock that stands still."""
    return FakeClock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where the cache lies."""
    return tmp_path / "cache" / "pages.db"


@pytest.fixture(params=["disk", "memory"])
def store(request: pytest.FixtureRequest, path: Path, clock: FakeClock) -> PageStore:
    """Return a store on disk, and one in memory."""
    return opened(path if request.param == "disk" else None, MB, clock)


def test_an_answer_comes_back_as_it_was(store: PageStore) -> None:
    """Body, headers, tag, age and whether it is settled."""
    assert store.get(KEY) is None
    store.put(KEY, PAGE)
    assert store.get(KEY) == PAGE
    store.put(KEY, StoredPage(b"", START))
    assert store.get(KEY) == StoredPage(b"", START)


def test_answers_of_another_platform_or_credential_are_not_seen(store: PageStore) -> None:
    """The key has all three parts."""
    store.put(KEY, PAGE)
    for other in (
        EntryKey("https://else.example", KEY.fingerprint, KEY.name),
        EntryKey(KEY.origin, "xyz", KEY.name),
        EntryKey(KEY.origin, KEY.fingerprint, "GET else"),
    ):
        assert store.get(other) is None


def test_touching_renews_the_age_only(store: PageStore) -> None:
    """A 304 says that the answer still holds."""
    later = datetime(2026, 4, 1, tzinfo=UTC)
    store.put(KEY, PAGE)
    store.touch(KEY, PAGE.fetched_at, later)
    store.touch(key(5), PAGE.fetched_at, later)
    touched = store.get(KEY)
    assert touched is not None
    assert (touched.fetched_at, touched.body) == (later, PAGE.body)
    assert store.get(key(5)) is None


def test_touching_does_not_renew_an_older_answer(store: PageStore) -> None:
    """The one that was confirmed could not be stored, as another process was writing."""
    store.put(KEY, PAGE)
    moment = PAGE.fetched_at
    store.touch(KEY, moment + timedelta(seconds=1), moment + timedelta(seconds=60))
    kept = store.get(KEY)
    assert kept is not None
    assert kept.fetched_at == moment


def test_forgetting(store: PageStore) -> None:
    """One answer, one platform's logs or answers, all."""
    log = log_name(KEY.origin, KEY.fingerprint, 1, 2)
    other = EntryKey(KEY.origin, "xyz", KEY.name)
    for one in (KEY, key(1), other):
        store.put(one, PAGE)
    put_log(store, 1, 2, b"log")
    store.forget(KEY)
    assert (store.get(KEY), store.get(key(1))) == (None, PAGE)
    store.forget_logs("https://other.example")
    assert store.get_log(log) == b"log"
    store.forget_logs(KEY.origin)
    assert (store.get_log(log), store.get(other)) == (None, PAGE)
    store.forget_answers("https://other.example")
    assert store.get(other) == PAGE
    store.forget_answers(KEY.origin)
    assert (store.get(other), store.size()) == (None, 0)
    store.put(KEY, PAGE)
    store.forget_answers()
    assert (store.get(KEY), store.size(), store.problem) == (None, 0, "")


def test_what_is_on_disk_outlives_the_store(path: Path, clock: FakeClock) -> None:
    """The next run finds it, with its size."""
    first = opened(path, MB, clock)
    first.put(KEY, PAGE)
    size = first.size()
    first.close()
    second = opened(path, MB, clock)
    assert second.get(KEY) == PAGE
    assert second.size() == size > 0
    assert second.on_disk


def test_a_closed_store_is_quiet(path: Path, clock: FakeClock) -> None:
    """A thread that comes late at the end neither raises nor writes."""
    store = opened(path, MB, clock)
    store.close()
    store.put(KEY, PAGE)
    assert store.get(KEY) is None
    assert (store.size(), store.problem) == (0, "")


def test_logs_are_kept_compressed(store: PageStore) -> None:
    """A log of a megabyte takes much less room than its bytes would."""
    log = b"2026-03-14T03:12:00Z 00O run model\n" * 29_000
    put_log(store, "group/name", 7, log)
    assert store.get_log(log_name(KEY.origin, KEY.fingerprint, "group/name", 7)) == log
    assert store.get_log(log_name(KEY.origin, KEY.fingerprint, "group/name", 8)) is None
    assert store.size() < MB / 5
    store.forget_logs()
    assert store.size() == 0


def test_the_cap_holds_and_the_least_used_leave(store: PageStore, clock: FakeClock) -> None:
    """What was read lately stays, what nobody reads goes."""
    for number in range(80):
        store.put(key(number), page())
        clock.jump(3600)
    store.get(key(0))
    for number in range(80, 130):
        clock.jump(3600)
        store.get(key(0))
        store.put(key(number), page())
    assert store.size() <= MB
    assert store.get(key(0)) is not None
    assert store.get(key(1)) is None
    assert store.get(key(129)) is not None


def test_settled_answers_leave_last(store: PageStore, clock: FakeClock) -> None:
    """They never have to be asked for again, so they are worth more."""
    for number in range(150):
        store.put(key(number), page(settled=number < 20))
        clock.jump(600)
    assert store.size() <= MB
    assert all(store.get(key(number)) is not None for number in range(20))
    assert store.get(key(20)) is None


def test_a_cache_full_of_logs_still_takes_pages(store: PageStore, clock: FakeClock) -> None:
    """What comes now is not the first to leave."""
    for number in range(120):
        put_log(store, 1, number, os.urandom(10_000))
        clock.jump(60)
    clock.jump(7200)
    for number in range(10):
        store.put(key(number), page())
    assert all(store.get(key(number)) is not None for number in range(10))
    assert store.size() <= MB


def test_what_is_too_large_for_the_cap_is_not_kept(store: PageStore) -> None:
    """One entry must not drive out all others; an older one under its key is gone too."""
    store.put(KEY, PAGE)
    store.put(key(1), PAGE)
    store.put(KEY, page(400_000))
    assert store.get(KEY) is None
    assert store.get(key(1)) == PAGE


def test_a_lone_surrogate_in_a_name_is_no_fault(store: PageStore) -> None:
    """SQLite does not take one; a project's path from an odd place may have one."""
    put_log(store, "group/\ud800", 1, b"log")
    assert store.get_log(log_name(KEY.origin, KEY.fingerprint, "group/\ud800", 1)) == b"log"


def test_all_files_are_private(path: Path, clock: FakeClock) -> None:
    """The database, its WAL and its index; also where the file was open before."""
    path.parent.mkdir(parents=True)
    path.touch(mode=0o644)
    path.chmod(0o644)
    store = opened(path, MB, clock)
    store.put(KEY, PAGE)
    modes = {entry.name: entry.stat().st_mode & 0o777 for entry in path.parent.iterdir()}
    assert modes == {"pages.db": 0o600, "pages.db-wal": 0o600, "pages.db-shm": 0o600}


def test_a_file_that_is_no_database_is_moved_aside(path: Path, clock: FakeClock) -> None:
    """The store starts empty, and the odd file can be looked at."""
    path.parent.mkdir()
    path.write_bytes(b"no database at all" * 500)
    store = opened(path, MB, clock)
    store.put(KEY, PAGE)
    assert store.get(KEY) == PAGE
    assert (store.on_disk, store.problem) == (True, "")
    assert path.with_name("pages.db.damaged").read_bytes().startswith(b"no database")


def damaged(path: Path, clock: FakeClock) -> Path:
    """Make a file whose first page is whole and whose others are not."""
    store = opened(path, 10 * MB, clock)
    for number in range(200):
        store.put(key(number), page())
    store.close()
    with path.open("r+b") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(4096)
        file.write(os.urandom(size - 4096))
    return path


def test_a_damage_that_shows_later_heals_too(path: Path, clock: FakeClock) -> None:
    """It is found by the first read, not by the open."""
    store = opened(damaged(path, clock), 10 * MB, clock)
    assert [store.get(key(number)) for number in range(200)] == [None] * 200
    store.put(KEY, PAGE)
    assert store.get(KEY) == PAGE
    assert (store.on_disk, store.problem) == (True, "")


def test_two_processes_heal_one_damaged_file_once(path: Path, clock: FakeClock) -> None:
    """The second finds the first one's new file and does not throw it away."""
    damaged(path, clock)
    one, two = opened(path, MB, clock), opened(path, MB, clock)
    assert one.get(key(1)) is None
    one.put(KEY, PAGE)
    assert two.get(KEY) == PAGE
    assert two.problem == ""


@pytest.mark.parametrize("version", [0, 99])
def test_another_schema_is_made_anew(path: Path, clock: FakeClock, version: int) -> None:
    """It is a cache: older and newer ones are emptied, not migrated."""
    path.parent.mkdir()
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE entries (other TEXT)")
    connection.execute('CREATE TABLE "odd ""name" (other TEXT)')
    connection.execute(f"PRAGMA user_version = {version}")
    connection.commit()
    connection.close()
    store = opened(path, MB, clock)
    store.put(KEY, PAGE)
    assert store.get(KEY) == PAGE
    assert store.on_disk


def test_a_damaged_entry_is_not_there(path: Path, clock: FakeClock) -> None:
    """A body that does not unpack, or a note that is no JSON, is asked for again."""
    store = opened(path, MB, clock)
    for statement in (
        "UPDATE entries SET body = x'0102'",
        "UPDATE entries SET body = 'text'",
        "UPDATE entries SET about = '{'",
        "UPDATE entries SET fetched_at = 1e300",
    ):
        store.put(KEY, PAGE)
        connection = sqlite3.connect(path)
        connection.execute(statement)
        connection.commit()
        connection.close()
        assert store.get(KEY) is None
    assert store.size() == 0


def test_a_place_that_cannot_be_written_leaves_memory(path: Path, clock: FakeClock) -> None:
    """A file where the folder should be: the store works for this run and says why."""
    path.parent.write_text("")
    store = opened(path, MB, clock)
    store.put(KEY, PAGE)
    assert store.get(KEY) == PAGE
    assert not store.on_disk
    assert store.problem.startswith("Nothing is cached on disk: ")


def test_a_full_disk_leaves_memory(path: Path, clock: FakeClock) -> None:
    """SQLite says that it is full: what comes after is kept in memory."""
    store = opened(path, 10 * MB, clock)
    store._database._connection.execute("PRAGMA max_page_count = 20")
    for number in range(20):
        store.put(key(number), page(20_000))
    assert store.problem == "Nothing is cached on disk: database or disk is full."
    assert store.get(key(19)) is not None


def test_a_busy_file_is_a_miss_and_not_a_fault(
    path: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process's long write makes the cache miss, no more."""
    monkeypatch.setattr("platui.store.database._PATIENCE", 0.01)
    store = opened(path, MB, clock)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    store.put(KEY, PAGE)
    assert store.get(KEY) is None
    other.execute("COMMIT")
    other.close()
    store.put(KEY, PAGE)
    assert store.get(KEY) == PAGE
    assert (store.on_disk, store.problem) == (True, "")


def test_threads_share_one_store(path: Path, clock: FakeClock) -> None:
    """The service calls it through whatever thread is free."""
    store = opened(path, MB, clock)
    threads = [
        threading.Thread(target=lambda n=number: store.put(key(n), PAGE)) for number in range(16)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(store.get(key(number)) == PAGE for number in range(16))


def test_processes_share_one_file(path: Path) -> None:
    """Opened at once on an empty place, written at once: nothing is lost, the count is right."""
    code = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from platui.core.clock import SystemClock
from platui.store.cache import EntryKey, StoredPage
from platui.store.pages import PageStore
store = PageStore(Path(sys.argv[1]), 1_000_000, SystemClock())
for number in range(50):
    key = EntryKey("o", "f", f"{sys.argv[2]} {number}")
    store.put(key, StoredPage(b"x" * 100, datetime.now(UTC)))
print(store.problem, end="")
"""
    running = [
        subprocess.Popen([sys.executable, "-c", code, path, str(number)], stdout=subprocess.PIPE)
        for number in range(3)
    ]
    assert [process.communicate()[0] for process in running] == [b"", b"", b""]
    store = opened(path, MB, FakeClock())
    for process in range(3):
        for number in range(50):
            assert store.get(EntryKey("o", "f", f"{process} {number}")) is not None
    actual = store._database._connection.execute("SELECT SUM(size) FROM entries").fetchone()[0]
    assert store.size() == actual


def test_the_cap_holds_while_four_processes_write(path: Path) -> None:
    """On the disk, with short logs among the answers and long ones beside them."""
    cap, long = 5_000_000, 1_100_000

    def work(process: int) -> None:
        noise = random.Random(process)
        store = opened(path, cap, FakeClock())
        for number in range(8):
            key = KEY._replace(name=f"{process} {number}")
            store.put(key, replace(PAGE, body=noise.randbytes(200_000)))
            store.put_log(
                log_name("o", "f", "a/b", process * 100 + number), long, [noise.randbytes(long)]
            )
        store.close()

    path.parent.mkdir()
    context = get_context("fork")
    processes = [context.Process(target=work, args=(one,)) for one in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    assert [process.exitcode for process in processes] == [0] * 4
    # What one log takes may be there twice where two make room at the same time.
    files = [one for one in path.parent.rglob("*") if one.is_file() and one.suffix != ".db-shm"]
    assert sum(one.stat().st_size for one in files) < cap + 4 * long
    with_more = opened(path, cap, FakeClock())
    assert with_more.size() > cap / 3
    with_more.trim()
    assert with_more.size() <= cap
    with_more.close()
