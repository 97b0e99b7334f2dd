"""Drawing that waits for a pause between keys."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from textual.timer import Timer
    from textual.widget import Widget

_REST: Final = 0.15  # Seconds without keys


class AtRest:
    """Calls functions after a pause without keys, so that a held key does not wait for them."""

    def __init__(self, widget: Widget) -> None:
        self._widget = widget
        self._timer: Timer | None = None
        self._rests_at = 0.0
        self._draw: tuple[Callable[[], None], ...] = ()

    @property
    def is_pending(self) -> bool:
        return self._timer is not None

    def begin(self, *draw: Callable[[], None]) -> None:
        self._draw = draw
        self._rests_at = asyncio.get_running_loop().time() + _REST
        if self._timer is None:
            self._timer = self._widget.set_timer(_REST, self._draw_if_rested)

    def renew(self) -> None:
        """Wait longer, after another key."""
        if self.is_pending:
            self.begin(*self._draw)

    def _draw_if_rested(self) -> None:
        # Each timer is a task, so many keys share one.
        left = self._rests_at - asyncio.get_running_loop().time()
        if left > 0:
            self._timer = self._widget.set_timer(left, self._draw_if_rested)
            return
        self._timer = None
        for draw in self._draw:
            draw()
