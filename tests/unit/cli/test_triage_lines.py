"""The board on a terminal: each cause above what it broke, within its width."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.board import board_of, item
from tests.support.boards import LOGIN, MEMORY, SLOW, board
from tests.support.lane import HOUR, NOW

from platui.analysis.triage.board_events import SeenBoard, news
from platui.cli.commands.triage.lines import LineOptions, board_lines, news_line
from platui.core.text import cells
from platui.models.values.triage import CommitSummary, Signature
from platui.models.values.triage_board import Mark
from platui.present.triage.labels import Names

if TYPE_CHECKING:
    from platui.models.values.triage_board import Board

LONG = Signature("cc", "Database Error in model " + "x" * 300, "x" * 300)
NARROWEST = 40


def lines(found: Board, **fields: Any) -> list[str]:
    """Return the lines of a board on a terminal of 80 cells."""
    look = LineOptions(Names(found.names), NOW, **({"utc": True, "width": 80} | fields))
    return list(board_lines(found, look))


def test_what_is_broken_stands_with_its_cause_and_the_rest_below() -> None:
    """Causes once, the default branch with who broke it; what is known last and short."""
    found = board(
        {1: "grr", 2: "gr", 3: "gr", 4: "g*", 5: "g" + "r" * 18 + "g", 6: "g*", 7: "gr"},
        causes={1: LOGIN, 2: LOGIN, 3: MEMORY},
        late={6: SLOW},
        marks={3: Mark(acked="bb"), 2: Mark(owner="ada")},
    )
    items = tuple(
        replace(item, incident=replace(item.incident, commit=CommitSummary("a", "Rename", "K. A.")))
        if item.incident is not None and item.lane.project == 7
        else item
        for item in found.items
    )
    groups = tuple(
        group._replace(
            items=tuple(one for one in items if one.lane in [i.lane for i in group.items])
        )
        for group in found.groups
    )
    assert lines(replace(found, items=items, groups=groups)) == [
        "3 broken (2 causes) · 1 quiet · 1 late · 1 running · 1 recovered       7 watched",
        "",
        "✖ password has expired: db",
        "    cause kxmlq in 2 projects · 3 failed since 13 Mar 08:21 (18h)",
        "    first p1 main: last success 13 Mar 07:21",
        "  ✖ acme/p1  main  2 failed  since 13 Mar (18h)",
        "  ✖ acme/p2  main  1 failed  since 13 Mar (18h)",
        "      owner ada",
        "✖ acme/p7  main  1 failed  since 13 Mar (18h)",
        "    first failed commit aaaa1b59 “Rename” by K. A. · last success 13 Mar 07:21",
        "",
        "✖ acme/p3  main  1 failed  acknowledged",
        "    out of memory: Killed",
        "",
        "◐ acme/p6  main  48m",
        "",
        "● acme/p4  main  running 19h",
        "",
        "✔ acme/p5  main  18 failed  recovered 02:21  hourly",
    ]


@pytest.mark.parametrize("width", [NARROWEST, 80, 100, 160])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    """Whatever is long in it; and the failed job has a place."""
    names = tuple((one, f"acme/{'データ' * 12}/project-{one}") for one in (1, 2, 3))
    found = board(
        {1: "grrr", 2: "gr", 3: "g*"},
        causes={1: LONG, 2: replace(LONG, key="dd")},
        marks={2: Mark(owner="n" * 50)},
        names=names,
    )
    shown = lines(found, width=width)
    assert max(map(cells, shown)) <= width
    assert any("dbt_run" in line for line in shown)
    assert any("…" in line for line in shown)
    assert all("…" not in line for line in lines(found, width=None))


def test_many_of_one_cause_are_told_in_a_few_lines() -> None:
    """The others by name; all of them on demand, and to a program."""
    found = board(dict.fromkeys(range(1, 41), "gr"), causes=dict.fromkeys(range(1, 41), LOGIN))
    shown = lines(found)
    assert shown[2] == "✖ password has expired: db"
    assert shown[3] == "    cause kxmlq in 40 projects · 40 failed since 13 Mar 08:21 (18h)"
    assert len([line for line in shown if line.startswith("  ✖")]) == 5
    assert shown[-1].startswith("    … and 35 more: p14, p15, p16,")
    for fields in ({"everything": True}, {"width": None}):
        assert len([one for one in lines(found, **fields) if one.startswith("  ✖")]) == 40


def test_a_cause_is_as_old_as_the_first_of_it_on_a_default_branch() -> None:
    """An older branch of somebody's own is named: it says not since when the product is broken."""
    found = board_of(
        item(1, "rrg", LOGIN, name="Hourly checks"),
        item(1, "rrrrrrg", LOGIN, ref="own", name="Merge checks"),
        item(2, "rg", LOGIN),
    )
    shown = lines(found, width=None)
    assert shown[3] == "    cause kxmlq in 2 projects (3 incidents) · 9 failed since 02:21 (51m)"
    assert shown[4] == "    first p1 main: last success 01:21"
    assert shown[5] == "    earlier on own since 13 Mar 22:21 (4h)"
    ways = {tuple(line.split()[2:5]) for line in shown[6:] if "checks" in line}
    assert ways == {("main", "Hourly", "checks"), ("own", "Merge", "checks")}


def test_what_was_kept_says_how_old_it_is_before_all_else() -> None:
    """The first line of stdout: whoever reads a file of it sees nothing of stderr."""
    kept = board({1: "gr", 2: "g"}, fetched_at=NOW - 5 * HOUR, is_live=False, live=(2,))
    assert lines(kept)[0].startswith("Cached from 2026-03-13 22:12 UTC (5h ago): ")
    assert lines(kept)[1].endswith("watched at 2026-03-13 22:12 UTC")
    assert "1 of 2 projects" in lines(kept)[0]
    never = board({1: "gr"}, fetched_at=None, is_live=False, live=())
    assert lines(never)[0].endswith("0 of 1 project")


def test_what_is_acknowledged_is_told_in_full_on_demand() -> None:
    """Where it would stand; else its cause alone."""
    found = board({1: "gr"}, causes={1: LOGIN}, marks={1: Mark(acked="aa")})
    assert lines(found)[-1] == "    password for SVC has expired"
    assert lines(found, everything=True)[-1].startswith("    acknowledged · dbt_run · Transf")


def test_colours_and_signs_are_those_of_the_terminal() -> None:
    """None where it has none; signs of ASCII where it is told."""
    found = board({1: "gr", 2: "gr"}, causes={1: LOGIN}, marks={2: Mark(snoozed_until=NOW + HOUR)})
    coloured = lines(found, colours=True)
    assert "\x1b[31m✖\x1b[0m \x1b[1macme/p1" in coloured[2]
    assert coloured[-1].startswith("\x1b[2m✖ acme/p2")
    assert "\x1b" not in "".join(lines(found))
    assert all(line.isascii() for line in lines(found, ascii=True))


def test_news_are_a_line_each() -> None:
    """With the time, what happened, and to what."""
    before = board({1: "g", 2: "gr", 3: "gr", 4: "g*", 5: "g*"})
    after = board(
        {1: "gr", 2: "grg", 3: "gr", 4: "g*", 5: "gg"},
        causes={1: MEMORY},
        late={4: SLOW},
        marks={3: Mark(acked="")},
    )
    look = LineOptions(Names(after.names), NOW, utc=True)
    told = [news_line(one, look) for one in news(SeenBoard(before, NOW), SeenBoard(after, NOW))]
    at = "2026-03-14 03:12:00 UTC  "
    assert told == [
        f"{at}broken        acme/p1#1001 main: dbt_run · Transformation: Killed",
        f"{at}late          acme/p4 main: 48m",
        f"{at}recovered     acme/p2#2001 main: after 1 failed",
        f"{at}ended         acme/p5 main: success after 9m",
        f"{at}acked         acme/p3#3001 main: acknowledged",
    ]
    narrow = look._replace(width=60)
    told = [news_line(one, narrow) for one in news(SeenBoard(before, NOW), SeenBoard(after, NOW))]
    assert max(map(cells, told)) == 60
    assert told[0] == f"{at}broken        acme/p1#1001 main: d…"


def test_the_commit_of_a_cause_is_told_where_only_one_may_have_brought_it() -> None:
    """With its title, its author and whose it is; of an expired password nobody's is."""
    missing = replace(LOGIN, key="m", kind="relation is missing", shared="relation is missing: x")
    renamed, other = item(1, "rrg", missing), item(2, "rg", missing)
    assert renamed.incident is not None
    assert other.incident is not None
    said = CommitSummary("a", "Rename", "K. A.")
    renamed = replace(renamed, incident=replace(renamed.incident, commit=said))
    green = other.incident.first_red._replace(id=1, status="success")
    other = replace(other, incident=replace(other.incident, last_green=green))
    shown = lines(board_of(renamed, other), width=None)
    sha = renamed.incident.first_red.sha[:8] if renamed.incident else ""
    assert shown[5] == f"    first failed commit {sha} “Rename” by K. A. in p1"
    login = replace(LOGIN, kind="password has expired")
    expired = [replace(one, signature=login) for one in (renamed, other)]
    shown = lines(board_of(*expired), width=None)
    assert shown[5] == "    same commit succeeded before in 1 of 2"


@pytest.mark.parametrize("width", [None, 120])
def test_a_page_says_of_which_day_and_zone_its_times_are(width: int | None) -> None:
    """Whoever reads it the next morning cannot ask."""
    assert lines(board({1: "gr"}), width=width)[0].endswith("watched at 2026-03-14 03:12 UTC")
