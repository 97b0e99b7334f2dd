"""The table without a screen where rows have lines below: what is in the window, and why."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from platui.models.values.table import Cell, Column, LazyRows, LineBelow, Row
from platui.ui.widgets.table.cells import line_pieces
from platui.ui.widgets.table.rows import TableRows
from platui.ui.widgets.table.view import TableView

COLUMNS = (Column("name", "Name", 10), Column("age", "Age", 4, right=True))
KEYS = "abcdefghijklmnop"

BLOCK = st.tuples(st.sampled_from(KEYS), st.integers(1, 6))
"""The key of a row and its lines."""
BLOCKS = st.lists(BLOCK, unique_by=lambda block: block[0], max_size=len(KEYS))


def block(key: str, height: int = 1) -> Row:
    """Return a row of so many lines."""
    lines = tuple(LineBelow(Cell(f"{key}{at}")) for at in range(1, height))
    return Row(key, (Cell(key),), below=lines)


def blocks(text: str) -> list[Row]:
    """Return rows: `a3 b1` is one of three lines and one of one."""
    return [block(word[0], int(word[1:])) for word in text.split()]


def view(text: str, height: int = 5) -> TableView:
    """Return a view of such rows."""
    made = TableView(COLUMNS)
    made.show(blocks(text))
    made.resize(height)
    return made


def cursor_line(table: TableView) -> int:
    """Return on which line of the window the cursor's row begins."""
    return table.lines.first(table.cursor) - table.top


def is_whole(table: TableView) -> bool:
    """Return whether all of the cursor's row is in the window, or its head where it is higher."""
    first, end = table.lines.first(table.cursor), table.lines.end(table.cursor)
    return table.top <= first and min(end, first + table.height) <= table.top + table.height


def seen(table: TableView) -> int:
    """Return how many lines of the cursor's row are in the window."""
    first, end = table.lines.first(table.cursor), table.lines.end(table.cursor)
    return max(0, min(end, table.top + table.height) - max(first, table.top))


# Lines


@given(st.lists(st.integers(1, 5), max_size=12), st.integers(-3, 70))
def test_lines_and_places_are_each_others_inverse(heights: list[int], line: int) -> None:
    """As if every line were written down; a line outside belongs to the nearest row."""
    model = TableRows(COLUMNS)
    model.take([block(str(at), height) for at, height in enumerate(heights)])
    lines = model.lines
    written = [at for at, height in enumerate(heights) for _ in range(height)]
    assert lines.total == len(written)
    for place in range(len(heights)):
        span = range(lines.first(place), lines.end(place))
        assert [at for at, owner in enumerate(written) if owner == place] == list(span)
    nearest = written[max(0, min(line, len(written) - 1))] if written else 0
    assert lines.index(line) == nearest


def test_a_filter_that_hides_all_blocks_leaves_plain_lines() -> None:
    """And so do new rows without anything below."""
    model = TableRows(COLUMNS)
    model.take(blocks("a1 b2"))
    assert model.lines.total == 3
    model.set_filter("!b1")
    assert (model.keys, model.lines.total) == (["a"], 1)
    model.take(blocks("a1 b1 c1"))
    model.set_filter("")
    assert model.lines.total == 3


def test_made_rows_take_one_line_each() -> None:
    """What a row that is made on sight has below is not counted: it would have to be made."""
    table = TableView(COLUMNS)
    table.resize(4)
    table.show(LazyRows(1000, lambda place: block(str(place), 3), int))
    table.move_to(999)
    assert (table.lines.total, table.top) == (1000, 996)
    table.show(blocks("a3"))
    assert table.lines.total == 3


# Rows


def test_a_row_with_another_line_below_is_another_row() -> None:
    """News of a line is news; the same lines again are none, and the row stays what it was."""
    model = TableRows(COLUMNS)
    model.take(blocks("a2 b2"))
    first = model.shown[0]
    assert not model.take(blocks("a2 b2"))
    assert model.take(blocks("a2 b3"))
    assert model.shown[0] is first


def test_a_filter_looks_in_the_lines_below() -> None:
    """At both sides; where a row says what it is found by, there alone."""
    below = (LineBelow(Cell("Relation missing"), Cell("Last green 03:01")),)
    model = TableRows(COLUMNS)
    model.take(
        [
            Row("a", (Cell("etl"),), below=below),
            Row("b", (Cell("api"),)),
            Row("c", (Cell("web"),), search="web", below=below),
        ]
    )
    for text, keys in (("relation", ["a"]), ("etl GREEN", ["a"]), ("!green", ["b", "c"])):
        model.set_filter(text)
        assert model.keys == keys


# Moves


def test_the_cursor_goes_by_rows_and_the_window_by_lines() -> None:
    """The row reached is in sight as a whole; of the one at the other edge a part may be."""
    table = view("a3 b3 c3 d1", height=5)
    assert table.visible_keys == ("a", "b")
    table.move_to(1)
    assert (table.cursor_key, table.top, table.visible_keys) == ("b", 1, ("a", "b"))
    table.move_to(2)
    assert (table.cursor_key, table.top, table.visible_keys) == ("c", 4, ("b", "c"))
    table.move_to(1)
    assert (table.cursor_key, table.top, table.visible_keys) == ("b", 3, ("b", "c"))


def test_of_a_row_higher_than_the_window_the_head_is_shown() -> None:
    """From whichever side it is reached; the wheel shows the rest."""
    table = view("a1 b9 c1", height=4)
    table.move_to(1)
    assert (table.top, table.visible_keys) == (1, ("b",))
    table.move_to(2)
    table.move_to(1)
    assert table.top == 1
    table.scroll(3)
    table.show(blocks("a1 b9 c2"))
    assert table.top == 4


def test_a_row_cut_by_the_wheel_is_not_pulled_back() -> None:
    """Neither by news nor by a window of another height, as long as some of it is in sight."""
    table = view("a3 b3 c3 d3", height=6)
    table.scroll(2)
    table.show(blocks("a3 b3 c3 d4"))
    assert (table.top, seen(table)) == (2, 1)
    table.resize(7)
    assert table.top == 2
    table.show(blocks("a2 b3 c3 d4"))
    assert seen(table) == 1


def test_page_after_page_shows_every_line_of_short_rows() -> None:
    """Down to the last row and up again, nothing is jumped over."""
    text = " ".join(f"{key}{1 + at % 3}" for at, key in enumerate(KEYS))
    table = view(text, height=7)
    for by, end in ((1.0, len(KEYS) - 1), (-1.0, 0), (0.5, len(KEYS) - 1), (-0.5, 0)):
        lines = set(range(table.top, table.top + 7))
        while table.cursor != end:
            before = table.cursor
            table.move_page(by)
            assert (table.cursor - before) * by > 0
            assert is_whole(table)
            lines |= set(range(table.top, table.top + 7))
        assert lines == set(range(table.lines.total))


def test_no_move_adds_up_lines() -> None:
    """Of ten thousand rows of three lines a key looks at some: sums are made where rows change."""
    table = TableView(COLUMNS)
    table.show([block(str(number), 3) for number in range(10_000)])
    table.resize(20)
    lines = table.lines
    table.move_to(9_999)
    table.move_page(-1)
    table.scroll(-3000)
    assert table.lines is lines is table.rows.lines
    assert (table.top, table.visible_keys) == (26_960, tuple(map(str, range(8_986, 8_994))))


def test_the_end_is_near_ten_rows_before_it() -> None:
    """Rows, however high they are: what is loaded next is rows."""
    table = TableView(COLUMNS)
    table.show([block(str(number), 3) for number in range(100)])
    table.resize(6)
    table.move_to(89)
    assert not table.is_near_end
    table.move_to(90)
    assert table.is_near_end


# News


@pytest.mark.parametrize("above", ["a9", "a1", "a3 x4", "x2"])
def test_the_cursor_keeps_its_line_when_what_is_above_grows_or_shrinks(above: str) -> None:
    """Who reads a row further down is not moved by news of others."""
    table = view("a3 b3 c3 d3 e3 f3 g3", height=7)
    table.move_to_key("e")
    line = cursor_line(table)
    table.show(blocks(f"{above} b3 c3 d3 e3 f3 g3"))
    assert (table.cursor_key, cursor_line(table)) == ("e", line)


def test_the_top_shows_what_arrives() -> None:
    """At the very top new rows come in sight, as long as all of the cursor's row stays in it."""
    table = view("a3 b3 c3 d3", height=7)
    table.show(blocks("X2 a3 b3 c3 d3"))
    assert (table.top, table.cursor_key) == (0, "a")
    table.show(blocks("Y3 X2 a3 b3 c3 d3"))
    assert (table.top, cursor_line(table), is_whole(table)) == (1, 4, True)


def test_a_row_that_grows_under_the_cursor_stays_whole() -> None:
    """The error line that was found a moment later is in sight too."""
    table = view("a3 b3 c1 d3", height=7)
    table.move_to_key("c")
    table.show(blocks("a3 b3 c3 d3"))
    assert (table.top, is_whole(table)) == (2, True)


STEP = st.one_of(
    BLOCKS.map(lambda given_blocks: ("show", given_blocks)),
    st.sampled_from([("sort", None), ("sort", ("name", True)), ("sort", ("name", False))]),
    st.sampled_from([("filter", ""), ("filter", "a"), ("filter", "!b"), ("filter", "zz")]),
    st.integers(-20, 20).map(lambda by: ("scroll", by)),
    st.integers(-2, 20).map(lambda place: ("move", place)),
    st.sampled_from([1.0, -1.0, 0.5, -0.5]).map(lambda by: ("page", by)),
    st.integers(0, 8).map(lambda height: ("resize", height)),
)


@given(BLOCKS, st.integers(1, 8), st.lists(STEP, max_size=12))
@example([("a", 1), ("b", 6)], 3, [("move", 1), ("scroll", 2), ("resize", 4), ("page", 1.0)])
def test_cursor_and_window_are_true_whatever_happens(
    first: list[tuple[str, int]], height: int, steps: list[tuple[str, object]]
) -> None:
    """Through any sequence: the cursor's object, its line of the screen, and all of it in sight."""
    table = TableView(COLUMNS)
    table.show([block(*one) for one in first])
    table.resize(height)
    for verb, value in steps:
        key, line, top = table.cursor_key, cursor_line(table), table.top
        was_seen = 99 if is_whole(table) else seen(table)
        _take(table, verb, value)
        shown = table.rows.keys
        assert 0 <= table.top <= max(0, table.lines.total - table.height)
        assert (table.cursor_key is None) == (not shown)
        assert table.cursor_row is None or table.cursor_row.key == table.cursor_key
        if verb in {"move", "page"}:
            assert is_whole(table) or not table.height
        elif key in shown:
            assert table.cursor_key == key
        if verb in {"show", "sort", "filter", "resize"}:
            _assert_in_sight(table, was_seen)
        if verb in {"show", "sort", "filter"} and top > 0:
            _assert_on_its_line(table, line)


def _take(table: TableView, verb: str, value: object) -> None:
    match verb, value:
        case "show", list(given_blocks):
            table.show([block(*one) for one in given_blocks])
        case "sort", (str(key), bool(descending)):
            table.sort_by((key, descending))
        case "sort", None:
            table.sort_by(None)
        case "filter", str(text):
            table.set_filter(text)
        case "scroll", int(by):
            table.scroll(by)
        case "page", float(by):
            table.move_page(by)
        case "resize", int(height):
            table.resize(height)
        case "move", int(place):
            table.move_to(place)


def _assert_in_sight(table: TableView, was_seen: int) -> None:
    """As much of the cursor's row is in sight as was before, if it has that and there is room."""
    first, end = table.lines.first(table.cursor), table.lines.end(table.cursor)
    assert seen(table) >= min(was_seen, end - first, table.height)


def _assert_on_its_line(table: TableView, line: int) -> None:
    """The cursor's row begins on the same line, unless an end or an edge of the window forbids."""
    first, end = table.lines.first(table.cursor), table.lines.end(table.cursor)
    last_top = max(0, table.lines.total - table.height)
    if 0 <= first - line <= last_top and line >= 0 and line + end - first <= table.height:
        assert cursor_line(table) == line


# Texts


@pytest.mark.parametrize(
    ("width", "text"),
    [
        (40, "relation orders_eu missing   green 03:01"),
        (36, "relation orders_eu mis…  green 03:01"),
        (25, "relation or…  green 03:01"),
        (24, "relation orders_eu miss…"),
        (3, "re…"),
        (0, ""),
        (-2, ""),
    ],
)
def test_the_left_gives_way_until_the_right_leaves(width: int, text: str) -> None:
    """The cause is worth more than when it was last green, but a word of it says nothing."""
    line = LineBelow(Cell("relation orders_eu missing", "failed"), Cell("green 03:01", "muted"))
    assert "".join(piece for piece, _ in line_pieces(line, width)) == text


def test_a_short_left_keeps_its_right() -> None:
    """However narrow it is, as long as both fit."""
    line = LineBelow(Cell("ab"), Cell("cd", "muted"))
    assert line_pieces(line, 6) == [("ab", "text"), ("  ", "text"), ("cd", "muted")]
    assert line_pieces(line, 5) == [("ab   ", "text")]


@given(st.text(max_size=30), st.text(max_size=30), st.integers(0, 50))
def test_a_line_is_as_wide_as_it_should_be(left: str, right: str, width: int) -> None:
    """Whatever the texts are, wide and hostile ones too."""
    from rich.cells import cell_len  # noqa: PLC0415  (beside its only use)

    for line in (
        LineBelow(Cell(left), Cell(right)),
        LineBelow(Cell(left + right, parts=((left, "text"), (right, "muted"))), Cell(right)),
    ):
        assert cell_len("".join(text for text, _ in line_pieces(line, width))) == width
