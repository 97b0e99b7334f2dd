"""Whatever becomes of a file: the store goes on, says so, and loses nothing that lasts."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import re
import resource
import signal
import sqlite3
import time
from multiprocessing import get_context
from typing import TYPE_CHECKING

import pytest
from tests.support.stores import (
    AUDIT,
    DOCUMENTS,
    PAGES,
    QUOTA,
    STORES,
    Store,
    in_process,
)

from platui.store import document
from platui.store.database import Database

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.synchronize import Event
    from pathlib import Path

    Damage = Callable[[Path], None]


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _cut(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])


def _garbage(path: Path) -> None:
    path.write_bytes(bytes(range(256)) * (path.stat().st_size // 256 + 4))


def _other_shape(path: Path) -> None:
    if path.suffix != ".json":
        path.write_bytes(b"[7]\n{}\n")
        return
    written = json.loads(path.read_bytes())
    path.write_text(json.dumps({**dict.fromkeys(written, 7), "version": [1]}))


def _null(path: Path) -> None:
    path.write_bytes(b"null")


def _deep(path: Path) -> None:
    path.write_bytes(b"[" * 100_000)


PART = re.compile(r"\..+\.[0-9a-f]{12}")
"""What a file is called while it is written."""

DAMAGES = [_empty, _cut, _garbage, _other_shape, _null, _deep]


def _filled(store: Store, folder: Path) -> Path:
    """Put two numbers into a store; returns its file."""
    for number in (1, 2):
        store.add(folder, number, lambda _: None)
    return store.file(folder)


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("store", STORES, ids=lambda one: one.name)
def test_a_damaged_file_is_put_aside_and_the_store_goes_on(
    tmp_path: Path, store: Store, damage: Damage
) -> None:
    """What lasts is as it was before its last change; the file can be looked at."""
    path = _filled(store, tmp_path)
    damage(path)
    damaged, said = path.read_bytes(), list[str]()
    assert store.numbers(tmp_path, said.append) <= {1, 2}
    store.add(tmp_path, 3, said.append)
    found = store.numbers(tmp_path, said.append)
    assert 3 in found
    asides = list(tmp_path.glob("*.damaged"))
    if store in DOCUMENTS:
        assert found == {1, 3}
    if store in {AUDIT, QUOTA} or (store is PAGES and not damaged):
        assert not asides  # what cannot be read of them is passed over
        assert damaged in path.read_bytes() or store is QUOTA
        return
    assert damaged in [one.read_bytes() for one in asides] or store is PAGES
    assert any(one.name in text for one in asides for text in said)


@pytest.mark.parametrize("store", DOCUMENTS, ids=lambda one: one.name)
def test_a_full_disk_costs_no_more_than_the_damage_did(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The damaged file stays until its backup can be written in its place."""
    path = _filled(store, tmp_path)
    _garbage(path)
    damaged = path.read_bytes()

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(document, "write_private", full)
        for _ in range(2):
            assert store.numbers(tmp_path, lambda _: None) == {1}
            assert path.read_bytes() == damaged
    assert store.numbers(tmp_path, lambda _: None) == {1}
    store.add(tmp_path, 3, lambda _: None)
    assert store.numbers(tmp_path, lambda _: None) == {1, 3}
    assert [one.read_bytes() for one in tmp_path.glob("*.damaged")] == [damaged]


@pytest.mark.parametrize("store", [one for one in STORES if one not in {AUDIT, QUOTA}],
                         ids=lambda one: one.name)  # fmt: skip
def test_what_is_of_a_newer_platui_is_not_written_over(tmp_path: Path, store: Store) -> None:
    """The cache begins another file; the others hold for this run what is said now."""
    path, said = _filled(store, tmp_path), list[str]()
    if store is PAGES:
        with sqlite3.connect(path) as connection:
            connection.execute("CREATE TABLE later (x)")
            connection.execute("PRAGMA user_version = 99")
        connection.close()
        store.add(tmp_path, 3, said.append)
        assert store.numbers(tmp_path, said.append) == {3}
        with sqlite3.connect(tmp_path / "pages.sqlite3.v99") as connection:
            assert connection.execute("SELECT COUNT(*) FROM entries").fetchone() == (2,)
        connection.close()
    else:
        newer = json.dumps({**json.loads(path.read_bytes()), "version": 99}).encode()
        path.write_bytes(newer)
        assert store.numbers(tmp_path, said.append) == set()
        try:
            store.add(tmp_path, 3, said.append)
        except OSError:  # as its callers expect
            assert store in {*STORES} - {*DOCUMENTS}
        assert path.read_bytes() == newer
        assert not list(tmp_path.glob("*.damaged"))
    if store.name != "triage":  # which has its board say so
        assert any("newer" in text or "another version" in text for text in said)


@pytest.mark.parametrize("store", STORES, ids=lambda one: one.name)
def test_a_folder_in_the_place_of_a_file_costs_no_more_than_the_memory(
    tmp_path: Path, store: Store
) -> None:
    """It is nobody's to remove."""
    path = _filled(store, tmp_path)
    path.unlink()
    (path / "inside").mkdir(parents=True)
    _tries(store, tmp_path)
    assert (path / "inside").is_dir()


@pytest.mark.parametrize("store", STORES, ids=lambda one: one.name)
def test_a_link_in_the_place_of_a_file_is_followed(tmp_path: Path, store: Store) -> None:
    """What lies elsewhere is taken, and stays there."""
    path = _filled(store, tmp_path)
    elsewhere = tmp_path / "elsewhere"
    path.rename(elsewhere)
    path.symlink_to(elsewhere)
    store.add(tmp_path, 3, lambda _: None)
    assert store.numbers(tmp_path, lambda _: None) == ({1, 2, 3} if store.holds_many else {3})
    assert not list(tmp_path.glob("*.damaged"))
    assert elsewhere.exists()


def test_a_disk_that_is_full_leaves_what_was_there(tmp_path: Path) -> None:
    """Nothing is half written, and nothing raised that its callers do not know."""
    for store in STORES:
        _filled(store, _folder(tmp_path, store))

    def on_a_full_disk() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (8, 8))
        for store in STORES:
            _tries(store, _folder(tmp_path, store))

    assert in_process(on_a_full_disk) == 0
    for store in STORES:
        folder = _folder(tmp_path, store)
        assert store.numbers(folder, lambda _: None) >= ({1, 2} if store.holds_many else {2})
        assert not [one for one in folder.iterdir() if PART.fullmatch(one.name)]


@pytest.mark.skipif(os.geteuid() != 0, reason="becomes somebody else")
def test_what_may_not_be_read_or_written_is_left_alone(tmp_path: Path) -> None:
    """Files of another's, in folders of another's."""
    before = {}
    for store in STORES:
        path = _filled(store, _folder(tmp_path, store))
        path.chmod(0)
        path.parent.chmod(0o555)
        before[store.name] = path.read_bytes()
    for folder in (tmp_path, *tmp_path.parents[:-2]):
        folder.chmod(0o755)

    def as_somebody() -> None:
        os.setuid(65534)
        for store in STORES:
            _tries(store, _folder(tmp_path, store))

    assert in_process(as_somebody) == 0
    for store in STORES:
        assert store.file(_folder(tmp_path, store)).read_bytes() == before[store.name]


def _folder(parent: Path, store: Store) -> Path:
    folder = parent / store.name
    folder.mkdir(exist_ok=True)
    return folder


def _tries(store: Store, folder: Path) -> None:
    """Use a store that cannot be used: it may raise what its callers know, and nothing else."""
    for try_ in (lambda: store.numbers(folder, _unheard), lambda: store.add(folder, 3, _unheard)):
        try:
            try_()
        except OSError:
            assert store.name in {"audit", "places", "boards", "visited"}


def _unheard(_: str) -> None:
    """Listen to nothing."""


@pytest.mark.parametrize("store", DOCUMENTS, ids=lambda one: one.name)
def test_a_process_that_stands_still_takes_nothing_away(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It holds the lock: what it would write later must not be written over, nor write over."""
    monkeypatch.setattr(document, "_PATIENCE", 0.02)
    before = _filled(store, tmp_path).read_bytes()
    (lock,) = tmp_path.glob(".*.lock")
    with lock.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        store.add(tmp_path, 3, _unheard)
        assert store.file(tmp_path).read_bytes() == before
        assert store.numbers(tmp_path, _unheard) == {1, 2}
    store.add(tmp_path, 4, _unheard)
    assert store.numbers(tmp_path, _unheard) == {1, 2, 4}


@pytest.mark.parametrize("statement", [
    "DROP TABLE total", "DELETE FROM total", "UPDATE total SET bytes = 'x'",
    "ALTER TABLE entries RENAME TO others", "UPDATE entries SET used_at = 'x'",
    "UPDATE entries SET body = 7", "UPDATE entries SET about = '[1, 2]'",
    "UPDATE entries SET fetched_at = 'x'", "UPDATE entries SET about = NULL WHERE 0",
])  # fmt: skip
def test_a_cache_that_is_whole_and_none_of_ours_is_begun_anew(
    tmp_path: Path, statement: str
) -> None:
    """SQLite finds nothing wrong with it."""
    path = _filled(PAGES, tmp_path)
    with sqlite3.connect(path, isolation_level=None) as connection:
        connection.execute(statement)
    connection.close()
    assert PAGES.numbers(tmp_path, _unheard) <= {1, 2}
    PAGES.add(tmp_path, 3, _unheard)
    assert 3 in PAGES.numbers(tmp_path, _unheard)


def test_a_cache_that_another_process_has_for_itself_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And is there again afterwards."""
    monkeypatch.setattr("platui.store.database._PATIENCE", 0.01)
    path, said = _filled(PAGES, tmp_path), list[str]()
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    connection.execute("BEGIN EXCLUSIVE")
    PAGES.add(tmp_path, 3, said.append)
    connection.execute("COMMIT")
    connection.close()
    assert PAGES.numbers(tmp_path, said.append) == {1, 2}
    assert not list(tmp_path.glob("*.damaged"))
    assert any("Nothing is cached on disk" in text for text in said)


@pytest.mark.parametrize(
    "store", [one for one in STORES if one.holds_many], ids=lambda one: one.name
)
def test_four_processes_lose_nothing_of_each_other(tmp_path: Path, store: Store) -> None:
    """Fifty numbers each, as fast as they can."""

    def fifty(first: int) -> None:
        for number in range(first, first + 50):
            store.add(tmp_path, number, _fail)

    context = get_context("fork")
    processes = [context.Process(target=fifty, args=(first,)) for first in (0, 50, 100, 150)]
    for one in processes:
        one.start()
    for one in processes:
        one.join(60)
    assert [one.exitcode for one in processes] == [0] * 4
    assert store.numbers(tmp_path, _fail) == set(range(200))


def test_processes_that_start_at_once_share_a_new_cache(tmp_path: Path) -> None:
    """SQLite refuses some of those that open a file for the first time, without waiting."""
    context = get_context("fork")
    for turn in range(20):
        path, go = tmp_path / f"{turn}.db", context.Event()

        def open_new(path: Path = path, go: Event = go) -> None:
            go.wait()
            Database(path, "CREATE TABLE entries (one)", 1, _fail).close()

        processes = [context.Process(target=open_new) for _ in range(6)]
        for one in processes:
            one.start()
        go.set()
        for one in processes:
            one.join(60)
        assert [one.exitcode for one in processes] == [0] * 6


def _fail(sentence: str) -> None:
    raise AssertionError(sentence)


@pytest.mark.parametrize("store", STORES, ids=lambda one: one.name)
def test_a_process_that_is_killed_leaves_nothing_half_done(tmp_path: Path, store: Store) -> None:
    """At any moment of a write: what it had said is there, and the next one says more."""
    reading, writing = os.pipe()

    def write_for_ever(first: int) -> None:
        for number in range(first, 250):
            store.add(tmp_path, number, _fail)
            os.write(writing, bytes((number,)))
        time.sleep(60)

    done: set[int] = set()
    for turn in range(4):
        process = get_context("fork").Process(target=write_for_ever, args=(turn * 50,))
        process.start()
        while not {turn * 50 + 2 + turn} & done:
            done |= set(os.read(reading, 100))
        process.kill()
        process.join()
        os.set_blocking(reading, False)
        with contextlib.suppress(BlockingIOError):
            done |= set(os.read(reading, 300))
        os.set_blocking(reading, True)
        found = store.numbers(tmp_path, _fail)
        assert found >= (done if store.holds_many else set())
        assert max(found) >= max(done)
    os.close(reading)
    os.close(writing)
