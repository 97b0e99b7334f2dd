"""What a key does is painted at once, as one frame, and as Textual would paint it."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, ClassVar

import pyte
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.segment import Segment
from textual import messages, on
from textual._compositor import Compositor, ReflowResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.events import Resize
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input

from platui.ui.terminal import shared_frames
from platui.ui.terminal.app import TerminalApp
from platui.ui.terminal.detection import Terminal
from platui.ui.terminal.frames import LineCompositor, pieces_of, whole_frame
from platui.ui.terminal.screen import TerminalScreen
from platui.ui.widgets.bar import Bar
from platui.ui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.events import Key
    from textual.pilot import Pilot
    from textual.screen import Screen

WIDTH, HEIGHT = 30, 12


class Moved(Message):
    """A counter went on."""


class Counter(Bar, can_focus=True):
    """Goes on with `j`, and says so; with `k` it does, and nobody is told."""

    DEFAULT_CSS = "Counter { height: 1fr; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "go_on(1)", "On"),
        Binding("k", "go_on(0)", "On"),
    ]
    count = 0

    def action_go_on(self, tells: int) -> None:
        """Count."""
        self.count += 1
        self.show(((f"{self.count} counted", "text"),))
        if tells:
            self.post_message(Moved())


class Counting(TerminalScreen[None]):
    """A counter, and a line that follows it."""

    DEFAULT_CSS = "#left { width: 7; } #above { height: 2; } #above Bar { height: 2; }"

    def compose(self) -> ComposeResult:
        """Yield lines of one widget, and some of two."""
        yield Bar(id="top")
        with Horizontal(id="above"):
            yield Bar(id="left")
            yield Bar(id="right")
        yield Counter()
        yield Bar(id="below")

    def catch_up(self) -> None:
        """Have the line say so in the same frame."""
        if self.is_mounted:
            self.follow()

    @on(Moved)
    def follow(self) -> None:
        """Say how far it has come."""
        self.query_one("#below", Bar).show(((f"at {self.query_one(Counter).count}", "text"),))


class App(TerminalApp[int]):
    """Shows it, and keeps how often something was written."""

    def __init__(self) -> None:
        super().__init__(Terminal(usable=True))
        self.frames: list[str] = []

    def get_default_screen(self) -> Screen[Any]:
        """Return the counter."""
        return Counting()

    def _display(self, screen: Screen[Any], renderable: Any) -> None:
        """Keep what a frame would write."""
        del screen
        if renderable is not None and (frame := self.output.changes(renderable)):
            self.frames.append(frame)

    def rows(self) -> list[str]:
        """Return the rows that a terminal would show."""
        screen = pyte.Screen(WIDTH, HEIGHT)
        stream = pyte.Stream(screen)
        for frame in self.frames:
            stream.feed(frame)
        return [row.rstrip() for row in screen.display]


@asynccontextmanager
async def frames_later(
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncIterator[tuple[App, TerminalScreen[Any], Pilot[int]]]:
    """Run the app; after its first key, changes are collected for an hour."""
    monkeypatch.setattr(shared_frames, "_COLLECTED", 3600.0)
    app = App()
    async with app.run_test(size=(WIDTH, HEIGHT)) as pilot:
        screen = app.screen
        assert isinstance(screen, TerminalScreen)
        screen.query_one(Counter).focus()
        await pilot.press("j")
        screen.shared_frames.paints_at_once = False
        yield app, screen, pilot


async def until_top(app: App, pilot: Pilot[int], text: str) -> None:
    """Wait until the first row shows a text."""
    for _ in range(500):
        if app.rows()[0] == text:
            break
        await pilot.pause(0.02)
    assert app.rows()[0] == text


async def test_a_key_is_one_frame() -> None:
    """The counter and the line that follows it: when the key is done, both are there."""
    app = App()
    async with app.run_test(size=(WIDTH, HEIGHT)) as pilot:
        app.query_one(Counter).focus()
        await pilot.press("k")
        before = len(app.frames) - 1
        for count, key in enumerate("jkjjkkjk", 2):
            await pilot.press(key)
            assert app.rows()[3] == f"{count} counted"
            assert app.rows()[-1] == f"at {count}"
            assert len(app.frames) == before + count


async def test_changes_that_no_key_caused_share_a_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are collected for a while; a key paints what there is, at once."""
    async with frames_later(monkeypatch) as (app, screen, pilot):
        top, frames = screen.query_one("#top", Bar), screen.shared_frames
        before = len(app.frames)
        for number in range(3):
            top.show(((f"change {number}", "text"),))
            await pilot.pause(0.02)
        assert len(app.frames) == before
        assert frames.is_pending
        await pilot.press("j")
        assert app.rows()[0] == "change 2"
        assert not frames.is_pending
        frames.paints_at_once = False
        monkeypatch.setattr(shared_frames, "_COLLECTED", 0.0)
        top.show((("last", "text"),))
        await until_top(app, pilot, "last")  # no key is needed


async def test_what_changes_just_before_a_shared_frame_is_not_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Even if the screen has heard of it, and its next tick is yet to come."""
    async with frames_later(monkeypatch) as (app, screen, pilot):
        top, frames = screen.query_one("#top", Bar), screen.shared_frames
        screen.query_one(Counter).refresh()
        for _ in range(500):
            if frames.is_pending:
                break
            await pilot.pause(0.02)
        assert frames.is_pending
        top.show((("just now", "text"),))
        await screen._on_update(messages.Update(top))
        frames._paint_shared()
        frames.paints_at_once = True
        await until_top(app, pilot, "just now")


async def test_a_frame_that_is_stored_takes_nothing_from_the_next_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What has changed is still painted, though the whole screen was drawn meanwhile."""
    async with frames_later(monkeypatch) as (app, screen, pilot):
        screen.query_one("#top", Bar).show((("new", "text"),))
        for _ in range(500):
            if screen.shared_frames.is_pending:
                break
            await pilot.pause(0.02)
        stored = whole_frame(screen, Strip([Segment("header")]))
        assert "new" not in app.rows()[0]
        assert len(stored.strips) == HEIGHT
        screen.shared_frames._paint_shared()
        await until_top(app, pilot, "new")


async def test_an_error_of_a_shared_frame_ends_the_app(monkeypatch: pytest.MonkeyPatch) -> None:
    """The event loop would only log it, and the old frame stayed on the screen."""

    def fail(*_: object) -> None:
        raise ZeroDivisionError

    async with frames_later(monkeypatch) as (app, screen, pilot):
        errors = list[Exception]()
        with monkeypatch.context() as patch:
            patch.setattr(app, "_display", fail)
            patch.setattr(app, "_handle_exception", errors.append)
            screen.query_one("#top", Bar).show((("new", "text"),))
            await pilot.pause(0.02)
            screen.shared_frames._paint_shared()
        assert [type(one) for one in errors] == [ZeroDivisionError]


@pytest.mark.parametrize(
    "widths", [(WIDTH - 5, WIDTH), (WIDTH,)], ids=["there and back", "unchanged"]
)
async def test_a_resize_that_ends_at_the_old_size_repaints_everything(
    widths: tuple[int, ...],
) -> None:
    """The terminal has dropped columns meanwhile, or moved its lines."""
    app = App()
    async with app.run_test(size=(WIDTH, HEIGHT)) as pilot:
        text = "to the right end of the screen"
        app.query_one("#top", Bar).show(((text, "text"),))
        await until_top(app, pilot, text)
        app.frames.clear()
        app.output.forget()  # as at the signal
        for width in widths:
            app.post_message(Resize(Size(width, HEIGHT), Size(width, HEIGHT)))
        await until_top(app, pilot, text)


async def test_a_key_that_somebody_looks_at_goes_the_long_way() -> None:
    """A widget that handles keys gets them, and so does whoever stands between it and the app."""

    class Looking(Widget):
        seen = 0

        def compose(self) -> ComposeResult:
            yield Counter()

        def on_key(self, event: Key) -> None:
            event.stop()
            self.seen += 1

    class Watched(App):
        def get_default_screen(self) -> Screen[Any]:
            return TerminalScreen()

        def compose(self) -> ComposeResult:
            yield Looking()
            yield Input()

    app = Watched()
    async with app.run_test(size=(WIDTH, HEIGHT)) as pilot:
        app.query_one(Counter).focus()
        await pilot.press("j", "x")
        assert app.query_one(Looking).seen == 2
        assert app.query_one(Counter).count == 0
        app.query_one(Input).focus()
        await pilot.press("j", "k")
        assert app.query_one(Input).value == "jk"


regions = st.builds(
    Region,
    st.integers(0, WIDTH - 1), st.integers(0, HEIGHT - 1), st.integers(1, WIDTH), st.integers(1, 4),
).map(Region(0, 0, WIDTH, HEIGHT).intersection)  # fmt: skip


async def test_lines_are_painted_as_textual_paints_them() -> None:
    """Whatever is dirty: lines of one widget, of two, of none, and parts of them."""
    app = App()
    async with app.run_test(size=(WIDTH, HEIGHT)) as pilot:
        for number, bar in enumerate(app.query(Bar)):
            bar.show(((f"bar {number} with a long text", "text"), ("!", "failed")))
        await pilot.pause()
        compositor = app.screen._compositor
        assert isinstance(compositor, LineCompositor)

        stock = Compositor()
        stock.reflow(app.screen, compositor.size)

        @settings(max_examples=80, deadline=None)
        @given(st.lists(regions, max_size=4))
        def check(dirty: list[Region]) -> None:
            cells = []
            for painter in (stock, compositor):
                painter._dirty_regions.clear()
                painter._dirty_regions.update(dirty)
                frame = painter.render_partial_update()
                assert not painter._dirty_regions
                shown = pyte.Screen(WIDTH, HEIGHT)
                if frame is not None:
                    pyte.Stream(shown).feed(frame.render_segments(app.console).replace("\n", ""))
                places = {
                    (x, y)
                    for one in dirty
                    for x in range(*one.column_span)
                    for y in range(*one.line_span)
                }
                cells.append({place: tuple(shown.buffer[place[1]][place[0]]) for place in places})
            assert cells[0] == cells[1]

        check()


async def test_a_part_of_a_row_leaves_what_is_on_top_of_the_rest() -> None:
    """A dialog stays where a list below it changes beside it."""
    app = App()
    async with app.run_test(size=(WIDTH, HEIGHT)) as pilot:
        over = Bar((("over", "failed"),))
        over.styles.layer, over.styles.width, over.styles.offset = "above", 10, (5, 0)
        app.screen.styles.layers = "default above"
        await app.screen.mount(over)
        await pilot.pause()
        y = over.region.y
        frame = app.screen._compositor
        frame._dirty_regions = {Region(20, y, 5, 1)}
        update = frame.render_partial_update()
        assert update is not None
        assert [(x, strip.cell_length) for _, x, strip in pieces_of(update)] == [(20, 5)]


async def test_a_letter_that_is_typed_lays_nothing_out_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The line scrolls once it is full, to its end and back."""

    class Typing(TerminalScreen[None]):
        def compose(self) -> ComposeResult:
            yield Counter()
            yield Prompt()

    class Typed(App):
        def get_default_screen(self) -> Screen[Any]:
            return Typing()

    app = Typed()
    async with app.run_test(size=(WIDTH, HEIGHT)) as pilot:
        prompt = app.query_one(Prompt)
        await prompt.ask(":")
        await pilot.press("a")
        laid_out: list[Widget] = []
        reflow = Compositor.reflow

        def counted(self: Compositor, parent: Widget, size: Size) -> ReflowResult:
            laid_out.append(parent)
            return reflow(self, parent, size)

        monkeypatch.setattr(Compositor, "reflow", counted)
        await pilot.press(*"bcdefghijklmnopqrst")
        assert prompt.text == "abcdefghijklmnopqrst"
        line = next(row for row in app.rows() if ":" in row)
        assert line.endswith("t")
        assert "a" not in line
        await pilot.press("home")
        assert ":abcdefg" in next(row for row in app.rows() if ":" in row)
        assert not laid_out
