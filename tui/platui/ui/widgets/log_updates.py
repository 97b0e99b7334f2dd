"""When a log view takes in what came, and what of it has changed: as seldom as can be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.ui.pace import pace_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.timer import Timer

    from platui.ui.widgets.follow import Follow
    from platui.ui.widgets.log_view import LogView
    from platui.ui.widgets.log_window import LogWindow

_BREATH: Final = 0.001  # Seconds between two parts of what is too much to be taken in at once
_SOON: Final = 0.015  # Seconds after a move in which its frame is on its way


class LogUpdates:
    """The timers of a log view: in between, a key that came has its turn."""

    def __init__(self, view: LogView, window: LogWindow) -> None:
        self._view = view
        self._window = window
        self._frame: Timer | None = None
        self._rest: Timer | None = None
        self._turn: Timer | None = None
        self._foresight: Timer | None = None
        self._is_behind = False

    def grew(self) -> None:
        """Take in what came, and show it; what comes too soon after that later."""
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
        """Take in what came; of much of it a part now, and the rest after the keys."""
        if not self._window.grow() and self._view.is_mounted and self._rest is None:
            self._rest = self._view.set_timer(_BREATH, self._take_rest)

    def _take_rest(self) -> None:
        self._rest = None
        self._catch_up()

    def take_turns(self) -> None:
        """Read long lines on after the keys, where there was no time for them."""
        if self._window.line_rows.turn.was_used and self._turn is None:
            self._turn = self._view.set_timer(_BREATH, self._take_turn)

    def _take_turn(self) -> None:
        self._turn = None
        turn = self._window.line_rows.turn
        has_more = turn.was_short
        turn.begin()
        if has_more:
            self._view.seeker.go_on()
            self._view.settle(quiet=True)

    def paint_later(self, paint: Callable[[], None]) -> None:
        """Paint what the next key would show, once nobody waits."""
        if self._foresight is not None:
            self._foresight.stop()
        self._foresight = self._view.set_timer(_SOON, paint)


class LogMessages:
    """Posts messages of a log view, each only where something has changed."""

    def __init__(self, view: LogView) -> None:
        self._view = view
        self._follow: Follow | None = None
        self._window: tuple[object, ...] = ()
        self._keys: tuple[object, ...] = ()

    def post(self) -> None:
        view, content = self._view, self._view.content
        chosen, follow = view.selection.span, view.position.follow
        window = (*view.view_state, content.lines, chosen)
        if window != self._window:
            self._window = window
            view.post_message(view.WindowChanged(view))
        keys = (
            follow.state, view.wraps, content.document.is_stamped, view.folds.can_fold,
            chosen is None, bool(content.lines),
        )  # fmt: skip
        if keys != self._keys:
            self._keys = keys
            view.refresh_bindings()
        if follow != self._follow:
            self._follow = follow
            view.new_lines = follow.new_lines
            view.post_message(view.FollowChanged(view, follow))
