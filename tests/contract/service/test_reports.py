"""The access reports of a platform: fetched, taken in, kept, and what is said when not."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import threading
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.clock import FakeClock
from tests.support.faults import fault
from tests.support.platform import ask, credentials, running_platform
from tests.support.reports import fetched, folders, reports

from platui.config.credentials import Credentials
from platui.config.profile import Profile
from platui.config.settings import CacheSettings, Settings
from platui.core.errors import (
    ConfigError,
    CredentialError,
    FileReadError,
    FileWriteError,
    ForbiddenError,
    MissingScopeError,
    NameTakenError,
    NotFoundError,
    OfflineError,
    PlatuiError,
    ReportError,
    TermError,
    UnauthorizedError,
)
from platui.core.secrets import Secret
from platui.models.values.access import CAVEATS, PeopleOrder
from platui.models.values.access_changes import ChangeKind
from platui.models.values.reports import ExportContent, ExportFormat, ExportRequest, ReportStage
from platui.service import PlatformService
from platui.service.access.export import save_export, sheet_of, sheet_of_changes
from platui.service.access.report_files import opened_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from platui.models.values.access import AccessReport
    from platui_emulator.server import RunningEmulator


@pytest.fixture(scope="module")
def company() -> Iterator[tuple[RunningEmulator, FakeClock]]:
    """Run a platform whose day ends when the test says so."""
    clock = FakeClock()
    with running_platform(clock=clock) as emulator:
        yield emulator, clock


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep reports below a folder of the test's own."""
    monkeypatch.setattr("platui.service.access.report_folders.data_dir", lambda: tmp_path / "data")
    return tmp_path / "data" / "reports" / "test"


async def test_a_report_is_fetched_read_and_kept(
    company: tuple[RunningEmulator, FakeClock], cache: Path
) -> None:
    """People and places are shown before memberships; the next process finds it."""
    platform, clock = company
    text = ask(
        "GET",
        f"{platform.admin_url}/api/v1/reporting/report",
        headers={"Authorization": f"Bearer {platform.admin_key}"},
    ).content
    whole = json.loads(text)
    async with reports(platform.admin_url, platform.admin_key, clock=clock) as source:
        assert await source.saved() == ()
        states = await fetched(source)
        info = states[-1].report.info if states[-1].report else None
    stages = [state.stage for state in states]
    assert sorted(stages, key=list(ReportStage).index) == stages
    assert set(stages) == set(ReportStage)
    first = next(state.report for state in states if state.stage is ReportStage.FIRST_ROWS)
    assert first is not None
    assert not first.is_whole
    assert first.person(0).highest == ""
    assert info is not None
    assert (info.people, info.size) == (len(whole["users"]), len(text))
    assert info.origin == "127.0.0.1"
    assert info.fetched_at == clock.now().replace(microsecond=0)
    assert folders(cache) == [info.id]
    async with reports(platform.admin_url) as later:
        assert await later.saved() == (info,)
        opened = await later.open()
    assert opened.is_whole
    assert opened.info == info
    assert len(opened.people("", PeopleOrder.NAME).rows) == info.people
    assert first.person(3)[:7] == opened.person(3)[:7]


async def test_what_did_not_change_is_not_fetched_again(
    company: tuple[RunningEmulator, FakeClock],
) -> None:
    """The platform says so, or the bytes do; then a new day comes, and the two are compared."""
    platform, clock = company
    async with reports(platform.admin_url, platform.admin_key, clock=clock) as source:
        first = (await fetched(source))[-1]
        clock.jump(60)
        again = (await fetched(source))[-1]
        assert (first.is_unchanged, again.is_unchanged) == (False, True)
        assert again.report is not None
        assert first.report is not None
        assert again.report.info == first.report.info
        ask("POST", f"{platform.base_url}/-/emulator/report/advance")
        clock.jump(60)
        later = (await fetched(source))[-1]
        assert not later.is_unchanged
        newest, first_one = await source.saved()
        shares = list[float]()
        changes = await source.compare(first_one.id, newest.id, shares.append)
        assert (changes.before, changes.after) == (first_one, newest)
        assert sum(changes.counts.values()) > 0
        assert shares == sorted(shares)
        with pytest.raises(ReportError, match="not found"):
            await source.compare("gone", newest.id)


@pytest.mark.parametrize(
    ("key", "kind", "sentence", "hint"),
    [
        ("", CredentialError, "No organization API key.", "with the scope `reporting`"),
        ("admin_key_expired", UnauthorizedError, "The key has expired.", "support for an organ"),
        ("personal", UnauthorizedError, "The platform does not accept this key", "an organization"),
        (
            "admin_key_without_scope",
            MissingScopeError,
            "The key lacks the scope `reporting`",
            "Ask the platform's support for a key with the scope `reporting`.",
        ),
    ],
)
async def test_what_is_wrong_with_a_key_says_what_to_ask_support_for(
    company: tuple[RunningEmulator, FakeClock],
    key: str,
    kind: type[PlatuiError],
    sentence: str,
    hint: str,
) -> None:
    """Each needs another remedy, so each has words of its own."""
    platform, _ = company
    text = credentials(platform)[key] if key else ""
    async with reports(platform.admin_url, text) as source:
        with pytest.raises(PlatuiError) as caught:
            await fetched(source)
    error = caught.value
    assert type(error) is kind
    assert error.sentence.startswith(sentence)
    assert hint in error.hint
    assert not text or text not in f"{error!r}{error.hint}"


async def test_an_organization_that_has_not_opted_in_is_told_to(
    company: tuple[RunningEmulator, FakeClock],
) -> None:
    """And that there is no data of before."""
    platform, _ = company
    desk = f"{platform.base_url}/-/emulator/reporting"
    ask("POST", desk, json={"enabled": False})
    try:
        async with reports(platform.admin_url, platform.admin_key) as source:
            with pytest.raises(ForbiddenError) as caught:
                await fetched(source)
    finally:
        ask("POST", desk, json={"enabled": True})
    assert caught.value.sentence.startswith("Reporting is not enabled for this organization")
    assert "from then on" in caught.value.hint


async def test_an_address_that_is_missing_or_wrong_is_told() -> None:
    """Before anything is sent, where it is missing."""
    async with reports(None, "k") as source:
        with pytest.raises(ConfigError, match="no admin_url") as caught:
            await fetched(source)
        assert "Ask the platform's support for the URL" in caught.value.hint
        with pytest.raises(ConfigError):
            source.docs_address()


async def test_the_projects_address_is_not_the_organizations(
    company: tuple[RunningEmulator, FakeClock],
) -> None:
    """Nothing is there."""
    platform, _ = company
    async with reports(platform.base_url, platform.admin_key) as source:
        with pytest.raises(NotFoundError, match="at this admin_url") as caught:
            await fetched(source)
    assert "Check admin_url" in caught.value.hint


@pytest.mark.parametrize("kind", ["reset_during", "truncated"])
async def test_a_line_that_breaks_leaves_the_last_good_report(
    company: tuple[RunningEmulator, FakeClock], cache: Path, kind: str
) -> None:
    """Half a report is none."""
    platform, clock = company
    async with reports(platform.admin_url, platform.admin_key, clock=clock) as source:
        good = (await fetched(source))[-1].report
    assert good is not None
    ask("POST", f"{platform.base_url}/-/emulator/report/advance")
    clock.jump(60)
    url = f"{platform.faults_url}{platform.admin_url.removeprefix(platform.base_url)}"
    with fault(platform, kind, path=".*reporting.*"):
        async with reports(url, platform.admin_key, clock=clock) as source:
            with pytest.raises((OfflineError, ReportError)):
                await fetched(source)
            assert await source.saved() == (good.info,)
            assert (await source.open()).info == good.info
    assert folders(cache) == [good.info.id]


async def test_a_reading_that_was_stopped_begins_again_without_a_fetch(
    company: tuple[RunningEmulator, FakeClock], cache: Path
) -> None:
    """What came whole stays until it is read."""
    platform, clock = company
    async with reports(platform.admin_url, platform.admin_key, clock=clock) as source:
        async with aclosing(source.fetch()) as states:
            async for state in states:
                if state.stage is ReportStage.READING:
                    break
        assert await source.saved() == ()
    assert any(name.endswith(".json") for name in folders(cache))
    async with reports(None, clock=clock) as source:
        told = await fetched(source)
        assert told[0].stage is ReportStage.READING
        assert told[-1].stage is ReportStage.DONE
        assert len(await source.saved()) == 1
    assert folders(cache) == [info.id for info in await _saved(platform)]


async def _saved(platform: RunningEmulator) -> tuple[Any, ...]:
    async with reports(platform.admin_url) as source:
        return await source.saved()


async def test_only_so_many_are_kept(company: tuple[RunningEmulator, FakeClock]) -> None:
    """The oldest go; of months that are past the last one stays, of so many months."""
    platform, clock = company
    seen = []
    async with reports(platform.admin_url, platform.admin_key, keep=2, clock=clock) as source:
        for _ in range(4):
            ask("POST", f"{platform.base_url}/-/emulator/report/advance")
            clock.jump(60)
            report = (await fetched(source))[-1].report
            assert report is not None
            seen.append(report.info)
        assert await source.saved() == (seen[3], seen[2])
        clock.jump(40 * 86_400)
        for _ in range(2):
            clock.jump(3 * 86_400)
            state = (await fetched(source))[-1]
            assert state.report is not None
            seen.append(state.report.info)
            assert state.removed == ((seen[2],) if len(seen) == 5 else ())
        assert await source.saved() == (seen[5], seen[4], seen[3])
    async with reports(
        platform.admin_url, platform.admin_key, keep=2, monthly=1, clock=clock
    ) as source:
        clock.jump(3 * 86_400)
        state = (await fetched(source))[-1]
        assert state.report is not None
        assert state.removed == (seen[4], seen[3])
        assert await source.saved() == (state.report.info, seen[5])
        await source.forget(state.report.info.id)
        assert await source.saved() == (seen[5],)
        with pytest.raises(ReportError, match=seen[3].id):
            await source.open(seen[3].id)


async def test_a_damaged_one_takes_no_other_ones_place(
    company: tuple[RunningEmulator, FakeClock], cache: Path
) -> None:
    """It stays until somebody keeps it no longer."""
    platform, clock = company
    ids = []
    async with reports(platform.admin_url, platform.admin_key, keep=2, clock=clock) as source:
        for _ in range(4):
            ask("POST", f"{platform.base_url}/-/emulator/report/advance")
            clock.jump(60)
            report = (await fetched(source))[-1].report
            assert report is not None
            ids.append(report.info.id)
            if len(ids) == 2:
                (cache / ids[1] / "person_id.bin").write_bytes(b"")
                (damaged,) = await source.damaged()
                assert (damaged.id, damaged.fetched_at) == (ids[1], report.info.fetched_at)
            if len(ids) == 3:
                assert folders(cache) == ids
        assert [info.id for info in await source.saved()] == [ids[3], ids[2]]
        assert folders(cache) == ids[1:]
        await source.forget(ids[1])
    assert folders(cache) == ids[2:]


REPORT = {
    "platform": {
        "groups": {"7": {"name": "G", "path": "g", "members": {"1": {"max_access_level": "OWNER"}}}}
    },
    "users": {
        "1": {
            "email": "a@b.example",
            "name": "A",
            "service_identity_uuid": None,
            "state": "active",
            "username": "a",
        }
    },
}


async def test_a_file_is_taken_in(tmp_path: Path, cache: Path) -> None:
    """As the platform gave it to another program, or packed; it stays where it is."""
    plain, packed = tmp_path / "report.json", tmp_path / "report.json.gz"
    text = json.dumps(REPORT).encode()
    plain.write_bytes(text)
    packed.write_bytes(gzip.compress(text))
    os.utime(plain, (1_700_000_000, 1_700_000_000))
    async with reports(None) as source:
        states = [state async for state in source.import_file(plain)]
        info = states[-1].report.info if states[-1].report else None
        assert info is not None
        assert (info.origin, info.people, info.memberships) == ("report.json", 1, 1)
        assert info.fetched_at.timestamp() == 1_700_000_000
        same = [state async for state in source.import_file(packed)][-1]
        assert same.is_unchanged
        await source.forget(info.id)
        again = [state async for state in source.import_file(packed)][-1]
        assert again.report is not None
        assert not again.is_unchanged
        assert (again.report.info.origin, again.report.info.people) == ("report.json.gz", 1)
    assert plain.read_bytes() == text
    assert folders(cache) == [again.report.info.id]


async def exported(report: AccessReport, order: ExportRequest, *how: Any, **named: Any) -> int:
    """Write a part of a report to a file, and return its rows."""
    return await save_export(lambda: sheet_of(report, order), *how, **named)


async def test_parts_are_written_to_files_of_the_users(tmp_path: Path) -> None:
    """Each by its owner alone, whole, and never over another by chance."""
    text, target = tmp_path / "report.json", tmp_path / "out.csv"
    text.write_text(json.dumps(REPORT))
    async with reports(None) as source:
        report = [state async for state in source.import_file(text, "standard input")][-1].report
        assert report is not None
        assert report.info.origin == "standard input"
        people = ExportRequest(ExportContent.PEOPLE, "level:owner")
        shares = list[float]()
        assert await exported(report, people, ExportFormat.CSV, target, shares.append) == 1
        assert shares == [0.0, 1.0]
        lines = target.read_text().splitlines()
        assert all(any(caveat in line for line in lines) for caveat in CAVEATS)
        assert lines[-1] == "1,A,a,a@b.example,active,,true,OWNER,1,1"
        assert target.stat().st_mode & 0o777 == 0o600
        with pytest.raises(NameTakenError):
            await exported(report, people, ExportFormat.CSV, target)
        members = ExportRequest(ExportContent.MEMBERS, place=0)
        await exported(report, members, ExportFormat.JSON_LINES, target, replace=True)
        assert json.loads(target.read_text().splitlines()[1])["level"] == "OWNER"
        for what in (ExportContent.MEMBERSHIPS, ExportContent.PLACES):
            order = ExportRequest(what)
            assert await exported(report, order, ExportFormat.MARKDOWN, tmp_path / what.name)
            with pytest.raises(TermError):
                await exported(
                    report, ExportRequest(what, "leve:x"), ExportFormat.CSV, tmp_path / "none"
                )
        text.write_text(json.dumps(REPORT).replace("OWNER", "GUEST"))
        assert [state async for state in source.import_file(text)][-1].report
        newest, older = await source.saved()
        changes = await source.compare(older.id, newest.id)
        counted = sum(changes.counts.values())
        file = tmp_path / "changes"
        assert (
            await save_export(lambda: sheet_of_changes(changes), ExportFormat.CSV, file)
            == counted
            > 0
        )
    assert not (tmp_path / "none").exists()


async def test_an_export_that_is_stopped_leaves_no_file(tmp_path: Path) -> None:
    """Nor a part of one."""
    text = tmp_path / "report.json"
    text.write_text(json.dumps(REPORT))
    async with reports(None) as source:
        report = [state async for state in source.import_file(text)][-1].report
        assert report is not None
        begun, may_go_on = threading.Event(), threading.Event()

        def tell(_: float) -> None:
            begun.set()
            may_go_on.wait(10)

        order = ExportRequest(ExportContent.PEOPLE)
        target = tmp_path / "out.csv"
        work = asyncio.create_task(exported(report, order, ExportFormat.CSV, target, tell))
        assert await asyncio.to_thread(begun.wait, 10)
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work
        may_go_on.set()
    await asyncio.get_running_loop().shutdown_default_executor()
    assert not [one for one in tmp_path.iterdir() if "out.csv" in one.name]


@pytest.mark.parametrize(
    ("content", "kind", "words"),
    [
        (None, FileReadError, "not found"),
        (b"", ReportError, "empty"),
        (b'{"platform":', ReportError, "after 12 bytes"),
        (b'{"platform":{"groups":{}},"users":[]}', ReportError, "users"),
        (gzip.compress(b"{}", mtime=0)[:-9], FileReadError, "Damaged gzip"),
        (b"\x1f\x8bnot gzip at all", FileReadError, "Damaged gzip"),
    ],
)
async def test_a_file_that_is_no_report_is_told(
    tmp_path: Path, cache: Path, content: bytes | None, kind: type[PlatuiError], words: str
) -> None:
    """And nothing is left of the try."""
    path = tmp_path / "x.json"
    if content is not None:
        path.write_bytes(content)
    async with reports(None) as source:
        with pytest.raises(kind, match=words):
            assert not [state async for state in source.import_file(path)][5:]
        assert await source.saved() == ()
    assert not cache.exists() or folders(cache) == []


async def test_what_cannot_be_unpacked_is_the_fault_of_the_disk(tmp_path: Path) -> None:
    """And not of the file, which is whole."""
    packed = tmp_path / "x.json.gz"
    packed.write_bytes(gzip.compress(b"{}"))
    (tmp_path / "full").touch()
    with pytest.raises(FileWriteError, match=r"Cannot write .*full/reports"):
        async with opened_file(packed, tmp_path / "full" / "reports"):
            pass


async def test_a_profile_that_keeps_nothing_keeps_none(
    company: tuple[RunningEmulator, FakeClock], cache: Path
) -> None:
    """They can be seen and compared while the program runs."""
    platform, clock = company
    async with reports(
        platform.admin_url, platform.admin_key, clock=clock, is_in_memory=True
    ) as source:
        report = (await fetched(source))[-1].report
        assert report is not None
        assert len(await source.saved()) == 1
        folder = source.folder
    assert not folder.exists()
    assert not cache.exists()
    service = PlatformService(
        Profile("test", "http://127.0.0.1:1"), Settings(cache=CacheSettings(disk=False))
    )
    assert (await service.access_reports.open_saved()).folder != cache
    await service.close()


async def test_requests_of_both_apis_are_numbered_as_one_and_counted_apart(
    company: tuple[RunningEmulator, FakeClock],
) -> None:
    """The report is seen among the requests, and takes nothing of the quota."""
    platform, _ = company
    service = PlatformService(
        Profile("test", platform.base_url, platform.admin_url),
        Settings(),
        credentials=Credentials(Secret(platform.token), Secret(platform.admin_key)),
    )
    await service.start()
    try:
        spent = service.budget.value
        source = await service.access_reports.open_saved()
        await fetched(source)
        assert (await source.docs()).openapi
        assert service.budget.value == spent
        assert [(one.number, one.path) for one in service.journal.recent()] == [
            (2, "docs"),
            (1, "reporting/report"),
        ]
    finally:
        await service.close()


async def test_two_saved_reports_are_compared(company: tuple[RunningEmulator, FakeClock]) -> None:
    """By their ids, in either order; what is not there is said."""
    platform, clock = company
    async with reports(platform.admin_url, platform.admin_key, clock=clock) as source:
        await fetched(source)
        clock.jump(3 * 86_400)
        await fetched(source)
        later, earlier = await source.saved()
        shares: list[float] = []
        changes = await source.compare(earlier.id, later.id, shares.append)
        assert (changes.before, changes.after) == (earlier, later)
        assert sum(changes.counts.values()) > 0
        assert shares == sorted(shares)
        back = await source.compare(later.id, earlier.id)
        assert back.counts[ChangeKind.JOINED] == changes.counts[ChangeKind.LEFT]
        with pytest.raises(ReportError):
            await source.compare(earlier.id, "20200101T000000Z-none")
