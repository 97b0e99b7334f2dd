"""The table without a screen: rows, order, filter, marks, cursor and window."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from platui.models.values.table import Cell, Column, LazyRows, Row
from platui.ui.widgets.table.filter import Filter
from platui.ui.widgets.table.rows import TableRows
from platui.ui.widgets.table.view import TableView

COLUMNS = (Column("name", "Name", 10), Column("age", "Age", 4, right=True))


def row(key: str, text: str | None = None, age: float | str | None = None) -> Row:
    """Return a row whose age sorts by its number."""
    name = key if text is None else text
    cells = (Cell(name), Cell("" if age is None else str(age)))
    return Row(key, cells, sort=(name.lower(), age))


def rows(*keys: str) -> list[Row]:
    """Return plain rows."""
    return [row(key) for key in keys]


def view(*keys: str, height: int = 5) -> TableView:
    """Return a view of plain rows."""
    made = TableView(COLUMNS)
    made.show(rows(*keys))
    made.resize(height)
    return made


# Rows


def test_rows_stand_as_given() -> None:
    """Without a sort the platform's order stays."""
    model = TableRows(COLUMNS)
    model.take(rows("c", "a", "b"))
    assert model.keys == ["c", "a", "b"]


def test_an_equal_row_stays_the_one_that_was_there() -> None:
    """What did not change keeps its identity, and nothing counts as changed."""
    model = TableRows(COLUMNS)
    model.take(rows("a", "b"))
    before = list(model.shown)
    assert not model.take(rows("a", "b"))
    assert all(old is new for old, new in zip(before, model.shown, strict=True))


def test_one_changed_row_is_a_change_and_leaves_the_others() -> None:
    """An update in place replaces only what differs."""
    model = TableRows(COLUMNS)
    model.take(rows("a", "b"))
    first = model.shown[0]
    assert model.take([row("a"), row("b", "else")])
    assert model.shown[0] is first
    assert model.shown[1].cells[0].text == "else"


@pytest.mark.parametrize("given_rows", [("b", "a"), ("a",), ("a", "b", "c"), ()])
def test_another_order_or_number_is_a_change(given_rows: tuple[str, ...]) -> None:
    """Equal rows in other places are not the same table."""
    model = TableRows(COLUMNS)
    model.take(rows("a", "b"))
    assert model.take(rows(*given_rows))
    assert model.keys == list(given_rows)


def test_a_key_that_comes_twice_is_one_row() -> None:
    """An overlap of two pages shows each object once, as it was said last."""
    model = TableRows(COLUMNS)
    model.take([row("a", "old"), row("b"), row("a", "new")])
    assert model.keys == ["a", "b"]
    assert model.shown[0].cells[0].text == "new"
    assert not model.take([row("a", "old"), row("b"), row("a", "new")])


# Order


def test_an_optional_column_is_blank_while_no_row_says_anything_in_it() -> None:
    """Rows that a filter hides count too; without rows nothing is known to be blank."""
    model = TableRows((*COLUMNS, Column("who", "Who", 8, optional=True)))
    assert model.blank == frozenset()
    model.take(rows("a", "b"))
    assert model.blank == {2}
    told = Row("c", (Cell("c"), Cell(""), Cell("h.sato")))
    model.take([*rows("a", "b"), told])
    model.set_filter("b")
    assert (model.keys, model.blank) == (["b"], frozenset())


def test_what_the_row_above_says_is_left_out_while_all_rows_stand_as_given() -> None:
    """Of a column that says things once; a row that did not change keeps what is shown of it."""
    model = TableRows((Column("stage", "Stage", 10, once=True), *COLUMNS))
    given = [
        Row(key, (Cell(stage), Cell(key)), sort=(stage, key, None))
        for key, stage in (("c", "build"), ("a", "build"), ("b", "test"), ("d", "build"))
    ]

    def shown() -> list[str]:
        return [f"{model.cells_of(row)[0].text} {row.key}" for row in model.shown]

    model.take(given)
    assert shown() == ["build c", " a", "test b", "build d"]
    before = model.cells_of(given[1])
    model.take([*given, row("e")])
    assert model.cells_of(given[1]) is before
    model.set_filter("a")
    assert shown() == ["build a"]
    model.set_filter("")
    model.sort_by(("name", False))
    assert shown()[:2] == ["build a", "test b"]
    model.sort_by(None)
    assert shown() == ["build c", " a", "test b", "build d", "e e"]


def test_sort_by_values_not_by_texts() -> None:
    """Nine comes before ten."""
    model = TableRows(COLUMNS)
    model.take([row("a", age=10), row("b", age=9)])
    model.sort_by(("age", False))
    assert model.keys == ["b", "a"]


@pytest.mark.parametrize(
    ("descending", "expected"),
    [
        (False, ["low", "one", "two", "none", "blank"]),
        (True, ["one", "two", "low", "none", "blank"]),
    ],
)
def test_sort_is_stable_and_blanks_come_last(descending: bool, expected: list[str]) -> None:  # noqa: FBT001  (a parameter)
    """Equal values stand as given, both ways; a missing value is never on top."""
    model = TableRows(COLUMNS)
    given_rows = [row("none"), row("one", age=2), row("two", age=2), row("low", age=1)]
    model.take([*given_rows, row("blank", age="")])
    model.sort_by(("age", descending))
    assert model.keys == expected


def test_sort_without_values_compares_texts_without_case() -> None:
    """A row that brings no sort values is sorted by what it says; missing cells are blank."""
    model = TableRows(COLUMNS)
    model.take([Row("1", (Cell("beta"),)), Row("2", ()), Row("3", (Cell("Alpha"),))])
    model.sort_by(("name", False))
    assert model.keys == ["3", "1", "2"]


def test_sort_of_mixed_kinds_does_not_fail() -> None:
    """A hostile answer with numbers and texts in one column still gives a table."""
    model = TableRows(COLUMNS)
    model.take([row("a", age=1), row("b", age="x"), row("c", age=0)])
    model.sort_by(("age", False))
    assert sorted(model.keys) == ["a", "b", "c"]


def test_sort_by_an_unknown_column_is_refused() -> None:
    """A wrong column is a mistake of ours, not an order."""
    model = TableRows(COLUMNS)
    with pytest.raises(KeyError):
        model.sort_by(("nope", False))


def test_a_sort_ends_with_its_column() -> None:
    """Columns that leave take the sort with them."""
    model = TableRows(COLUMNS)
    model.take([row("a", age=2), row("b", age=1)])
    model.sort_by(("age", False))
    model.set_columns(COLUMNS[:1])
    assert model.sort is None
    assert model.keys == ["a", "b"]


# Filter


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", ["dbt", "ingest", "both"]),
        ("DBT", ["dbt", "both"]),
        ("dbt main", ["dbt"]),
        ("main dbt", ["dbt"]),
        ("!dbt", ["ingest"]),
        ("main !dbt", ["ingest"]),
        ("!", ["dbt", "ingest", "both"]),
        ("   ", ["dbt", "ingest", "both"]),
        ("nowhere", []),
    ],
)
def test_filter_words(text: str, shown: list[str]) -> None:
    """Every word counts, case does not, and `!` negates one word."""
    model = TableRows(COLUMNS)
    model.take([row("dbt", "dbt Main"), row("ingest", "main"), row("both", "DBT dev")])
    model.set_filter(text)
    assert model.keys == shown
    assert model.total == 3


def test_filter_looks_in_the_search_text_where_there_is_one() -> None:
    """A row can be found by what its cells don't show, and only by its search text."""
    model = TableRows(COLUMNS)
    model.take([Row("a", (Cell("shown"),), search="hidden"), Row("b", (Cell("shown"),))])
    model.set_filter("hidden")
    assert model.keys == ["a"]
    model.set_filter("shown")
    assert model.keys == ["b"]


def test_filter_applies_to_rows_that_come_later() -> None:
    """A refresh does not undo the filter."""
    model = TableRows(COLUMNS)
    model.take(rows("apple"))
    model.set_filter("pear")
    model.take(rows("apple", "pear"))
    assert model.keys == ["pear"]


@given(st.text("abÄ数", min_size=1, max_size=3), st.text("abä数 "))
def test_negation_is_the_opposite(word: str, text: str) -> None:
    """A row passes a word or its negation, never both."""
    found = [(text, 0)]
    assert Filter.parse(word).select(found) + Filter.parse("!" + word).select(found) == found


# Marks


def test_marks_survive_a_refresh_and_leave_with_their_rows() -> None:
    """A mark is on an object, not on a line."""
    model = TableRows(COLUMNS)
    model.take(rows("a", "b"))
    model.toggle_mark("a")
    model.toggle_mark("b")
    model.take([row("b", "changed"), row("c")])
    assert model.marks == {"b"}
    model.toggle_mark("b")
    assert not model.marks


def test_marks_stay_on_rows_that_a_filter_hides() -> None:
    """Filtering again to mark more must not lose what is marked."""
    model = TableRows(COLUMNS)
    model.take(rows("a", "b"))
    model.toggle_mark("a")
    model.set_filter("b")
    assert model.marks == {"a"}


def test_an_unknown_key_cannot_be_marked() -> None:
    """A mark without a row would never go away."""
    model = TableRows(COLUMNS)
    model.toggle_mark("ghost")
    assert not model.marks


# Cursor and window


def test_cursor_stays_on_its_object_when_rows_arrive_above() -> None:
    """A new pipeline on top must not put the cursor on another one."""
    table = view("b", "c", "d")
    table.move_to_key("c")
    table.show(rows("new", "b", "c", "d"))
    assert table.cursor_key == "c"
    assert table.cursor == 2


def test_cursor_stays_at_its_place_when_its_object_is_gone() -> None:
    """What took the place is under the cursor, at the end the last row."""
    table = view("a", "b", "c")
    table.move_to_key("b")
    table.show(rows("a", "c"))
    assert table.cursor_key == "c"
    table.show(rows("a"))
    assert table.cursor_key == "a"
    table.show([])
    assert table.cursor_key is None
    assert table.cursor_row is None


def test_cursor_keeps_its_line_of_the_screen() -> None:
    """Rows that arrive above a scrolled window don't move what is read."""
    table = view(*"abcdefghij", height=3)
    table.move_to_key("f")
    line = table.cursor - table.top
    table.show(rows(*"XYZabcdefghij"))
    assert (table.cursor_key, table.cursor - table.top) == ("f", line)


def test_the_top_shows_what_arrives() -> None:
    """At the very top new rows come in sight, as long as the cursor stays in it too."""
    table = view(*"abcdef", height=3)
    table.show(rows(*"Xabcdef"))
    assert table.visible_keys == ("X", "a", "b")
    table.show(rows(*"XYZWabcdef"))
    assert table.visible_keys == ("Z", "W", "a")


def test_refresh_does_not_pull_a_scrolled_window_back() -> None:
    """Who scrolls with the wheel away from the cursor can read in peace."""
    table = view(*"abcdefghij", height=3)
    table.scroll(6)
    table.show(rows(*"abcdefghiJ"))
    assert table.visible_keys == ("g", "h", "i")


@pytest.mark.parametrize(("place", "expected"), [(-5, "a"), (0, "a"), (2, "c"), (99, "f")])
def test_moves_end_at_the_ends(place: int, expected: str) -> None:
    """No move leaves the rows."""
    table = view(*"abcdef", height=3)
    table.move_to(place)
    assert table.cursor_key == expected
    assert expected in table.visible_keys


def test_page_moves_cursor_and_window_together() -> None:
    """After a page the cursor is on the same line, until an end stops the window."""
    table = view(*"abcdefghij", height=3)
    table.move_to(1)
    table.move_page(1)
    assert (table.cursor_key, table.visible_keys) == ("e", ("d", "e", "f"))
    table.move_page(-0.5)
    assert (table.cursor_key, table.visible_keys) == ("c", ("b", "c", "d"))
    table.move_page(5)
    assert (table.cursor_key, table.visible_keys) == ("j", ("h", "i", "j"))


def test_scroll_moves_the_window_alone() -> None:
    """The wheel leaves the cursor where it is, and stops at the ends."""
    table = view(*"abcdef", height=3)
    table.scroll(2)
    assert (table.cursor_key, table.visible_keys) == ("a", ("c", "d", "e"))
    table.scroll(99)
    assert table.visible_keys == ("d", "e", "f")
    table.scroll(-99)
    assert table.visible_keys == ("a", "b", "c")


def test_a_smaller_window_keeps_the_cursor_in_sight() -> None:
    """A terminal made smaller shows what it showed under the cursor."""
    table = view(*"abcdef", height=6)
    table.move_to_key("f")
    table.resize(2)
    assert table.visible_keys == ("e", "f")
    table.resize(4)
    assert list(table.visible_keys) == [*"cdef"]


def test_the_end_is_near_ten_rows_before_it() -> None:
    """More is wanted before the user waits for it."""
    table = view(*map(str, range(100)), height=5)
    assert not table.is_near_end
    table.move_to(89)
    assert not table.is_near_end
    table.move_to(90)
    assert table.is_near_end


KEYS = st.lists(st.sampled_from("abcdefghijklmnop"), unique=True)


@given(
    st.lists(
        st.one_of(
            KEYS.map(lambda keys: ("show", keys)),
            st.sampled_from([("sort", None), ("sort", ("name", True)), ("sort", ("name", False))]),
            st.sampled_from([("filter", ""), ("filter", "a"), ("filter", "!b"), ("filter", "zz")]),
            st.integers(-20, 20).map(lambda by: ("scroll", by)),
            st.integers(-2, 20).map(lambda place: ("move", place)),
            st.integers(0, 8).map(lambda height: ("resize", height)),
        )
    )
)
def test_cursor_stays_on_its_object_whatever_happens(
    steps: list[tuple[str, object]],
) -> None:
    """Through any sequence the cursor's row is the one it was on, if that is still shown."""
    table = view("a", "b", "c", height=3)
    for verb, value in steps:
        before = table.cursor_key
        match verb, value:
            case "show", list(keys):
                table.show(rows(*keys))
            case "sort", (str(key), bool(descending)):
                table.sort_by((key, descending))
            case "sort", None:
                table.sort_by(None)
            case "filter", str(text):
                table.set_filter(text)
            case "scroll", int(by):
                table.scroll(by)
            case "resize", int(height):
                table.resize(height)
            case "move", int(place):
                table.move_to(place)
        shown = table.rows.keys
        if verb != "move" and before in shown:
            assert table.cursor_key == before
        assert (table.cursor_key is None) == (not shown)
        assert table.cursor_row is None or table.cursor_row.key == table.cursor_key
        assert 0 <= table.top <= max(0, len(shown) - table.height)


# Rows that are made when they are looked at


def made(count: int, first: int = 0, seen: list[int] | None = None) -> LazyRows:
    """Return rows with ascending numbers as keys; `seen` gathers the places that were made."""

    def make(place: int) -> Row:
        if seen is not None:
            seen.append(place)
        return row(str(first + place))

    def index_of(key: str) -> int | None:
        place = int(key) - first
        return place if 0 <= place < count else None

    return LazyRows(count, make, index_of)


def test_only_the_rows_in_sight_are_made() -> None:
    """Of 50,000 a window, wherever it goes, whatever it is said to be sorted by."""
    seen: list[int] = []
    model = TableView(COLUMNS)
    model.resize(5)
    model.show(made(50_000, seen=seen))
    model.sort_by(("age", True))
    assert [one.key for one in model.window] == ["0", "1", "2", "3", "4"]
    assert model.rows.sort == ("age", True)
    model.move_to(49_999)
    assert model.visible_keys == ("49995", "49996", "49997", "49998", "49999")
    assert model.rows.last_key == "49999"
    assert len(set(seen)) <= 12


def test_the_cursor_stays_on_its_object_among_made_rows() -> None:
    """What it is on is found by its key, with no look at the others."""
    seen: list[int] = []
    model = TableView(COLUMNS)
    model.resize(5)
    model.show(made(50_000))
    model.move_to(30_000)
    model.show(made(20_000, first=20_000, seen=seen))
    assert (model.cursor, model.cursor_key) == (10_000, "30000")
    assert len(set(seen)) <= 6


def test_made_rows_give_way_to_others_and_come_back() -> None:
    """Also to none at all."""
    model = TableRows(COLUMNS)
    assert model.take(made(3))
    assert model.total == 3
    model.toggle_mark("2")
    assert model.marks == {"2"}
    assert model.take(())
    assert (list(model.shown), model.total, model.last_key) == ([], 0, None)
    assert model.take(rows("a"))
    assert model.take(made(2))
    assert [one.key for one in model.shown] == ["0", "1"]


def test_made_rows_are_a_sequence() -> None:
    """Counted from either end, in ranges, and with an end."""
    source = made(4)
    assert source[-1].key == "3"
    assert [one.key for one in source[1:3]] == ["1", "2"]
    assert source[0] is source[0]
    with pytest.raises(IndexError):
        source[4]


@pytest.mark.parametrize(
    ("top", "order", "stays", "expected"),
    [
        (0, "bcdea", True, ("b", 0)),
        (0, "bcdea", False, ("a", 2)),
        (2, "abdec", True, ("d", 2)),
        (2, "abdec", False, ("c", 2)),
        (2, "ab", True, ("b", 0)),
    ],
)
def test_a_cursor_that_stays_lets_its_object_go(
    top: int, order: str, *, stays: bool, expected: tuple[str, int]
) -> None:
    """It is on what is there now, and the window is not dragged along."""
    shown = view(*"abcde", height=3)
    shown.scroll(top)
    shown.move_to(top)
    shown.show(rows(*order), stays=stays)
    assert (shown.cursor_key, shown.top) == expected


def test_headings_do_not_count_as_rows() -> None:
    """Neither among all nor among those that a filter leaves."""
    model = TableRows(COLUMNS)
    line = replace(row("quiet"), search=" ", heading=Cell("── quiet ──"))
    model.take([row("a"), line, row("b")])
    assert (model.counts, model.total, len(model.shown)) == ((2, 2), 3, 3)
    model.set_filter("b")
    assert model.counts == (1, 2)
    model.take([row("b")])
    assert model.counts == (1, 1)


def test_under_a_hand_at_work_no_row_moves_not_even_at_the_top() -> None:
    """What comes there is out of sight until the hand rests; who moved has chosen where to be."""
    table = view("c", "d", "e", "f", "g", "h", height=3)
    table.move_to(1)
    table.show(rows("a", "b", "c", "d", "e", "f", "g", "h"), anchored=True)
    assert (table.cursor_key, table.top, table.visible_keys) == ("d", 2, ("c", "d", "e"))
    table.show(rows("b", "c", "d", "e", "f", "g", "h"), anchored=True)
    assert (table.cursor_key, table.top) == ("d", 1)
    # At rest, be it that nothing else came.
    table.show(rows("b", "c", "d", "e", "f", "g", "h"))
    assert (table.cursor_key, table.top) == ("d", 0)
    table.show(rows("a", "b", "c", "d", "e", "f", "g", "h"), anchored=True)
    assert table.top == 1
    table.move_to(4)
    table.show(rows("a", "b", "c", "d", "e", "f", "g", "h", "i"))
    assert (table.cursor_key, table.top) == ("e", 2)
