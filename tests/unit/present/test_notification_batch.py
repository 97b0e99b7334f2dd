"""When news are told: together, with their cause, and never a flood."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.boards import LOGIN, MEMORY, board
from tests.support.lane import NOW

from platui.analysis.triage.board_events import BoardEventDetector
from platui.models.values.triage_board import Mark
from platui.present.triage.notification_batch import FOR_CAUSE, GAP, NotificationBatch

if TYPE_CHECKING:
    from platui.models.values.triage_board import Board

GREEN = board({1: "g", 2: "g"})
RED = board({1: "gr", 2: "g"})
ERROR_RULES = board({1: "gr", 2: "g"}, causes={1: LOGIN})


class Told:
    """A desk that is shown boards, and asked at moments."""

    def __init__(self, first: Board = GREEN) -> None:
        self._ticker, self._desk = BoardEventDetector(), NotificationBatch()
        self._ticker.detect(first, NOW)

    def show(self, found: Board, at: float) -> None:
        """Show a board at a second."""
        self._desk.take(self._ticker.detect(found, NOW), at)

    def remaining(self, at: float) -> float | None:
        """Return what the desk says of a second."""
        return self._desk.remaining(at)

    def told(self, at: float) -> list[str]:
        """Return what is told at a second."""
        return [
            f"{one.kind.value} {one.item.lane.project}"
            + (f" {one.item.signature.kind}" if one.item.signature else "")
            for one in self._desk.hand_out(at)
        ]


def test_what_broke_waits_a_while_for_its_cause() -> None:
    """And is told at once when that comes, or without it."""
    desk = Told()
    desk.show(RED, 100)
    assert desk.remaining(100) == FOR_CAUSE
    assert desk.told(101) == []
    desk.show(ERROR_RULES, 102)
    assert desk.remaining(102) == 0
    assert desk.told(102) == ["opened 1 login"]
    assert desk.remaining(102) is None
    late = Told()
    late.show(RED, 100)
    assert late.told(100 + FOR_CAUSE) == ["opened 1"]
    late.show(ERROR_RULES, 120)
    assert late.remaining(120) is None  # its cause alone is no news


def test_a_storm_is_one_telling_and_then_a_pause() -> None:
    """What breaks meanwhile is told together afterwards."""
    lanes = dict.fromkeys(range(1, 41), "g")
    desk = Told(board(lanes))
    first = {number: "gr" if number <= 20 else "g" for number in lanes}
    desk.show(board(first, causes=dict.fromkeys(range(1, 21), LOGIN)), 100)
    assert len(desk.told(100)) == 20
    rest = dict.fromkeys(lanes, "gr")
    desk.show(board(rest, causes=dict.fromkeys(range(1, 41), LOGIN)), 101)
    assert desk.remaining(101) == GAP - 1
    assert desk.told(110) == []
    assert len(desk.told(100 + GAP)) == 20


def test_red_and_green_again_before_it_was_told_is_not_told() -> None:
    """Nobody needs to know; what was told broken is told green."""
    desk = Told()
    desk.show(RED, 100)
    desk.show(board({1: "grg", 2: "g"}), 103)
    assert desk.remaining(103) is None
    desk = Told()
    desk.show(ERROR_RULES, 100)
    assert desk.told(100) == ["opened 1 login"]
    desk.show(board({1: "grg", 2: "g"}), 200)
    assert desk.told(200) == ["recovered 1 login"]


def test_what_broke_and_fails_for_another_cause_by_then_is_told_as_broken() -> None:
    """Nobody was told of the first one, so there is no other."""
    desk = Told()
    desk.show(board({1: "g", 2: "gr"}, causes={2: LOGIN}), 90)
    assert desk.told(90) == ["opened 2 login"]
    desk.show(board({1: "gr", 2: "gr"}, causes={1: LOGIN, 2: LOGIN}), 100)
    desk.show(board({1: "grr", 2: "gr"}, causes={1: MEMORY, 2: LOGIN}), 110)
    assert desk.told(90 + GAP) == ["opened 1 out of memory"]


def test_green_and_red_again_before_it_was_told_is_not_told() -> None:
    """Whoever tries its green pipeline again may break it anew."""
    desk = Told(board({1: "gr", 2: "g"}, causes={1: LOGIN}))
    desk.show(board({1: "gr", 2: "gr"}, causes={1: LOGIN, 2: LOGIN}), 90)
    assert desk.told(90) == ["opened 2 login"]
    desk.show(board({1: "gg", 2: "gr"}, causes={2: LOGIN}), 100)
    desk.show(board({1: "gr", 2: "gr"}, causes={1: LOGIN, 2: LOGIN}), 110)
    assert desk.told(90 + GAP) == []


def test_what_fails_for_another_cause_and_then_is_green_is_told_green() -> None:
    """It was known to be broken."""
    desk = Told()
    desk.show(ERROR_RULES, 100)
    assert desk.told(100) == ["opened 1 login"]
    desk.show(board({1: "grr", 2: "g"}, causes={1: MEMORY}), 110)
    desk.show(board({1: "grrg", 2: "g"}), 120)
    assert desk.told(100 + GAP) == ["recovered 1 out of memory"]


def test_another_cause_is_told_and_what_people_say_is_not() -> None:
    """Of an incident that goes on."""
    desk = Told(ERROR_RULES)
    desk.show(board({1: "grr", 2: "g"}, causes={1: MEMORY}), 100)
    assert desk.told(100) == ["new_signature 1 out of memory"]


def test_nothing_is_told_of_the_first_board() -> None:
    """What is red when one begins to look is on the board."""
    desk = Told(ERROR_RULES)
    desk.show(ERROR_RULES, 100)
    assert desk.remaining(100) is None


def test_what_joins_an_acknowledged_cause_is_not_told() -> None:
    """Nothing is known of it at first; a moment later it is as quiet as the others."""
    desk = Told()
    desk.show(RED, 100)
    desk.show(board({1: "gr", 2: "g"}, causes={1: LOGIN}, marks={1: Mark(LOGIN.key)}), 102)
    assert desk.remaining(102) is None
    assert desk.told(100 + FOR_CAUSE) == []
