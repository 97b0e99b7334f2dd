"""`platui report fetch` and `import`: what comes, what is kept, and what is said when not."""

from __future__ import annotations

import asyncio
import gzip
import io
import os
import signal
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING

import pytest
from tests.support.clock import FakeClock
from tests.support.commands import Said, Shell
from tests.support.faults import fault
from tests.support.platform import ask, credentials, running_platform
from tests.support.report_texts import AFTER, BEFORE, write_reports
from tests.support.service import requests_of

from platui.cli.exit_codes import Exit

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator
    from pathlib import Path

    from platui.report.reading.draft import ReadRequest
    from platui_emulator.server import RunningEmulator


class Company:
    """A platform whose day ends when the test says so, and the clock that it has in common."""

    def __init__(self, emulator: RunningEmulator, clock: FakeClock) -> None:
        self.emulator = emulator
        self.clock = clock

    def end_the_day(self) -> None:
        """Let there be another report."""
        ask("POST", f"{self.emulator.base_url}/-/emulator/report/advance")
        self.clock.jump(60)

    def reports_given(self) -> list[int]:
        """Return the status of each answer to who asked for the report."""
        return [
            one["status"]
            for one in requests_of(self.emulator)
            if one["path"].endswith("/reporting/report")
        ]


@pytest.fixture(scope="module")
def company() -> Iterator[Company]:
    """Run the platform."""
    clock = FakeClock()
    with running_platform(clock=clock) as emulator:
        yield Company(emulator, clock)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep reports below a folder of the test's own."""
    monkeypatch.setattr("platui.service.access.report_folders.data_dir", lambda: tmp_path / "data")
    return tmp_path / "data" / "reports"


@pytest.fixture
def shell(
    company: Company, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Shell:
    """Return somebody with a key of the organization, and with nothing else."""
    monkeypatch.setattr("platui.service.facade.SystemClock", lambda: company.clock)
    environ = {
        "PLATUI_ADMIN_URL": company.emulator.admin_url,
        "PLATUI_ADMIN_KEY": company.emulator.admin_key,
    }
    return Shell(monkeypatch, capfd, environ)


@pytest.fixture
def nobody(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Shell:
    """Return somebody who has no profile, no address and no key."""
    return Shell(monkeypatch, capfd)


def test_a_fetch_needs_the_key_alone_and_tells_what_is_new(company: Company, shell: Shell) -> None:
    """On stdout the id; what did not change is not sent a second time."""
    first = shell("report", "fetch")
    assert first.code == 0
    (id_,) = first.lines
    assert id_.startswith("20260314T")
    assert "people, " in first.err
    assert f"Saved as {id_} for the profile 127.0.0.1" in first.err
    assert "Since" not in first.err
    again = shell("report", "fetch")
    assert (again.code, again.out) == (0, first.out)
    assert "Unchanged since the report of 2026-03-14" in again.err
    company.end_the_day()
    (later,) = shell("report", "fetch", "--json").objects
    assert (later["is_new"], later["against"]) == (True, id_)
    assert later["changes"]["joined"] > 0
    assert later["changes"].keys() == {
        "joined", "left", "blocked", "unblocked", "changed",
        "new_owner", "raised", "lowered", "otherwise", "added", "dropped",
        "added_with_place", "dropped_with_place", "added_with_person", "dropped_with_person",
        "place_added", "place_removed", "renamed", "moved",
    }  # fmt: skip
    company.end_the_day()
    told = shell("report", "fetch")
    assert "Since the report of 2026-03-14" in told.err
    assert "joined" in told.err
    assert "platui report diff" in told.err
    listed = shell("report", "list", "--json").objects
    assert [one["id"] for one in listed][1:] == [later["id"], id_]


@pytest.mark.parametrize(
    ("key", "code", "words"),
    [
        ("", Exit.USAGE, "No organization API key."),
        ("admin_key_expired", Exit.REFUSED, "The key has expired."),
        ("personal", Exit.REFUSED, "The platform does not accept this key"),
        ("admin_key_without_scope", Exit.REFUSED, "a key with the scope `reporting`"),
    ],
)
def test_a_key_that_opens_nothing_says_what_to_ask_for(
    company: Company, shell: Shell, key: str, code: Exit, words: str
) -> None:
    """And nothing is on stdout; the key is nowhere."""
    text = credentials(company.emulator)[key] if key else ""
    said = shell("report", "fetch", PLATUI_ADMIN_KEY=text)
    assert (said.code, said.out) == (code, "")
    assert words in said.err
    assert "Ask the platform's support" in said.err
    assert not text or text not in said.err


def test_who_has_not_opted_in_is_told_so(company: Company, shell: Shell) -> None:
    """What is saved stays, and can be looked at."""
    kept = shell("report", "fetch").out
    desk = f"{company.emulator.base_url}/-/emulator/reporting"
    ask("POST", desk, json={"enabled": False})
    try:
        said = shell("report", "fetch")
    finally:
        ask("POST", desk, json={"enabled": True})
    assert said.code == Exit.REFUSED
    assert "Reporting is not enabled for this organization" in said.err
    assert kept.strip() in shell("report", "list").out


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("reset_during", Exit.TRY_AGAIN),
        ("truncated", Exit.TRY_AGAIN),
        ("server_error", Exit.TRY_AGAIN),
        ("limiter", Exit.TRY_AGAIN),
        ("html", Exit.TRY_AGAIN),
        ("garbage", Exit.USAGE),
    ],
)
def test_a_line_that_breaks_leaves_the_last_good_report(
    company: Company, shell: Shell, cache: Path, kind: str, code: Exit
) -> None:
    """A script is told whether to try again."""
    emulator = company.emulator
    url = f"{emulator.faults_url}{emulator.admin_url.removeprefix(emulator.base_url)}"
    good = shell("report", "fetch", PLATUI_ADMIN_URL=url).out.strip()
    company.end_the_day()
    with fault(emulator, kind, path=".*reporting.*"):
        said = shell("report", "fetch", PLATUI_ADMIN_URL=url)
    assert (said.code, said.out) == (code, "")
    assert "No report was saved; the last report is unchanged." in said.err
    assert kind not in {"reset_during", "truncated"} or " bytes of the report." in said.err
    assert kind != "server_error" or "The platform failed" in said.err
    assert [
        one["id"] for one in shell("report", "list", "--json", PLATUI_ADMIN_URL=url).objects
    ] == [good]
    assert {one.name for folder in cache.iterdir() for one in folder.iterdir()} == {good}


def test_what_came_whole_before_an_interruption_is_read_the_next_time(
    company: Company, shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Ctrl+C while it is read: the last good report stays, and nothing is asked for twice."""

    async def read(_: ReadRequest) -> AsyncGenerator[float]:
        signal.raise_signal(signal.SIGINT)
        await asyncio.sleep(60)
        yield 0.0

    good = shell("report", "fetch").out
    company.end_the_day()
    with monkeypatch.context() as patch:
        patch.setattr("platui.service.access.reports.read_report", read)
        said = shell("report", "fetch")
        imported = shell("report", "import", str(write_reports(tmp_path)[1]))
    assert (said.code, said.out) == (imported.code, imported.out) == (Exit.INTERRUPTED, "")
    assert "nothing was saved" in imported.err
    assert "the next fetch reads it" in said.err
    assert "The last report is unchanged." in said.err
    assert shell("report", "list").lines[1].split()[1] == good.strip()
    asked = company.reports_given()
    again = shell("report", "fetch")
    assert again.code == 0
    assert again.out != good
    assert "downloaded before" in again.err
    assert company.reports_given() == asked


def test_what_the_platform_says_is_the_same_is_not_sent_again(
    shell: Shell, versioned: tuple[str, list[str]]
) -> None:
    """The request is conditional on the newest that is kept."""
    url, asked = versioned
    first = shell("report", "fetch", PLATUI_ADMIN_URL=url)
    again = shell("report", "fetch", PLATUI_ADMIN_URL=url)
    assert (again.code, again.out) == (first.code, first.out) == (0, first.out)
    assert "Unchanged since the report of 2026-03-14" in again.err
    assert asked == ["", '"v1"']


@pytest.fixture
def versioned() -> Iterator[tuple[str, list[str]]]:
    """Serve a report with an ETag; returns the address, and what each request knew of it."""
    asked = list[str]()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            known = self.headers.get("If-None-Match", "")
            asked.append(known)
            self.send_response(304 if known == '"v1"' else 200)
            self.send_header("ETag", '"v1"')
            body = b"" if known == '"v1"' else AFTER
            if body:
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  (its name)
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", asked
        server.shutdown()


def test_a_file_is_taken_in_without_any_profile(nobody: Shell, tmp_path: Path) -> None:
    """Its reports have a shelf of their own, which is named."""
    before, after = write_reports(tmp_path)
    first = nobody("report", "import", str(before))
    assert first.code == 0
    assert "in `imported` (without a profile)" in first.err
    assert "not in users (id 99).\n" in first.err.partition("Warning: 1 ")[2]
    packed = tmp_path / "after.json.gz"
    packed.write_bytes(gzip.compress(AFTER))
    os.utime(packed, (after.stat().st_mtime,) * 2)
    second = nobody("report", "import", str(packed))
    assert "1 joined, 1 new owner, 1 raised, 1 added" in second.err
    again = nobody("report", "import", str(after), "--json").objects[0]
    assert (again["is_new"], again["id"]) == (False, second.out.strip())
    listed = nobody("report", "list", "--json", "--profile", "imported").objects
    assert [one["id"] for one in listed] == [second.out.strip(), first.out.strip()]
    assert [one["origin"] for one in listed] == ["after.json.gz", "before.json"]


def test_the_date_of_a_file_is_said_and_can_be_given(nobody: Shell, tmp_path: Path) -> None:
    """Where it is from, and that it is not the latest; what is no date is refused."""
    before, after = write_reports(tmp_path)
    first = nobody("report", "import", str(after), "--utc")
    assert "Its date is 2026-03-08 20:00 UTC: modification time" in first.err
    given = nobody("report", "import", str(before), "--utc", "--date", "2026-01-31")
    assert given.out.startswith("20260131T000000Z-")
    assert "Its date is 2026-01-31 00:00 UTC: --date." in given.err
    assert "newest saved report, of 2026-03-08" in given.err
    for date in ("yesterday", "2026-13-01", "9998-01-01", "0001-01-01"):
        said = nobody("report", "import", str(before), "--date", date)
        assert (said.code, said.out) == (Exit.USAGE, ""), date
    assert nobody("report", "list").lines[0].split()[:2] == ["ID", "DATE"]


@pytest.fixture
def _in_berlin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Put this machine there: an hour before UTC, in winter."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "Europe/Berlin")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("_in_berlin")
def test_the_settings_for_times_and_signs_hold_for_commands(nobody: Shell, tmp_path: Path) -> None:
    """As --utc and --ascii do: for dates that are shown and for one that is given."""
    before, _ = write_reports(tmp_path)
    config = tmp_path / "utc.toml"
    config.write_text("utc = true\nascii = true\n")
    words = ("report", "import", str(before), "--date", "2026-01-31", "--config", str(config))
    given = nobody(*words)
    assert given.out.startswith("20260131T000000Z-")
    assert "Its date is 2026-01-31 00:00 UTC: --date." in given.err
    assert "2026-01-31 00:00 UTC" in nobody("report", "list", "--config", str(config)).out
    assert nobody("report", "show", "--config", str(config)).out.isascii()
    assert "2026-01-31 01:00 CET" in nobody("report", "list").out
    assert not nobody("report", "show").out.isascii()


@pytest.mark.usefixtures("_in_berlin")
def test_a_report_is_named_by_the_date_that_the_list_shows(nobody: Shell, tmp_path: Path) -> None:
    """That is another day than in its id, which is in UTC; none but that one is removed."""
    before, after = write_reports(tmp_path)
    first = nobody("report", "import", str(before), "--date", "2026-03-14").out.strip()
    second = nobody("report", "import", str(after), "--date", "2026-03-15").out.strip()
    assert first.startswith("20260313T230000Z")
    assert (
        f"Report {first}, fetched 2026-03-14"
        in nobody("report", "show", "--report", "2026-03-14").out
    )
    assert f"Report {second}," in nobody("report", "show", "--report", "2026-03-14", "--utc").out
    assert f"Report {second}," in nobody("report", "show", "--report", "20260314").out
    assert "Several saved reports" in nobody("report", "show", "--report", "2026-03").err
    assert nobody("report", "forget", "2026-03-14", "--yes").out.strip() == first
    assert nobody("report", "forget", "2026-03-13", "--yes").code == Exit.REFUSED


def test_a_file_that_is_no_report_is_named(nobody: Shell, tmp_path: Path) -> None:
    """A web page as such."""
    page, broken = tmp_path / "page.json", tmp_path / "broken.json"
    page.write_text("<!DOCTYPE html><title>Sign in</title>")
    broken.write_bytes(AFTER[:-20])
    assert "page.json is a web page, not a report." in nobody("report", "import", str(page)).err
    assert "broken.json: The report is truncated" in nobody("report", "import", str(broken)).err


def test_reports_of_others_are_named_where_there_is_none(
    shell: Shell, nobody: Shell, tmp_path: Path
) -> None:
    """And without a platform it is said what to set."""
    before, _ = write_reports(tmp_path)
    shell("report", "fetch")
    name = shell.environ["PLATUI_ADMIN_URL"].removeprefix("http://").partition("/")[0]
    hidden = {"PLATUI_ADMIN_URL": "", "PLATUI_ADMIN_KEY": ""}
    told = nobody("report", "show", **hidden)
    assert told.code == Exit.REFUSED
    assert "1 of 127.0.0.1: --profile HOST:PORT" in told.err
    assert len(nobody("report", "list", "--profile", name, **hidden).lines) == 2
    nobody("report", "import", str(before), **hidden)
    other = shell("report", "list", PLATUI_ADMIN_URL="https://admin.example.org")
    assert "--profile imported has 1" in other.err
    said = nobody("report", "fetch", **hidden)
    assert (said.code, said.out) == (Exit.USAGE, "")
    assert "No administration API is configured" in said.err
    assert "PLATUI_ADMIN_URL and PLATUI_ADMIN_KEY" in said.err


def test_an_admin_address_that_is_none_names_its_variable(shell: Shell) -> None:
    """And what such an address looks like; what would go in clear is the key."""
    said = shell("report", "fetch", PLATUI_ADMIN_URL="admin.example.org")
    assert said.code == Exit.USAGE
    assert "PLATUI_ADMIN_URL" in said.err
    assert "https://admin.example.com" in said.err
    clear = shell("report", "fetch", PLATUI_ADMIN_URL="http://admin.example.org")
    assert "would send the key unencrypted" in clear.err


def test_reports_of_a_profile_are_its_own(shell: Shell, nobody: Shell, tmp_path: Path) -> None:
    """What is imported where a profile is meant is kept with what was fetched for it."""
    before, _ = write_reports(tmp_path)
    said = shell("report", "import", str(before))
    assert "for the profile 127.0.0.1" in said.err
    assert shell("report", "list", "--profile", "imported").out == ""
    nobody("report", "import", str(before), "--profile", "imported")
    assert len(shell("report", "list", "--profile", "imported").lines) == 2
    unknown = shell("report", "list", "--profile", "gone")
    assert unknown.code == Exit.USAGE


def test_a_report_comes_through_a_pipe(
    nobody: Shell, monkeypatch: pytest.MonkeyPatch, cache: Path
) -> None:
    """Packed or not; where it is none, what the other program printed is to blame."""

    def pipe(text: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))

    pipe(gzip.compress(BEFORE))
    assert nobody("report", "import", "-", "--json").objects[0]["origin"] == "standard input"
    pipe(BEFORE)
    assert "Unchanged" in nobody("report", "import", "-").err
    pipe(BEFORE)
    dated = nobody("report", "import", "-", "--date", "2026-01-02")
    assert dated.code == 0
    assert "--date does not change a saved report." in dated.err
    for text in (b"", b'{"message":"401 Unauthorized"}', AFTER[:-20]):
        pipe(text)
        said = nobody("report", "import", "-")
        assert (said.code, said.out) == (Exit.USAGE, "")
        assert "curl --fail" in said.err
        assert ("Nothing came on standard input." in said.err) is (not text)
    assert len(nobody("report", "list").lines) == 2
    assert len(list((cache / "imported").iterdir())) == 1


def test_what_an_import_left_that_was_killed_is_swept(
    nobody: Shell, tmp_path: Path, cache: Path
) -> None:
    """When it is old enough to be nobody's."""
    folder = cache / "imported"
    folder.mkdir(parents=True)
    old, young = folder / ".old.part", folder / ".young.part"
    for part in (old, young):
        part.touch()
    os.utime(old, (1, 1))
    packed = tmp_path / "after.json.gz"
    packed.write_bytes(gzip.compress(AFTER))
    assert nobody("report", "import", str(packed)).code == 0
    assert (old.exists(), young.exists()) == (False, True)


def test_one_that_is_older_than_all_that_are_kept_is_said_to_be_gone(
    nobody: Shell, tmp_path: Path, cache: Path
) -> None:
    """One is kept; an older one has no place, and nothing else loses its own for it."""
    config = tmp_path / "config.toml"
    config.write_text("[reports]\nkeep = 1\nkeep_monthly = 0\n")
    before, after = write_reports(tmp_path)
    (damaged,) = nobody("report", "import", str(before)).lines
    (cache / "imported" / damaged / "info.json").write_bytes(b"{")
    nobody("report", "import", str(after), "--config", str(config))
    before.write_bytes(before.read_bytes() + b"\n")
    said = nobody(
        "report", "import", str(before), "--date", "2026-02-26T00:00Z", "--config", str(config)
    )
    assert (said.code, said.out) == (Exit.REFUSED, "")
    assert "is too old" in said.err
    assert "`keep`" in said.err
    assert "Nothing changed." in said.err
    lines = nobody("report", "list").lines
    assert [line.split()[-1] for line in lines[1:]] == ["after.json", "damaged"]


def test_what_is_kept_no_longer_is_said_and_the_last_of_a_month_stays(
    nobody: Shell, tmp_path: Path
) -> None:
    """The newest, and beyond them one of each month: what was a month ago can be compared."""
    config = tmp_path / "config.toml"
    config.write_text("[reports]\nkeep = 1\n")
    _, text = write_reports(tmp_path)
    ids, dropped = [], []

    def take_in(date: str) -> Said:
        text.write_bytes(text.read_bytes() + b"\n")
        words = ("report", "import", str(text), "--date", f"{date}T12:00Z", "--json")
        return nobody(*words, "--utc", "--config", str(config))

    for date in ("2026-01-05", "2026-01-30", "2026-02-10", "2026-02-09", "2026-01-31"):
        said = take_in(date)
        if date == "2026-02-09":
            assert (said.code, said.out) == (Exit.REFUSED, "")
            continue
        (told,) = said.objects
        ids.append(told["id"])
        dropped.append(told["dropped"])
    assert dropped == [[], [ids[0]], [], [ids[1]]]
    assert f"Removed: {ids[1]} of 2026-01-30 12:00 UTC (`keep`" in said.err
    assert [one["id"] for one in nobody("report", "list", "--json").objects] == [ids[2], ids[3]]


def test_where_nothing_is_kept_nothing_is_fetched(
    company: Company, shell: Shell, tmp_path: Path
) -> None:
    """It would be gone with the command."""
    config = tmp_path / "config.toml"
    config.write_text("[cache]\ndisk = false\n")
    before = company.reports_given()
    said = shell("report", "fetch", "--config", str(config))
    assert said.code == Exit.USAGE
    assert "reports are not saved" in said.err
    assert company.reports_given() == before


def test_the_documentation_is_told_with_its_version(company: Company, shell: Shell) -> None:
    """No key is needed for it."""
    address = f"{company.emulator.admin_url}/api/v1/docs#/reporting"
    told = shell("report", "docs", PLATUI_ADMIN_KEY="")
    assert told.lines == [address, "Administration API v1", "OpenAPI 3.1.0"]
    assert shell("report", "docs", "--json").objects == [
        {"url": address, "title": "Administration API", "version": "v1", "openapi": "3.1.0"}
    ]
    gone = shell("report", "docs", PLATUI_ADMIN_URL="http://127.0.0.1:9")
    assert (gone.code, gone.lines) == (
        Exit.TRY_AGAIN,
        ["http://127.0.0.1:9/api/v1/docs#/reporting"],
    )
