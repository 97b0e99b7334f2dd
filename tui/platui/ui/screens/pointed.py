"""A text that is opened at one of its lines, because something pointed there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from platui.ui.screens.growing import GrowingText

if TYPE_CHECKING:
    from platui.models.values.log import LogUpdate
    from platui.models.values.places import Place


class PointedText(GrowingText):
    """Shows the line that the place names as soon as it is there, once."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._pointed_at: int | None = self.place.line

    @property
    def is_pointed(self) -> bool:
        """Return whether the place itself says at which line it opens."""
        return self.place.line is not None

    def visit(self, place: Place) -> None:
        """Show another text, or another line of the same."""
        if place != self.place:
            self._pointed_at = place.line
        super().visit(place)
        self._point()

    def _show(self, update: LogUpdate) -> None:
        super()._show(update)
        self._point()

    def _point(self) -> None:
        """Go to the line, if it has come."""
        line, document = self._pointed_at, self.document()
        if line is None or document is None or not self.is_whole or line >= document.line_count:
            return
        self._pointed_at = None
        # When all of it was painted once: what is in sight is known then.
        self.call_after_refresh(self.view.reveal, line)
