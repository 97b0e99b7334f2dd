"""What is remembered survives runs, other processes, other versions and damage."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from platui.store.choices import Choices, ChoicesFile

if TYPE_CHECKING:
    from pathlib import Path


def the_file(folder: Path) -> Path:
    """Return where the profile `prod` is remembered."""
    return folder / "prod.json"


def test_changes_are_there_in_the_next_run(tmp_path: Path) -> None:
    """Zone of times, acts."""
    memory = ChoicesFile(tmp_path, "prod")
    assert memory.value == Choices()
    memory.add_action("own")
    memory.set_utc(utc=True)
    expected = Choices(utc=True, actions=frozenset({"own"}))
    assert memory.value == ChoicesFile(tmp_path, "prod").value == expected
    assert ChoicesFile(tmp_path, "test").value == Choices()
    assert the_file(tmp_path).stat().st_mode & 0o777 == 0o600


def test_two_runs_at_once_keep_each_others_changes(tmp_path: Path) -> None:
    """A change is made to what the file says now, not to what was read at start."""
    one, two = ChoicesFile(tmp_path, "prod"), ChoicesFile(tmp_path, "prod")
    one.add_action("own")
    assert two.add_action("play").actions == {"own", "play"}
    one.set_utc(utc=True)
    assert one.value.actions == {"own", "play"}
    assert ChoicesFile(tmp_path, "prod").value == Choices(
        utc=True, actions=frozenset({"own", "play"})
    )


def test_processes_lose_no_choice(tmp_path: Path) -> None:
    """Three processes that add at once."""
    code = """
import sys
from pathlib import Path
from platui.store.choices import ChoicesFile
memory = ChoicesFile(Path(sys.argv[1]), "prod")
for number in range(60):
    memory.add_action(f"{sys.argv[2]} {number}")
sys.exit(memory.problem or 0)
"""
    running = [
        subprocess.Popen([sys.executable, "-c", code, tmp_path, str(number)]) for number in range(3)
    ]
    assert [process.wait() for process in running] == [0, 0, 0]
    assert len(ChoicesFile(tmp_path, "prod").value.actions) == 180


def test_an_ephemeral_profile_is_remembered_for_this_run_only(tmp_path: Path) -> None:
    """Without a folder nothing is written."""
    memory = ChoicesFile(None, "demo")
    memory.add_action("own")
    assert memory.value.actions == {"own"}
    assert list(tmp_path.iterdir()) == []


def test_what_another_hand_wrote_beside_stays(tmp_path: Path) -> None:
    """Keys that this version does not know survive its changes."""
    the_file(tmp_path).write_text(json.dumps({"version": 1, "notes": {"7": "flaky"}}))
    ChoicesFile(tmp_path, "prod").add_action("own")
    assert json.loads(the_file(tmp_path).read_text())["notes"] == {"7": "flaky"}


def test_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    """An older platui must not cut what a newer one remembers; changes hold for this run."""
    text = json.dumps({"version": 2, "acts": {"new": "shape"}})
    the_file(tmp_path).write_text(text)
    memory = ChoicesFile(tmp_path, "prod")
    memory.add_action("own")
    assert memory.value.actions == {"own"}
    assert "another version" in memory.problem
    assert the_file(tmp_path).read_text() == text


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b"[]", b"[" * 100_000])
def test_a_damaged_file_is_set_aside(tmp_path: Path, content: bytes) -> None:
    """The memory starts anew and works; the damaged file can be looked at."""
    the_file(tmp_path).write_bytes(content)
    memory = ChoicesFile(tmp_path, "prod")
    memory.add_action("own")
    assert memory.problem == ""
    assert ChoicesFile(tmp_path, "prod").value.actions == {"own"}
    [aside] = tmp_path.glob("prod.json.*damaged")
    assert aside.read_bytes() == content


def test_parts_of_another_shape_are_left_out(tmp_path: Path) -> None:
    """What can be read is taken."""
    document = {"version": 1, "utc": "yes", "acts": [1, "own", True, None]}
    the_file(tmp_path).write_text(json.dumps(document))
    assert ChoicesFile(tmp_path, "prod").value == Choices(actions=frozenset({"own"}))
    the_file(tmp_path).write_text('{"version": 1, "acts": 1, "utc": {}}')
    assert ChoicesFile(tmp_path, "prod").value == Choices()


def test_a_folder_that_cannot_be_written_is_said_and_the_run_goes_on(tmp_path: Path) -> None:
    """A file where the folder should be."""
    (tmp_path / "file").write_text("")
    memory = ChoicesFile(tmp_path / "file" / "x", "prod")
    memory.add_action("own")
    assert memory.value == Choices(actions=frozenset({"own"}))
    assert memory.problem
