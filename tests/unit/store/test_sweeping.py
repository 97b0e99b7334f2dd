"""What is too old goes, and nothing else does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest
from tests.support.clock import START, FakeClock

from platui.core.paths import cache_dir, config_dir, data_dir, state_dir
from platui.service.live import clean_up_storage
from platui.store.cache import EntryKey, StoredPage
from platui.store.inventory import is_due, sweep
from platui.store.logs import log_name
from platui.store.pages import PageStore

if TYPE_CHECKING:
    from pathlib import Path

DAY: Final = 86_400.0
AGING: Final = {
    "state/places/.prod.json.0123456789ab": 1,
    "state/triage/.prod-0123abcd.json.0123456789ab": 1,
    "config/credentials/.prod.token.0123456789ab": 1,
    "config/.config.toml.0123456789ab": 1,
    "cache/logs/aa/bb/.cc.log.0123456789ab": 1,
    "data/reports/prod/.spool.json.0123456789ab": 1,
    "state/copied.txt": 7,
    "state/places/prod.json": 90,
    "state/homes/gone.json": 90,
    "state/boards/prod.json": 90,
    "state/frames/prod.0a0b0c0d.frame": 30,
    "state/memory/prod.json.1-2.damaged": 180,
    "cache/pages.sqlite3.damaged": 180,
    "cache/pages.sqlite3.v7-wal": 180,
    "state/sent/prod-0123abcd.json": 400,
}
"""Files, and the days that each has."""
STAYING: Final = (
    "state/triage/prod-0123abcd.json", "state/triage/.prod-0123abcd.json.lock",
    "state/memory/prod.json", "state/audit.jsonl", "state/audit.jsonl.5",
    "data/reports/prod/20260314T031200Z-0a0b0c0d/info.json", "data/reports/prod/spool.json",
    "config/config.toml", "config/credentials/prod.token",
    "config/credentials/gone.triggers/7.token",
    "config/.mine.0123456789ab", "config/themes/.mine.toml.swp", "state/places/notes.txt",
    "cache/pages.sqlite3", "state/.hidden", "state/.x.0123456789aZ",
)  # fmt: skip


@pytest.fixture
def now() -> float:
    """Put every file there; returns the second of the file system."""
    for name in (*AGING, *STAYING):
        path = at(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    return at("state/.hidden").stat().st_ctime


def at(name: str) -> Path:
    """Return the path of a file in one of the folders."""
    folder, _, rest = name.partition("/")
    where = {"cache": cache_dir, "state": state_dir, "data": data_dir, "config": config_dir}
    return where[folder]() / rest


@pytest.mark.parametrize("days", sorted(set(AGING.values())))
def test_each_goes_at_its_age(now: float, days: int) -> None:
    """Not a day before; and what a person said has none."""
    before = {name for name, age in AGING.items() if age < days}
    sweep(now + (days - 0.5) * DAY)
    assert {name for name in AGING if not at(name).exists()} == before
    sweep(now + (days + 0.5) * DAY)
    at_age = {name for name, age in AGING.items() if age == days}
    assert {name for name in AGING if not at(name).exists()} == before | at_age
    sweep(now + 10_000 * DAY)
    assert all(at(name).exists() for name in STAYING)


def test_one_process_a_day_sweeps(now: float) -> None:
    """Who comes second looks at one file and goes on."""
    assert is_due(now)
    assert not is_due(now + 0.9 * DAY)
    assert is_due(now + 1.1 * DAY)
    assert is_due(now)  # a clock that was set back


def test_a_cap_that_was_lowered_holds_from_the_next_day_on() -> None:
    """The file on the disk shrinks with what is in it."""
    path = cache_dir() / "pages.sqlite3"
    pages = PageStore(path, 100_000_000, FakeClock())
    for number in range(20):
        noise = bytes((number * one * one + one) % 251 for one in range(1000)) * 1000
        pages.put(EntryKey("o", "f", f"{number}"), StoredPage(noise, START))
        pages.put_log(
            log_name("o", "f", "a/b", number), len(noise) + 100_000, [noise, b"x" * 100_000]
        )
    pages.close()
    with_less = PageStore(path, 4_000_000, FakeClock())
    clean_up_storage(with_less)
    assert with_less.size() <= 4_000_000
    with_less.close()
    assert sum(one.stat().st_size for one in (cache_dir() / "logs").rglob("*.log")) <= 4_000_000
