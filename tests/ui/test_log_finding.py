"""Looking for something in a saved log: where the reader is brought, and what is said of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.ui.test_log_output import opened, until, viewer

if TYPE_CHECKING:
    from pathlib import Path

    from platui.ui.screens.log_file import LogFileScreen


def below(screen: LogFileScreen) -> str:
    """Return the line below the log."""
    return screen.where.render_line(0).text


def in_sight(screen: LogFileScreen) -> str:
    """Return the rows of the log."""
    view = screen.view
    return "\n".join(strip.text for strip in view.render_lines(view.size.region))


async def test_the_first_hit_comes_in_sight_from_the_side(tmp_path: Path) -> None:
    """With the letters that are typed, not only with the next step; the start of lines is back."""
    path = tmp_path / "long.log"
    path.write_text(f"one\n{'x' * 300} SUCCESS\n{'y' * 300} SUCCESS\nSUCCESS\n")
    async with viewer(path).run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        await pilot.press("g", "slash")
        await until(pilot, lambda: screen.prompt.is_open)
        await pilot.press(*"success")
        await until(pilot, lambda: screen.view.focus_line == 1)
        assert "x SUCCESS" in in_sight(screen)
        await pilot.press("enter", "n")
        await until(pilot, lambda: screen.view.focus_line == 2)
        assert screen.view.left > 0
        await pilot.press("n")
        await until(pilot, lambda: screen.view.focus_line == 3)
        assert screen.view.left == 0
