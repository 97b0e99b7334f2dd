"""The line above the triage board, its pages, how fresh it is, and for how long one can snooze."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from tests.support.board import board_of, item
from tests.support.lane import HOUR, NOW

from platui.core.errors import OfflineError, OfflineReason
from platui.models.values.triage_board import Board, Counts
from platui.present.chrome import Age, Freshness
from platui.present.triage.summary import (
    all_refused,
    board_age,
    cost_pieces,
    fit_cost,
    missing_projects,
    no_failures_page,
    refused_page,
    refused_pieces,
    snoozes,
    summary_pieces,
)

LOST = OfflineError("Nobody answers.", reason=OfflineReason.REFUSED)


def words(pieces: Any) -> str:
    """Return pieces as one text."""
    return " · ".join(text for text, _ in pieces)


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        (Counts(), "nothing is broken"),
        (Counts(broken=1, causes=1), "1 broken"),
        (Counts(14, 2, 1, 3, 4, 5), ("14 broken (2 causes) · 1 late · 3 running · "
                                     "4 recovered today · 5 quiet")),
        (Counts(running=3, quiet=1), "nothing else is broken · 3 running · 1 quiet"),
    ],
)  # fmt: skip
def test_the_board_in_numbers(counts: Counts, said: str) -> None:
    """What there is none of is left out."""
    assert words(summary_pieces(counts)) == said


def test_while_causes_are_read_nobody_knows_how_many_there_are() -> None:
    """Of what is broken alone it is known."""
    said = words(summary_pieces(Counts(12, 11, 1), reading=True))
    assert said == "12 broken, loading causes · 1 late"
    assert words(summary_pieces(Counts(), reading=True)) == "nothing is broken"


def test_nothing_is_broken_is_said_of_projects_that_have_all_answered_only() -> None:
    """Until then they are being loaded; what is broken is said at once."""
    board = Board(watched=14, known=3, inaccessible=(1,))
    missing = missing_projects(board)
    said = words(summary_pieces(Counts(running=1), missing=missing))
    assert said == "loading projects · 1 running"
    assert words(summary_pieces(Counts(broken=1, causes=1), missing=missing)) == "1 broken"
    assert missing_projects(replace(board, error=LOST)) == "some projects not loaded"
    assert missing_projects(replace(board, known=13)) == ""
    assert missing_projects(replace(board, known=13, is_listed=False)) == "loading projects"


def test_in_a_narrow_line_what_recovered_comes_last() -> None:
    """And every word is as short as can be."""
    said = words(summary_pieces(Counts(14, 2, 1, 3, 4, 5), wide=False))
    assert said == "14 broken (2 causes) · 5 quiet · 1 late · 3 running · 4 recovered"


def test_what_the_board_costs_and_what_it_does_not_know_yet() -> None:
    """The right end of the line."""
    board = Board(watched=14, known=14, requests=28)
    assert words(cost_pieces(board, wide=True)) == "14 projects watched · 28 req/min"
    assert words(cost_pieces(board, wide=False)) == "14 watched · 28 req/min"
    board = Board(watched=14, known=9, inaccessible=(1,), pending_causes=2, requests=9)
    assert words(cost_pieces(board, wide=False)) == (
        "10 of 14 watched · loading 2 causes · 9 req/min"
    )
    lost = replace(board, error=LOST)
    assert words(cost_pieces(lost, wide=False)) == (
        "10 of 14 watched · 2 causes not loaded · 9 req/min"
    )


def test_projects_that_may_not_be_seen_are_named() -> None:
    """Three of them; where it is all, the page says so."""
    assert refused_pieces(Board(watched=2, known=2)) == ()
    board = Board(watched=9, known=4, inaccessible=(1, 2, 3, 4, 5), names=((1, "a/b\x1b"),))
    said = words(refused_pieces(board))
    assert "5 watched projects not shown" in said
    assert "b\N{REPLACEMENT CHARACTER}, project 2, project 3 and 2 more" in said
    assert not all_refused(board)
    nothing = Board(watched=2, inaccessible=(1, 2))
    assert all_refused(nothing)
    assert refused_page(nothing).startswith("No access to the 2 watched projects.")
    gone = Board(empty_groups=("acme/old/",), is_live=True)
    assert all_refused(gone)
    assert refused_page(gone).startswith("No access to the 1 watched group.")
    assert "1 watched group not shown" in words(refused_pieces(gone))
    assert "acme/old/" in words(refused_pieces(gone))


def test_all_green_says_when_it_was_told_and_what_ran_last() -> None:
    """So that silence can be told from not having looked."""
    one = item(7, "grg")
    ran = one.pipeline
    assert ran is not None
    board = board_of(one, last_run=(one.lane, ran), fetched_at=NOW - HOUR)
    page = no_failures_page(board, NOW, "r  look again", utc=True)
    assert "No failures." in page
    assert "Updated 1h ago from 1 watched project." in page
    assert "Last run: p7 03:21." in page


@pytest.mark.parametrize(
    ("fields", "age"),
    [
        ({}, Age(Freshness.UNASKED)),
        ({"watched": 2}, Age(Freshness.NOTHING)),
        ({"watched": 2, "error": LOST}, Age(Freshness.FAILED)),
        ({"watched": 1, "inaccessible": (1,), "is_live": True}, Age(Freshness.FAILED)),
        ({"watched": 2, "fetched_at": NOW, "is_live": True}, Age(Freshness.LIVE, NOW)),
        ({"watched": 2, "fetched_at": NOW}, Age(Freshness.NOTHING, NOW)),
        ({"watched": 2, "known": 2, "fetched_at": NOW}, Age(Freshness.LIVE, NOW)),
        ({"watched": 2, "fetched_at": NOW - HOUR}, Age(Freshness.STALE, NOW - HOUR)),
        ({"watched": 2, "fetched_at": NOW, "is_live": True, "error": LOST},
         Age(Freshness.STALE, NOW)),
    ],
)  # fmt: skip
def test_how_fresh_a_board_is(fields: dict[str, Any], age: Age) -> None:
    """Live only when all of it was told a moment ago, and nothing failed since."""
    assert board_age(Board(**fields), NOW) == age


def test_nothing_is_live_before_the_platform_has_answered() -> None:
    """What a cache has is as old as it is, however new; its age is told from the first frame on."""
    board = Board(watched=2, known=2, fetched_at=NOW)
    assert board_age(board, NOW, answered=False) == Age(Freshness.STALE, NOW)
    assert board_age(board, NOW, answered=True) == Age(Freshness.LIVE, NOW)
    unlisted = replace(board, is_listed=False)
    assert board_age(unlisted, NOW, answered=True) == Age(Freshness.NOTHING, NOW)


def test_for_how_long_one_can_snooze() -> None:
    """At night until the morning; in the morning until the next."""
    titles = [one.title for one in snoozes(NOW, utc=True)]
    assert titles == ["30 minutes", "1 hour", "4 hours", "until 08:00", "until tomorrow 08:00"]
    morning, next_morning = (one.until for one in snoozes(NOW, utc=True)[3:])
    assert morning == datetime(2026, 3, 14, 8, tzinfo=UTC)
    assert next_morning == datetime(2026, 3, 15, 8, tzinfo=UTC)
    later = snoozes(NOW + 6 * HOUR, utc=True)
    assert [one.title for one in later][3:] == ["until tomorrow 08:00"]
    assert later[3].until == next_morning


def test_a_morning_is_at_eight_also_where_clocks_are_put_forward(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An hour later would be too late."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "Europe/Berlin")
        time.tzset()
        night = datetime(2026, 3, 29, 0, 30, tzinfo=UTC)
        shown = [one.until.astimezone() for one in snoozes(night, utc=False)[3:]]
        assert [f"{one:%d %H:%M}" for one in shown] == ["29 08:00", "30 08:00"]
    time.tzset()


def test_what_a_board_costs_leaves_first_where_it_is_narrow() -> None:
    """Then over how much it is; what is not known yet stays."""
    left = [("95 broken", "failed"), ("17 quiet", "muted")]
    cost = [("60 watched", "muted"), ("3 causes not read", "warning"), ("9 req/min", "muted")]
    for width, shown in (
        (65, "60 watched · 3 causes not read · 9 req/min"),
        (64, "60 watched · 3 causes not read"),
        (60, "60 watched · 3 causes not read"),
        (45, "3 causes not read"),
        (20, "3 causes not read"),
    ):
        assert "".join(text for text, _ in fit_cost(left, cost, width)) == shown
