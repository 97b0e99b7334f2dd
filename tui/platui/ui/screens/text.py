"""A place that is a text: a view between two lines, or a sentence where there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import getters, on
from textual.containers import Container

from platui.ui.screens.base import PlaceScreen
from platui.ui.widgets import log_canvas, log_edge
from platui.ui.widgets.bar import Bar
from platui.ui.widgets.log_view import LogView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult

    from platui.models.values.log import LogDocument
    from platui.present.chrome import Pieces, Sign


class TextScreen(PlaceScreen):
    """One document; a subclass says which, what stands around it and what in its stead.

    The prompt lies on the line that says where one is: a text that had to make room for it
    would be laid out and painted anew when it opens, and again when it closes.
    """

    PARTS = (*PlaceScreen.PARTS, "LogView", "#nothing", "#where")
    SIGNS: ClassVar[Sequence[Sign]] = (*log_canvas.SIGNS, *log_edge.SIGNS)
    TEXT: ClassVar[str]  # The id of the view
    DEFAULT_CSS = """
    TextScreen { layers: default above; }
    TextScreen Prompt { layer: above; }
    TextScreen #lines { height: 1fr; }
    TextScreen LogView { height: 1fr; }
    TextScreen LogView.-nothing { display: none; }
    TextScreen #nothing { display: none; height: 1fr; content-align: center middle; }
    TextScreen #nothing.-shown { display: block; }
    """

    view = getters.query_one(LogView)
    where = getters.query_one("#where", Bar)

    def document(self) -> LogDocument | None:
        """Return the text, as far as it is there."""
        raise NotImplementedError

    def nothing(self) -> str:
        """Return what stands in the middle of the page where there is no line."""
        raise NotImplementedError

    def position(self) -> Pieces:
        """Return the line below: where in the text one is."""
        raise NotImplementedError

    def findings(self) -> Pieces:
        """Return what stands at the right of that line: what is looked for in the text."""
        return ()

    def draw_lines(self) -> None:
        """Show the lines above and below."""
        raise NotImplementedError

    def compose_body(self) -> ComposeResult:
        """Yield the text, what stands there without one, and the line below."""
        from textual.widgets import Static  # noqa: PLC0415  (such a screen is not the first)

        with Container(id="lines"):
            yield LogView(id=self.TEXT)
            yield Static("", id="nothing", markup=False)
        yield Bar(id="where")

    def draw(self) -> None:
        """Show the lines above and below, and the sentence where there is no text."""
        if not self.is_whole:
            return
        from textual.widgets import Static  # noqa: PLC0415  (such a screen is not the first)

        document = self.document()
        empty = document is None or document.line_count == 0
        nothing = self.query_one("#nothing", Static)
        nothing.set_class(empty, "-shown")
        self.view.set_class(empty, "-nothing")
        self.view.utc = self.utc
        if empty:
            nothing.update(self.nothing())
        elif self.focused is None:
            self.call_after_refresh(self.view.focus)
        self.tell_notice(empty=empty)
        self.draw_lines()

    @on(LogView.FollowChanged)
    @on(LogView.WindowChanged)
    def _moved(self) -> None:
        if self.focused is None and self.is_current:
            # Asked for while it was not laid out yet, the focus may not have been taken.
            self.view.focus()
        self.moved()

    def moved(self) -> None:
        """Take in that the reader has moved, or that there is more to be read."""
        self.show_where()

    def catch_up(self) -> None:
        """Show where in the text one has come to, in the frame that shows the text there."""
        if self.is_whole:
            self.show_where()

    def show_where(self) -> None:
        """Show the line below the text."""
        self.where.show(self.position(), self.findings())

    def focus_body(self) -> None:
        """Give the keys back to the text."""
        self.view.focus()

    def go_to_number(self, number: int) -> bool:
        """Show a line, counted from 1."""
        document = self.document()
        if document is None or not 1 <= number <= document.line_count:
            return False
        self.view.reveal(number - 1)
        return True
