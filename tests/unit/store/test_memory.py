"""What is remembered survives runs, other processes, other versions and damage."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from platui.store.memory import Memory, Remembered

if TYPE_CHECKING:
    from pathlib import Path


def the_file(folder: Path) -> Path:
    """Return where the profile `prod` is remembered."""
    return folder / "prod.json"


def test_changes_are_there_in_the_next_run(tmp_path: Path) -> None:
    """Zone of times, acts."""
    memory = Memory(tmp_path, "prod")
    assert memory.value == Remembered()
    memory.add_act("own")
    memory.set_utc(utc=True)
    expected = Remembered(utc=True, acts=frozenset({"own"}))
    assert memory.value == Memory(tmp_path, "prod").value == expected
    assert Memory(tmp_path, "test").value == Remembered()
    assert the_file(tmp_path).stat().st_mode & 0o777 == 0o600


def test_two_runs_at_once_keep_each_others_changes(tmp_path: Path) -> None:
    """A change is made to what the file says now, not to what was read at start."""
    one, two = Memory(tmp_path, "prod"), Memory(tmp_path, "prod")
    one.add_act("own")
    assert two.add_act("play").acts == {"own", "play"}
    one.set_utc(utc=True)
    assert one.value.acts == {"own", "play"}
    assert Memory(tmp_path, "prod").value == Remembered(utc=True, acts=frozenset({"own", "play"}))


def test_processes_lose_no_choice(tmp_path: Path) -> None:
    """Three processes that add at once."""
    code = """
import sys
from pathlib import Path
from platui.store.memory import Memory
memory = Memory(Path(sys.argv[1]), "prod")
for number in range(60):
    memory.add_act(f"{sys.argv[2]} {number}")
sys.exit(memory.problem or 0)
"""
    running = [
        subprocess.Popen([sys.executable, "-c", code, tmp_path, str(number)]) for number in range(3)
    ]
    assert [process.wait() for process in running] == [0, 0, 0]
    assert len(Memory(tmp_path, "prod").value.acts) == 180


def test_an_ephemeral_profile_is_remembered_for_this_run_only(tmp_path: Path) -> None:
    """Without a folder nothing is written."""
    memory = Memory(None, "demo")
    memory.add_act("own")
    assert memory.value.acts == {"own"}
    assert list(tmp_path.iterdir()) == []


def test_what_another_hand_wrote_beside_stays(tmp_path: Path) -> None:
    """Keys that this version does not know survive its changes."""
    the_file(tmp_path).write_text(json.dumps({"version": 1, "notes": {"7": "flaky"}}))
    Memory(tmp_path, "prod").add_act("own")
    assert json.loads(the_file(tmp_path).read_text())["notes"] == {"7": "flaky"}


def test_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    """An older platui must not cut what a newer one remembers; changes hold for this run."""
    text = json.dumps({"version": 2, "acts": {"new": "shape"}})
    the_file(tmp_path).write_text(text)
    memory = Memory(tmp_path, "prod")
    memory.add_act("own")
    assert memory.value.acts == {"own"}
    assert "another version" in memory.problem
    assert the_file(tmp_path).read_text() == text


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b"[]", b"[" * 100_000])
def test_a_damaged_file_is_set_aside(tmp_path: Path, content: bytes) -> None:
    """The memory starts anew and works; the damaged file can be looked at."""
    the_file(tmp_path).write_bytes(content)
    memory = Memory(tmp_path, "prod")
    memory.add_act("own")
    assert memory.problem == ""
    assert Memory(tmp_path, "prod").value.acts == {"own"}
    [aside] = tmp_path.glob("prod.json.*damaged")
    assert aside.read_bytes() == content


def test_parts_of_another_shape_are_left_out(tmp_path: Path) -> None:
    """What can be read is taken."""
    document = {"version": 1, "utc": "yes", "acts": [1, "own", True, None]}
    the_file(tmp_path).write_text(json.dumps(document))
    assert Memory(tmp_path, "prod").value == Remembered(acts=frozenset({"own"}))
    the_file(tmp_path).write_text('{"version": 1, "acts": 1, "utc": {}}')
    assert Memory(tmp_path, "prod").value == Remembered()


def test_a_folder_that_cannot_be_written_is_said_and_the_run_goes_on(tmp_path: Path) -> None:
    """A file where the folder should be."""
    (tmp_path / "file").write_text("")
    memory = Memory(tmp_path / "file" / "x", "prod")
    memory.add_act("own")
    assert memory.value == Remembered(acts=frozenset({"own"}))
    assert memory.problem
