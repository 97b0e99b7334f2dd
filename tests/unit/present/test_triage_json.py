"""What `--json` says of a triage board, of its news and of what is over, by its schemas."""

from __future__ import annotations

from tests.support.boards import LOGIN, MEMORY, SLOW, board
from tests.support.lane import HOUR, NOW
from tests.support.schemas import misfits

from platui.models.values.stored_triage import PastIncident
from platui.models.values.triage_board import BoardEvent, BoardEventKind, BoardState, Mark
from platui.present.tables.spec import Context
from platui.present.tables.triage_history import HISTORY, Over
from platui.present.tables.triage_json import (
    CSV_COLUMNS,
    board_object,
    csv_rows,
    news_object,
)
from platui.present.triage.labels import Names

FOUND = board(
    {1: "grr", 2: "gr", 3: "gr", 4: "g*", 5: "g" + "r" * 18 + "g", 6: "g*"},
    causes={1: LOGIN, 2: LOGIN, 3: MEMORY},
    late={6: SLOW},
    marks={2: Mark(owner="ada"), 3: Mark(acked="bb", snoozed_until=NOW + HOUR, note="informed")},
)
NAMES = Names(FOUND.names)


def test_a_board_with_rows_of_every_standing_is_as_its_schema_says() -> None:
    """Broken, late, running and recovered."""
    told = board_object(FOUND, NAMES, NOW, profile="prod", url="https://platform.example")
    assert all(told[standing.value] for standing in BoardState)
    assert misfits("triage", told) == []
    told["broken"][0]["another"] = 1
    assert misfits("triage", told)


def test_what_has_recovered_says_since_when_it_was_red_and_when_it_was_over() -> None:
    """The same in CSV and JSON; of what is broken still nobody knows when it is over."""
    rows = [dict(zip(CSV_COLUMNS, row, strict=True)) for row in csv_rows(FOUND, NAMES, NOW)]
    told = board_object(FOUND, NAMES, NOW, profile="prod", url="https://platform.example")
    (recovered,) = [row for row in rows if row["standing"] == "recovered"]
    (as_json,) = told["recovered"]
    for name in ("since", "recovered_at", "project"):
        assert recovered[name] == as_json[name]
    assert as_json["since"] == as_json["first_red"]["ended_at"] < as_json["recovered_at"]
    assert {row["recovered_at"] for row in rows if row["standing"] == "broken"} == {None}


def test_news_of_every_kind_are_as_their_schema_says() -> None:
    """Whatever becomes of whatever stands on a board."""
    for item in FOUND.items:
        for kind in BoardEventKind:
            assert misfits("triage-event", news_object(BoardEvent(kind, item), NAMES, NOW)) == []


def test_what_is_over_is_as_its_schema_says() -> None:
    """With what was said of it, or without."""
    for item in FOUND.items:
        if item.incident is not None:
            past = PastIncident(item.incident, NOW, NOW, "aa", "disk is full")
            for mark in (Mark(), item.mark):
                over = HISTORY.object(Over(past, mark, NAMES), Context(NOW))
                assert misfits("triage-past", over) == []
