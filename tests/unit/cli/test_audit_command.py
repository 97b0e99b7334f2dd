"""`platui audit` tells of what it shows, and of what it does not."""

from __future__ import annotations

import csv
import io
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from tests.support.commands import Shell

from platui.models.values.write_states import AuditEntry
from platui.store.audit import AuditFile, audit_path

if TYPE_CHECKING:
    from pathlib import Path

_AT = datetime(2026, 3, 14, 3, 12, tzinfo=UTC)


@pytest.fixture
def shell(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> Shell:
    """Return somebody with two profiles, of which one has written, and another platform."""
    config = tmp_path / "config.toml"
    url = 'url = "https://platform.example.com"'
    config.write_text(f"[profiles.prod]\n{url}\n[profiles.test]\n{url}\n")
    config.chmod(0o600)
    for number in range(3):
        for profile in ("test", "elsewhere.example"):
            target = f"projects/7/pipelines/{number}/cancel"
            AuditFile(audit_path()).append(AuditEntry(_AT, profile, "cancel", target, "sent"))
    return Shell(monkeypatch, capfd)


def test_a_profile_is_one_that_is_known(shell: Shell, tmp_path: Path) -> None:
    """By the configuration or by the notes; one without notes is told from one that is not."""
    audit = ("--config", str(tmp_path / "config.toml"), "audit")
    wrong = shell(*audit, "--profile", "Prdo")
    assert (wrong.code, wrong.out) == (2, "")
    assert 'Unknown profile "Prdo"' in wrong.err
    assert "Did you mean prod? Known: elsewhere.example, prod, test." in wrong.err
    none = shell(*audit, "--profile", "prod")
    assert (none.code, none.out) == (0, "")
    assert "profile prod; 6 " in none.err
    ephemeral = shell(*audit, "--profile", "elsewhere.example")
    assert (ephemeral.code, len(ephemeral.lines), ephemeral.err) == (0, 4, "")


def test_a_broken_configuration_hides_no_writes(shell: Shell, tmp_path: Path) -> None:
    """Whoever has to know what was sent reads it before the file is mended."""
    config = tmp_path / "config.toml"
    for content in ("theme =", "[profiles.prod]\nurl = 7\n"):
        config.write_text(content)
        said = shell("--config", str(config), "audit")
        assert (said.code, len(said.lines)) == (0, 7)
        assert str(config) in said.err
        none = shell("--config", str(config), "audit", "--profile", "prod")
        assert (none.code, none.out) == (0, "")
        assert "No writes with profile prod; 6 " in none.err
    config.unlink()
    assert shell("--config", str(config), "audit").code == 2


def test_what_is_left_out_is_said(shell: Shell) -> None:
    """Beside the data, and only where something is."""
    for limit in ("--limit", "-n"):
        some = shell("audit", limit, "4", "--json")
        assert len(some.objects) == 4
        assert "last 4 " in some.err
    whole = shell("audit", "--limit", "6")
    assert (len(whole.lines), whole.err) == (7, "")
    assert whole.lines[0].split() == ["WHEN", "PROFILE", "OPERATION", "TARGET", "RESULT", "WRITE"]
    rows = list(csv.DictReader(io.StringIO(shell("audit", "--all", "--csv").out)))
    assert [row["target"] for row in rows] == [
        one["target"] for one in shell("audit", "--all", "--json").objects
    ]


def test_times_are_in_utc_if_that_is_set(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the file as well as by the option."""
    config = tmp_path / "utc.toml"
    config.write_text("utc = true\n")
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "Asia/Tokyo")
        time.tzset()
        said = (shell("audit"), shell("audit", "--config", str(config)))
    time.tzset()
    assert "2026-03-14 12:12:00 JST" in said[0].lines[1]
    assert "2026-03-14 03:12:00 UTC" in said[1].lines[1]


def test_a_terminal_has_each_note_whole(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which write it was to can be seen at 80 cells; what is left out is said."""
    mark, target = "f" * 32, f"projects/{'group%2F' * 9}etl/pipelines/4711/cancel"
    AuditFile(audit_path()).append(AuditEntry(_AT, "prod", "cancel pipeline", target, "sent", mark))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr("platui.cli.output.stdout.is_terminal", lambda: True)
    told = shell("audit", "--limit", "1", NO_COLOR="1")
    assert all(len(line) <= 80 for line in told.lines)
    assert told.lines[1].split()[-2].endswith("/pipelines/4711/cancel")
    assert "Columns omitted, terminal too narrow: WRITE." in told.err


def test_damaged_lines_are_counted(shell: Shell) -> None:
    """Beside what can be read; a log without a readable line is not an empty one."""
    with audit_path().open("a") as file:
        file.write('{"at": "2026\n')
    some = shell("audit", "--json")
    assert (some.code, len(some.objects)) == (0, 6)
    assert "1 damaged line skipped" in some.err
    audit_path().write_text("null\n")
    none = shell("audit")
    assert (none.code, none.out) == (0, "")
    assert "1 damaged line skipped" in none.err
    assert "yet" not in none.err


def test_a_project_has_one_spelling(shell: Shell) -> None:
    """In the table and in JSON."""
    target = "projects/acme%2Fetl/pipelines/7/cancel"
    AuditFile(audit_path()).append(AuditEntry(_AT, "prod", "cancel pipeline", target, "sent"))
    (told,) = shell("audit", "--limit", "1", "--json").objects
    assert told["target"] == "projects/acme/etl/pipelines/7/cancel"
    assert told["target"] in shell("audit", "--limit", "1").out
