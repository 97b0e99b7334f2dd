"""What causes are called: by themselves, and not by their place."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

from tests.support.board import LOGIN, MEMORY, board_of, item

from platui.analysis.triage.causes import abbreviated_keys, key_of, keys_of
from platui.models.values.triage_board import CauseGroup, Mark

if TYPE_CHECKING:
    from platui.models.values.triage_board import Board

TIMEOUT = replace(LOGIN, key="cc", is_symptom=True)


def called(board: Board) -> dict[int, str]:
    """Return the key of the cause of each project."""
    return {int(one.lane.project): key_of(group) for group in board.groups for one in group.items}


def test_a_cause_is_called_alike_in_every_listing() -> None:
    """Also where it stands elsewhere, because it was acknowledged or others are left out."""
    items = [item(1, "rg", LOGIN), item(2, "rrg", LOGIN), item(3, "rg", MEMORY), item(4, "rg")]
    keys = called(board_of(*items))
    assert keys[1] == keys[2]
    assert len(set(keys.values())) == 3
    acked = replace(items[0], mark=Mark(acked=LOGIN.key))
    assert called(board_of(acked, *items[1:])) == keys
    assert called(board_of(items[3], items[1])) == {2: keys[2], 4: keys[4]}


def test_what_is_local_is_another_cause_in_another_project() -> None:
    """It has the same signature there, and another key."""
    keys = called(board_of(item(1, "rg", MEMORY), item(2, "rg", MEMORY)))
    assert keys[1] != keys[2]


def test_a_symptom_at_two_times_is_two_causes_and_each_incident_means_its_own() -> None:
    """Whichever of them is the first of what is looked at."""
    (whole,) = board_of(item(1, "rg", TIMEOUT), item(2, "rrg", TIMEOUT)).groups
    for one in (1, 2):
        (part,) = board_of(item(one, "r" * one + "g", TIMEOUT)).groups
        assert key_of(part) in keys_of(whole)
    assert len(keys_of(whole)) == 2


def test_keys_are_shown_as_long_as_tells_them_apart() -> None:
    """Five letters, none of which stands in a number; more where two begin alike."""
    begins: dict[str, CauseGroup] = {}
    for number in count():
        (group,) = board_of(item(1, "rg", replace(LOGIN, key=str(number)))).groups
        other = begins.setdefault(key_of(group)[:5], group)
        if other is not group:
            break
    one, two, plain = abbreviated_keys([group, other, board_of(item(1, "rg", MEMORY)).groups[0]])
    assert len(one) == len(two) > len(plain) == 5
    assert one != two
    assert key_of(group).startswith(one)
    assert set(one + two + plain) <= set("klmnopqrstuvwxyz")
