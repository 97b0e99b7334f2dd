"""The footer line: the keys that work here and now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.present.chrome import footer_pieces
from platui.ui.widgets.bar import Bar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.present.chrome import KeyHint


class Footer(Bar):
    """Owns nothing: the screen hands it the keys."""

    DEFAULT_CSS = "Footer { dock: bottom; height: 1; }"
    GROUND = "panel"

    def tell(self, hints: Sequence[KeyHint]) -> None:
        """Show keys, as many as fit."""
        self.show(footer_pieces(hints, self.app.size.width))
