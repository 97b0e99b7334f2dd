"""A text that is opened at one of its lines, because something pointed there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from platui.models.values.log import LogState
from platui.models.values.search import SearchQuery
from platui.present.searching import first_hit
from platui.ui.messages import Told
from platui.ui.screens.growing import GrowingText
from platui.ui.screens.hunting import SEARCH, Hunt
from platui.ui.screens.searching import Wanted
from platui.ui.screens.whole_pipeline import search_words

if TYPE_CHECKING:
    from platui.models.values.log import LogDocument, LogUpdate
    from platui.models.values.places import Place


class PointedText(GrowingText):
    """Shows the line and the search that the place names as soon as they can be shown, once."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._points = self.is_pointed
        """Whether the place is still to be shown."""

    @property
    def is_pointed(self) -> bool:
        """Return whether the place itself says where the text opens."""
        return self.place.line is not None or bool(self.place.search)

    def visit(self, place: Place) -> None:
        """Show another text, or another line of the same."""
        another = place != self.place
        super().visit(place)
        if another:
            self._points = self.is_pointed
            self._point()

    def sought(self) -> str:
        """Return what is searched for here, as it would be typed."""
        hunt = self.hunt(SEARCH)
        if hunt is None:
            return ""
        return search_words(hunt.query.text, is_regex=hunt.query.is_regex)

    def _show(self, update: LogUpdate) -> None:
        super()._show(update)
        self._point()

    def _point(self) -> None:
        """Go to the line, if it has come, and search from there."""
        document, line = self.document(), self.place.line or 0
        if not (self._points and self.is_whole) or document is None or self.is_tail:
            # The lines of a tail have other numbers.
            return
        if line >= document.line_count:
            self._point_past(document)
            return
        self._points = False
        # When all of it was painted once: what is in sight is known then.
        self.call_after_refresh(self._go_there, self.place)

    def _point_past(self, document: LogDocument) -> None:
        """Stay at the end of a log that never got as far as the line, and say so."""
        ended = self._update is not None and self._update.state is LogState.ENDED
        if ended and document.line_count:
            self._points = False
            self.post_message(Told(f"There is no line {(self.place.line or 0) + 1} here."))

    def _go_there(self, place: Place) -> None:
        if _target(place) != _target(self.place) or not self.is_whole:
            return
        line = place.line or 0
        if place.line is not None:
            self.view.reveal(line)
        if place.search:
            query = SearchQuery(place.search, is_regex=place.is_regex)
            self.begin(SEARCH, Hunt(query, start=line))
            self._want(Wanted(first_hit, line))


def _target(place: Place) -> tuple[object, ...]:
    """Return what of a place says where to go: not the names that are learned meanwhile."""
    return place.project, place.job, place.line, place.search, place.is_regex
