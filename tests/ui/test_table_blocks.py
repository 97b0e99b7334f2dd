"""The table on a screen where rows have lines below: what is painted, keys and mouse."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from textual import events, on
from textual.app import App, ComposeResult

from platui.models.values.table import Cell, Column, LineBelow, Row
from platui.ui.themes import find_theme, palette_of
from platui.ui.widgets.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.geometry import Region
    from textual.pilot import Pilot

COLUMNS = (
    Column("project", "Project", 20, minimum=10, flexible=True),
    Column("ref", "Ref", 12, priority=1),
    Column("runs", "Red", 8, right=True),
    Column("since", "Since", 16, minimum=11),
)
TITLES = (
    "relation orders_eu does not exist",
    "Connection to warehouse-3.internal timed out after 30.0 s while the schema was read",
    "No space left on device: '/cache/dbt/target/partial_parse.msgpack'",
)


def broken(number: int, *, muted: bool = False) -> Row:
    """Return a row with the cause below it and who broke it."""
    title = TITLES[number % len(TITLES)]
    by = f'broken by 8f2c1a{number:x} "Split orders by region and month" (m.oduya)'
    parts = (("broken by ", "muted"), (f"8f2c1a{number:x}", "accent"), (by[17:], "muted"))
    return Row(
        f"broken-{number}",
        (
            Cell(
                f"✖ etl/orders-{number}", parts=(("✖ ", "failed"), (f"etl/orders-{number}", "text"))
            ),
            Cell("main", "accent"),
            Cell(f"{number + 2} red", "failed"),
            Cell("since 03:04 (4h)", "muted"),
        ),
        muted=muted,
        below=(
            LineBelow(Cell(f"✖ {title}", "failed")),
            LineBelow(Cell(by, "muted", parts), Cell("last green 03:01", "success")),
        ),
    )


def running(number: int) -> Row:
    """Return a row of one line."""
    cells = (Cell(f"● web/shop-{number}", "running"), Cell("main", "accent"), Cell(""), Cell("2m"))
    return Row(f"running-{number}", cells)


ROWS = (
    *map(broken, range(4)),
    broken(4, muted=True),
    *map(running, range(3)),
    *map(broken, range(5, 9)),
)


class BlocksApp(App[None]):
    """A table of blocks, alone on a screen."""

    def __init__(
        self, rows: Sequence[Row] = ROWS, *, header: bool = False, theme: str = "platui-dark"
    ) -> None:
        super().__init__()
        self.register_theme(find_theme(theme))
        self.theme = theme
        self._rows, self._header = rows, header
        self.opened: list[str] = []

    def compose(self) -> ComposeResult:
        """Put nothing but the table on the screen."""
        yield Table(COLUMNS, id="rows", header=self._header, empty="All is green.")

    def on_mount(self) -> None:
        """Show the rows."""
        self.table.show(self._rows)

    @property
    def table(self) -> Table:
        """Return the table."""
        return self.query_one(Table)

    @on(Table.RowOpened)
    def _note(self, message: Table.RowOpened) -> None:
        self.opened.append(message.key)

    def lines(self) -> list[str]:
        """Return the text of every line of the table."""
        strips = self.table.render_lines(self.table.size.region)
        return ["".join(segment.text for segment in strip) for strip in strips]

    def lit(self) -> list[int]:
        """Return the lines that are painted as the cursor's."""
        ground = palette_of(self).cursor.bgcolor
        strips = self.table.render_lines(self.table.size.region)
        return [
            y
            for y, strip in enumerate(strips)
            if all(
                segment.style is not None and segment.style.bgcolor == ground
                for segment in strip.crop(0, strip.cell_length - 1)  # without the thumb
            )
        ]


def repaints(table: Table, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that gathers the lines painted anew."""
    lines: list[int] = []
    refresh = table.refresh

    def noted(*regions: Region, **arguments: Any) -> Table:
        assert regions, "the whole table was painted"
        lines.extend(y for region in regions for y in region.line_range)
        return refresh(*regions, **arguments)

    monkeypatch.setattr(table, "refresh", noted)
    return lines


async def test_lines_stand_below_their_row_and_the_cursor_lights_them_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Under what follows the glyph, the right one at the edge; one mark, and only news painted."""
    app = BlocksApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        lines = app.lines()
        assert lines[0].startswith(" ✖ etl/orders-0")
        assert lines[1].startswith("   ✖ relation orders_eu does not exist ")
        assert lines[2].startswith("   broken by 8f2c1a0 ")
        assert lines[2][:-2].endswith("…  last green 03:01")
        assert {len(line) for line in lines} == {80}
        assert app.lit() == [0, 1, 2]
        painted = repaints(app.table, monkeypatch)
        await pilot.press("j")
        assert (app.lit(), painted) == ([3, 4, 5], [0, 1, 2, 3, 4, 5])
        painted.clear()
        await pilot.press("space", "space")
        assert [y for y, line in enumerate(app.lines()) if line[0] == "▌"] == [3, 6]
        assert app.table.marks == {"broken-1", "broken-2"}
        painted.clear()
        told = (broken(0).below[0], LineBelow(Cell("seen by nobody yet")))
        app.table.show([Row("broken-0", broken(0).cells, below=told), *ROWS[1:]])
        assert painted == [2]
        await pilot.press("G")
        assert (app.table.cursor_key, app.lit()) == ("broken-8", [21, 22, 23])
        await pilot.press("k", "k", "k", "k")
        assert (app.table.cursor_key, app.lit()) == ("running-2", [11])


async def test_a_click_on_any_line_of_a_row_is_a_click_on_the_row() -> None:
    """Also on a row that the edge cuts: it comes in sight, and the second click opens it."""
    app = BlocksApp()
    async with app.run_test(size=(80, 13)) as pilot:
        await pilot.click("#rows", offset=(5, 5))
        assert (app.table.cursor_key, app.opened) == ("broken-1", [])
        await pilot.click("#rows", offset=(5, 3))
        assert app.opened == ["broken-1"]
        await pilot.click("#rows", offset=(5, 12))
        assert (app.table.cursor_key, app.lit()) == ("broken-4", [10, 11, 12])
        await pilot.click("#rows", offset=(5, 12))
        assert app.opened == ["broken-1", "broken-4"]
        for step in range(2):
            down = events.MouseScrollDown(app.table, 1, 1, 0, 1, 0, False, False, False)
            app.table.on_mouse_scroll_down(down)
            assert app.lit() == [*range(7 - 3 * step, 10 - 3 * step)]
        assert app.lines()[0].startswith("   broken by 8f2c1a2 ")
        await pilot.click("#rows", offset=(5, 0))
        assert (app.table.cursor_key, app.lit()) == ("broken-2", [0, 1, 2])


async def test_titles_are_there_only_where_they_are_wanted() -> None:
    """Without them the first row takes the first line, and clicks go to the right rows."""
    for header in (False, True):
        app = BlocksApp(ROWS[5:8], header=header)
        async with app.run_test(size=(80, 6)) as pilot:
            await pilot.pause()
            assert ("Project" in app.lines()[0]) == header
            assert app.lines()[header].startswith(" ● web/shop-0")
            assert len(app.lines()) == 6
            await pilot.click("#rows", offset=(5, 1))
            assert app.table.cursor_key == f"running-{1 - header}"
            app.table.show([])
            assert "All is green." in "".join(app.lines())


async def test_the_thumb_tells_of_lines() -> None:
    """The ends can be trusted whatever the rows' heights."""
    app = BlocksApp()
    async with app.run_test(size=(80, 10)) as pilot:
        await pilot.pause()
        assert [line[-1] for line in app.lines()] == [*"███", *" " * 7]
        await pilot.press("j", "j", "j")
        assert [line[-1] for line in app.lines()] == [" ", *"███", *" " * 6]
        await pilot.press("G")
        assert [line[-1] for line in app.lines()] == [*" " * 7, *"███"]


@pytest.mark.parametrize("width", [1, 2, 4, 9])
async def test_a_sliver_is_painted_at_its_width(width: int) -> None:
    """No width is too small for a line below, or for a title across all columns."""
    titled = Row("titled", (Cell("✖", "failed"), *[Cell("")] * 3), title=Cell(TITLES[0]))
    app = BlocksApp((titled, *ROWS))
    async with app.run_test(size=(width, 5)) as pilot:
        await pilot.pause()
        assert {len(line) for line in app.lines()} == {width}


def test_a_picture_of_blocks(snap_compare: Callable[..., bool]) -> None:
    """The cursor on a row of three lines, a marked one, one that is muted, and single lines."""

    async def walk(pilot: Pilot[None]) -> None:
        await pilot.press("space", "j")

    assert snap_compare(BlocksApp(), terminal_size=(80, 24), run_before=walk)


def test_a_picture_of_blocks_under_a_filter(snap_compare: Callable[..., bool]) -> None:
    """Rows are found by what stands below them; in sixteen colours."""

    async def narrow(pilot: Pilot[None]) -> None:
        pilot.app.query_one(Table).set_filter("timed out")
        await pilot.press("j")

    app = BlocksApp(header=True, theme="ansi")
    assert snap_compare(app, terminal_size=(80, 24), run_before=narrow)
