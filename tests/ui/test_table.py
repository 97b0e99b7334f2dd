"""The table on a screen: keys, mouse, messages, and what it paints."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import pytest
from textual import on
from textual.app import App, ComposeResult
from textual.widgets import Button

from platui.models.values.table import Cell, Column, Row
from platui.ui.line_filters import AsciiFilter
from platui.ui.themes import default_theme, find_theme
from platui.ui.widgets.table import Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.filter import LineFilter
    from textual.geometry import Region, Size
    from textual.message import Message

COLUMNS = (
    Column("status", "Status", 10),
    Column("ref", "Ref", 20, minimum=8, flexible=True),
    Column("age", "Age", 4, right=True, priority=1),
)


class WatchedTable(Table):
    """A table that notes what it paints anew."""

    def __init__(self, columns: Sequence[Column], **arguments: Any) -> None:
        self.repaints: list[tuple[Region, ...]] = []
        super().__init__(columns, **arguments)

    def refresh(self, *regions: Region, **arguments: Any) -> Self:
        """Note the regions; none is the whole widget."""
        self.repaints.append(regions)
        return super().refresh(*regions, **arguments)

    def repainted_lines(self) -> list[int]:
        """Return the lines painted since the last call."""
        assert all(self.repaints), "the whole table was painted"
        lines = [y for regions in self.repaints for region in regions for y in region.line_range]
        self.repaints.clear()
        return sorted(lines)


class TableApp(App[None]):
    """A table, something else to focus, and a list of what the table said."""

    CSS = "Button { height: 1; border: none; }"

    def __init__(self, rows: Sequence[Row]) -> None:
        super().__init__()
        self.register_theme(default_theme())
        self.theme = default_theme().name
        self.rows = rows
        self.said: list[Message] = []

    def compose(self) -> ComposeResult:
        """Put the table above a button."""
        yield WatchedTable(COLUMNS, id="rows", empty="No pipelines yet.")
        yield Button("other")

    def on_mount(self) -> None:
        """Show the rows."""
        self.table.show(self.rows)

    @property
    def table(self) -> WatchedTable:
        """Return the table."""
        return self.query_one(WatchedTable)

    @on(Table.RowOpened, "#rows")
    @on(Table.CursorMoved, "#rows")
    @on(Table.WindowChanged, "#rows")
    @on(Table.MarksChanged, "#rows")
    @on(Table.MoreWanted, "#rows")
    def _note(self, message: Message) -> None:
        self.said.append(message)

    def heard(self, kind: type[Message]) -> list[Any]:
        """Return the messages of one kind since the last call."""
        found = [message for message in self.said if isinstance(message, kind)]
        self.said = [message for message in self.said if not isinstance(message, kind)]
        return found

    def lines(self, size: Size | None = None) -> list[str]:
        """Return the text of the table's lines, or of so many more with its border."""
        strips = self.table.render_lines((size or self.table.size).region)
        return ["".join(segment.text for segment in strip) for strip in strips]

    def ground(self, line: int) -> set[object]:
        """Return the backgrounds of a line."""
        strip = self.table.render_line(line)
        return {segment.style.bgcolor for segment in strip if segment.style is not None}


class AsciiTableApp(TableApp):
    """The same on a terminal without more than ASCII."""

    FILTER = AsciiFilter()

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Add ours to Textual's."""
        return [*super().get_line_filters(), self.FILTER]


def row(number: int, text: str = "main") -> Row:
    """Return a row as pipelines have it."""
    status = Cell("✖ failed", "failed") if number % 3 == 0 else Cell("✔ success", "success")
    return Row(str(number), (status, Cell(f"{text}-{number}"), Cell(f"{number}m", "muted")))


def rows(count: int) -> list[Row]:
    """Return rows whose keys count from 0."""
    return [row(number) for number in range(count)]


async def test_the_arrow_of_the_order_cuts_no_title() -> None:
    """In a column as wide as its title, the arrow is in the gap; other columns do not move."""
    app = TableApp(rows(2))
    async with app.run_test(size=(40, 4)):
        app.table.set_columns((Column("status", "Status", 6), Column("age", "Age", 3, right=True)))
        assert app.lines()[0].rstrip() == " Status  Age"
        app.table.sort_by("status")
        assert app.lines()[0].rstrip() == " Status▲ Age"
        app.table.sort_by("age", descending=True)
        assert app.lines()[0].rstrip() == " Status  Age▼"


async def test_header_rows_and_blank_lines() -> None:
    """A table smaller than its room shows titles, rows, and nothing else."""
    app = TableApp(rows(2))
    async with app.run_test(size=(50, 8)) as pilot:
        await pilot.pause()
        lines = app.lines()
        assert lines[0].split() == ["Status", "Ref", "Age"]
        assert lines[1].split() == ["✖", "failed", "main-0", "0m"]
        assert lines[2].rstrip().endswith("1m")
        assert [line.strip() for line in lines[3:]] == [""] * 4
        assert {len(line) for line in lines} == {50}


async def test_an_empty_table_says_what_would_be_here() -> None:
    """No rows: the sentence of the screen, which can change, and keys that do no harm."""
    app = TableApp([])
    async with app.run_test(size=(50, 8)) as pilot:
        await pilot.pause()
        assert "No pipelines yet." in [line.strip() for line in app.lines()]
        app.table.set_empty("Nothing\x1b passes.\n\nesc  clears")
        lines = [line.strip() for line in app.lines()]
        at = lines.index("Nothing� passes.")
        assert lines[at : at + 3] == ["Nothing� passes.", "", "esc  clears"]
        await pilot.press("down", "pagedown", "G", "enter", "space")
        assert app.table.cursor_key is None
        assert not app.heard(Table.RowOpened)


async def test_a_long_notice_is_wrapped_and_cut_at_the_last_line() -> None:
    """An error of any length stays within the table."""
    app = TableApp([])
    async with app.run_test(size=(50, 8)) as pilot:
        await pilot.pause()
        app.table.set_empty("title\n" + "many words " * 99)
        await pilot.pause()
        lines = app.lines()
        assert len(lines) == 7
        assert {len(line) for line in lines} == {50}
        assert sum("many words" in line for line in lines) == 5


@pytest.mark.parametrize(
    ("keys", "cursor"),
    [
        ("j", "1"),
        ("down down up", "1"),
        ("k", "0"),
        ("G", "99"),
        ("end g", "0"),
        ("end home", "0"),
        ("ctrl+d", "5"),
        ("ctrl+d ctrl+u", "0"),
        ("pagedown", "10"),
        ("G pageup", "89"),
        ("G j", "99"),
    ],
)
async def test_keys_move_the_cursor(keys: str, cursor: str) -> None:
    """The common keys do what they do everywhere; a window of ten rows."""
    app = TableApp(rows(100))
    async with app.run_test(size=(50, 12)) as pilot:
        await pilot.press(*keys.split())
        assert app.table.cursor_key == cursor
        assert cursor in app.table.visible_keys()
        await pilot.pause()
        assert cursor == "0" or app.heard(Table.CursorMoved)[-1].key == cursor


async def test_enter_opens_the_row_under_the_cursor() -> None:
    """The message carries the key, not a line number."""
    app = TableApp(rows(5))
    async with app.run_test(size=(50, 12)) as pilot:
        await pilot.press("j", "enter")
        assert [said.key for said in app.heard(Table.RowOpened)] == ["1"]


async def test_space_marks_and_goes_on() -> None:
    """Marking a run of rows is pressing one key; the marks are told once each."""
    app = TableApp(rows(5))
    async with app.run_test(size=(50, 12)) as pilot:
        await pilot.press("space", "space")
        assert app.table.marks == {"0", "1"}
        assert app.table.cursor_key == "2"
        assert [line[0] for line in app.lines()[1:4]] == ["▌", "▌", " "]
        app.table.clear_marks()
        await pilot.pause()
        assert [said.marks for said in app.heard(Table.MarksChanged)] == [{"0"}, {"0", "1"}, set()]


async def test_a_click_selects_and_a_second_opens() -> None:
    """The first click only moves the cursor, even where it already is."""
    app = TableApp(rows(50))
    async with app.run_test(size=(50, 12)) as pilot:
        await pilot.click("#rows", offset=(5, 3))
        assert app.table.cursor_key == "2"
        await pilot.click("#rows", offset=(5, 1))
        await pilot.click("#rows", offset=(5, 0))
        assert not app.heard(Table.RowOpened)
        await pilot.click("#rows", offset=(5, 1))
        assert [said.key for said in app.heard(Table.RowOpened)] == ["0"]
        await pilot.press("j")
        await pilot.click("#rows", offset=(5, 1))
        assert not app.heard(Table.RowOpened)


async def test_the_wheel_scrolls_three_rows_and_leaves_the_cursor() -> None:
    """Looking around is not moving."""
    app = TableApp(rows(50))
    async with app.run_test(size=(50, 12)) as pilot:
        app.table.on_mouse_scroll_down(_wheel(app.table, down=True))
        await pilot.pause()
        assert app.table.visible_keys()[0] == "3"
        assert app.table.cursor_key == "0"
        app.table.on_mouse_scroll_up(_wheel(app.table, down=False))
        await pilot.pause()
        assert app.heard(Table.WindowChanged)
        assert app.table.visible_keys()[0] == "0"


def _wheel(table: Table, *, down: bool) -> Any:
    from textual import events  # noqa: PLC0415  (beside its only use)

    kind = events.MouseScrollDown if down else events.MouseScrollUp
    return kind(
        table, x=1, y=1, delta_x=0, delta_y=0, button=0, shift=False, meta=False, ctrl=False
    )


async def test_a_cursor_key_paints_two_lines() -> None:
    """The row left and the row reached, nothing else."""
    app = TableApp(rows(100))
    async with app.run_test(size=(50, 12)) as pilot:
        await pilot.pause()
        app.table.repaints.clear()
        await pilot.press("j")
        assert app.table.repainted_lines() == [1, 2]


async def test_a_page_key_leaves_the_header() -> None:
    """Only the body is painted, to the last line."""
    app = TableApp(rows(100))
    async with app.run_test(size=(50, 12)) as pilot:
        await pilot.pause()
        app.table.repaints.clear()
        await pilot.press("pagedown")
        assert app.table.repainted_lines() == list(range(1, 11))


async def test_equal_rows_paint_nothing() -> None:
    """A poll without news sends no byte, whether rows are the same or only alike."""
    app = TableApp(rows(100))
    async with app.run_test(size=(50, 12)) as pilot:
        await pilot.pause()
        app.table.repaints.clear()
        app.table.show(rows(100))
        app.table.show([replace(some, sort=(9, 9, 9)) for some in rows(100)])
        await pilot.pause()
        assert app.table.repaints == []


async def test_a_changed_row_paints_its_line_only() -> None:
    """News of one row in sight is one line; of one out of sight it is nothing."""
    app = TableApp(rows(100))
    async with app.run_test(size=(50, 12)) as pilot:
        await pilot.pause()
        app.table.repaints.clear()
        app.table.show([row(n, "new" if n in {4, 60} else "main") for n in range(100)])
        assert app.table.repainted_lines() == [5]
        assert "new-4" in app.lines()[5]


async def test_focus_paints_the_cursor_row_only() -> None:
    """Changing panes costs one line, and shows which pane has the keys."""
    app = TableApp(rows(100))
    async with app.run_test(size=(50, 12)) as pilot:
        await pilot.pause()
        focused = app.ground(1)
        app.table.repaints.clear()
        await pilot.press("tab")
        await pilot.pause()
        assert app.table.repainted_lines() == [1]
        assert app.ground(1) != focused
        await pilot.press("tab")
        assert app.focused is app.table
        assert app.ground(1) == focused
        assert len(focused) == 2  # of the row, and of the thumb beside it


async def test_the_window_and_the_need_for_more_are_told() -> None:
    """The screen learns what is in sight, and once for each end that more is wanted."""
    app = TableApp(rows(40))
    async with app.run_test(size=(50, 12)) as pilot:
        await pilot.pause()
        assert app.heard(Table.WindowChanged)
        assert app.table.visible_keys() == tuple(map(str, range(10)))
        assert not app.heard(Table.MoreWanted)
        await pilot.press("G", "k", "j")
        assert len(app.heard(Table.MoreWanted)) == 1
        await pilot.press("j")  # at the last row: the request may have failed
        assert [event.again for event in app.heard(Table.MoreWanted)] == [True]
        app.table.show(rows(80))
        await pilot.pause()
        assert not app.heard(Table.MoreWanted)
        await pilot.press("G")
        assert len(app.heard(Table.MoreWanted)) == 1


async def test_a_held_page_key_wants_more_and_more_pages() -> None:
    """Page after page would come too late; where the end stays, only what is beyond is asked."""
    app = TableApp(rows(30))
    async with app.run_test(size=(50, 12)) as pilot:
        await pilot.press(*["pagedown"] * 9)
        assert [event.pages for event in app.heard(Table.MoreWanted)] == [1, 3, 5, 6]
        app.table.show(rows(31))
        await pilot.press("pagedown")
        assert [event.pages for event in app.heard(Table.MoreWanted)] == [6]


async def test_a_filter_wants_nothing_more() -> None:
    """A list cut short by a filter does not pull in page after page."""
    app = TableApp(rows(40))
    async with app.run_test(size=(50, 12)) as pilot:
        await pilot.pause()
        app.table.set_filter("main-7")
        await pilot.pause()
        assert (app.table.shown_count, app.table.hidden_count, app.table.total_count) == (1, 39, 40)
        assert not app.heard(Table.MoreWanted)


async def test_cursor_stays_on_its_object_across_show_sort_and_filter() -> None:
    """Whatever changes around it, the user's row is the user's row."""
    app = TableApp(rows(40))
    async with app.run_test(size=(50, 12)) as pilot:
        assert app.table.move_to("13")
        app.table.show([row(99), *rows(40)])
        app.table.sort_by("status", descending=True)
        app.table.set_filter("!main-2")
        await pilot.pause()
        assert app.table.cursor_key == "13"
        assert app.table.cursor_row == row(13)
        assert app.table.sort == ("status", True)
        assert "Status▼" in app.lines()[0]
        assert not app.table.move_to("2")
        app.table.sort_by(None)
        assert "▼" not in app.lines()[0]


async def test_a_thumb_shows_only_where_rows_don_t_fit() -> None:
    """One column at the right edge, beside the rows."""
    app = TableApp(rows(100))
    async with app.run_test(size=(50, 12)) as pilot:
        await pilot.pause()
        assert [line[-1] for line in app.lines()] == [" ", "█", *" " * 9]
        await pilot.press("G")
        assert [line[-1] for line in app.lines()] == [*" " * 10, "█"]
        app.table.show(rows(10))
        assert {line[-1] for line in app.lines()} == {" "}


async def test_columns_leave_when_it_gets_narrow_and_come_back() -> None:
    """A resized terminal shows what it has room for."""
    app = TableApp(rows(3))
    async with app.run_test(size=(50, 12)) as pilot:
        await pilot.resize_terminal(24, 12)
        await pilot.pause()
        assert app.lines()[0].split() == ["Status", "Ref"]
        await pilot.resize_terminal(50, 12)
        await pilot.pause()
        assert app.lines()[0].split() == ["Status", "Ref", "Age"]
        assert app.table.column_width("age") == 4
        assert app.table.column_width("ref") == 50 - 3 - 10 - 4 - 2 * 2
        app.table.set_columns(COLUMNS[:1])
        assert app.table.column_width("ref") == 0
        assert app.lines()[0].split() == ["Status"]


@pytest.mark.parametrize("width", [1, 2, 3])
async def test_a_sliver_is_painted_at_its_width(width: int) -> None:
    """No width is too small to be painted right."""
    app = TableApp(rows(100))
    async with app.run_test(size=(width, 4)) as pilot:
        await pilot.pause()
        assert {len(line) for line in app.lines()} == {width}


async def test_a_border_is_painted_around_the_table() -> None:
    """A style sheet may give it one; clicks and news still go to the right rows."""
    app = TableApp(rows(100))
    async with app.run_test(size=(50, 12)) as pilot:
        app.table.styles.border = ("ascii", "red")
        await pilot.pause()
        lines = app.lines(app.table.region.size)
        assert lines[0] == lines[-1] == "+" + "-" * 48 + "+"
        assert lines[1].split() == ["|", "Status", "Ref", "Age", "|"]
        assert {len(line) for line in lines} == {50}
        await pilot.click("#rows", offset=(5, 4))
        assert app.table.cursor_key == "2"
        app.table.repaints.clear()
        app.table.show([row(n, "new" if n == 4 else "main") for n in range(100)])
        await pilot.pause()
        assert "new-4" in app.lines(app.table.region.size)[6]
        assert app.table.repainted_lines() == [5]


async def test_another_theme_repaints_everything() -> None:
    """No strip of the old theme is left over."""
    app = TableApp(rows(3))
    async with app.run_test(size=(50, 12)) as pilot:
        await pilot.pause()
        before = app.ground(2)
        app.register_theme(find_theme("platui-light"))
        app.theme = "platui-light"
        await pilot.pause()
        assert not before & app.ground(2)


async def test_filters_of_the_app_reach_every_line() -> None:
    """A terminal that has ASCII only gets ASCII only, though the table has its own cache."""
    app = AsciiTableApp([*rows(20), Row("wide", (Cell("数据"), Cell("é")))])
    async with app.run_test(size=(50, 12)) as pilot:
        await pilot.press("space")
        app.table.sort_by("status")
        await pilot.pause()
        assert all(line.isascii() for line in app.lines())
        assert {len(line) for line in app.lines()} == {50}
        app.table.show([])
        app.table.set_empty("Nothing… yet")
        assert all(line.isascii() for line in app.lines())


async def test_hostile_text_is_harmless() -> None:
    """Markup, escapes, wide and endless texts are text of the cell's width."""
    hostile = [
        "[/foo]",
        "[@click=app.quit]x[/]",
        "\x1b]52;c;x\x07",
        "数" * 300,
        "a\nb",
        "\u202eevil",
    ]
    app = TableApp([Row(text, (Cell(text), Cell(text, "no-such-role"))) for text in hostile])
    async with app.run_test(size=(50, 12)) as pilot:
        await pilot.pause()
        strips = app.table.render_lines(app.table.size.region)
        assert {strip.cell_length for strip in strips} == {50}
        assert not any(char in line for line in app.lines() for char in "\x1b\x07\n\u202e")
        assert "[/foo]" in app.lines()[1]


async def test_a_hundred_thousand_rows_are_there_at_once() -> None:
    """Only the window is painted, so the number of rows is no matter."""
    app = TableApp(rows(100_000))
    async with app.run_test(size=(50, 12)) as pilot:
        await pilot.press("G")
        assert app.table.cursor_key == "99999"
        app.table.repaints.clear()
        app.table.show(list(app.rows))
        await pilot.pause()
        assert app.table.repaints == []
