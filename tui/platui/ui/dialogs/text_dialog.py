"""The layout of confirmation and write dialogs: paragraphs and scrollable rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Final, TypeVar

from textual import getters

from platui.ui.dialogs.box import BoxDialog, box
from platui.ui.terminal.screen import has_widgets
from platui.ui.widgets.bar import Bar
from platui.ui.widgets.scrolling import move_keys
from platui.ui.widgets.text_pane import TextPane

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.widget import Widget

    from platui.present.chrome import Pieces

T = TypeVar("T")

_LEAST: Final = 3  # Minimum lines of text and rows


class TextDialog(BoxDialog[T]):
    """A box with a title, paragraphs, optional rows and keys; long text scrolls."""

    DEFAULT_CSS = """
    TextDialog > #box { max-height: 100%; }
    TextDialog #words, TextDialog #rows, TextDialog #foot { margin-top: 1; }
    TextDialog #rows { display: none; }
    TextDialog #rows.-shown { display: block; }
    """
    BINDINGS = [*move_keys("passage", "line")]

    AROUND: ClassVar[int] = 8  # Lines besides text and rows

    words = getters.query_one("#words", TextPane)
    rows = getters.query_one("#rows", TextPane)
    foot = getters.query_one("#foot", Bar)

    def __init__(self, title: Pieces, *, production: bool) -> None:
        super().__init__()
        self._title_pieces = title
        self._production = production

    def compose(self) -> ComposeResult:
        yield box(
            self._title_pieces,
            TextPane(id="words"),
            TextPane(id="rows"),
            *self.below(),
            classes="-production" if self._production else "",
        )

    @property
    def is_whole(self) -> bool:
        return has_widgets(self, ("#words", "#rows", "#foot"))

    def below(self) -> Sequence[Widget]:
        return ()

    def on_resize(self) -> None:
        self.words.styles.max_height = max(_LEAST, self.size.height - self.AROUND)
        self.call_after_refresh(self.fit_rows)

    def fit_rows(self) -> None:
        if not self.is_whole:
            return
        room = self.size.height - self.AROUND - self.words.size.height
        self.rows.styles.max_height = max(_LEAST, room)

    @property
    def _scrolled(self) -> TextPane:
        return self.rows if self.rows.has_class("-shown") else self.words

    def action_move(self, lines: int) -> None:
        self._scrolled.page(lines)

    def action_page(self, by: float) -> None:
        self._scrolled.action_page(by)

    def action_top(self) -> None:
        self._scrolled.action_top()

    def action_end(self) -> None:
        self._scrolled.action_end()
