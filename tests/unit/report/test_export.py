"""Parts of a report as files: whole, safe to open, and with what the report is not."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.report_arrays import PlainPerson, group, plain_report, project
from tests.support.report_company import COMPANY, FINANCE, PAYROLL

from platui.core.errors import TermError
from platui.models.values.access import CAVEATS, PeopleOrder
from platui.models.values.reports import ExportFormat, PageSelection
from platui.present.access.changes import change_test
from platui.report.changes.compare import compare_reports
from platui.report.export import writing
from platui.report.export.sheet import csv_line
from platui.report.export.sheets import (
    changes_sheet,
    effective_sheet,
    members_sheet,
    memberships_sheet,
    people_sheet,
    places_sheet,
)
from platui.report.export.writing import write_sheet

if TYPE_CHECKING:
    from platui.report.export.sheet import Sheet

REPORT = COMPANY.opened()


def _written(sheet: Sheet, form: ExportFormat, *, has_header: bool = True) -> str:
    file = io.StringIO(newline="")
    write_sheet(sheet, form, file, has_header=has_header)
    return file.getvalue()


def _table(sheet: Sheet) -> list[dict[str, str]]:
    text = _written(sheet, ExportFormat.CSV)
    return list(csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))


def test_people_of_a_filter_are_a_table_with_what_was_asked_above_it() -> None:
    """As CSV: caveats, where it is from, filter and count; then names and rows in order."""
    sheet = people_sheet(REPORT, "state:blocked", PeopleOrder.NAME)
    lines = _written(sheet, ExportFormat.CSV).splitlines()
    above = [line for line in lines if line.startswith("#,")]
    cells = [*csv.reader(above)]
    assert [["#", caveat] in cells for caveat in CAVEATS] == [True] * 3
    assert cells[0] == ["#", "People"]
    assert ["#", "filter", "state:blocked"] in cells
    assert ["#", "origin", "admin.example"] in cells
    assert ["#", "fetched_at", "2026-03-01T12:00:00+00:00"] in cells
    assert ["#", "people", "2"] in cells
    rows = _table(sheet)
    assert [(row["user_id"], row["highest"], row["level:OWNER"]) for row in rows] == [
        ("13", "OWNER", "1"), ("15", "MAINTAINER", "0"),
    ]  # fmt: skip
    bare = _written(sheet, ExportFormat.CSV, has_header=False).splitlines()
    assert bare == lines[len(above) :]


def test_memberships_places_and_members_are_tables_too() -> None:
    """Of a filter: those it names; of a place: all of its own."""
    held = _table(memberships_sheet(REPORT, "level:owner group:finance"))
    assert [(row["username"], row["place_path"], row["is_inherited"]) for row in held] == [
        ("jane", "finance", "false"),
        ("ezola", "finance/tax", "false"),
        ("jane", "finance/tax/api", "true"),
    ]
    members = _table(members_sheet(REPORT, FINANCE))
    assert [(row["user_id"], row["level"]) for row in members] == [
        ("11", "OWNER"), ("13", "MAINTAINER"),
    ]  # fmt: skip
    every = effective_sheet(REPORT, PAYROLL)
    assert ("direct", 3) in every.facts
    assert ("from_above", 1) in every.facts
    told = {name.removeprefix("column:") for name, _ in every.facts if name.startswith("column:")}
    assert (
        told
        == {
            "level",
            "is_direct",
            "effective_level",
            "effective_place_path",
        }
        <= set(every.columns)
    )
    assert "is_inherited" not in every.columns
    assert [
        (row["user_id"], row["place_path"], row["level"], row["is_direct"], row["effective_level"],
         row["effective_place_path"])
        for row in _table(every)
    ] == [
        ("11", "finance", "OWNER", "false", "OWNER", "finance"),
        ("13", "finance/payroll", "DEVELOPER", "true", "MAINTAINER", "finance"),
        ("12", "finance/payroll", "DEVELOPER", "true", "DEVELOPER", "finance/payroll"),
        ("99", "finance/payroll", "GUEST", "true", "GUEST", "finance/payroll"),
    ]  # fmt: skip
    assert [row["place_path"] for row in _table(places_sheet(REPORT, "level:owner tax"))] == [
        "finance/tax", "finance/tax/api",
    ]  # fmt: skip
    with pytest.raises(TermError):
        memberships_sheet(REPORT, "levl:x")


def test_what_a_search_in_a_page_has_found_is_a_table_of_its_own() -> None:
    """Its header says what was searched for, its counts what was found."""
    jane, ezola = (REPORT.find_person(name) for name in ("jane", "ezola"))
    assert jane is not None
    assert ezola is not None
    listed = PageSelection("jane", frozenset({jane}))
    members = members_sheet(REPORT, FINANCE, listed)
    assert ("search", "jane") in members.facts
    assert [row["username"] for row in _table(members)] == ["jane"]
    assert members.count == 1
    every = effective_sheet(REPORT, PAYROLL, listed)
    assert [row["username"] for row in _table(every)] == ["jane"]
    assert (("direct", 0) in every.facts, ("from_above", 1) in every.facts) == (True, True)
    assert members_sheet(REPORT, FINANCE, PageSelection("x", frozenset())).count == 0
    held = memberships_sheet(REPORT, "user:=jane", PageSelection("fin", frozenset({FINANCE})))
    assert [row["place_path"] for row in _table(held)] == ["finance"]
    assert ("memberships", 1) in held.facts


def test_json_lines_keep_numbers_and_nulls() -> None:
    """The first line says what the others are; it can be left out."""
    text = _written(people_sheet(REPORT, "doe"), ExportFormat.JSON_LINES)
    head, jane, john = map(json.loads, text.splitlines())
    assert head["export"]["notes"] == list(CAVEATS)
    assert head["export"]["people"] == 2
    assert (jane["user_id"], jane["is_listed"], jane["level:OWNER"]) == (11, True, 2)
    assert john["service_identity_uuid"] is None
    bare = _written(people_sheet(REPORT, "doe"), ExportFormat.JSON_LINES, has_header=False)
    assert text.endswith(bare)
    assert len(bare.splitlines()) == 2


def test_changes_are_one_table_by_kind() -> None:
    """People, memberships and places: what has no value is empty."""
    before = plain_report(
        [PlainPerson(1, "Jane", "jane"), PlainPerson(2, "Ann", "ann")],
        [group(1, "fin", {1: "GUEST"}, projects=[project(1, "fin/old")])],
    )
    after = plain_report([PlainPerson(1, "Jane", "jane")], [group(1, "fin", {1: "OWNER"})])
    changes = compare_reports(before.opened(), after.opened())
    rows = _table(changes_sheet(changes))
    assert [(row["change"], row["username"], row["place_path"]) for row in rows] == [
        ("left", "ann", ""), ("new_owner", "jane", "fin"), ("raised", "jane", "fin"),
        ("place_removed", "", "fin/old"),
    ]  # fmt: skip
    assert (rows[0]["how"], rows[2]["before"], rows[2]["after"]) == ("gone", "GUEST", "OWNER")
    found = changes_sheet(changes, keep=change_test("jane owner"), words="jane owner")
    assert [row["change"] for row in _table(found)] == ["new_owner", "raised"]
    assert (("search", "jane owner") in found.facts, ("left", 0) in found.facts) == (True, True)
    text = _written(changes_sheet(changes), ExportFormat.CSV)
    assert "#,raised,1\n" in text
    assert "#,before_report,20260301T000000Z-abc\n" in text


FORMULAS = {
    "=1+2": '"\'=1+2"',
    "+49 30 1": '"\'+49 30 1"',
    "-cmd": '"\'-cmd"',
    "@SUM(A1)": '"\'@SUM(A1)"',
    "\uff1dcmd": '"\'\uff1dcmd"',
    "\uff0bcmd": '"\'\uff0bcmd"',
    "\uff0dcmd": '"\'\uff0dcmd"',
    "\uff20cmd": '"\'\uff20cmd"',
    "  =cmd": '"  \'=cmd"',
    "x;=cmd": '"x;\'=cmd"',
    'a,"b"': '"a,""b"""',
    "Jane Doe": "Jane Doe",
    "a-b=c": '"a-b=c"',
    "#x": '"#x"',
    "": '""',
}


@pytest.mark.parametrize(("text", "cell"), FORMULAS.items())
def test_no_cell_is_a_formula(text: str, cell: str) -> None:
    """What begins like one is text, quoted; nothing else is touched."""
    assert csv_line((text,)) == f"{cell}\n"


def test_numbers_are_numbers_and_the_header_has_no_formula() -> None:
    """A number below zero is none; what was asked for is one cell, guarded as all are."""
    assert csv_line((-5, None, True, "x")) == "-5,,true,x\n"
    sheet = people_sheet(REPORT, 'name:",=cmd" name:"; +cmd"')
    text = _written(sheet, ExportFormat.CSV)
    assert '#,filter,"name:"",=cmd"" name:"";' in text
    assert ["#", "filter", 'name:",=cmd" name:"; ' + "'+cmd" + '"'] in [
        *csv.reader(text.splitlines())
    ]


@given(st.lists(st.text(), min_size=1))
def test_csv_is_read_back_but_for_the_guard(texts: list[str]) -> None:
    """Any text: the cells are those, with an apostrophe before what might be a formula."""
    line = csv_line(tuple(texts))
    (row,) = csv.reader(io.StringIO(line, newline=""))
    assert len(row) == len(texts)
    for cell, text in zip(row, texts, strict=True):
        assert cell.replace("'", "") == text.replace("'", "")
        assert cell.lstrip()[:1] not in {*"=+-@\uff1d\uff0b\uff0d\uff20"}


def test_markdown_has_no_markup_but_its_own() -> None:
    """No link, image, HTML, emphasis, or another column."""
    row = writing.MARKDOWN.line(
        "abcdefg", ("a|b", "![x](https://y.z)", "<b>*_", "www.x.y", None, 3, False)
    )
    assert row == (
        "| a\\|b | \\!\\[x\\]\\(https:\\//y.z\\) | \\<b\\>\\*\\_ | www\\.x.y |  | 3 | no |\n"
    )
    text = _written(people_sheet(REPORT, "jane"), ExportFormat.MARKDOWN)
    assert text.startswith("# People\n\n> A summary of daily snapshots")
    assert "\n- filter: jane\n" in text
    assert text.count("\n| ") == 4
    assert text.splitlines()[-3] == f"|{' --- |' * 15}"


def test_an_export_can_be_ended() -> None:
    """It tells how far it is, and stops when it is enough."""
    file = io.StringIO()

    def stop(share: float) -> None:
        raise InterruptedError(share)

    with pytest.raises(InterruptedError):
        write_sheet(people_sheet(REPORT), ExportFormat.CSV, file, on_progress=stop)
    told: list[float] = []
    write_sheet(people_sheet(REPORT), ExportFormat.CSV, file, on_progress=told.append)
    assert told == [0, 1]


def test_the_first_rows_of_a_table_are_a_table() -> None:
    """As many as are asked for, or all."""
    sheet = memberships_sheet(REPORT)
    whole = _written(sheet, ExportFormat.CSV).splitlines()
    for most in (0, 1, 3, 1000):
        few = sheet.first(most)
        left = max(0, sheet.count - most)
        assert _written(few, ExportFormat.CSV).splitlines() == whole[: len(whole) - left]
        assert few.count == sheet.count - left
