"""The audit log only grows, one line a write, and is private."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from platui.models.values.write_states import AuditEntry
from platui.store.audit import KEPT, AuditFile

if TYPE_CHECKING:
    from pathlib import Path

ENTRY = AuditEntry(
    datetime(2026, 3, 14, 3, 12, tzinfo=UTC),
    "prod",
    "start pipeline",
    "projects/7/pipeline",
    "sent",
)


def test_entries_come_back_in_order(tmp_path: Path) -> None:
    """Newest last; a limit gives the newest."""
    log = AuditFile(tmp_path / "state" / "audit.jsonl")
    assert log.entries() == ()
    done = replace(ENTRY, result="done")
    log.append(ENTRY)
    log.append(done)
    assert log.entries() == (ENTRY, done)
    assert log.entries(1) == (done,)


def test_the_file_is_private_also_when_it_was_not(tmp_path: Path) -> None:
    """What one changed on which platform is nobody else's business."""
    path = tmp_path / "audit.jsonl"
    path.touch(mode=0o644)
    AuditFile(path).append(ENTRY)
    assert path.stat().st_mode & 0o777 == 0o600


def test_hostile_text_stays_inside_its_line(tmp_path: Path) -> None:
    """Line ends, separators and lone surrogates make no second entry and no fault."""
    entry = replace(ENTRY, target='a\nb\r\u2028\x85"\x1b[2J \ud800', result="ünbekannt")
    log = AuditFile(tmp_path / "audit.jsonl")
    log.append(entry)
    assert log.entries() == (entry,)
    assert (tmp_path / "audit.jsonl").read_bytes().count(b"\n") == 1


WITHOUT_ZONE = json.dumps(json.loads(ENTRY.line()) | {"at": "0001-01-01T00:00:00"}).encode() + b"\n"


@pytest.mark.parametrize(
    "rest",
    [b'{"at": "2026', b"\xff\xff", b"[]\n", b"null\n", b'{"at": 5}\n', WITHOUT_ZONE],
)
def test_a_cut_or_foreign_line_spoils_no_other(tmp_path: Path, rest: bytes) -> None:
    """A disk that was full, a hand that edited: entries before and after are read."""
    path = tmp_path / "audit.jsonl"
    log = AuditFile(path)
    log.append(ENTRY)
    with path.open("ab") as file:
        file.write(rest)
    log.append(replace(ENTRY, result="done"))
    assert [entry.result for entry in log.entries()] == ["sent", "done"]
    assert log.damaged == 1


def test_only_the_end_of_a_huge_log_is_read(tmp_path: Path) -> None:
    """Years of writes don't fill the memory; the first line of the part may be half a one."""
    path = tmp_path / "audit.jsonl"
    line = ENTRY.line().encode() + b"\n"
    path.write_bytes(line * (10_000_000 // len(line)))
    log = AuditFile(path)
    assert len(log.entries(10**9)) == 4_000_000 // len(line)
    assert log.damaged == 0


def test_processes_append_whole_lines(tmp_path: Path) -> None:
    """Nothing is lost or mixed."""
    path = tmp_path / "audit.jsonl"
    code = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from platui.models.values.write_states import AuditEntry
from platui.store.audit import KEPT, AuditFile
for number in range(20):
    AuditFile(Path(sys.argv[1])).append(AuditEntry(datetime.now(UTC), "p", "o", "t" * 9000, "r"))
"""
    running = [subprocess.Popen([sys.executable, "-c", code, path]) for _ in range(3)]
    assert [process.wait() for process in running] == [0, 0, 0]
    lines = path.read_text().splitlines()
    assert len(lines) == 60
    assert all(len(json.loads(line)["target"]) == 9000 for line in lines)


def test_what_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    """A write that cannot be noted must not be sent."""
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        AuditFile(tmp_path / "file" / "audit.jsonl").append(ENTRY)


def test_a_file_that_has_grown_is_put_aside(tmp_path: Path) -> None:
    """Entries are read on through what was put aside; the oldest go in the end."""
    path = tmp_path / "audit.jsonl"
    line = len(ENTRY.line()) + 1
    log = AuditFile(path, largest=3 * line)
    numbered = [replace(ENTRY, target=f"{number:019}") for number in range(30)]
    for entry in numbered:
        log.append(entry)
    kept = 3 * (KEPT + 1)
    assert log.entries() == tuple(numbered[-kept:])
    assert log.entries(4) == tuple(numbered[-4:])
    files = sorted(file.name for file in tmp_path.glob("audit.jsonl*"))
    assert files == ["audit.jsonl", *(f"audit.jsonl.{number}" for number in range(1, KEPT + 1))]
    assert {file.stat().st_mode & 0o777 for file in tmp_path.glob("audit.jsonl*")} == {0o600}


def test_entries_of_one_write_have_one_mark(tmp_path: Path) -> None:
    """What was written before there were marks is read as well."""
    path = tmp_path / "audit.jsonl"
    old = json.loads(ENTRY.line())
    del old["write"]
    path.write_text(json.dumps(old) + "\n")
    log = AuditFile(path)
    log.append(replace(ENTRY, mark="1f2e"))
    assert [entry.mark for entry in log.entries()] == ["", "1f2e"]
