"""Where access reports lie, and how those come along that an earlier version kept in the cache."""

from __future__ import annotations

import errno
import shutil
from pathlib import Path

import pytest

from platui.core.paths import cache_dir, data_dir
from platui.service.access.report_folders import has_saved_reports, move_from_cache, report_folder

ONE, TWO = "20260314T031200Z-00000001", "20260315T031200Z-00000002"


def written(folder: Path, text: str = "old") -> Path:
    """Make a saved report."""
    folder.mkdir(mode=0o700, parents=True)
    (folder / "info.json").write_text(text)
    (folder / "info.json").chmod(0o600)
    return folder


def adopt_file(folder: Path) -> list[str]:
    """Return the names of all that is somewhere."""
    return sorted(str(one.relative_to(folder)) for one in folder.rglob("*"))


def on_two_disks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing be renamed into another folder."""
    rename = Path.rename

    def only_within_a_folder(path: Path, target: Path) -> Path:
        if path.parent != Path(target).parent:
            raise OSError(errno.EXDEV, "Invalid cross-device link")
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", only_within_a_folder)


@pytest.mark.parametrize("disks", [1, 2])
def test_reports_of_the_cache_come_along(monkeypatch: pytest.MonkeyPatch, disks: int) -> None:
    """Of all profiles, with the text that waits to be read, as private as they were."""
    old, new = cache_dir() / "reports", data_dir() / "reports"
    written(old / "prod" / ONE)
    written(old / "test" / TWO)
    (old / "prod" / f"{0:032x}.json").write_text("waits")
    (old / "prod" / "spool.json").write_text("its record")
    if disks > 1:
        on_two_disks(monkeypatch)
    assert has_saved_reports("prod")
    assert report_folder("prod") == new / "prod"
    assert adopt_file(new) == [
        "prod", f"prod/{0:032x}.json", f"prod/{ONE}", f"prod/{ONE}/info.json", "prod/spool.json",
        "test", f"test/{TWO}", f"test/{TWO}/info.json",
    ]  # fmt: skip
    assert not old.exists()
    assert (new / "prod").stat().st_mode & 0o777 == 0o700
    assert (new / "prod" / ONE / "info.json").stat().st_mode & 0o777 == 0o600
    assert not has_saved_reports("other")


def test_what_is_there_already_or_being_written_stays_as_it_is() -> None:
    """Nothing is overwritten; an earlier version may still be at it."""
    old, new = cache_dir() / "reports" / "prod", data_dir() / "reports" / "prod"
    written(old / ONE)
    written(new / ONE, "new")
    (old / f".{TWO}.draft").mkdir()
    move_from_cache()
    assert adopt_file(old) == [f".{TWO}.draft", ONE, f"{ONE}/info.json"]
    assert (new / ONE / "info.json").read_text() == "new"
    (old / f".{TWO}.draft").rename(old / TWO)
    move_from_cache()
    assert adopt_file(new) == [ONE, f"{ONE}/info.json", TWO]


def test_what_another_process_copies_at_the_same_time_is_left_to_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Half of it would become a report otherwise, and what it was copied from be gone."""
    old, new = cache_dir() / "reports" / "prod", data_dir() / "reports" / "prod"
    written(old / ONE)
    others: list[Path] = []
    copytree = shutil.copytree

    def copied_by_two(source: Path, target: Path) -> Path:
        if not others:  # the other one comes when this one has begun
            others.append(target)
            monkeypatch.setattr("os.getpid", lambda: -1)
            move_from_cache()
            assert (new / ONE / "info.json").read_text() == "old"
        else:
            assert target not in others
            others.append(target)
        return copytree(source, target)

    on_two_disks(monkeypatch)
    monkeypatch.setattr(shutil, "copytree", copied_by_two)
    move_from_cache()
    assert len(others) == 2
    assert adopt_file(new) == [ONE, f"{ONE}/info.json"]
