"""The header line: product, profile, where one is, how fresh it is, what it costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.present.chrome import header_left, header_right
from platui.ui.widgets.bar import Bar

if TYPE_CHECKING:
    from datetime import datetime

    from platui.present.chrome import HeaderState


class Header(Bar):
    """Owns nothing: the screen hands it a state and the time."""

    DEFAULT_CSS = "Header { dock: top; height: 1; }"
    GROUND = "panel"

    def tell(self, state: HeaderState, now: datetime) -> None:
        """Show a state as it looks at a moment."""
        right = header_right(state, now)
        room = max(0, self.app.size.width - sum(len(text) for text, _ in right) - 1)
        self.show(header_left(state, room), right)
