"""Saved reports that cannot be opened: they are told, passed over by name, and can be let go."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.support.commands import Shell
from tests.support.report_texts import write_reports

from platui.cli import confirmation
from platui.cli.exit_codes import Exit
from platui.report.saved_report import FORMAT

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep reports below a folder of the test's own; returns where those without a profile lie."""
    monkeypatch.setattr("platui.service.access.report_folders.data_dir", lambda: tmp_path / "data")
    return tmp_path / "data" / "reports" / "imported"


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Shell:
    """Return somebody who has no profile."""
    return Shell(monkeypatch, capfd)


def test_a_damaged_report_is_told_wherever_it_is_passed_over(
    shell: Shell, shelf: Path, tmp_path: Path
) -> None:
    """The one before it takes its place, and never without a word."""
    before, after = write_reports(tmp_path)
    (old,) = shell("report", "import", str(before)).lines
    (new,) = shell("report", "import", str(after)).lines
    (shelf / new / "member_level.bin").unlink()
    said = f"The saved report {new} is damaged (member_level: No such file or directory)."

    listed = shell("report", "list", "--utc")
    assert listed.code == 0
    assert listed.lines[1].split() == [new, "2026-03-08", "20:00", "UTC", *"----", "damaged"]
    assert listed.lines[2].split()[:2] == ["1", old]
    assert f"{said} Fetch or import a new one" in listed.err
    damaged, whole = shell("report", "list", "--json").objects
    assert damaged == {"id": new, "fetched_at": "2026-03-08T20:00:00+00:00", "damaged": said}
    assert (whole["id"], whole["damaged"]) == (old, None)

    shown = shell("report", "show", "--json")
    assert (shown.code, shown.objects[0]["id"]) == (0, old)
    assert f"{said} Using {old} instead." in shown.err
    assert said not in shell("report", "show", "--report", old).err
    named = shell("report", "show", "--report", "2026-03")
    assert (named.code, named.out) == (Exit.USAGE, "")
    assert said in named.err
    assert f"platui report forget {new}" in named.err
    assert shell("report", "diff").code == Exit.REFUSED

    again = shell("report", "import", str(after))
    assert (again.code, again.lines) == (0, [new])
    assert "1 joined" in again.err
    assert not shell("report", "list").err
    assert shell("report", "diff").code == 0


def test_one_between_two_that_are_compared_is_told(
    shell: Shell, shelf: Path, tmp_path: Path
) -> None:
    """What changed is since an earlier report than one would think."""
    before, after = write_reports(tmp_path)
    (old,) = shell("report", "import", str(before)).lines
    shell("report", "import", str(after))
    before.write_bytes(before.read_bytes() + b"\n")
    (middle,) = shell("report", "import", str(before), "--date", "2026-03-01T00:00Z").lines
    info = shelf / middle / "info.json"
    info.write_bytes(info.read_bytes().replace(b'"format": %d' % FORMAT, b'"format": 0'))
    told = shell("report", "diff")
    assert told.lines[0].startswith(f"From {old}")
    assert f"{middle} was written by another version of platui. Using {old} instead." in told.err


def test_a_report_is_kept_no_longer_when_that_is_said(
    shell: Shell, shelf: Path, tmp_path: Path
) -> None:
    """By its id or the beginning of it, damaged or not; by nothing that another may have."""
    before, after = write_reports(tmp_path)
    (old,) = shell("report", "import", str(before)).lines
    (new,) = shell("report", "import", str(after)).lines
    for word, begin in (
        ("latest", "latest may refer"),
        ("1", "1 may refer to another report later: nothing removed."),
        ("2026", "Several saved"),
        ("2031", 'No saved report "2031".'),
    ):
        said = shell("report", "forget", word, "--yes")
        assert (said.code, said.out) == (Exit.REFUSED, ""), word
        assert begin in said.err
        assert "number" not in said.err
    (shelf / old / "info.json").write_bytes(b"{")
    assert shell("report", "forget", "2026-02-25", "--yes").lines == [old]
    assert [one.name for one in shelf.iterdir()] == [new]
    (shelf / new / "info.json").write_bytes(b"{")
    told = shell("report", "show")
    assert (told.code, told.out) == (Exit.USAGE, "")
    assert f"The saved report {new} is damaged (info.json)." in told.err
    assert shell("report", "forget", new, "--yes").code == 0
    assert shell("report", "show").code == Exit.REFUSED
    assert list(shelf.iterdir()) == []


def test_it_is_asked_before_a_report_goes(
    shell: Shell, shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nobody is there to answer nothing is removed, nor after a no."""
    before, _ = write_reports(tmp_path)
    (id_,) = shell("report", "import", str(before)).lines
    alone = shell("report", "forget", id_)
    assert (alone.code, alone.out) == (Exit.USAGE, "")
    assert "Nothing was removed" in alone.err
    assert "--yes" in alone.err
    answers = iter(["", "yes"])
    asked = []

    def answer(prompt: str) -> str:
        asked.append(prompt)
        return next(answers)

    monkeypatch.setattr(confirmation, "has_terminal", lambda: True)
    monkeypatch.setattr(confirmation, "read_line", answer)
    said = shell("report", "forget", id_, "--utc")
    assert (said.code, said.out) == (Exit.INTERRUPTED, "")
    assert f"{id_} of 2026-02-25 06:13 UTC, in `imported`" in said.err
    assert "cannot be undone" in said.err
    assert "Nothing removed." in said.err
    assert [one.name for one in shelf.iterdir()] == [id_]
    assert shell("report", "forget", id_).lines == [id_]
    assert asked == ["Remove it? [y/N] "] * 2
    assert list(shelf.iterdir()) == []


def test_a_report_that_the_disk_does_not_let_go_is_told(
    shell: Shell, shelf: Path, tmp_path: Path
) -> None:
    """It is as it was; what a killed process left is swept by the next report."""
    before, after = write_reports(tmp_path)
    (old,) = shell("report", "import", str(before)).lines
    left = shelf / f".{old}.gone.draft"
    left.mkdir()
    (left / "info.json").touch()
    said = shell("report", "forget", old, "--yes")
    assert (said.code, said.out) == (Exit.USAGE, "")
    assert f"The saved report {old} cannot be removed (Directory not empty)." in said.err
    assert shell("report", "show").code == 0
    shell("report", "import", str(after))
    assert shell("report", "forget", old, "--yes").code == 0
    assert not left.exists()
