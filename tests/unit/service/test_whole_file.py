"""A file of the user's is there whole or not at all."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

import pytest

from platui.core.errors import FileWriteError, NameTakenError
from platui.service.files.whole_file import whole_file

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("name", ["a.log", "j" * 255, "ジ" * 85], ids=["short", "long", "foreign"])
def test_it_has_its_name_and_is_its_owners(tmp_path: Path, name: str) -> None:
    """Also a name as long as the system takes, in bytes."""
    with whole_file(tmp_path / name) as file:
        file.write(b"log")
        assert not (tmp_path / name).exists()
    assert (tmp_path / name).read_bytes() == b"log"
    assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_of_what_ends_early_nothing_stays(tmp_path: Path) -> None:
    """Neither under its name nor beside it."""

    def give_up() -> None:
        with whole_file(tmp_path / "a.log") as file:
            file.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        give_up()
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_replaced_unless_that_was_said(tmp_path: Path) -> None:
    """Not even what came while it was written; a folder never."""
    target = tmp_path / "a.log"
    with pytest.raises(NameTakenError), whole_file(target):
        target.write_bytes(b"theirs")
    with pytest.raises(NameTakenError), whole_file(target):
        pass
    assert target.read_bytes() == b"theirs"
    with whole_file(target, replace=True) as file:
        file.write(b"ours")
    assert target.read_bytes() == b"ours"
    with pytest.raises(FileWriteError, match="folder"), whole_file(tmp_path, replace=True):
        pass
