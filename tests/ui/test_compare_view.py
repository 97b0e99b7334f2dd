"""The widget of a comparison, alone: lines of any length side by side and below each other."""

from __future__ import annotations

import pytest
from textual import on
from textual.app import App, ComposeResult

from platui.analysis.line_differences import differing_words
from platui.analysis.log_comparison import compare
from platui.logs import Log
from platui.ui.themes import default_theme
from platui.ui.widgets.compare_canvas import LogComparison
from platui.ui.widgets.compare_view import CompareView


class CompareApp(App[None]):
    """A comparison of two logs."""

    def __init__(self, left: str, right: str) -> None:
        super().__init__()
        self.register_theme(default_theme())
        self.theme = default_theme().name
        one, other = Log(left.encode()), Log(right.encode())
        one.finish()
        other.finish()
        self.shown = LogComparison(compare(one, other), one, other, differing_words)
        self.chosen: list[int] = []

    def compose(self) -> ComposeResult:
        """Have the comparison alone."""
        yield CompareView()

    def on_mount(self) -> None:
        """Show it."""
        self.query_one(CompareView).show(self.shown, None)
        self.query_one(CompareView).focus()

    @on(CompareView.LineChosen)
    def _note(self, event: CompareView.LineChosen) -> None:
        self.chosen.append(event.line)

    @property
    def text(self) -> str:
        """Return the rows in sight."""
        view = self.query_one(CompareView)
        strips = view.render_lines(view.size.region)
        assert {strip.cell_length for strip in strips} == {view.size.width}
        return "\n".join(strip.text for strip in strips)


@pytest.mark.parametrize("width", [80, 160])
@pytest.mark.parametrize("size", [30_000, 300_000])
async def test_lines_that_differ_far_behind_differ_and_say_so(width: int, size: int) -> None:
    """They are not folded away as equal, though nothing of it is in sight."""
    words = "some words " * (size // 11)
    app = CompareApp(f"first\n{words}one\nlast\n", f"first\n{words}two\nlast\n")
    assert any(block.is_difference for block in app.shown.comparison.blocks)
    async with app.run_test(size=(width, 20)) as pilot:
        await pilot.pause()
        assert app.text.count("differs further on: some words") == 2
        await pilot.press("right")
        assert app.text.count("differs further on: ds some words") == 2


@pytest.mark.parametrize("width", [80, 160])
async def test_wide_characters_are_cropped_whole_and_stressed_where_they_differ(width: int) -> None:
    """Every row takes exactly the width, however far to the side it is."""
    words = "日本語 文字列 " * 30
    app = CompareApp(f"first\n{words}one\nlast\n", f"first\n{words}two\nlast\n")
    async with app.run_test(size=(width, 20)) as pilot:
        await pilot.pause()
        assert app.text.count("日本語 文字列") >= 2
        assert "differs further on" not in app.text
        await pilot.press(*["right"] * 60)
        assert app.text.count("one") == app.text.count("two") == 1


async def test_a_line_of_an_empty_log_is_its_first() -> None:
    """There is none to open its log at."""
    app = CompareApp("one\ntwo\n", "")
    async with app.run_test() as pilot:
        await pilot.pause()
        await pilot.press("enter")
        assert app.chosen == [0]
