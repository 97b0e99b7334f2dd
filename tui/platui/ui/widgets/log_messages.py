"""What of a log view has changed since it was last posted."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from platui.ui.widgets.follow import Follow
    from platui.ui.widgets.log_view import LogView


class LogMessages:
    """Posts messages of a log view, each only where something has changed."""

    def __init__(self, view: LogView) -> None:
        self._view = view
        self._follow: Follow | None = None
        self._window: tuple[object, ...] = ()
        self._keys: tuple[object, ...] = ()

    def post(self) -> None:
        """Post what has changed."""
        view, content = self._view, self._view.content
        chosen, follow = view.selection.span, view.follow
        window = (*view.outlook, content.lines, chosen)
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
