"""What is said on the triage board is remembered, by all processes of a user together."""

from __future__ import annotations

import errno
import json
import stat
import subprocess
import sys
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from tests.support.clock import START

from platui.core.paths import write_private
from platui.models.values.stored_triage import MAX_NOTE_LENGTH, PastIncident, WatchSelection
from platui.models.values.triage import Incident, Lane, PipelineRun
from platui.models.values.triage_board import Mark
from platui.store import triage
from platui.store.triage import TriageStore

if TYPE_CHECKING:
    from pathlib import Path

URL = "https://data.example.com"
KEY = (7, 4711)
RED = PipelineRun(4711, "failed", "main", "c0ffee", "push", "nightly", START, START, "https://x/1")
INCIDENT = Incident(
    Lane(7, "main", "nightly"),
    first_red=RED,
    newest_red=RED._replace(id=4713, ended_at=None),
    streak=3,
    last_green=RED._replace(id=4700, status="success"),
    is_main=True,
)
PAST = PastIncident(INCIDENT, START, None, "abc123", "missing relation: mart.orders")


def store(folder: Path | None) -> TriageStore:
    """Return the memory as another process would open it."""
    return TriageStore(folder, "prod", URL)


def the_file(folder: Path) -> Path:
    """Return the only memory in a folder."""
    [path] = folder.glob("*.json")
    return path


def test_what_is_said_of_many_is_written_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of a cause is acknowledged, or none of it: whoever leaves in the middle has left."""
    one = store(tmp_path)
    written: list[Path] = []

    def write(path: Path, content: bytes) -> None:
        written.append(path)
        write_private(path, content)

    monkeypatch.setattr("platui.store.document.write_private", write)
    keys = [(project, 4711) for project in range(40)]
    one.acknowledge({key: f"s{at % 2}" for at, key in enumerate(keys)})
    one.snooze(keys, START)
    one.note(keys, "vendor")
    one.own(keys, "ada")
    assert len(written) == 4
    assert dict(store(tmp_path).value.marks) == {
        key: Mark(f"s{at % 2}", START, "vendor", "ada") for at, key in enumerate(keys)
    }


def test_another_run_knows_all_of_it(tmp_path: Path) -> None:
    """It comes back as it was, from a file that is its owner's."""
    one = store(tmp_path)
    assert not one.value.watched.is_chosen
    one.watch([7, 3], ["data/etl"])
    one.acknowledge({KEY: "abc123"})
    one.snooze([KEY], START + timedelta(hours=2))
    one.note([KEY], "waits for \x1b[31mops")
    one.own([KEY], "ada")
    one.record([PAST])
    after = store(tmp_path).value
    assert after.watched == WatchSelection((7, 3), ("data/etl",), is_chosen=True)
    mark = Mark("abc123", START + timedelta(hours=2), "waits for �[31mops", "ada")
    assert dict(after.marks) == {KEY: mark}
    assert dict(after.history) == {KEY: PAST}
    assert stat.S_IMODE(the_file(tmp_path).stat().st_mode) == 0o600


def test_what_is_taken_back_is_gone() -> None:
    """A mark of which nothing is left is none."""
    one = store(None)
    one.watch([7, 3], ["data"])
    one.unwatch([7], ["data"])
    assert one.value.watched == WatchSelection((3,), is_chosen=True)
    one.acknowledge({KEY: ""})
    one.acknowledge({KEY: None})
    assert not one.value.marks


_PROCESS = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from platui.store.triage import TriageStore
store = TriageStore(Path(sys.argv[1]), "prod", "https://data.example.com")
number = int(sys.argv[2])
store.value
print("ready", flush=True)
sys.stdin.readline()
for turn in range(20):
    store.watch([number * 100 + turn])
    (store.note if number == 1 else store.own)([(7, turn)], f"by {number}")
print(store.problem)
"""


def test_a_cause_is_acknowledged_with_what_joins_it(tmp_path: Path) -> None:
    """Of one of its incidents that is taken back, nothing joins it any more."""
    keys = [(1, 10), (2, 20), (3, 30)]
    one = store(tmp_path)
    one.acknowledge(dict.fromkeys(keys, "abc"), keys[:2])
    again = store(tmp_path)
    assert [again.value.marks[key].spreads for key in keys] == [True, True, False]
    one.acknowledge({keys[0]: None})
    marks = store(tmp_path).value.marks
    assert keys[0] not in marks
    assert [(marks[key].acked, marks[key].spreads) for key in keys[1:]] == [
        ("abc", False), ("abc", False),
    ]  # fmt: skip


def test_two_processes_lose_nothing_of_each_other(tmp_path: Path) -> None:
    """Both write at the same time, also of the same incidents; a third one sees it come."""
    looking = store(tmp_path)
    assert not looking.refresh()
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", _PROCESS, str(tmp_path), str(number)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        for number in (1, 2)
    ]  # fmt: skip
    for one in processes:
        assert one.stdout is not None
        assert one.stdout.readline() == "ready\n"
    # Together, once both are there.
    for one in processes:
        assert one.stdin is not None
        one.stdin.write("\n")
        one.stdin.flush()
    outputs = [one.communicate(timeout=20)[0].strip() for one in processes]
    assert outputs == ["", ""]
    assert looking.refresh()
    assert not looking.refresh()
    wanted = {number * 100 + turn for number in (1, 2) for turn in range(20)}
    assert set(looking.value.watched.projects) == wanted
    assert dict(looking.value.marks) == {
        (7, turn): Mark(note="by 1", owner="by 2") for turn in range(20)
    }


@pytest.mark.parametrize(
    "content",
    [b"{", b"[1]", b'{"version": 1}', b'{"version": "x"}', b"\xff\xfe", b"[" * 100_000],
)
def test_a_damaged_file_is_put_aside(tmp_path: Path, content: bytes) -> None:
    """Nothing of it is lost, and what is said now is kept; reading alone moves nothing."""
    store(tmp_path).watch([7])
    path = the_file(tmp_path)
    path.write_bytes(content)
    one = store(tmp_path)
    assert not one.value.watched.projects
    assert path.read_bytes() == content
    one.watch([3])
    assert not one.problem
    assert store(tmp_path).value.watched.projects == (3,)
    [aside] = tmp_path.glob("*.damaged")
    assert aside.read_bytes() == content


def test_what_another_process_damages_costs_this_one_nothing(tmp_path: Path) -> None:
    """What it knows is written with its next change."""
    one = store(tmp_path)
    one.watch([7])
    the_file(tmp_path).write_bytes(b"")
    assert not one.refresh()
    one.watch([3])
    assert store(tmp_path).value.watched.projects == (7, 3)


def test_the_file_of_a_newer_platui_is_left_alone(tmp_path: Path) -> None:
    """What is said holds for this run, and it is told why."""
    store(tmp_path).watch([7])
    path = the_file(tmp_path)
    newer = json.dumps({"version": 2, "projects": "others"}).encode()
    path.write_bytes(newer)
    one = store(tmp_path)
    one.watch([3])
    assert one.value.watched.projects == (3,)
    assert "newer platui" in one.problem
    assert path.read_bytes() == newer
    assert not list(tmp_path.glob("*.damaged"))


def test_what_is_not_known_here_stays(tmp_path: Path) -> None:
    """A field of a later version of the same shape is not lost by a write."""
    store(tmp_path).watch([7])
    path = the_file(tmp_path)
    path.write_text(json.dumps(json.loads(path.read_text()) | {"later": 1}))
    store(tmp_path).watch([3])
    assert json.loads(path.read_text())["later"] == 1


def test_two_platforms_of_one_name_share_nothing(tmp_path: Path) -> None:
    """A project's number means another project there, and neither memory is lost."""
    store(tmp_path).watch([7])
    other = TriageStore(tmp_path, "prod", "https://other.example.com")
    assert not other.value.watched.projects
    other.watch([3])
    assert store(tmp_path).value.watched.projects == (7,)


def test_an_incident_is_remembered_as_all_looks_have_seen_it(tmp_path: Path) -> None:
    """The first look says since when; the cause stays known; the end is the first one seen."""
    one = store(tmp_path)
    one.record([PAST])
    later = START + timedelta(hours=1)
    longer = replace(INCIDENT, streak=4)
    one.record([PastIncident(longer, later)])
    assert one.value.history[KEY] == replace(PAST, incident=longer)
    one.record([PastIncident(longer, later, recovered_at=later)])
    written = the_file(tmp_path).stat().st_ino
    one.record([PastIncident(longer, later, recovered_at=later + timedelta(hours=1))])
    assert one.value.history[KEY].recovered_at == later
    assert the_file(tmp_path).stat().st_ino == written
    one.record([PastIncident(longer, later)])
    assert one.value.history[KEY].recovered_at is None


def test_only_so_much_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is over goes before what is open, and the oldest word before newer ones."""
    monkeypatch.setattr(triage, "MAX_HISTORY", 3)
    monkeypatch.setattr(triage, "MAX_MARKS", 2)
    one = store(None)
    for number in range(5):
        over = START if number % 2 else None
        red = RED._replace(id=number)
        one.record([PastIncident(replace(INCIDENT, first_red=red), START, over)])
        one.note([(7, number)], "x" * (MAX_NOTE_LENGTH + 1))
    assert [number for _, number in one.value.history] == [0, 2, 4]
    assert [number for _, number in one.value.marks] == [3, 4]
    assert len(one.value.marks[7, 4].note) == MAX_NOTE_LENGTH


def test_an_incident_that_is_older_than_was_known_keeps_what_was_said(tmp_path: Path) -> None:
    """The mark goes with it to the key it has now."""
    one = store(tmp_path)
    one.record([PAST])
    one.acknowledge({KEY: "abc123"})
    one.move(KEY, (7, 4690))
    after = store(tmp_path).value
    assert dict(after.marks) == {(7, 4690): Mark("abc123")}
    assert not after.history


def test_what_is_said_of_an_old_key_is_said_of_the_incident(tmp_path: Path) -> None:
    """A note that took a minute to write, and an undo, were begun before it moved."""
    one = store(tmp_path)
    one.acknowledge({KEY: "abc123"})
    one.move(KEY, (7, 4690))
    one.move((7, 4690), (7, 4650))
    one.note([KEY], "disk is full")
    one.own([(7, 4690)], "kim")
    assert dict(one.value.marks) == {(7, 4650): Mark("abc123", note="disk is full", owner="kim")}
    one.acknowledge({KEY: None})
    assert one.value.marks[7, 4650].acked is None
    one.acknowledge({KEY: "abc123"}, [KEY])
    assert one.value.marks[7, 4650].spreads


def test_what_was_said_of_two_incidents_that_turn_out_to_be_one_is_kept(tmp_path: Path) -> None:
    """Where both have something, the new key's counts."""
    one = store(tmp_path)
    one.acknowledge({KEY: "abc123"}, [KEY])
    one.note([KEY], "mine")
    one.note([(7, 4690)], "theirs")
    one.own([(7, 4690)], "kim")
    one.move(KEY, (7, 4690))
    mark = Mark("abc123", note="theirs", owner="kim", spreads=True)
    assert dict(store(tmp_path).value.marks) == {(7, 4690): mark}


def test_a_folder_that_cannot_be_written_costs_no_more_than_the_memory(tmp_path: Path) -> None:
    """What is said holds for this run."""
    (tmp_path / "file").write_bytes(b"")
    one = store(tmp_path / "file" / "folder")
    one.watch([7])
    assert one.value.watched.projects == (7,)
    assert one.problem


def test_what_could_not_be_written_is_written_with_the_next_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that was full for a moment costs nothing; meanwhile others are heard."""
    one, other = store(tmp_path), store(tmp_path)

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("platui.store.document.write_private", refuse)
        one.watch([7])
    assert "No space left" in one.problem
    other.watch([9])
    assert one.refresh()
    assert one.value.watched.projects == (9, 7)
    one.note([KEY], "seen")
    assert not one.problem
    assert store(tmp_path).value == one.value


def test_what_could_not_be_read_for_a_while_is_no_problem_any_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A look is enough; what is still to be written is a problem until it is."""
    one, other = store(tmp_path), store(tmp_path)
    one.watch([7])
    other.watch([9])

    def refuse(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr("pathlib.Path.read_bytes", refuse)
        assert not one.refresh()
    assert "Input/output error" in one.problem
    assert one.refresh()
    assert not one.problem
    with monkeypatch.context() as patch:
        patch.setattr("platui.store.document.write_private", refuse)
        one.watch([8])
    other.watch([10])
    assert one.refresh()
    assert "Input/output error" in one.problem
