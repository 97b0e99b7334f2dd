"""The lines above and below the rows of the access report: levels, tabs, and its caveat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from platui.present.access.report import CAVEAT, slip_pieces, term_error, typing_pieces
from platui.present.access.states import progress_pieces

if TYPE_CHECKING:
    from platui.present.chrome import Pieces
    from platui.ui.screens.access.body import ReportBody

_ROOMY: Final = 100  # Cells


class ReportLines:
    """Draws them."""

    def __init__(self, body: ReportBody[Any]) -> None:
        self._body = body

    @property
    def width(self) -> int:
        """Return how many cells a line has."""
        return self._body.host.size.width

    @property
    def is_roomy(self) -> bool:
        """Return whether a line has room for more than what the report is."""
        return self.width >= _ROOMY

    def draw(self) -> None:
        """Draw all of them."""
        self._draw_levels()
        self.draw_tabs()
        self.draw_caveat()

    def _draw_levels(self) -> None:
        """Show how far a fetch is where the bars stand: no row moves for it."""
        body = self._body
        fetching = body.watched.state.fetching if body.content.IS_LIST else None
        if fetching is None:
            body.levels.show(body.content.levels())
        else:
            stops = not body.found.words and not body.table.marks
            body.levels.show(progress_pieces(fetching, stops=stops))

    def draw_tabs(self) -> None:
        """Show the lists there are, and what is searched for in this one."""
        self._body.tabs.show(*self._body.content.tabs())

    def draw_caveat(self) -> None:
        """Show what the report is not; in its place, what is typed means, or what is odd in it."""
        body = self._body
        found, content, prompt = body.found, body.content, body.host.prompt
        typing: Pieces = ()
        if prompt.is_open and prompt.sign == "/":
            typing = typing_pieces(found.words, content.TERMS, self.width)
        if typing:
            body.caveat.show(typing)
        elif found.unread is not None:
            body.caveat.show(term_error(found.unread, found.words))
        elif content.slips and found.words.strip():
            body.caveat.show(slip_pieces(content.slips))
        else:
            body.caveat.show(CAVEAT)

    def marks_and_order(self) -> str:
        """Return in which order rows stand, and how many are marked."""
        marks = len(self._body.table.marks)
        parts = (self._body.content.order_text(), f"{marks:,} marked" if marks else "")
        return " · ".join(one for one in parts if one)
