"""The lines around the rows of the access report, and its page without rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from platui.core.errors import ConfigError
from platui.present.access.report import CAVEAT, slip_pieces, term_error, typing_pieces
from platui.present.access.states import NEVER_FETCHED, OPENING, progress_pieces, trouble_page

if TYPE_CHECKING:
    from platui.core.errors import PlatuiError
    from platui.present.chrome import Pieces
    from platui.ui.screens.access.body import ReportBody

_ROOMY: Final = 100


class StatusLines:
    """Draws level bars and tabs above the rows, and the caveat below."""

    def __init__(self, body: ReportBody[Any]) -> None:
        self._body = body

    @property
    def width(self) -> int:
        return self._body.host.size.width

    @property
    def has_room(self) -> bool:
        return self.width >= _ROOMY

    def draw(self) -> None:
        self._draw_levels()
        self._body.tabs.show(*self._body.content.tabs())
        self.draw_caveat()

    def _draw_levels(self) -> None:
        """Show the progress of a fetch in place of the bars, so that no row moves."""
        body = self._body
        fetching = body.observed.state.fetching if body.content.IS_LIST else None
        if fetching is None:
            body.levels.show(body.content.levels())
        else:
            stops = not body.found.words and not body.table.marks
            body.levels.show(progress_pieces(fetching, stops=stops))

    def draw_caveat(self) -> None:
        """Show the caveat, or instead help or a problem of the search."""
        body = self._body
        found, content, prompt = body.found, body.content, body.host.prompt
        typing: Pieces = ()
        if prompt.is_open and prompt.sign == "/":
            typing = typing_pieces(found.words, content.TERMS, self.width)
        if typing:
            body.caveat.show(typing)
        elif found.search_error is not None:
            body.caveat.show(term_error(found.search_error, found.words))
        elif content.unmatched and found.words.strip():
            body.caveat.show(slip_pieces(content.unmatched))
        else:
            body.caveat.show(CAVEAT)

    def marks_and_order(self) -> str:
        marks = len(self._body.table.marks)
        parts = (self._body.content.order_text(), f"{marks:,} marked" if marks else "")
        return " · ".join(one for one in parts if one)

    def page(self) -> str:
        body, state = self._body, self._body.observed.state
        if state.report is None:
            if state.error is not None:
                return self._trouble(state.error)
            if state.fetching is not None:
                return ""
            return OPENING if state.saved is None else self._never_fetched()
        if body.found.found_by is None:
            return OPENING
        is_coming = body.found.is_searching and body.found.search_error is None
        return "Searching …" if is_coming else body.content.empty()

    def _never_fetched(self) -> str:
        current = self._body.observed.current
        try:
            if current is not None:
                current.reports.docs_address()
        except ConfigError as error:
            return self._trouble(error)
        return self._body.host.keyed(NEVER_FETCHED)

    def _trouble(self, error: PlatuiError) -> str:
        return trouble_page(error, self._body.host.key_of("view.refresh"))
