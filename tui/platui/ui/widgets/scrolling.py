"""What page keys, side keys and the wheel do to a view that holds more than it can show."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from textual.widget import Widget

if TYPE_CHECKING:
    from textual import events

_WHEEL_ROWS: Final = 3
_SIDE_STEP: Final = 8
"""Cells that a side key moves texts by."""


def page_rows(height: int, by: float) -> int:
    """Return the rows of a part of a view; of a whole page all but one, which stays in sight."""
    rows = max(1, height - 1 if abs(by) >= 1 else int(height * abs(by)))
    return rows if by > 0 else -rows


class ScrolledView(Widget, can_focus=True):
    """A window over rows of text; what a row is, and how far it may move, is the subclass's.

    It paints the whole of its region: borders and padding belong on a container.
    """

    ALLOW_SELECT: ClassVar[bool] = False

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002  (as every widget calls it)
        super().__init__(id=id)
        self._left = 0
        """Cells of each text that are out of sight on the left."""

    def page(self, rows: int) -> None:
        """Move by rows, as a page key asks for them."""
        raise NotImplementedError

    def wheel(self, rows: int) -> None:
        """Move the window by rows, and nothing else."""
        raise NotImplementedError

    @property
    def room(self) -> int:
        """Return the cells for the text of a row."""
        return self.size.width

    def widest(self, most: int) -> int:
        """Return how many cells the longest text in sight takes, counted to `most` or so."""
        del most
        return 0

    def settle(self) -> None:
        """Show what is in sight now."""
        raise NotImplementedError

    def action_page(self, by: float) -> None:
        """Move by a part of the height; a whole page keeps one row in sight."""
        self.page(page_rows(self.size.height, by))

    def action_sideways(self, steps: int) -> None:
        """Move the texts to the side, not beyond the longest one in sight."""
        left = self._left + steps * _SIDE_STEP
        if steps > 0:
            beyond = self.widest(left + self.room) - self.room
            left = min(left, max(self._left, beyond))
        self._left = max(0, left)
        self.settle()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll towards the end."""
        event.stop()
        self.wheel(_WHEEL_ROWS)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll towards the top."""
        event.stop()
        self.wheel(-_WHEEL_ROWS)
