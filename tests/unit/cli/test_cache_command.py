"""`platui cache`: what is kept where and for whom, and what of it goes."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from tests.support.clock import START, FakeClock
from tests.support.commands import Shell

from platui.cli import confirmation
from platui.core.paths import cache_dir, config_dir, data_dir, state_dir
from platui.models.values.write_states import AuditEntry
from platui.present.guide import read_page
from platui.store.audit import AuditFile
from platui.store.cache import EntryKey, StoredPage
from platui.store.logs import MAX_CACHED_LOG, log_name
from platui.store.pages import PageStore
from platui.store.storage_usage import STORES, storage_usage

if TYPE_CHECKING:
    from pathlib import Path

PROD, OTHER = "https://prod.example", "https://other.example"
LONG = MAX_CACHED_LOG + 1
FILES = {
    "quota": ["cache/quota/0a.times"],
    "places": [
        "state/places/prod.json", "state/homes/prod.json", "state/boards/old.json",
        "state/frames/prod.0a0b0c0d.frame",
    ],
    "choices": ["state/memory/prod.json", "state/memory/old.json"],
    "triage": ["state/triage/prod-0123abcd.json", "state/triage/old-0123abcd.json"],
    "sent": ["state/sent/prod-0123abcd.json", "state/sent/old.json"],
    "audit": ["state/audit.jsonl", "state/audit.jsonl.1"],
    "reports": ["data/reports/prod/20260314T031200Z-0a0b0c0d/info.json"],
    "tokens": [
        "config/credentials/prod.token", "config/credentials/prod.triggers/7.token",
        "config/credentials/old.token",
    ],
    "copied": ["state/copied.txt"],
    "damaged": ["state/memory/prod.json.damaged"],
}  # fmt: skip
OURS_ELSEWHERE = ["config/config.toml", "state/triage/.prod-0123abcd.json.lock", "state/mine.txt"]


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Shell:
    """Return somebody whose every store keeps something."""
    for names in (*FILES.values(), OURS_ELSEWHERE):
        for name in names:
            planted(name)
    at("config/config.toml").write_text(f'[profiles.prod]\nurl = "{PROD}"\n')
    with_pages()
    return Shell(monkeypatch, capfd)


def at(name: str) -> Path:
    """Return the path of a file in one of the folders."""
    folder, _, rest = name.partition("/")
    where = {"cache": cache_dir, "state": state_dir, "data": data_dir, "config": config_dir}
    return where[folder]() / rest


def planted(name: str) -> None:
    """Put a file of a hundred bytes there."""
    path = at(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"x" * 100)


def with_pages() -> None:
    """Keep an answer, a short log and a long one of each of two platforms."""
    pages = PageStore(cache_dir() / "pages.sqlite3", 50_000_000, FakeClock())
    for origin in (PROD, OTHER):
        pages.put(EntryKey(origin, "me", "projects?"), StoredPage(b"[]" * 500, START))
        pages.put_log(log_name(origin, "me", "a/b", 1), 6, [b"short\n"])
        pages.put_log(log_name(origin, "me", "a/b", 2), LONG, [b"x" * LONG])
    pages.close()


def there() -> set[str]:
    """Return which of the planted files are there."""
    all_ = [name for names in FILES.values() for name in names]
    return {name for name in (*all_, *OURS_ELSEWHERE) if at(name).exists()}


def kept_of(store: str) -> dict[str, int]:
    """Return for whom a store keeps how many things."""
    (found,) = (one for one in storage_usage([PROD, OTHER]) if one.store.name == store)
    return {one.of: one.files for one in found.items}


def test_every_store_is_told_with_whose_it_is_and_what_it_may_be(shell: Shell) -> None:
    """Names, sizes, caps and the settings that say so."""
    (said,) = shell("cache", "info", "--json").objects
    stores = {one["store"]: one for one in said["stores"]}
    assert list(stores) == [one.name for one in STORES]
    for name, files in FILES.items():
        assert stores[name]["bytes"] == 100 * len(files), name
    whose = {name: {of["name"]: of["count"] for of in one["of"]} for name, one in stores.items()}
    assert whose["pages"] == {OTHER: 1, PROD: 1}
    assert whose["logs"] == {OTHER: 2, PROD: 2}
    assert whose["tokens"] == {"old": 1, "prod": 2}
    assert whose["sent"] == whose["triage"] == whose["choices"] == {"old": 1, "prod": 1}
    assert stores["logs"]["bytes"] > 2 * LONG
    assert stores["pages"]["settings"] == ["cache.max_mb"]
    assert stores["audit"]["cap"] == 12_000_000
    assert all(stores[name]["newest"] for name in stores)
    assert all(one["cap_words"] and one["what"] for one in stores.values())


def test_the_audit_log_is_as_old_as_its_first_entry(shell: Shell) -> None:
    """Its file is written with each one; of a damaged one only that is known."""
    at("state/audit.jsonl").unlink()
    for hours in (0, 1):
        entry = AuditEntry(START + timedelta(hours=hours), "prod", "run", "a/b", "done")
        AuditFile(at("state/audit.jsonl")).append(entry)
    at("state/audit.jsonl.1").unlink()
    at("state/audit.jsonl.1").symlink_to("gone")  # cannot be read, and is still one of its files
    (said,) = shell("cache", "info", "--json").objects
    (audit,) = (one for one in said["stores"] if one["store"] == "audit")
    paths = at("state/audit.jsonl"), at("state/audit.jsonl.1")
    assert audit["bytes"] == sum(one.lstat().st_size for one in paths)
    assert datetime.fromisoformat(audit["oldest"]) == START
    assert datetime.fromisoformat(audit["newest"]) > START


def test_the_table_tells_the_same(shell: Shell) -> None:
    """One row a store, and one for each of whom there is something."""
    said = shell("cache", "info")
    assert [line.split()[0] for line in said.lines if line[0] != " "] == [
        "STORE", *(one.name for one in STORES),
    ]  # fmt: skip
    whose = [line.split()[0] for line in said.lines if line[0] == " "]
    other, prod = "other.example", "prod.example"
    assert whose == [other, prod, other, prod, "old", "prod", "old", "prod", "old", "prod", "old",
                     "prod", "old", "prod"]  # fmt: skip
    assert "can be fetched again" in said.err


def test_only_what_can_be_fetched_again_goes_by_itself(shell: Shell) -> None:
    """And not the count of requests, that others rely on at this moment."""
    (said,) = shell("cache", "clear", "--yes", "--json").objects
    assert {one["store"] for one in said["removed"]} == {"pages", "logs", "places"}
    assert said["bytes"] > 2 * LONG
    assert {*FILES["places"]} == {*sum(FILES.values(), OURS_ELSEWHERE)} - there()
    assert kept_of("pages") == kept_of("logs") == {}


def test_a_profile_loses_its_own_alone(shell: Shell) -> None:
    """Of its platform, and of its name."""
    shell("cache", "clear", "--profile", "prod", "--yes")
    assert kept_of("pages") == {OTHER: 1}
    assert kept_of("logs") == {OTHER: 2}
    assert "state/boards/old.json" in there()
    assert not {"state/places/prod.json", "state/homes/prod.json"} & there()


def test_logs_go_without_the_answers(shell: Shell) -> None:
    """Short ones lie among them."""
    shell("cache", "clear", "--what", "logs", "--yes")
    assert kept_of("logs") == {}
    assert kept_of("pages") == {OTHER: 1, PROD: 1}


@pytest.mark.parametrize("name", ["choices", "triage", "sent", "reports", "tokens", "places"])
def test_what_is_named_goes_and_nothing_beside_it(shell: Shell, name: str) -> None:
    """For one profile, and then for all; also one that is no profile any more."""
    before = there()
    shell("cache", "clear", "--what", name, "--profile", "prod", "--yes")
    assert before - there() == {one for one in FILES[name] if "prod" in one}
    shell("cache", "clear", "--what", name, "--yes")
    assert before - there() == {*FILES[name]}


@pytest.mark.parametrize("name", ["quota", "audit", "copied", "damaged"])
def test_what_all_share_goes_as_a_whole(shell: Shell, name: str) -> None:
    """With a profile it is refused."""
    before = there()
    assert shell("cache", "clear", "--what", name, "--profile", "prod", "--yes").code == 2
    assert there() == before
    shell("cache", "clear", "--what", name, "--yes")
    assert before - there() == {*FILES[name]}


def test_without_a_yes_everything_stays(shell: Shell) -> None:
    """There is no terminal here."""
    before = there()
    said = shell("cache", "clear", "--what", "triage")
    assert (said.code, there()) == (2, before)
    assert "--yes" in said.err


def test_each_that_does_not_come_back_is_asked_for_by_itself(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A no to one leaves that one."""
    asked: list[str] = []

    def answer(question: str) -> bool:
        asked.append(question)
        return "sent" in question

    monkeypatch.setattr(confirmation, "has_terminal", lambda: True)
    monkeypatch.setattr(confirmation, "ask_to_confirm", answer)
    before = there()
    assert shell("cache", "clear", "--what", "sent,triage", "--what", "pages").code == 0
    assert [question.split()[1] for question in asked] == ["pages", "triage", "sent"]
    assert before - there() == {*FILES["sent"]}
    assert kept_of("pages") == {OTHER: 1, PROD: 1}


def test_words_that_mean_nothing_are_refused(shell: Shell) -> None:
    """With the one that is near."""
    said = shell("cache", "clear", "--what", "triag", "--yes")
    assert (said.code, "Did you mean triage?" in said.err) == (2, True)
    assert "Did you mean prod?" in shell("cache", "info", "--profile", "pro").err
    assert shell("cache", "info", "--profile", "old").code == 0
    assert shell("cache", "clear", "--what", "pages", "--profile", "old", "--yes").code == 2


def test_a_store_that_is_near_is_suggested_beside_all(shell: Shell) -> None:
    """Not one that merely shares some letters."""
    assert (
        "Did you mean logs? Stores: pages, logs," in shell("cache", "clear", "--what", "lgos").err
    )
    assert "Did you mean" not in shell("cache", "clear", "--what", "nope").err


def test_who_has_the_cache_open_goes_on(shell: Shell) -> None:
    """It finds nothing, and keeps what comes next."""
    pages = PageStore(cache_dir() / "pages.sqlite3", 50_000_000, FakeClock())
    key = EntryKey(PROD, "me", "projects?")
    log = pages.get_log(log_name(PROD, "me", "a/b", 2))
    shell("cache", "clear", "--yes")
    assert pages.get(key) is None
    pages.put(key, StoredPage(b"[1]", START))
    assert pages.get(key) is not None
    assert log is not None
    assert not isinstance(log, bytes)
    assert len(log.read(0, LONG)) == LONG
    assert pages.get_log(log_name(PROD, "me", "a/b", 2)) is None
    pages.close()


def test_the_docs_tell_the_same_caps(shell: Shell) -> None:
    """Each store, and each number that `info` tells of it."""
    text = read_page("topics", "keeping").text
    (said,) = shell("cache", "info", "--json").objects
    for one in said["stores"]:
        (line,) = re.findall(rf"^  {one['store']} .*$", text, re.MULTILINE)
        fixed = "" if one["store"] in {"logs", "reports", "audit"} else one["cap_words"]
        assert set(re.findall(r"[0-9]+", fixed)) <= set(re.findall(r"[0-9]+", line)), line
