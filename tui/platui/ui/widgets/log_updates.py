"""Update a log view in steps, so that keys are handled in between, and post its messages."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from platui.ui.pace import pace_of

if TYPE_CHECKING:
    from textual.timer import Timer

    from platui.ui.widgets.log_view import LogView

_BREATH: Final = 0.001  # Seconds between two steps of a large update
_SOON: Final = 0.015  # Seconds until the frame of a move is written


class LogUpdates:
    def __init__(self, view: LogView) -> None:
        self._view = view
        self._window = view.window
        self._frame: Timer | None = None
        self._rest: Timer | None = None
        self._reading: Timer | None = None
        self._ahead: Timer | None = None
        self._is_behind = False
        self._posted: tuple[object, ...] = ()
        self._posted_keys: tuple[object, ...] = ()

    def grew(self) -> None:
        """Show new lines; at most one frame per interval."""
        if self._frame is not None:
            self._is_behind = True
            return
        self._catch_up()
        if self._view.FRAME and self._view.is_mounted:
            pause = max(self._view.FRAME, pace_of(self._view.app).frame)
            self._frame = self._view.set_timer(pause, self._next_frame)

    def _next_frame(self) -> None:
        self._frame = None
        if self._is_behind:
            self._is_behind = False
            self.grew()

    def _catch_up(self) -> None:
        self.take_growth()
        self._view.settle(quiet=True)

    def take_growth(self) -> None:
        """Add new lines: a part now, the rest after pending keys."""
        if not self._window.grow() and self._view.is_mounted and self._rest is None:
            self._rest = self._view.set_timer(_BREATH, self._take_rest)

    def _take_rest(self) -> None:
        self._rest = None
        self._catch_up()

    def read_on_later(self) -> None:
        """Continue reading long lines after pending keys."""
        if self._window.budget.spent and self._reading is None:
            self._reading = self._view.set_timer(_BREATH, self._read_on)

    def _read_on(self) -> None:
        self._reading = None
        budget = self._window.budget
        has_more = budget.was_exhausted
        budget.reset()
        if has_more:
            self._view.seeker.go_on()
            self._view.settle(quiet=True)

    def paint_later(self, paint: Callable[[], None]) -> None:
        """Paint the result of a likely next key when idle."""
        if self._ahead is not None:
            self._ahead.stop()
        self._ahead = self._view.set_timer(_SOON, paint)

    def post_messages(self) -> None:
        view, content = self._view, self._view.content
        selected, follow = view.selection.span, view.position.follow
        window = (*view.view_state, content.lines, selected, follow)
        if window != self._posted:
            self._posted = window
            view.post_message(view.WindowChanged(view))
        keys = (
            follow.state, view.wraps, content.document.has_timestamps, view.folds.can_fold,
            selected is None, bool(content.lines),
        )  # fmt: skip
        if keys != self._posted_keys:
            self._posted_keys = keys
            view.refresh_bindings()
