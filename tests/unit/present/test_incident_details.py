"""What the detail pane says of an item of the triage board."""

from __future__ import annotations

from dataclasses import replace

from tests.support.board import LOGIN, STEP, board_of, item
from tests.support.lane import HOUR, NOW

from platui.models.values.triage import Downstream, FailurePoint
from platui.models.values.triage_board import Late, LateKind, Mark, TypicalDuration
from platui.present.details.incidents import item_details
from platui.present.tables.spec import Context

AT = Context(NOW, utc=True)


def lines(board: object, *items: object) -> dict[str, str]:
    """Return what the pane says: label -> text; the unlabelled ones under their group."""
    found: dict[str, str] = {}
    pane = item_details(board, items, AT)  # type: ignore[arg-type]
    for group in pane.groups:
        for field in group.fields:
            found.setdefault(field.label or group.heading or "how", field.value.text)
    return {**found, "title": pane.title}


def test_an_incident_with_all_that_is_known() -> None:
    """Its cause, job, commit, moments, addresses, and what was said of it."""
    point = FailurePoint(
        replace(STEP, attempts=3, downstream=Downstream(99, 4)), beside=(STEP,), flakes=("lint",),
        commit=item(7, "rg").incident.commit,  # type: ignore[union-attr]
    )  # fmt: skip
    mark = Mark("aa", NOW + HOUR, "vault is down\x1b", "ada")
    one = item(7, "*rrg", LOGIN, point=point, mark=mark)
    said = lines(board_of(one), one)
    expected = {
        "title": "p7 › main", "status": "✖ failed", "how": "2 failed in a row",
        "acknowledged": "until its cause changes", "owner": "ada",
        "note": "vault is down\N{REPLACEMENT CHARACTER}", "cause": LOGIN.line,
        "grouped as": LOGIN.shared, "job": "dbt_run", "stage": "Transformation", "attempts": "3",
        "also failed": "dbt_run", "flaky": "lint", "downstream": "pipeline #99 of project 4",
        "author": "A. Khan", "project": "team/p7", "ref": "main (default branch)",
        "last failure": "14 Mar 02:21:00 UTC · 51m ago", "failures": "#999 #998", "signature": "aa",
        "running": "running 0s",
    }  # fmt: skip
    assert {label: said[label] for label in expected} == expected


def test_what_was_said_and_does_not_hold_any_more_is_not_said_to() -> None:
    """A snooze that is over, and what was acknowledged for another cause."""
    one = item(7, "rrg", LOGIN, mark=Mark("bb", NOW - HOUR, owner="ada"))
    said = lines(board_of(one), one)
    assert said["acknowledged"] == "for an earlier cause"
    assert "snoozed until" not in said
    assert said["owner"] == "ada"


def test_the_others_of_a_cause_are_listed() -> None:
    """Ten of them, and how many more there are; the numbers of all are told from those of one."""
    items = [item(number, "rg", LOGIN) for number in range(1, 14)]
    told = lines(board_of(*items), *items)
    assert told["cause of"] == "13 incidents in 13 projects"
    assert told["title"] == LOGIN.shared
    assert told["how"] == "13 failed in all"
    assert told["details of"] == "p1 main"
    pane = item_details(board_of(*items), items, AT)
    [group] = [one for one in pane.groups if one.heading == "same cause"]
    texts = [field.value.text for field in group.fields]
    assert texts[0] == "p2 main"
    assert texts[-1] == "and 2 others"
    assert len(texts) == 11


def test_what_is_late_or_recovered() -> None:
    """What is not broken says how it stands, and when it began."""
    late = item(7, "*g", late=Late(LateKind.SLOW, 2880, TypicalDuration(1260, 2000, 20)))
    late = replace(late, typical=TypicalDuration(1260, 2000, 20))
    said = lines(board_of(late), late)
    assert said["late"] == "48m, typical 21m"
    assert said["typical"] == "21m · p95 33m"
    assert said["began"] == "14 Mar 03:12:00 UTC · 0s ago"
    over = item(8, "grrg")
    said = lines(board_of(over), over)
    assert (said["status"], said["how"]) == ("✔ recovered", "after 2 failed")
    assert "recovered" in said
