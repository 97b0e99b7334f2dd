"""How the columns of a table share a width, and how texts fill them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.style import Style

from platui.core.text import cells
from platui.models.values.table import Cell, Column, Row
from platui.present.status import STATUSES, status_cell
from platui.present.tables.column_widths import cut_middle, lay_out
from platui.present.tables.jobs import JOBS, PIPELINE_JOBS
from platui.present.tables.pipelines import PIPELINES
from platui.present.tables.projects import PROJECTS
from platui.present.tables.schedules import SCHEDULES
from platui.ui.widgets.table.canvas import MARGINS
from platui.ui.widgets.table.cells import column_pieces, fit, join, middle_pieces, pieces
from platui.ui.widgets.table.rows import TableRows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.present.tables.spec import TableSpec

STATUS = Column("status", "Status", 10)
NAME = Column("name", "Name", 20, minimum=8, flexible=True)
AGE = Column("age", "Age", 4, right=True, priority=1)
WHO = Column("who", "Who", 10, priority=2)
COLUMNS = (STATUS, NAME, AGE, WHO)
LONG = Cell("x" * 40)


@pytest.mark.parametrize(
    ("width", "widths", "gap"),
    [
        (100, {0: 10, 1: 70, 2: 4, 3: 10}, 2),
        (50, {0: 10, 1: 20, 2: 4, 3: 10}, 2),
        (40, {0: 10, 1: 10, 2: 4, 3: 10}, 2),
        (38, {0: 10, 1: 8, 2: 4, 3: 10}, 2),
        (37, {0: 10, 1: 10, 2: 4, 3: 10}, 1),
        (34, {0: 10, 1: 16, 2: 4}, 2),
        (24, {0: 10, 1: 8, 2: 4}, 1),
        (23, {0: 10, 1: 11}, 2),
        (19, {0: 10, 1: 8}, 1),
        (14, {0: 10, 1: 3}, 1),
        (6, {0: 6}, 1),
        (0, {}, 1),
        (-2, {}, 1),
    ],
)
def test_columns_of_a_width(width: int, widths: dict[int, int], gap: int) -> None:
    """The flexible one takes and gives first, then gaps shrink, then columns leave by priority."""
    layout = lay_out(COLUMNS, width)
    assert {slot.index: slot.width for slot in layout.slots} == widths
    assert layout.gap == gap


def test_a_flexible_column_gives_what_it_has_grown_by_to_texts_that_lack_it() -> None:
    """The timeline of jobs takes the free width, after the names; not below its own width."""
    name = Column("name", "Name", 10, fits=True)
    timeline = Column("timeline", "Timeline", 20, minimum=8, flexible=True)

    def widths(width: int, need: int) -> dict[int, int]:
        slots = lay_out((name, timeline), width, needs={0: need}).slots
        return {slot.index: slot.width for slot in slots}

    assert widths(62, 6) == {0: 10, 1: 50}
    assert widths(62, 25) == {0: 25, 1: 35}
    assert widths(62, 99) == {0: 40, 1: 20}
    assert widths(22, 99) == {0: 10, 1: 10}


def test_two_flexible_columns_share() -> None:
    """What is left over is shared, to the last cell."""
    layout = lay_out([Column("a", "A", 5, flexible=True), Column("b", "B", 5, flexible=True)], 21)
    assert [slot.width for slot in layout.slots] == [9, 10]


def test_a_blank_column_leaves_its_room_to_the_others() -> None:
    """Also where all of them would fit."""
    layout = lay_out(COLUMNS, 50, {3})
    assert {slot.index: slot.width for slot in layout.slots} == {0: 10, 1: 32, 2: 4}


def test_columns_that_are_cut_take_what_others_do_not_need() -> None:
    """Whoever lacks least first; one whose needs are not told neither gives nor takes."""
    cut = lay_out(COLUMNS, 40, needs={0: 8, 1: 12, 3: 11})
    assert {slot.index: slot.width for slot in cut.slots} == {0: 8, 1: 11, 2: 4, 3: 11}
    assert lay_out(COLUMNS, 40, needs={0: 9, 2: 9}) != lay_out(COLUMNS, 40)
    assert lay_out(COLUMNS, 40, needs={0: 10, 1: 10, 3: 1}) == lay_out(COLUMNS, 40)


def test_what_columns_need_is_what_rows_say() -> None:
    """The longest text, or the title with an arrow; where rows are many nobody counts."""
    columns = [Column("a", "NAME", 9, fits=True), Column("b", "B", 9)]
    rows = TableRows(columns)
    rows.take([Row("1", (Cell("日本語"), Cell("long enough"))), Row("2", (Cell("x"),))])
    assert rows.needs == {0: 6}
    rows.take([Row("1", (Cell("x"),))])
    assert rows.needs == {0: len("NAME") + 1}
    rows.take([Row(str(number), (Cell("x"),)) for number in range(1001)])
    assert rows.needs == {}


@pytest.mark.parametrize(
    ("columns", "last", "width"),
    [
        (PIPELINES.layout, "took", 7),
        (PIPELINE_JOBS.layout, "took", 7),
        (SCHEDULES.layout, "last", 14),
    ],
)
def test_durations_are_whole_where_it_is_tight(
    columns: Sequence[Column], last: str, width: int
) -> None:
    """On 50 cells, too: of a number that is cut nobody knows what it was."""
    blank = {at for at, column in enumerate(columns) if column.optional}
    *_, slot = lay_out(columns, 50 - MARGINS, blank).slots
    assert (columns[slot.index].key, slot.width) == (last, width)


def test_an_id_is_never_cut() -> None:
    """Its column is as wide as the longest, however many rows there are and however narrow."""
    columns = [replace(one, optional=False) for one in PIPELINES.layout]
    at = next(index for index, one in enumerate(columns) if one.key == "id")
    rows = TableRows(columns)
    long = tuple(Cell("#1390201608" if index == at else "x") for index in range(len(columns)))
    rows.take([Row(str(number), long) for number in range(1001)])
    for width in range(30, 200, 7):
        slots = {slot.index: slot.width for slot in lay_out(columns, width, needs=rows.needs).slots}
        assert slots[at] == len("#1390201608")


@pytest.mark.parametrize("table", [PIPELINES, JOBS, PIPELINE_JOBS, PROJECTS])
def test_a_known_status_is_never_cut(table: TableSpec[Any]) -> None:
    """Where other columns lack more: "canceling" is one cell longer than most."""
    columns = [replace(one, optional=False) for one in table.layout]
    at = next(index for index, one in enumerate(columns) if one.key in {"status", "last"})
    for status in map(status_cell, STATUSES):
        rows = TableRows(columns)
        rows.take([Row("1", tuple(status if at == one else LONG for one in range(len(columns))))])
        slots = {slot.index: slot.width for slot in lay_out(columns, 78, needs=rows.needs).slots}
        assert slots[at] >= cells(status.text)


@given(st.text("ab日\u0301 ", max_size=30), st.integers(1, 40))
def test_a_name_is_cut_in_the_middle(name: str, room: int) -> None:
    """It keeps both ends, on the screen and printed."""
    shown = "".join(text for text, _ in middle_pieces(Cell(name), room))
    assert cell_len(shown) == room
    assert cells(cut_middle(name, room)) <= room
    ref = "chore/DATA-1940-late-arriving-users"
    assert cut_middle(ref, 21) == "chore/DATA…ving-users"


def test_no_columns_take_no_room() -> None:
    """A table without columns is not an error."""
    assert lay_out([], 80).slots == ()


@st.composite
def columns(draw: st.DrawFn) -> list[Column]:
    """Return columns of any kind."""
    return [
        Column(
            str(at),
            "T",
            draw(st.integers(0, 30)),
            minimum=draw(st.integers(0, 30)),
            flexible=draw(st.booleans()),
            priority=draw(st.integers(0, 3)),
        )
        for at in range(draw(st.integers(0, 8)))
    ]


@given(columns(), st.integers(-5, 200))
def test_no_layout_is_wider_than_its_room(some: list[Column], width: int) -> None:
    """Whatever the columns want, they fit; and what is important stays before the rest."""
    layout = lay_out(some, width)
    slots = layout.slots
    assert sum(slot.width for slot in slots) + layout.gap * max(0, len(slots) - 1) <= max(width, 0)
    assert all(slot.width > 0 for slot in slots)
    assert [slot.index for slot in slots] == sorted(slot.index for slot in slots)


@pytest.mark.parametrize(
    ("text", "width", "right", "expected"),
    [
        ("abc", 5, False, "abc  "),
        ("abc", 5, True, "  abc"),
        ("abcdef", 4, False, "abc…"),
        ("abcdef", 1, False, "…"),
        ("abcdef", 0, False, ""),
        ("数据库", 6, False, "数据库"),
        ("数据库", 5, False, "数据…"),
        ("数据库", 4, False, "数 …"),
        ("naïve", 7, True, "  naïve"),
    ],
)
def test_fit(text: str, width: int, right: bool, expected: str) -> None:  # noqa: FBT001  (a parameter)
    """A text fills its cells exactly, wide characters counted as two."""
    assert fit(text, width, right=right) == expected


@pytest.mark.parametrize(
    ("cell", "width", "right", "expected"),
    [
        (Cell("a\x1b[31mb"), 8, False, [("a�[31mb ", "text")]),
        (Cell("ok", "success"), 4, True, [("  ok", "success")]),
        (Cell("ab", parts=(("a", "failed"), ("b", "muted"))), 4, False,
         [("a", "failed"), ("b", "muted"), ("  ", "text")]),
        (Cell("ab", parts=(("a", "failed"), ("b", "muted"))), 4, True,
         [("  ", "text"), ("a", "failed"), ("b", "muted")]),
        (Cell("abcd", parts=(("ab", "failed"), ("cd", "muted"))), 3, False,
         [("ab", "failed"), ("…", "muted")]),
        (Cell("abcd", parts=(("ab", "failed"), ("cd", "muted"))), 2, False,
         [("a…", "failed")]),
        (Cell("abcd", parts=(("ab", "failed"), ("cd", "muted"))), 4, False,
         [("ab", "failed"), ("cd", "muted"), ("", "text")]),
    ],
)  # fmt: skip
def test_pieces(cell: Cell, width: int, right: bool, expected: list[tuple[str, str]]) -> None:  # noqa: FBT001  (a parameter)
    """Parts keep their roles, what is cut off leaves an ellipsis, and controls are harmless."""
    assert pieces(cell, width, right=right) == expected


@given(
    st.lists(st.text(st.sampled_from("ab 数\u0301😀é"), max_size=6), max_size=4),
    st.integers(0, 12),
    st.booleans(),
)
def test_pieces_fill_their_cells(parts: list[str], width: int, right: bool) -> None:  # noqa: FBT001  (drawn)
    """No cell pushes its neighbours, whatever it says."""
    cell = Cell("".join(parts), parts=tuple((part, "text") for part in parts))
    assert sum(cell_len(text) for text, _ in pieces(cell, width, right=right)) == width


def test_neighbours_that_look_alike_are_joined() -> None:
    """Blank text goes with either side on one ground, and stays apart on another."""
    red, green = Style.parse("red on black"), Style.parse("green on black")
    blue = Style.parse("white on blue")
    assert join([(" ", red), ("a", green), ("  ", red), ("b", green), ("", red)]) == [
        (" a  b", green)
    ]
    assert join([("a", red), (" ", blue), ("b", red)]) == [("a", red), (" ", blue), ("b", red)]
    underlined = red + Style(underline=True)
    assert join([("a", red), (" ", underlined)]) == [("a", red), (" ", underlined)]


@pytest.mark.parametrize(
    ("column", "shown"),
    [
        (Column("name"), "check_down…"),
        (Column("name", middle=True), "check…tream"),
        (Column("path", ends=True), "…downstream"),
    ],
)
def test_a_cell_is_cut_as_its_column_asks(column: Column, shown: str) -> None:
    """At its end, in the middle, or at its beginning."""
    pieces = column_pieces(Cell("check_downstream"), column, 11)
    assert "".join(text for text, _ in pieces) == shown
