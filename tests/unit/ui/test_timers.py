"""Timers that are due already fire at once, and freeze nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from textual.app import App
from textual.notifications import Notification
from textual.widgets._toast import Toast

from platui.ui.terminal.timers import mend_timers

if TYPE_CHECKING:
    from textual.app import ComposeResult


@pytest.fixture(autouse=True)
def _mended() -> None:
    mend_timers()
    mend_timers()  # by a second app of the process


class Toasted(App[None]):
    """Shows a toast whose time passed between the look at it and its making."""

    def compose(self) -> ComposeResult:
        """Make it."""
        late = Notification("Saved.", timeout=0.0)
        assert late.has_expired
        yield Toast(late)


@pytest.mark.parametrize("delay", [-5.0, -4.863739013671875e-05, 0.0, 1e-9])
async def test_a_timer_that_is_due_fires_once(delay: float) -> None:
    """However long ago that was."""
    app, fired = App[None](), list[float]()
    async with app.run_test() as pilot:
        app.set_timer(delay, lambda: fired.append(delay))
        await pilot.pause(0.05)
        assert fired == [delay]


async def test_a_toast_whose_time_has_passed_goes() -> None:
    """The app goes on."""
    app = Toasted()
    async with app.run_test() as pilot:
        await pilot.pause(0.1)
        assert not app.query(Toast)
