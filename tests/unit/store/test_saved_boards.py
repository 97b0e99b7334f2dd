"""The triage board as it was left, on disk."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.boards import LOGIN, board
from tests.support.lane import NOW

from platui.models.values.triage import CommitSummary, Flaky
from platui.models.values.triage_board import (
    Late,
    LateKind,
    SavedBoard,
    TypicalDuration,
    saved_board,
)
from platui.store.saved_boards import MAX_ITEMS, SavedBoards

if TYPE_CHECKING:
    from pathlib import Path

URL = "https://platform.example"


def a_board() -> SavedBoard:
    """Return a board with something of everything."""
    late = Late(
        LateKind.MISSED, 60.0, TypicalDuration(1.0, 2.5, 9), "Nightly", due_at=NOW, schedule=7
    )
    found = board(
        {1: "gr", 2: f"{'g' * 18}rg", 3: "g*", 4: "gr"},
        causes={1: LOGIN},
        late={3: late},
        inaccessible=(9,),
    )
    first, *others = found.items
    assert first.point is not None
    assert first.incident is not None
    point = replace(first.point, flaky=(Flaky("dbt_run", "ab", 1, 2),), flakes=("lint",))
    incident = replace(first.incident, commit=CommitSummary("ab", "Rename", "ada"))
    first = replace(first, point=point, incident=incident)
    return saved_board(replace(found, items=(first, *others)), NOW.timestamp())


def test_a_board_comes_back_as_it_was_left(tmp_path: Path) -> None:
    """Each item with all that is known of it; of this profile, on this platform."""
    kept, boards = a_board(), SavedBoards(tmp_path)
    assert len(kept.items) == 4
    boards.save("work", URL, kept)
    assert boards.load("work", URL) == kept
    assert boards.load("work", "https://elsewhere.example") is None
    assert boards.load("play", URL) is None
    (path,) = tmp_path.iterdir()
    assert path.stat().st_mode & 0o777 == 0o600


def test_what_a_hand_wrote_into_it_is_cleaned_or_none_of_ours(tmp_path: Path) -> None:
    """No sequence of it reaches a terminal; another shape is no board."""
    boards = SavedBoards(tmp_path)
    boards.save("work", URL, a_board())
    (path,) = tmp_path.iterdir()
    document = json.loads(path.read_text())
    document["names"][0][1] = "acme/\x1b]0;evil\x07p1"
    path.write_text(json.dumps(document))
    found = boards.load("work", URL)
    assert found is not None
    assert "\x1b" not in found.names[0][1]
    wrong: list[Any] = [
        [], {**document, "version": 0}, {**document, "items": [[1, 2]]},
        {**document, "watched": "many"}, {**document, "names": [[1]]},
        {**document, "told_at": float("inf")}, {**document, "told_at": 1e15},
    ]  # fmt: skip
    for one in wrong:
        path.write_text(json.dumps(one))
        assert boards.load("work", URL) is None
    path.write_text("{")
    assert boards.load("work", URL) is None


def test_a_board_of_before_a_field_was_added_is_read(tmp_path: Path) -> None:
    """Whoever has kept one finds it after an update."""
    boards, found = SavedBoards(tmp_path), a_board()
    boards.save("work", URL, found)
    (path,) = tmp_path.iterdir()
    document = json.loads(path.read_text())
    at = next(at for at, one in enumerate(found.items) if one.recovery is not None)
    recovery = found.items[at].recovery
    (field,) = (one for one in document["items"][at] if isinstance(one, list) and len(one) == 7)
    field.pop()
    path.write_text(json.dumps(document))
    read = boards.load("work", URL)
    assert read is not None
    assert recovery is not None
    assert recovery.newest_red is not None
    assert read.items[at].recovery == replace(recovery, newest_red=None)


def test_so_much_is_kept_and_no_more(tmp_path: Path) -> None:
    """What the board shows last goes first."""
    kept, boards = a_board(), SavedBoards(tmp_path)
    many = replace(kept, items=kept.items * MAX_ITEMS)
    boards.save("work", URL, many)
    found = boards.load("work", URL)
    assert found is not None
    assert found.items == many.items[:MAX_ITEMS]


@pytest.mark.parametrize("value", [True, 1.5, None, {}, [[]]])
def test_a_value_of_another_kind_is_none_of_ours(tmp_path: Path, value: object) -> None:
    """Also deep within an item."""
    boards = SavedBoards(tmp_path)
    boards.save("work", URL, a_board())
    (path,) = tmp_path.iterdir()
    document = json.loads(path.read_text())
    document["items"][0][2][1][0] = value
    path.write_text(json.dumps(document))
    assert boards.load("work", URL) is None
