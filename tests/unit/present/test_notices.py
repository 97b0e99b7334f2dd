"""What notices say: what it is, and why, in a line each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.boards import LOGIN, MEMORY, board
from tests.support.lane import HOUR, NOW, pipeline

from platui.analysis.triage.board_events import SeenBoard, news
from platui.models.values.triage_board import Mark
from platui.present.tables.pipelines import PIPELINES
from platui.present.tables.spec import Context
from platui.present.triage.labels import Names
from platui.present.triage.notices import (
    Notice,
    away_line,
    away_texts,
    ended_notice,
    is_notifiable,
    make_notices,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from platui.models.values.triage import Signature


def said(
    before: Mapping[int, str], after: Mapping[int, str], causes: Mapping[int, Signature]
) -> tuple[Notice, ...]:
    """Return what is said of the way from one board to another."""
    now = board(after, causes=causes)
    found = news(SeenBoard(board(before), NOW), SeenBoard(now, NOW))
    return make_notices(found, dict(now.names))


def test_one_that_broke_is_told_with_job_and_error() -> None:
    """The branch only where it is not the main one."""
    (notice,) = said({1: "g"}, {1: "gr"}, {1: LOGIN})
    assert notice == Notice("✖ p1 failed", "dbt_run: password for SVC has expired", is_bad=True)
    (without,) = said({1: "g"}, {1: "gr"}, {})
    assert without == Notice("✖ p1 failed", "", is_bad=True)


def test_many_are_told_together_with_what_they_have_in_common() -> None:
    """Three names, and how many more."""
    lanes = dict.fromkeys(range(1, 6), "g")
    red = dict.fromkeys(lanes, "gr")
    (one,) = said(lanes, red, dict.fromkeys(lanes, LOGIN))
    assert one.title == "✖ p1, p2, p3 and 2 more failed"
    assert one.text == "Same cause: password has expired: db"
    (two,) = said(lanes, red, {**dict.fromkeys(lanes, LOGIN), 5: MEMORY})
    assert two.text == "4 of 5: password has expired: db"


def test_projects_of_one_name_in_two_groups_are_told_apart() -> None:
    """Each of them is named."""
    now = board({1: "gr", 2: "gr"})
    found = news(SeenBoard(board({1: "g", 2: "g"}), NOW), SeenBoard(now, NOW))
    (notice,) = make_notices(found, {1: "finance/etl", 2: "sales/etl", 3: "sales/dbt"})
    assert sorted(notice.title.removeprefix("✖ ").removesuffix(" failed").split(", ")) == [
        "finance/etl",
        "sales/etl",
    ]


def test_what_is_green_again_is_told_beside_what_broke() -> None:
    """One notice each."""
    broke, mended = said({1: "gr", 2: "g"}, {1: "grg", 2: "gr"}, {})
    assert (broke.title, broke.is_bad) == ("✖ p2 failed", True)
    assert mended == Notice("✔ p1 recovered")


def test_what_somebody_is_to_be_quiet_about_is_told_when_it_is_green() -> None:
    """Not that it fails for another cause; what was acknowledged is acknowledged for one cause."""
    red, other = ({1: LOGIN}, {1: MEMORY})
    for mark, is_told in ((Mark(snoozed_until=NOW + HOUR), False), (Mark(acked="aa"), True)):
        before = board({1: "gr"}, causes=red, marks={1: mark})
        after = board({1: "grr"}, causes=other, marks={1: mark})
        (one,) = news(SeenBoard(before, NOW), SeenBoard(after, NOW))
        assert is_notifiable(one, NOW) is is_told
        assert is_notifiable(one, NOW + HOUR)
        (green,) = news(SeenBoard(before, NOW), SeenBoard(board({1: "grg"}), NOW))
        assert is_notifiable(green, NOW)


def test_a_pipeline_that_was_asked_for_says_how_it_ended() -> None:
    """Whatever it ended like; the duration is that of the column TOOK."""
    ended = pipeline(7, "g", duration=62)
    good = ended_notice(ended, "acme/etl", NOW)
    column = [one.key for one in PIPELINES.screen_columns].index("took")
    shown = PIPELINES.row(ended, Context(NOW)).cells[column].text
    assert shown != "1m02s"
    assert good == Notice("✔ acme/etl #7 succeeded", f"main · took {shown}")
    assert ended_notice(pipeline(7, "r", ref="a\x1b[1m"), "x", NOW).is_bad
    assert "\x1b" not in ended_notice(pipeline(7, "r", ref="a\x1b[1m"), "x\x07", NOW).text


def test_what_happened_while_away_is_counted_and_listed() -> None:
    """Opened, recovered, other cause; without a key that lists them nothing names one."""
    lanes, after = {1: "g", 2: "gr", 3: "gr"}, {1: "gr", 2: "grg", 3: "gr"}
    before, now = board(lanes, causes={3: LOGIN}), board(after, causes={1: LOGIN, 3: MEMORY})
    found = news(SeenBoard(before, NOW), SeenBoard(now, NOW))
    line = "".join(text for text, _ in away_line(found, NOW - HOUR, NOW, "H", utc=True))
    since = f"{NOW - HOUR:%H:%M}"
    words = "1 opened, 1 recovered, 1 changed its cause"
    assert line == f" since {since}: {words} · H shows them"
    unbound = away_line(found, NOW - HOUR, NOW, "", utc=True)
    assert unbound[-1][0] == "1 changed its cause"
    names = Names(now.names)
    rows = {away_texts(NOW, one, names, NOW, utc=True) for one in found}
    clock = f"{NOW:%H:%M}"
    assert rows == {
        (f"{clock}  opened  p1 main", LOGIN.line),
        (f"{clock}  recovered  p2 main", ""),
        (f"{clock}  changed its cause  p3 main", MEMORY.line),
    }
