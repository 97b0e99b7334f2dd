"""From one board to the next: what is new, told once, and what is none."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from tests.support.boards import LOGIN, MEMORY, SLOW, board
from tests.support.lane import HOUR, NOW

from platui.analysis.triage.board_events import BoardEventDetector, SeenBoard, news
from platui.models.values.triage_board import Late, LateKind, Mark

if TYPE_CHECKING:
    from platui.models.values.triage_board import Board

ACKED = {1: Mark(acked="aa")}
SNOOZED = {1: Mark(snoozed_until=NOW + HOUR)}
LOOKED = tuple(range(990, 1010))
"""Pipelines whose jobs are known: all of them."""
RED = board({1: "gr"}, causes={1: LOGIN})


def told(before: Board, after: Board) -> list[str]:
    """Return the kinds of what is new."""
    return [one.kind.value for one in news(SeenBoard(before, NOW), SeenBoard(after, NOW))]


@pytest.mark.parametrize(
    ("before", "after", "kinds"),
    [
        (board({1: "g"}), board({1: "gr"}), ["opened"]),
        (board({1: "g"}), board({1: "gr"}, causes={1: LOGIN}), ["opened"]),
        (board({1: "g*"}), board({1: "gr"}), ["opened"]),
        (board({1: "gr"}), board({1: "grr"}), []),
        (board({1: "gr"}), board({1: "gr*"}), []),
        (board({1: "gr"}), RED, ["cause"]),
        (RED, board({1: "grr"}, causes={1: MEMORY}), ["new_signature"]),
        (RED, board({1: "gr"}, causes={1: LOGIN}, marks=ACKED), ["acked"]),
        (RED, board({1: "gr"}, causes={1: LOGIN}, marks=SNOOZED), ["snoozed"]),
        (board({1: "gr"}, causes={1: LOGIN}, marks=ACKED), RED, ["returned"]),
        (
            board({1: "gr"}, causes={1: LOGIN}, marks=ACKED),
            board({1: "grr"}, causes={1: MEMORY}, marks=ACKED),
            ["new_signature"],
        ),
        (RED, board({1: "gr"}, causes={1: LOGIN}, marks={1: Mark(note="seen")}), []),
        (RED, board({1: "grg"}), ["recovered"]),
        (RED, board({1: "grg*"}), ["recovered"]),
        (RED, board({1: "grgr"}), ["opened", "recovered"]),
        (RED, board({1: "g"}, deleted=((1, 1001),)), ["ended"]),
        (board({1: "g*"}), board({1: "g*"}, late={1: SLOW}), ["late"]),
        (board({1: "g*"}, late={1: SLOW}), board({1: "g*"}, late={1: SLOW}), []),
        (board({1: "g*"}, late={1: SLOW}), board({1: "gg"}), ["ended"]),
        (board({1: "g*"}), board({1: "gc"}), ["ended"]),
        (board({1: "g*"}), board({1: "g**"}), []),
        (board({1: "gg"}), board({1: "gg*"}), []),
        (board({1: "gr", 2: "g*"}), board({1: "grg", 2: "gr"}), ["opened", "recovered"]),
        (board({1: "g"}, is_named=False), board({1: "gr"}), []),
    ],
)  # fmt: skip
def test_what_is_new(before: Board, after: Board, kinds: list[str]) -> None:
    """What matters most comes first; a longer streak is none."""
    assert told(before, after) == kinds
    assert told(after, after) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (board({}), board({1: "gr"})),
        (board({1: "g"}, live=()), board({1: "gr"})),
        (board({1: "gr"}), board({})),
        (board({1: "gr"}), board({1: "gr"}, items=(), live=(), inaccessible=(1,))),
        (board({1: "gr"}, items=(), live=(), inaccessible=(1,)), board({1: "gr"})),
    ],
)
def test_what_is_known_for_the_first_time_is_no_news(before: Board, after: Board) -> None:
    """Nor what is not watched any more, or not shown: a kept board is one of another time."""
    assert told(before, after) == []


def test_a_storm_at_the_first_board_is_no_flood() -> None:
    """Project by project the platform tells of forty that are red; then their causes are read."""
    ticker = BoardEventDetector()
    red = dict.fromkeys(range(1, 41), "gr")
    for known in (0, 3, 20, 40):
        now = board(red, live=tuple(range(1, known + 1)), is_live=known == 40)
        assert ticker.detect(now, NOW) == ()
    later = board({**red, 41: "g"}, causes=dict.fromkeys(red, LOGIN))
    assert ticker.detect(later, NOW) == ()


def test_a_cause_that_is_read_anew_is_told_once() -> None:
    """With each new red pipeline it is unknown for a moment."""
    ticker = BoardEventDetector()
    boards = [
        board({1: "g"}),
        board({1: "gr"}),
        board({1: "gr"}, causes={1: LOGIN}),
        board({1: "grr"}),
        board({1: "grr"}, causes={1: LOGIN}),
        board({1: "grrr"}),
        board({1: "grrr"}, causes={1: MEMORY}),
    ]
    kinds = [[one.kind.value for one in ticker.detect(each, NOW)] for each in boards]
    assert kinds == [[], ["opened"], ["cause"], [], [], [], ["new_signature"]]


@pytest.mark.parametrize(("letter", "status"), [("g", "success"), ("c", "canceled")])
def test_what_has_ended_says_how(letter: str, status: str) -> None:
    """Also where a newer one has come and gone meanwhile; else it stands as it stood last."""
    before = SeenBoard(board({1: "g*"}), NOW)
    for word in (f"g{letter}", f"g{letter}g"):
        [one] = news(before, SeenBoard(board({1: word}), NOW))
        assert one.item.newest is not None
        assert (one.kind.value, one.item.newest.status) == ("ended", status)
    [one] = news(before, SeenBoard(board({1: f"g{letter}"}, ended=()), NOW))
    assert one.item == one.was


def test_what_is_silent_now_and_then_is_late_once() -> None:
    """Until it has ended; the next one is another."""
    ticker = BoardEventDetector()
    silent = {1: Late(LateKind.SILENT, 900.0)}
    runs, is_silent = (
        board({1: "g*"}, with_jobs=LOOKED),
        board({1: "g*"}, with_jobs=LOOKED, late=silent),
    )
    counts = [len(ticker.detect(each, NOW)) for each in (runs, is_silent, runs, is_silent, runs)]
    assert counts == [0, 1, 0, 0, 0]
    kinds = [one.kind.value for one in ticker.detect(board({1: "gg"}), NOW)]
    assert kinds == ["ended"]
    ticker.detect(board({1: "gg*"}, with_jobs=LOOKED), NOW)
    assert [one.kind.value for one in ticker.detect(board({1: "gg*"}, late=silent), NOW)] == [
        "late"
    ]


def test_what_is_stuck_is_news_only_where_its_jobs_were_known_before() -> None:
    """What was stuck when they were told for the first time is not new."""
    waits = {1: Late(LateKind.WAITING, 900.0)}
    unknown, known = board({1: "g*"}), board({1: "g*"}, with_jobs=LOOKED)
    stuck = board({1: "g*"}, late=waits, with_jobs=LOOKED)
    assert told(unknown, stuck) == []
    assert told(known, stuck) == ["late"]
    assert told(stuck, stuck) == []
    slow = board({1: "g*"}, late={1: SLOW}, with_jobs=LOOKED)
    assert told(slow, stuck) == ["late"]


def test_an_incident_is_the_same_when_more_is_known_of_its_beginning() -> None:
    """Its key is another then: it began with an older pipeline."""
    short = board({1: "grrr"})
    (item,) = short.items
    assert item.incident is not None
    later = item.incident.first_red._replace(id=item.incident.first_red.id + 2)
    moved = replace(item.incident, first_red=later)
    before = replace(short, items=(replace(item, incident=moved),))
    assert told(before, short) == []


def test_a_snooze_that_is_over_is_news() -> None:
    """Nobody said anything; the time has come."""
    quiet = board({1: "gr"}, causes={1: LOGIN}, marks=SNOOZED)
    before, after = SeenBoard(quiet, NOW), SeenBoard(quiet, NOW + HOUR)
    (one,) = news(before, after)
    assert one.kind.value == "returned"


def test_a_branch_that_was_given_up_has_not_recovered() -> None:
    """Nothing has said that it is green."""
    before = board({1: "gr"})
    (item,) = before.items
    branch = replace(before, items=(replace(item, is_main=False),))
    gone = replace(before, items=())
    later = NOW + timedelta(days=20)
    (one,) = news(SeenBoard(branch, later), SeenBoard(gone, later))
    assert one.kind.value == "ended"


def test_a_schedule_that_did_not_fire_is_news_only_where_schedules_were_known_before() -> None:
    """What was missing when they were told for the first time is not new."""
    late = Late(LateKind.MISSED, 60.0, what="nightly", due_at=NOW - HOUR, schedule=3)
    other = replace(late, schedule=4)
    unknown, none = board({1: "g*"}), board({1: "g*"}, with_schedules=(1,))
    missing = board({1: "g*"}, late={1: late}, with_schedules=(1,))
    assert told(unknown, missing) == []
    assert told(none, missing) == ["late"]
    assert told(missing, board({1: "g*"}, late={1: other}, with_schedules=(1,))) == ["late"]
    assert told(missing, missing) == []
