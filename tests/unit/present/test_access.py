"""The access report as lines and rows."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from itertools import product
from typing import TYPE_CHECKING, cast

import pytest
from rich.cells import cell_len
from tests.support.report_company import COMPANY, FINANCE, JANE, LURKER, TAX_API, UNLISTED

from platui.core.errors import OfflineError, OfflineReason, TermError
from platui.models.values.access import PEOPLE_TERMS, PeopleOrder
from platui.models.values.access_changes import ChangeKind
from platui.models.values.feeds import Progress
from platui.models.values.reports import ReportStage, ReportState
from platui.models.values.table import Cell
from platui.present.access.changes import (
    ChangeGrouping,
    ChangeSearch,
    change_pieces,
    changes_summary,
)
from platui.present.access.details import person_details, place_details
from platui.present.access.memberships import (
    MemberOrder,
    Owners,
    holdings_of,
    member_rows,
    members_of,
    owners_pieces,
    owners_summary,
    person_columns,
    person_holding_rows,
    place_pieces,
)
from platui.present.access.people import (
    facet_rows,
    people_rows,
    with_term,
)
from platui.present.access.report import (
    Tab,
    fitting,
    level_bars,
    people_over_time,
    report_time,
    tabs_line,
    term_error,
    typing_pieces,
)
from platui.present.access.states import (
    progress_pieces,
    trouble_line,
    trouble_page,
    with_manual_hint,
)
from platui.present.tables.access import people_table, place_rows, places_table, tree
from platui.present.tables.column_widths import lay_out
from platui.report.changes.compare import compare_reports
from platui.ui.widgets.table.cells import fit, pieces

if TYPE_CHECKING:
    from platui.models.values.access import AccessReport
    from platui.present.chrome import Pieces

REPORT = COMPANY.opened()
NOW = datetime(2026, 3, 2, tzinfo=UTC)


def said(pieces: Pieces) -> str:
    """Return pieces as one text."""
    return "".join(text for text, _ in pieces)


def texts(cells: object) -> list[str]:
    """Return the texts of a row's cells."""
    return [cell.text for cell in cells]  # type: ignore[attr-defined]  # a tuple of cells


def test_levels_are_counted_beside_bars_as_long_as_their_share() -> None:
    """Full names where there is room, else short ones; without room no bars at all."""
    counts = [("OWNER", 3), ("MAINTAINER", 1), ("GUEST", 0)]
    wide = said(level_bars("held", counts, 100))
    assert "OWNER 3" in wide
    assert "GUEST" not in wide
    assert wide.count("━") + wide.count("╸") <= 61
    assert len(said(level_bars("held", counts, 40))) <= 40
    assert said(level_bars("held", counts, 30)) == " held  OWN 3  MAIN 1 "
    assert level_bars("held", [("OWNER", 0)], 80) == ()


def test_the_course_of_people_needs_two_reports() -> None:
    """From the least to the most, oldest first."""
    infos = [replace(REPORT.info, people=people) for people in (30, 20, 10)]
    assert people_over_time(infos[:1]) == ()
    assert said(people_over_time(infos)) == "people over 3 reports ▁▅█"
    assert said(people_over_time([infos[0]] * 2)).endswith("▄▄")


def test_a_report_is_told_apart_by_day_and_time() -> None:
    """With the year where it is another one."""
    assert report_time(REPORT.info, NOW, utc=True) == "01 Mar 12:00 UTC"
    assert report_time(REPORT.info, NOW.replace(year=2027), utc=True) == "2026-03-01 12:00 UTC"


def test_people_are_rows_with_their_levels() -> None:
    """Nobody has one before memberships are read; whom `users` lacks is an id."""
    table = people_table(REPORT)
    keys = [column.key for column in table.layout]
    jane = dict(zip(keys, texts(table.cells(REPORT.person(JANE))), strict=True))
    assert (jane["name"], jane["highest"], jane["level:OWNER"]) == ("Jane Doe", "OWNER", "2")
    assert (jane["level:GUEST"], jane["domain"]) == ("·", "gmail.com")
    assert table.cells(REPORT.person(UNLISTED))[0].text == "id 99 · not in users"
    assert table.cells(REPORT.person(LURKER))[3].text == "none"
    early = COMPANY.opened(stage=1)
    assert set(texts(people_table(early).cells(early.person(JANE))[3:-1])) == {"…"}


def test_rows_of_people_are_found_again_by_their_key() -> None:
    """Whatever the order; who was not found has no place."""
    answer = REPORT.people("level:owner", PeopleOrder.NAME)
    rows = people_rows(people_table(REPORT), REPORT, answer)
    assert [rows.index_of(row.key) for row in rows] == list(range(len(answer.rows)))
    assert rows.index_of(str(LURKER)) is None


def test_a_facet_is_a_term_that_is_put_in_and_taken_out() -> None:
    """Of one field one value holds; a search with quotes keeps them."""
    keys = [row.key for row in facet_rows(REPORT.people("", PeopleOrder.FILE), "")]
    assert "state:blocked" in keys
    assert with_term("jane", "state:blocked") == "jane state:blocked"
    assert with_term("jane state:blocked", "state:blocked") == "jane"
    assert with_term("state:active jane", "state:blocked") == "jane state:blocked"
    assert with_term('name:"a b"', "state:blocked") == 'name:"a b" state:blocked'
    assert with_term('name:"a b', "state:blocked") == 'name:"a b" state:blocked'
    quoted = with_term('name:"a b" state:active -state:x', "state:blocked")
    assert quoted == 'name:"a b" -state:x state:blocked'
    assert with_term("nosuch:x", "state:blocked") == "nosuch:x state:blocked"


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("", "level:"),
        ("jane ", "domain:"),
        ("le", "level:owner"),
        ("jane -state:", "state:blocked"),
        ("level:o", ""),
        ("j", ""),
        ("jane", ""),
    ],
)
def test_what_is_typed_is_told_of(typed: str, told: str) -> None:
    """The fields there are, then the term one is at; nothing once it has a value."""
    pieces = said(typing_pieces(typed, PEOPLE_TERMS, 200))
    assert told in pieces
    assert bool(told) == bool(pieces)


def test_a_line_ends_with_a_whole_word() -> None:
    """What is left out is told of; the first stays whatever room there is."""
    words = [("acme", "strong"), ("group", "text"), ("12 direct", "text")]
    assert fitting(words, 24) == tuple(words)
    assert said(fitting(words, 23)) == "acmegroup…"
    assert fitting(words, 5) == (("acme", "strong"),)
    assert fitting((), 5) == ()
    fields = said(typing_pieces("", PEOPLE_TERMS, 40))
    assert (fields[-2:], len(fields) <= 40) == (":…", True)


def test_lists_that_are_not_shown_give_way_to_the_search() -> None:
    """From the last on; the one shown says all of it."""
    lists = [Tab("People", "9 of 84"), Tab("Changes", "since 08 Nov")]
    for room, shown in ((60, "Changes since 08 Nov"), (50, "Changes"), (20, "Changes")):
        left, right = map(said, tabs_line(lists, "People", "level:owner", room=room))
        assert (left, right) == (f" People 9 of 84   {shown}  ", "/level:owner ")


def test_what_is_wrong_in_a_search_is_marked() -> None:
    """Alone, after what stands before it."""
    query = "jane level:ownr"
    pieces = term_error(TermError("No.", start=11, end=15), query)
    assert (pieces[-1], said(pieces)[-15:]) == (("ownr", "failed"), "jane level:ownr")


def test_what_a_person_holds_says_the_level_that_counts_and_by_which_group() -> None:
    """The highest in a place or above, in either order, and only in places with the words."""
    held = holdings_of(REPORT, JANE, "", by_level=False)
    rows = person_holding_rows(REPORT, held)
    assert [texts(row.cells)[2:] for row in rows] == [
        ["finance", "OWNER direct"], ["finance/tax/api", "OWNER via finance"],
    ]  # fmt: skip
    assert rows.index_of(str(TAX_API)) == 1
    narrow = person_holding_rows(REPORT, held, is_wide=False)
    assert {row.cells[-1].text for row in narrow} == {""}  # the same level everywhere
    assert person_columns(REPORT, held, is_wide=False)[-1].key == "path"
    wide = person_columns(REPORT, held, is_wide=True)[-1]
    # What it does not need is for the paths.
    assert (wide.key, wide.width) == ("effective", len("OWNER via finance"))
    about = person_details(REPORT, REPORT.person(JANE), NOW, utc=True)
    assert about.title == "Jane Doe"
    assert "finance" in [field.value.text for field in about.fields]
    assert len(holdings_of(REPORT, JANE, "API owner", by_level=True)) == 1


def test_members_stand_with_the_owners_first() -> None:
    """By the level that counts, whether by the place itself or by a group above it."""
    found = members_of(REPORT, TAX_API, "")
    rows = member_rows(REPORT, TAX_API, found.holdings)
    assert [(row.cells[0].text, row.cells[-1].text) for row in rows] == [
        ("OWNER", "OWNER direct, via finance"),
        ("OWNER", "via finance/tax"),
        ("MAINTAINER", "direct"),
    ]
    assert (found.direct, found.above, sum(found.levels)) == (2, 1, 3)
    assert owners_summary(found.owners) == "2 owners (1 direct, 1 inherited)"
    place = REPORT.place(TAX_API)
    assert "2 direct · 1 inherited" in said(place_pieces(place, found.direct, found.above))
    by_name = members_of(REPORT, TAX_API, "", MemberOrder.NAME).holdings
    names = [row.cells[1].text for row in member_rows(REPORT, TAX_API, by_name)]
    assert names == sorted(names, key=str.casefold)
    direct = members_of(REPORT, TAX_API, "", MemberOrder.DIRECT).holdings
    assert [one.place == TAX_API for one in direct] == [True, True, False]
    told = [field.value.text for field in place_details(REPORT, place, found, NOW, utc=True).fields]
    assert "2 direct, 1 inherited" in told
    members = members_of(REPORT, FINANCE, "")
    assert said(owners_pieces(REPORT, members.owners)) == " 1 owner, direct  Jane Doe"
    assert said(owners_pieces(REPORT, Owners((), ()))) == " no owner"
    assert len(members_of(REPORT, FINANCE, "zola").holdings) == 1


def test_a_tree_shows_what_is_open() -> None:
    """Groups before projects, each set in as deep as it lies."""
    shut = place_rows(REPORT, tree(REPORT, ()), (), is_tree=True)
    assert [row.cells[0].text for row in shut] == ["▸ finance/", "▸ Finland/"]
    opened = {FINANCE}
    rows = place_rows(REPORT, tree(REPORT, opened), opened, is_tree=True)
    assert [row.cells[0].text for row in rows] == [
        "▾ finance/", "  ▸ tax/", "    payroll", "▸ Finland/",
    ]  # fmt: skip


def test_columns_of_counts_have_room_for_the_largest() -> None:
    """The name gives way, whatever the width; a path keeps its end where it is cut."""
    counts = tuple(25_100 for _ in REPORT.levels)

    class Large:
        is_whole = True
        levels, person_count, place_count = REPORT.levels, 200_000, 12_000
        max_memberships = 12_000
        level_counts = staticmethod(lambda _: counts)

    large = cast("AccessReport", Large())
    for columns in (places_table(large).layout, people_table(large).layout):
        for width in (57, 77, 117):
            for slot in lay_out(columns, width).slots:
                if (column := columns[slot.index]).right:
                    assert slot.width >= len("25,100" if column.key != "members" else "200,000")
    Large.max_memberships = 120  # of so many nobody has more: the domain stays
    columns = people_table(large).layout
    shown = [columns[slot.index].key for slot in lay_out(columns, 77).slots]
    assert shown[-2:] == ["memberships", "domain"]
    cell = Cell("OWNER by acme/api", parts=(("OWNER by ", "text"), ("acme/api", "muted")))
    assert pieces(cell, 13, ends=True) == [("OWNER by ", "text"), ("…api", "muted")]
    assert fit("acme/platform/api", 9, ends=True) == "…form/api"
    assert cell_len(fit("日本/日本語", 6, ends=True)) == 6


def test_nobody_tries_again_unasked() -> None:
    """A report is fetched when `r` says so, and the words for an error are not those of a list."""
    offline = OfflineError("No answer.", reason=OfflineReason.REFUSED)
    assert "automatically" in offline.hint
    assert "No answer." in said(trouble_line(offline, 120))
    assert said(trouble_line(offline, 20)).endswith("r retry  ")  # a toast has the rest
    assert with_manual_hint(offline).hint == "Press r to retry."
    assert "automatically" not in trouble_page(offline)


def test_what_a_newer_report_brought_is_one_sentence() -> None:
    """People where some came or went, else how much is different."""
    gone = replace(COMPANY, memberships=COMPANY.memberships[:-1])
    changes = compare_reports(REPORT, gone.opened())
    same = compare_reports(REPORT, REPORT)
    assert changes_summary(changes, "14 Nov") == "1 change since 14 Nov · c: show"
    assert changes_summary(same, "14 Nov") == "Nothing changed since 14 Nov."


def test_nothing_changed_between_a_report_and_itself() -> None:
    """And so there are no rows under any heading."""
    changes = compare_reports(REPORT, REPORT)
    assert said(change_pieces(changes)) == "nothing changed"
    found = ChangeSearch(changes).rows(ChangeGrouping.KIND, "")
    assert found is not None
    assert len(found.rows) == 0


def test_changes_stand_under_headings_and_are_found_again() -> None:
    """Each row by its key; words narrow them, and headings of nothing go."""
    gone = replace(COMPANY, memberships=COMPANY.memberships[:-1])
    changes = compare_reports(REPORT, gone.opened())
    assert changes.counts[ChangeKind.DROPPED] == 1
    search = ChangeSearch(changes)
    for arranged, words in product(ChangeGrouping, ("", "none")):
        found = search.rows(arranged, words)
        assert found is not None
        assert found.found == 1
        heading, change = found.rows
        assert found.change(heading.key) is None
        assert found.change(change.key) is not None
        assert [found.rows.index_of(row.key) for row in found.rows] == [0, 1]
        assert found.rows.index_of("0 7") is None
        nobody = search.rows(arranged, "nobody")
        assert nobody is not None
        assert len(nobody.rows) == 0


def test_changes_are_sorted_inside_their_sections() -> None:
    """By a column, up or down; each row is found by its key where it is now."""
    search = ChangeSearch(compare_reports(REPORT, replace(COMPANY, memberships=[]).opened()))
    up = search.rows(ChangeGrouping.KIND, "", sort=("where", False))
    down = search.rows(ChangeGrouping.KIND, "", sort=("where", True))
    assert up is not None
    assert down is not None
    assert [row.key for row in up.rows if row.heading] == [
        row.key for row in down.rows if row.heading
    ]
    for found, is_reversed in ((up, False), (down, True)):
        sections: dict[str, list[str]] = {}
        for at, row in enumerate(found.rows):
            assert found.rows.index_of(row.key) == at
            if row.heading is None:
                sections.setdefault(row.key.split()[0], []).append(row.cells[1].text.lower())
        assert any(len(set(texts)) > 1 for texts in sections.values())
        for texts in sections.values():
            assert texts == sorted(texts, reverse=is_reversed)


def test_a_fetch_is_told_by_bytes_then_by_its_reading() -> None:
    """With the total where it is known; what stops it is named where it does."""
    received = ReportState(ReportStage.RECEIVING, Progress(5_000_000, 10_000_000), 2e6)
    assert "50 %" in said(progress_pieces(received, stops=True))
    assert "2.00 MB/s" in said(progress_pieces(received, stops=True))
    unknown = ReportState(ReportStage.RECEIVING, Progress(5_000_000, None))
    assert "5.00 MB" in said(progress_pieces(unknown, stops=False))
    assert "esc" not in said(progress_pieces(unknown, stops=False))
    reading = ReportState(ReportStage.FIRST_ROWS, share=0.25)
    assert " 25 %" in said(progress_pieces(reading, stops=True))
