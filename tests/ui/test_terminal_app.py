"""The base of the app: its look from the first frame on, its keys, its collector."""

from __future__ import annotations

import asyncio
import gc
import time
import weakref
from typing import TYPE_CHECKING

import pytest
from rich.style import Style
from textual.color import Color
from textual.content import Content
from textual.widgets import Input, Static

import platui
from platui.core.errors import ConfigError
from platui.core.text import clean
from platui.ui import themes as theming
from platui.ui.derived_palettes import nearest_readable
from platui.ui.terminal.app import TerminalApp
from platui.ui.terminal.collector import Collector
from platui.ui.terminal.detection import Colours, Terminal
from platui.ui.terminal.screen import TerminalScreen
from platui.ui.themes import palette_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from textual.app import ComposeResult
    from textual.pilot import Pilot

FULL = Terminal(usable=True)


class PlainScreen(TerminalScreen[None]):
    """A line in the colour of a status, and something to type into."""

    CSS = "#line { color: $status-failed; background: $panel; }"

    def compose(self) -> ComposeResult:
        """Yield them."""
        yield Static("line", id="line")
        yield Input("typed", id="input")


class PlainApp(TerminalApp[None]):
    """An app with one screen."""

    def on_mount(self) -> None:
        """Show it."""
        self.push_screen(PlainScreen())


def colours(app: TerminalApp[None]) -> tuple[Color, Color]:
    """Return text and ground of the line."""
    styles = app.screen.query_one("#line").styles
    return styles.color, styles.background


@pytest.mark.parametrize(
    ("theme", "text", "ground"),
    [
        ("platui-dark", "#ff7b86", "#1d2633"),
        ("platui-light", "#b3202f", "#e9e6df"),
        ("high-contrast", "#ffb6ba", "#161616"),
    ],
)
async def test_the_theme_is_there_from_the_start(theme: str, text: str, ground: str) -> None:
    """Style sheets see its variables, and `palette_of` its palette."""
    app = PlainApp(FULL, theme=theme)
    async with app.run_test():
        assert colours(app) == (Color.parse(text), Color.parse(ground))
        assert palette_of(app).name == theme
        assert app.problems == []


async def test_a_theme_of_textuals_has_our_variables() -> None:
    """`$status-failed` is there, readable on its own ground."""
    app = PlainApp(FULL, theme="solarized-light")
    async with app.run_test():
        text, _ = colours(app)
        assert text == Color.parse(palette_of(app).variables()["status-failed"])


async def test_a_theme_that_is_none_becomes_a_problem_to_tell() -> None:
    """The app starts in the default one."""
    app = PlainApp(FULL, theme="platui-drak")
    async with app.run_test():
        assert palette_of(app).name == "platui-dark"
        [problem] = app.problems
        assert "platui-dark" in problem.hint


async def test_the_theme_can_be_changed() -> None:
    """Style sheets and palette follow; a wrong name changes nothing."""
    app = PlainApp(FULL)
    async with app.run_test() as pilot:
        app.theme_switcher.use("platui-light")
        await pilot.pause()
        await pilot.pause()
        assert colours(app)[0] == Color.parse("#b3202f")
        assert palette_of(app).name == "platui-light"
        with pytest.raises(ConfigError):
            app.theme_switcher.use("nothing of the kind")
        assert app.theme == "platui-light"


@pytest.fixture
def own_theme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file of a theme of the user's own, looked at all the time."""
    monkeypatch.setattr(theming, "config_dir", lambda: tmp_path)
    monkeypatch.setattr("platui.ui.theme_switcher.FILE_CHECK_INTERVAL", 0.02)
    path = tmp_path / "themes/mine.toml"
    path.parent.mkdir()
    path.write_text((platui.themes_dir() / "platui-dark.toml").read_text())
    return path


async def settles(pilot: Pilot[None], true: Callable[[], bool]) -> None:
    """Wait until something is so."""
    for _ in range(500):
        if true():
            return
        await pilot.pause(0.02)
    raise AssertionError


def toasts(app: TerminalApp[None]) -> str:
    """Return what is told."""
    return "\n".join(one.message for one in app._notifications)


async def test_a_theme_is_read_anew_when_it_is_saved(own_theme: Path) -> None:
    """Also half way through; a broken one is told, and the look stays until it is right again."""
    good = own_theme.read_text()
    app = PlainApp(FULL, theme="mine")
    async with app.run_test() as pilot:
        assert colours(app)[0] == Color.parse("#ff7b86")
        own_theme.write_text(good.replace("#ff7b86", "#ff9999"))
        await settles(pilot, lambda: colours(app)[0] == Color.parse("#ff9999"))
        assert palette_of(app).variables()["status-failed"] == "#ff9999"
        own_theme.write_text(good.replace("failed =", "faild ="))
        await settles(pilot, lambda: "did you mean 'failed'?" in toasts(app))
        assert colours(app)[0] == Color.parse("#ff9999")
        own_theme.unlink()
        await pilot.pause(0.1)
        assert colours(app)[0] == Color.parse("#ff9999")
        own_theme.write_text(good.replace("#ff7b86", "#553333"))
        await settles(pilot, lambda: "failed has a contrast of" in toasts(app))
        assert colours(app)[0] == Color.parse("#553333")
        app.theme_switcher.use("platui-light")
        await settles(pilot, lambda: colours(app)[0] == Color.parse("#b3202f"))
        own_theme.write_text(good)
        await pilot.pause(0.1)
        assert colours(app)[0] == Color.parse("#b3202f")
        assert not [one for one in app.workers if one.group == "theme" and not one.is_finished]


async def test_the_theme_follows_the_terminals_ground() -> None:
    """Until another one is chosen by name, and again with `auto`."""
    app = PlainApp(Terminal(usable=True, dark=False), theme="auto")
    async with app.run_test() as pilot:
        assert (app.theme, app.theme_switcher.name) == ("platui-light", "auto")
        app.theme_switcher.set_background(True)
        await pilot.pause()
        assert app.theme == "platui-dark"
        app.theme_switcher.use("nord")
        app.theme_switcher.set_background(False)
        await pilot.pause()
        assert (app.theme, app.theme_switcher.follows_background) == ("nord", False)
        app.theme_switcher.use("auto")
        assert app.theme == "platui-light"


async def test_a_console_gets_the_terminals_own_colours() -> None:
    """Whatever theme is configured: only the terminal knows what its sixteen look like."""
    console = Terminal(usable=True, unicode=False, ansi_theme=True, colours=Colours.SIXTEEN)
    app = PlainApp(console, theme="platui-light")
    async with app.run_test():
        assert palette_of(app).ansi
        assert app.native_ansi_color
        assert app.ascii_only


async def test_an_empty_no_color_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """Textual counts it; https://no-color.org does not."""
    monkeypatch.setenv("NO_COLOR", "")
    app = PlainApp(FULL)
    async with app.run_test():
        assert not app.no_color
        strips = app.screen._compositor.render_strips()
        colours_of = {part.style.color for strip in strips for part in strip if part.style}
        assert Style.parse("#d7dee8").color in colours_of


@pytest.mark.parametrize(
    ("counted", "system"),
    [(Colours.SIXTEEN, "standard"), (Colours.MANY, "256"), (Colours.TRUE, "truecolor")],
)
async def test_as_many_colours_are_written_as_were_found(counted: Colours, system: str) -> None:
    """Not as many as Rich finds by a table of its own."""
    app = PlainApp(Terminal(usable=True, colours=counted))
    assert app.console.color_system == system


async def test_a_theme_is_fitted_to_256_colours() -> None:
    """The first, those that are chosen later, and Textual's own; named as before."""
    app = PlainApp(Terminal(usable=True, colours=Colours.MANY))
    async with app.run_test() as pilot:
        assert colours(app) == (Color.parse("#ff8787"), Color.parse("#292929"))
        app.theme_switcher.use("nord")
        await pilot.pause()
        assert palette_of(app).name == app.theme == "nord"
        assert palette_of(app).made_readable is nearest_readable


@pytest.mark.parametrize("name", ["NO_COLOR", "CLICOLOR"])
async def test_no_color_paints_no_colour(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Not black on black, not greys: the terminal's default, with bold and reverse."""
    monkeypatch.setenv(name, "0")
    app = PlainApp(Terminal(usable=True, ansi_theme=True, colours=Colours.NONE), theme="nord")
    async with app.run_test():
        with pytest.raises(ConfigError, match="No colours"):
            app.theme_switcher.use("platui-dark")
        strips = app.screen._compositor.render_strips()
        styles = [segment.style for strip in strips for segment in strip if segment.style]
        assert styles
        for style in styles:
            assert style.color is None or style.color.is_default
            assert style.bgcolor is None or style.bgcolor.is_default


async def test_ctrl_c_quits() -> None:
    """As people of k9s expect; also from a field with selected text, which may be a token."""
    app = PlainApp(FULL)
    async with app.run_test() as pilot:
        field = app.screen.query_one(Input)
        field.focus()
        field.select_all()
        await pilot.press("ctrl+c")
        await pilot.pause()
        assert app.clipboard == ""
    assert app.return_code == 0


async def test_ctrl_q_does_nothing() -> None:
    """No action needs it: terminals keep it for themselves."""
    app = PlainApp(FULL)
    async with app.run_test() as pilot:
        await pilot.press("ctrl+q")
        await pilot.pause()
        assert app.is_running


@pytest.mark.parametrize("text", ["[b]ref[/b]", "[/nope]", "[@click=app.quit]x[/]", "a\x1b[2Jb"])
async def test_a_toast_is_never_markup(text: str) -> None:
    """A branch may be called anything; a widget's own `notify` is no way around."""
    app = PlainApp(FULL)
    async with app.run_test(notifications=True) as pilot:
        app.screen.query_one("#line").notify(text, title=text)
        await pilot.pause()
        [toast] = app.screen.query("Toast")
        content = toast.render()
        assert isinstance(content, Content)
        assert content.plain == f"{clean(text)}\n{clean(text)}"


async def test_toasts_leave_what_one_reads_in_sight() -> None:
    """One of low weight at a time, right above the keys; errors stand above it."""
    app = PlainApp(FULL)
    async with app.run_test(notifications=True, size=(80, 24)) as pilot:
        for word in ("one", "two", "three"):
            app.notify(f"number {word}")
        await pilot.pause()
        [toast] = app.screen.query("Toast")
        assert str(toast.render()) == "number three"
        assert (toast.region.y, toast.region.height, toast.region.right) == (22, 1, 80)
        app.notify("x" * 100, title="Broken", severity="error")
        app.notify("number four")
        await pilot.pause()
        error, hint = app.screen.query("Toast")
        assert (error.region.y, error.region.height) == (19, 3)
        assert hint.region.y == 22


@pytest.fixture
def collector() -> Iterator[None]:
    """Put the collector back as it was."""
    before = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*before)
    gc.enable()


@pytest.mark.usefixtures("collector")
async def test_the_collector_is_calm_after_the_first_frame() -> None:
    """It runs again, seldom, and not over what the start has made."""
    gc.disable()
    PlainApp(FULL).collector.begin()
    assert gc.isenabled()
    assert gc.get_threshold() == (20_000, 20, 100)
    assert gc.get_freeze_count() > 1000


@pytest.mark.usefixtures("collector")
async def test_keys_put_the_collector_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes in the pause after them, in the end whatever is typed, and when the app ends."""
    app = PlainApp(FULL)
    async with app.run_test() as pilot:
        app.collector.begin()
        await pilot.press("j")
        assert not gc.isenabled()
        await runs(lambda: None)
        monkeypatch.setattr("platui.ui.terminal.collector._AT_MOST", 0.2)
        await runs(app.collector.delay)
        await pilot.press("j")
        assert not gc.isenabled()
    assert gc.isenabled()


@pytest.mark.usefixtures("collector")
async def test_what_is_old_is_collected_between_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """A view that was left long after it was opened is held by itself alone, until then."""
    monkeypatch.setattr("platui.ui.terminal.collector._QUIET", 0.05)
    collector = Collector()
    collector.begin()
    view = Node()
    left = weakref.ref(view)
    gc.collect()  # now it is old
    del view
    collector.delay()
    assert left() is not None
    await gone(left)
    collector.end()


@pytest.mark.usefixtures("collector")
async def test_what_is_new_is_collected_in_each_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that is held for good is passed by, as to look at it takes a third of a second."""
    monkeypatch.setattr("platui.ui.terminal.collector._QUIET", 0.01)
    collector, full = Collector(), list[str]()
    monkeypatch.setattr(gc, "unfreeze", lambda: full.append("unfrozen"))
    collector.begin()
    for _ in range(3):
        view = Node()
        left = weakref.ref(view)
        del view
        collector.delay()
        await gone(left)
    assert full == []
    monkeypatch.undo()
    collector.end()


@pytest.mark.usefixtures("collector")
async def test_all_is_collected_rarely_but_at_last(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes a third of a second; what the last keys left does not wait for another key."""
    monkeypatch.setattr("platui.ui.terminal.collector._QUIET", 0.01)
    monkeypatch.setattr("platui.ui.terminal.collector._BETWEEN", 2.0)
    collector, view = Collector(), Node()
    left = weakref.ref(view)
    began = time.monotonic()
    collector.begin()
    del view
    collector.delay()
    await gone(left)
    assert time.monotonic() - began > 1.9
    collector.end()


@pytest.mark.usefixtures("collector")
async def test_many_objects_that_stay_are_passed_by(monkeypatch: pytest.MonkeyPatch) -> None:
    """Until the next full collection, which finds what was left since."""
    monkeypatch.setattr("platui.ui.terminal.collector._QUIET", 0.01)
    monkeypatch.setattr("platui.ui.terminal.collector._BETWEEN", 2.0)
    monkeypatch.setattr("platui.ui.terminal.collector._MANY", -1_000_000)
    collector, frozen, freeze = Collector(), list[float](), gc.freeze

    def freeze_and_note() -> None:
        freeze()
        frozen.append(time.monotonic())

    monkeypatch.setattr(gc, "freeze", freeze_and_note)
    collector.begin()
    began, view = frozen.pop(), Node()
    left = weakref.ref(view)
    collector.delay()
    async with asyncio.timeout(10):
        while not frozen:  # noqa: ASYNC110  (nothing else tells)
            await asyncio.sleep(0.01)
    del view
    collector.delay()
    await gone(left)
    assert time.monotonic() - began > 1.9
    collector.end()


class Node:
    """An object that refers to itself."""

    def __init__(self) -> None:
        self.itself = self


async def gone(left: weakref.ref[Node]) -> None:
    """Wait until the collector has found it."""
    async with asyncio.timeout(10):
        while left() is not None:  # noqa: ASYNC110  (nothing else tells)
            await asyncio.sleep(0.01)


async def runs(meanwhile: Callable[[], None]) -> None:
    """Wait until the collector may run."""
    async with asyncio.timeout(10):
        meanwhile()
        while not gc.isenabled():
            await asyncio.sleep(0.01)
            if not gc.isenabled():
                meanwhile()


def test_nothing_moves_by_itself() -> None:
    """No animation: an idle screen sends no bytes."""
    assert PlainApp(FULL).animation_level == "none"
