"""What platui sent is remembered, without a secret's value."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

import pytest
from tests.support.clock import START

from platui.core.secrets import Secret
from platui.models.values.drafts import SentPipeline, SentSchedule
from platui.models.values.writes import NewPipeline, NewSchedule, RunVariable
from platui.store.sent_writes import MOST, SentRecords, SentWrites

if TYPE_CHECKING:
    from pathlib import Path

URL = "https://data.example.com"
RUN = SentPipeline(
    NewPipeline("group/name", "main", "etl-ci.yml", (RunVariable("DAY", "2026-03-14"),), True),
    START,
    4711,
    12,
)
PLAN = SentSchedule(NewSchedule(12, "nightly", "main", "0 1 * * *", "UTC", False), START, 3)


def test_another_run_of_platui_knows_it(tmp_path: Path) -> None:
    """Both kinds come back as they were, newest first."""
    before = SentWrites(tmp_path, "prod", URL)
    before.add_pipeline(SentPipeline(NewPipeline(12, "main"), START))
    before.add_pipeline(RUN)
    before.add_schedule(PLAN)
    after = SentWrites(tmp_path, "prod", URL).value
    assert after.pipelines == (RUN, SentPipeline(NewPipeline(12, "main"), START))
    assert after.schedules == (PLAN,)


def test_a_secret_is_kept_by_its_key_alone(tmp_path: Path) -> None:
    """Its value is on no disk, and the file is its owner's."""
    secret = RunVariable("KEY", Secret("planted-secret"))
    store = SentWrites(tmp_path, "prod", URL)
    store.add_pipeline(SentPipeline(NewPipeline(12, "main", variables=(secret,)), START))
    [path] = tmp_path.glob("*.json")
    assert b"planted-secret" not in path.read_bytes()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    [kept] = SentWrites(tmp_path, "prod", URL).value.pipelines
    assert kept.new.variables == (RunVariable("KEY", Secret("")),)


def test_two_processes_lose_nothing_of_each_other(tmp_path: Path) -> None:
    """Each adds to what the file says at that moment."""
    one, other = SentWrites(tmp_path, "prod", URL), SentWrites(tmp_path, "prod", URL)
    assert one.value == other.value
    one.add_pipeline(RUN)
    other.add_schedule(PLAN)
    assert SentWrites(tmp_path, "prod", URL).value.pipelines == (RUN,)


def test_only_so_much_is_kept(tmp_path: Path) -> None:
    """The oldest go."""
    store = SentWrites(tmp_path, "prod", URL)
    many = SentWrites(None, "prod", URL)
    for number in range(MOST + 1):
        many.add_pipeline(SentPipeline(NewPipeline(12, "main"), START, number))
    assert len(many.value.pipelines) == MOST
    assert many.value.pipelines[-1].pipeline == 1
    assert store.value.pipelines == ()


def test_what_is_large_takes_no_more_than_can_be_read(tmp_path: Path) -> None:
    """The newest stay; the file is none that is taken for a damaged one."""
    variables = (RunVariable("SQL", "x" * 3_000_000),)
    for number in range(4):
        sent = SentPipeline(NewPipeline(12, "main", variables=variables), START, number)
        SentWrites(tmp_path, "prod", URL).add_pipeline(sent)
    numbers = [one.pipeline for one in SentWrites(tmp_path, "prod", URL).value.pipelines]
    assert numbers == [3, 2]
    assert not list(tmp_path.glob("*.damaged"))


def test_a_deleted_schedule_is_forgotten() -> None:
    """It is there no longer."""
    store = SentWrites(None, "prod", URL)
    store.add_schedule(PLAN)
    store.forget_schedule(4)
    assert store.value.schedules == (PLAN,)
    store.forget_schedule(3)
    assert not store.value.schedules


def test_another_platform_of_that_name_is_another_matter(tmp_path: Path) -> None:
    """Ids say nothing there."""
    SentWrites(tmp_path, "prod", URL).add_pipeline(RUN)
    assert SentWrites(tmp_path, "prod", "https://other.example.com").value.pipelines == ()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b'{"version": 1}',
        b"\xff",
        b'{"version": 1, "url": "https://data.example.com", "pipelines": [{}], "schedules": []}',
        b'{"version": 1, "url": "https://data.example.com", "pipelines": 7, "schedules": []}',
    ],
)
def test_a_damaged_file_is_no_file(tmp_path: Path, content: bytes) -> None:
    """It is put aside and written anew with the next write."""
    SentWrites(tmp_path, "prod", URL).add_pipeline(RUN)
    [path] = tmp_path.glob("prod-*.json")
    path.write_bytes(content)
    store = SentWrites(tmp_path, "prod", URL)
    assert store.value.pipelines == ()
    store.add_pipeline(RUN)
    assert SentWrites(tmp_path, "prod", URL).value.pipelines == (RUN,)
    [aside] = tmp_path.glob("*.damaged")
    assert aside.read_bytes() == content


def test_what_cannot_be_read_is_not_written_over(tmp_path: Path) -> None:
    """A disk that fails for a moment costs one memory, not all."""
    SentWrites(tmp_path, "prod", URL).add_pipeline(RUN)
    store = SentWrites(tmp_path, "prod", URL)
    read, store._read = store._read, _fails  # type: ignore[method-assign]
    later = SentPipeline(NewPipeline(12, "main"), START)
    store.add_pipeline(later)
    assert store.value.pipelines == (later,)
    store._read = read  # type: ignore[method-assign]
    assert store.read().pipelines == (RUN,)


def _fails() -> SentRecords:
    raise OSError(5, "Input/output error")
