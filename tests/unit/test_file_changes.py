"""Changes of a file by others: told by the system, or looked for now and then."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from platui.core import file_changes
from platui.core.file_changes import FileChanges

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE = 20.0
"""Seconds until a test fails; it ends long before."""
NEVER = 3600.0
"""Seconds after which a file that nobody reports is looked at: no test waits for that."""


def _replace(path: Path) -> None:
    beside = path.with_name("beside")
    beside.write_text("replaced")
    beside.rename(path)


@pytest.mark.parametrize(
    "change", [lambda path: path.write_text("written"), _replace, lambda path: path.unlink()]
)
async def test_a_change_ends_the_wait(tmp_path: Path, change: Callable[[Path], object]) -> None:
    """However the file is changed."""
    path = tmp_path / "state.json"
    path.write_text("before")
    with FileChanges(path) as changes:
        waiting = asyncio.ensure_future(changes.wait(NEVER))
        await asyncio.sleep(0)
        change(path)
        await asyncio.wait_for(waiting, PATIENCE)


async def test_other_files_of_the_folder_do_not(tmp_path: Path) -> None:
    """Locks and backups are beside it, and written as often."""
    path = tmp_path / "state.json"
    with FileChanges(path) as changes:
        waiting = asyncio.ensure_future(changes.wait(NEVER))
        path.with_name(".state.json.lock").write_text("")
        path.with_name("after").write_text("")
        with FileChanges(tmp_path / "last") as later:
            # The system tells in order: what came before this one is told by then.
            last = asyncio.ensure_future(later.wait(NEVER))
            (tmp_path / "last").write_text("")
            await asyncio.wait_for(last, PATIENCE)
        assert not waiting.done()
        path.write_text("at last")
        await asyncio.wait_for(waiting, PATIENCE)


async def test_the_target_of_a_link_is_watched_too(tmp_path: Path) -> None:
    """Themes are often links into a repository of settings."""
    target = tmp_path / "repository" / "my.toml"
    target.parent.mkdir()
    target.write_text("before")
    path = tmp_path / "themes" / "mine.toml"
    path.parent.mkdir()
    path.symlink_to(target)
    with FileChanges(path) as changes:
        waiting = asyncio.ensure_future(changes.wait(NEVER))
        target.write_text("after")
        await asyncio.wait_for(waiting, PATIENCE)


async def test_without_a_folder_the_wait_ends_by_itself(tmp_path: Path) -> None:
    """The folder may appear later: it is looked for again and again."""
    with FileChanges(tmp_path / "nowhere" / "state.json") as changes:
        await asyncio.wait_for(changes.wait(0.01), PATIENCE)


async def test_a_folder_that_appears_is_watched(tmp_path: Path) -> None:
    """At the first start there is none."""
    path = tmp_path / "folder" / "state.json"
    with FileChanges(path) as changes:
        path.parent.mkdir()
        await asyncio.wait_for(changes.wait(0.01), PATIENCE)
        waiting = asyncio.ensure_future(changes.wait(NEVER))
        await asyncio.sleep(0)
        path.write_text("first")
        await asyncio.wait_for(waiting, PATIENCE)


async def test_a_deleted_folder_is_looked_for_again(tmp_path: Path) -> None:
    """Nothing is told of one that comes back."""
    path = tmp_path / "folder" / "state.json"
    path.parent.mkdir()
    with FileChanges(path) as changes:
        path.parent.rmdir()
        await asyncio.wait_for(changes.wait(NEVER), PATIENCE)
        await asyncio.wait_for(changes.wait(0.01), PATIENCE)


async def test_what_the_system_does_not_tell_is_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on network file systems, where others write on another machine."""
    monkeypatch.setattr(file_changes, "_SLOWEST", 0.01)
    with FileChanges(tmp_path / "state.json") as changes:
        await asyncio.wait_for(changes.wait(NEVER), PATIENCE)


async def test_no_file_stays_open(tmp_path: Path) -> None:
    """A dashboard runs for days; the kernel takes its time to close them."""

    def opened() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    before = opened()
    for _ in range(20):
        with FileChanges(tmp_path / "state.json"):
            pass
    for _ in range(int(PATIENCE / 0.01)):
        if opened() <= before:
            break
        await asyncio.sleep(0.01)
    assert opened() <= before
