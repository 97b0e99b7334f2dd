"""The log on a screen: following, letting go, scrolling, and what it paints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import pytest
from rich.cells import cell_len
from textual import events
from textual.app import App, ComposeResult
from textual.strip import Strip

from platui.logs import Log
from platui.ui.themes import default_theme, find_theme
from platui.ui.widgets.log_position import Follow, FollowState
from platui.ui.widgets.log_view import LogView

if TYPE_CHECKING:
    from textual.events import MouseEvent
    from textual.geometry import Region

FOLLOWING, PAUSED, ENDED = FollowState
HEIGHT = 10


class WatchedLogView(LogView):
    """A log view that notes what it paints anew, and paints at once."""

    FRAME = 0.0

    def __init__(self, **arguments: Any) -> None:
        self.repaints: list[tuple[Region, ...]] = []
        super().__init__(**arguments)

    def refresh(self, *regions: Region, **arguments: Any) -> Self:
        """Note the regions; none is the whole widget."""
        self.repaints.append(regions)
        return super().refresh(*regions, **arguments)


class LogApp(App[None]):
    """A log, and a list of what it said."""

    kind = WatchedLogView

    def __init__(self, document: Log, *, ended: bool = False) -> None:
        super().__init__()
        self.register_theme(default_theme())
        self.theme = default_theme().name
        self.document = document
        self.ended = ended
        self.said: list[Follow] = []

    def compose(self) -> ComposeResult:
        """Have the log alone."""
        yield self.kind(id="log")

    def on_mount(self) -> None:
        """Show the document."""
        self.view.show(self.document, ended=self.ended)

    def on_log_view_window_changed(self, event: LogView.WindowChanged) -> None:
        """Note each new follow state."""
        assert event.control is event.view
        follow = self.view.position.follow
        if self.said[-1:] != [follow]:
            self.said.append(follow)

    @property
    def view(self) -> WatchedLogView:
        """Return the log view."""
        return self.query_one(WatchedLogView)

    def grow(self, first: int, last: int) -> None:
        """Let lines arrive."""
        self.document.append(lines(first, last))
        self.view.grew()

    def shown(self) -> list[str]:
        """Return the text in sight, without the gutter and the column of thumb and map."""
        strips = self.view.render_lines(self.view.size.region)
        assert {strip.cell_length for strip in strips} == {self.view.size.width}
        return [strip.text[1:-1].rstrip() for strip in strips]

    def thumb(self) -> list[int]:
        """Return the rows that the thumb covers."""
        strips = self.view.render_lines(self.view.size.region)
        return [y for y, strip in enumerate(strips) if strip.text.endswith("█")]


def lines(first: int, last: int) -> bytes:
    """Return numbered lines, both ends included."""
    return b"".join(b"line %d\n" % number for number in range(first, last + 1))


def names(first: int, last: int) -> list[str]:
    """Return how numbered lines look."""
    return [f"line {number}" for number in range(first, last + 1)]


async def test_a_running_log_is_followed() -> None:
    """It opens at the end and goes with it, the line being written included."""
    app = LogApp(Log(lines(1, 100)))
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        await pilot.pause()
        assert app.shown() == names(91, 100)
        app.grow(101, 103)
        assert app.shown() == names(94, 103)
        app.document.append(b"still wri")
        app.view.grew()
        assert app.shown() == [*names(95, 103), "still wri"]
        await pilot.pause()
        assert app.view.position.follow.new_lines == 0
        assert app.said == [Follow(FOLLOWING)]


@pytest.mark.parametrize("keys", ["k", "up", "ctrl+u", "pageup", "g", "home"])
async def test_scrolling_up_lets_go_and_the_end_resumes(keys: str) -> None:
    """The reader is left alone until the end is wanted again."""
    app = LogApp(Log(lines(1, 100)))
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        await pilot.press(keys)
        before = app.shown()
        assert before != names(91, 100)
        app.grow(101, 120)
        app.grow(121, 130)
        assert app.shown() == before
        assert app.view.position.follow.new_lines == 30
        assert app.view.position.follow == Follow(PAUSED, 30)
        await pilot.press("G")
        assert app.shown() == names(121, 130)
        assert app.view.position.follow.new_lines == 0
        app.grow(131, 131)
        assert app.shown() == names(122, 131)
        assert app.said[-1] == Follow(FOLLOWING)


async def test_the_first_line_stays_where_it_was_wanted_early() -> None:
    """While all lines are visible; more of them come."""
    app = LogApp(Log(lines(1, 5)))
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        await pilot.press("g")
        app.grow(6, 100)
        assert app.shown() == names(1, HEIGHT)
        await pilot.press("G")
        assert app.shown() == names(91, 100)


async def test_the_wheel_lets_go() -> None:
    """Scrolling with a mouse is scrolling."""
    app = LogApp(Log(lines(1, 100)))
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        await pilot.pause()
        app.view.on_mouse_scroll_up(_wheel(app.view, events.MouseScrollUp))
        assert app.shown() == names(88, 97)
        assert app.view.position.follow.state is PAUSED
        app.view.on_mouse_scroll_down(_wheel(app.view, events.MouseScrollDown))
        assert app.shown() == names(91, 100)
        assert app.view.position.follow.state is PAUSED


def _wheel(view: LogView, kind: type[MouseEvent]) -> Any:
    return kind(view, 0, 0, 0, 0, 0, shift=False, meta=False, ctrl=False)


async def test_while_paused_nothing_is_painted() -> None:
    """Lines that arrive below change the counter: no row, no thumb, no gutter."""
    app = LogApp(Log(lines(1, 100)))
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        await pilot.press("number_sign", "pageup")
        await pilot.pause()
        thumb, shown = app.thumb(), app.shown()
        app.view.repaints.clear()
        app.grow(101, 200_000)
        await pilot.pause()
        assert app.view.repaints == []
        assert (app.thumb(), app.shown()) == (thumb, shown)
        assert app.view.position.follow.new_lines == 199_900
        await pilot.press("k")
        assert app.shown()[0] == " " * 4 + shown[0].strip().replace("82", "81")


async def test_only_rows_that_changed_are_painted() -> None:
    """In a log that does not fill the view, those before the end stay as they are."""
    app = LogApp(Log(lines(1, 3)))
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        await pilot.pause()
        app.view.repaints.clear()
        app.grow(4, 5)
        app.view.grew()
        assert [[(r.y, r.height) for r in regions] for regions in app.view.repaints] == [[(3, 2)]]
        assert app.shown() == [*names(1, 5), *[""] * 5]


async def test_the_counter_shrinks_as_lines_come_into_sight() -> None:
    """New lines that were scrolled to are not new any more."""
    app = LogApp(Log(lines(1, 100)))
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        await pilot.press("k")
        app.grow(101, 130)
        assert app.view.position.follow.new_lines == 30
        await pilot.press("pagedown")
        assert app.shown()[-1] == "line 108"
        assert app.view.position.follow.new_lines == 22
        await pilot.press("pageup", "pageup")
        assert app.view.position.follow.new_lines == 22


async def test_follow_is_a_switch() -> None:
    """`f` stays here, and `f` goes to the end."""
    app = LogApp(Log(lines(1, 100)))
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        await pilot.press("f")
        app.grow(101, 105)
        assert app.shown() == names(91, 100)
        assert app.view.position.follow == Follow(PAUSED, 5)
        await pilot.press("f")
        assert app.shown() == names(96, 105)
        assert app.view.position.follow == Follow(FOLLOWING)


async def test_a_log_that_ended_opens_at_its_end_and_scrolls() -> None:
    """There is nothing to follow, and nothing to switch."""
    app = LogApp(Log(lines(1, 100)), ended=True)
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        await pilot.pause()
        assert app.shown() == names(91, 100)
        assert app.view.position.follow == Follow(ENDED)
        await pilot.press("f", "g", "j", "down")
        assert app.shown() == names(3, 12)
        await pilot.press("ctrl+d")
        assert app.shown() == names(8, 17)
        await pilot.press("pagedown")
        assert app.shown() == names(17, 26)
        await pilot.press("end", "j", "pagedown")
        assert app.shown() == names(91, 100)
        assert app.view.position.follow == Follow(ENDED)


async def test_the_end_of_the_job_is_the_end_of_following() -> None:
    """Who followed sees the last line; who read stays where he was."""
    for key, shown in (("G", names(96, 105)), ("k", names(90, 99)), ("f", names(91, 100))):
        app = LogApp(Log(lines(1, 100)))
        async with app.run_test(size=(40, HEIGHT)) as pilot:
            await pilot.press(key)
            app.document.append(lines(101, 105))
            app.view.show(app.document, ended=True)
            assert app.shown() == shown
            assert app.view.position.follow.state is ENDED
            app.view.show(app.document, ended=False)
            assert app.shown() == shown
            assert app.view.position.follow.is_following == (key == "G")


async def test_another_document_starts_anew() -> None:
    """A log that was reset is followed from its own end."""
    app = LogApp(Log(lines(1, 100)))
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        await pilot.press("g", "right")
        app.view.show(Log(b"erased\n"), ended=False)
        assert app.shown() == ["erased", *[""] * 9]
        assert app.view.position.follow == Follow(FOLLOWING)
        app.view.show(Log(), ended=True)
        assert app.shown() == [""] * 10


async def test_a_view_without_a_document_is_blank() -> None:
    """Before anything came, keys do nothing."""

    class Empty(App[None]):
        def compose(self) -> ComposeResult:
            yield LogView()

    app = Empty()
    async with app.run_test(size=(20, 4)) as pilot:
        await pilot.press("j", "k", "G", "g", "right", "left", "pageup", "number_sign", "f")
        view = app.query_one(LogView)
        view.grew()
        assert [strip.text.strip() for strip in view.render_lines(view.size.region)] == [""] * 4


async def test_a_larger_window_keeps_the_end() -> None:
    """After a resize, following is at the end and a reader at his line."""
    app = LogApp(Log(lines(1, 100)))
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        await pilot.resize_terminal(40, 20)
        await pilot.pause()
        assert app.shown() == names(81, 100)
        await pilot.press("g", "j")
        await pilot.resize_terminal(30, 5)
        await pilot.pause()
        assert app.shown() == names(2, 6)


async def test_numbers_stand_before_the_lines() -> None:
    """They can be switched on, and take as many cells as they need."""
    app = LogApp(Log(lines(1, 123_456)), ended=True)
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        await pilot.press("number_sign")
        assert app.shown()[-1] == "123456 line 123456"
        await pilot.press("g")
        assert app.shown()[0] == "     1 line 1"
        await pilot.press("number_sign")
        assert app.shown()[0] == "line 1"


async def test_long_lines_are_reached_sideways() -> None:
    """Signs say where a line goes on; the window stops at the longest line in sight."""
    text = "".join(f"{number:02d}:" for number in range(20))
    app = LogApp(Log(f"{text}\nshort\n".encode()), ended=True)
    async with app.run_test(size=(22, 3)) as pilot:
        await pilot.pause()
        assert app.shown()[:2] == [text[:19] + "›", "short"]
        await pilot.press("right")
        assert app.shown()[:2] == ["‹" + text[9:27] + "›", "‹"]
        await pilot.press(*["right"] * 20)
        assert app.shown()[0] == "‹" + text[-19:]
        assert app.view.left == 40
        await pilot.press(*["left"] * 20)
        assert app.view.left == 0
        assert app.shown()[:2] == [text[:19] + "›", "short"]


@pytest.mark.parametrize("steps", range(4))
async def test_wide_and_combining_characters_are_cropped_whole(steps: int) -> None:
    """Every row takes exactly the width, wherever a wide character is cut."""
    data = "日本語" * 20 + "\n" + "x" + "日本語" * 20 + "\n" + "e\u0301" * 60 + "\n👩‍💻👍🏽" * 3
    app = LogApp(Log(data.encode()), ended=True)
    async with app.run_test(size=(21, 8)) as pilot:
        await pilot.press(*["right"] * steps)
        for strip in app.view.render_lines(app.view.size.region):
            assert cell_len(strip.text) == strip.cell_length == 21
        if steps == 0:
            assert app.shown()[0] == "日本語日本語日本語›"
            assert app.shown()[1] == "x日本語日本語日本 ›"
            assert app.shown()[2] == "e\u0301" * 18 + "›"


async def test_the_thumb_shows_where_one_is() -> None:
    """At the bottom at the end, at the top at the start, absent where all fits."""
    app = LogApp(Log(lines(1, 100)), ended=True)
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        await pilot.pause()
        assert app.thumb() == [9]
        await pilot.press("g")
        assert app.thumb() == [0]
        app.view.show(Log(lines(1, 10)), ended=True)
        assert app.thumb() == []


async def test_nothing_steers_the_terminal_and_headers_stand_out() -> None:
    """Escapes are gone, markup is text, colours are the theme's own."""
    data = (
        b"section_start:1:step\r\x1b[0K\x1b[36;1mBuild\x1b[0;m\n"
        b"\x1b[31mred\x1b[0m [@click=app.quit]x[/] \x1b]52;c;ZXZpbA==\x07\x1b[2J\x07\n"
    )
    app = LogApp(Log(data), ended=True)
    async with app.run_test(size=(60, 4)) as pilot:
        await pilot.pause()
        assert app.shown()[:2] == ["▾ Build", "red [@click=app.quit]x[/] \ufffd"]
        assert app.view.document is not None
        palette = default_theme().palette
        header, red = (app.view.render_line(y).crop(3)._segments[0].style for y in range(2))
        assert header == palette.style("section")
        assert red is not None
        assert red.color == palette.style("failed").color


async def test_another_theme_paints_anew() -> None:
    """No strip of the old colours is left."""
    app = LogApp(Log(b"\x1b[31mred\n" * 3), ended=True)
    async with app.run_test(size=(40, 4)) as pilot:
        await pilot.pause()
        before = app.view.render_line(0)
        light = find_theme("platui-light")
        app.register_theme(light)
        app.theme = light.name
        await pilot.pause()
        after = app.view.render_line(0)
        assert isinstance(after, Strip)
        assert (after.text, after == before) == (before.text, False)


async def test_what_is_on_the_screen_is_what_the_next_painting_is_compared_with() -> None:
    """A part painted for another reason does not hide that the document has grown."""
    app = LogApp(Log(lines(1, 3)))
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        await pilot.pause()
        app.document.append(lines(4, 4))
        app.view.render_line(0)
        app.view.repaints.clear()
        app.view.grew()
        assert [[(r.y, r.height) for r in regions] for regions in app.view.repaints] == [[(3, 1)]]
