"""The screen that all of ours are."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from textual.screen import ScreenResultType

from platui.ui.driver import TerminalDriver
from platui.ui.frames import LineCompositor
from platui.ui.keys_in_use import KeyedScreen

_HELD: Final = 0.008
"""Seconds that a frame waits for the rest of what a key does, at most."""


class QuietScreen(KeyedScreen[ScreenResultType]):
    """A screen that paints what a key does at once and as one frame, and nothing of its own.

    When a widget as large as the screen scrolls, Textual paints the lines of the screen
    behind it too; with `BLANK` they are not laid out, styled and filtered each time.

    What a key changes comes in parts: a log that moved says so by a message, and the line below
    it follows. Textual would write a frame for the log, and another one for the line at its next
    tick; here the line is brought up to date with the log.
    """

    BLANK = True
    _held_until: float | None = None
    """When a frame that is held back is painted all the same; None while none is."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._compositor = LineCompositor()

    def hold_frame(self) -> None:
        """Paint nothing until `paint_now`, or until that is late."""
        if self._held_until is None:
            self._held_until = _now() + _HELD

    @property
    def is_frame_late(self) -> bool:
        """Return whether the frame that is held back has waited long enough."""
        return self._held_until is not None and _now() >= self._held_until

    def catch_up(self) -> None:
        """Bring up to date, for a frame, what stands beside that which a key has changed."""

    def paint_now(self) -> None:
        """Paint what has changed, without waiting for it to be told and for the next tick."""
        self._held_until = None
        if not self.is_current or not self.is_running:
            return
        self.catch_up()
        for widget in self._compositor.visible_widgets:
            # What a widget would ask for when it is idle: two messages later.
            if widget._repaint_required and not widget._layout_required:  # noqa: SLF001  (as Widget does)
                widget._repaint_required = False  # noqa: SLF001  (as Widget does)
                self._dirty_widgets.add(widget)
        self._on_timer_update()

    def _on_timer_update(self) -> None:
        """Paint at a tick, unless more is about to come; Textual's method, which a test pins."""
        if self._held_until is not None and not self.is_frame_late:
            return
        driver = self.app._driver  # noqa: SLF001  (Textual hands it to nobody)
        if isinstance(driver, TerminalDriver) and driver.waits_for_terminal(self.check_idle):
            # A line that is slow gets the frame of then, not all of those in between.
            self._update_timer.pause()
            return
        self._held_until = None
        super()._on_timer_update()


def _now() -> float:
    return asyncio.get_running_loop().time()
