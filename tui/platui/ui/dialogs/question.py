"""A question with No and Yes, for what is not to happen by accident. No stands first."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import getters
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen

from platui.ui.widgets.bar import Bar
from platui.ui.widgets.passage import Passage

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from platui.present.chrome import Piece, Pieces

_AROUND = 10
"""Lines of the box and around it that are not words or rows."""


class QuestionDialog(ModalScreen[bool]):
    """Returns whether the answer was yes. Keys struck before it can have been read are dropped.

    (The app drops them: see `WriterApp.takes`.)
    """

    DEFAULT_CSS = """
    QuestionDialog { align: center middle; background: $background 60%; }
    QuestionDialog > #box {
        width: 96%; max-width: 96; height: auto; max-height: 100%; background: $background;
        border: round $accent; padding: 0 1;
    }
    QuestionDialog > #box.-production { border: heavy $status-failed; }
    QuestionDialog #words, QuestionDialog #rows, QuestionDialog #choice { margin-top: 1; }
    QuestionDialog #rows { display: none; }
    QuestionDialog #rows.-shown { display: block; }
    QuestionDialog #foot { margin-top: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "Yes", id="question.yes"),
        Binding("n,escape,q", "answer(False)", "No", id="question.no"),
        Binding("left,right,h,l,tab,shift+tab", "choose", "Choose", id="question.choose"),
        Binding("enter", "take", "Take", id="question.take"),
        Binding("j,down", "scroll(1)", "Down", id="question.down"),
        Binding("k,up", "scroll(-1)", "Up", id="question.up"),
        Binding("pagedown,ctrl+d", "page(1)", "Page down", id="question.page_down"),
        Binding("pageup,ctrl+u", "page(-1)", "Page up", id="question.page_up"),
        Binding("g,home", "scroll(-999999)", "Top", id="question.top"),
        Binding("G,end", "scroll(999999)", "End", id="question.end"),
    ]

    ASKS: ClassVar[bool] = True
    """Every key answers, or moves the answer: none counts before one can have read."""

    title_bar = getters.query_one("#title", Bar)
    words = getters.query_one("#words", Passage)
    rows = getters.query_one("#rows", Passage)
    choice = getters.query_one("#choice", Bar)
    foot = getters.query_one("#foot", Bar)

    def __init__(
        self, title: Pieces, paragraphs: Iterable[Piece], *, production: bool = False
    ) -> None:
        """Prepare the question.

        Args:
            title: the line above it.
            paragraphs: what is asked.
            production: whether mistakes are dear here.
        """
        super().__init__()
        self._title_pieces = title
        self._paragraphs = tuple(paragraphs)
        self._production = production
        self._yes = False
        """Whether enter means yes."""

    def compose(self) -> ComposeResult:
        """Yield the question, what it is about, and both answers."""
        with Vertical(id="box", classes="-production" if self._production else ""):
            yield Bar(id="title")
            yield Passage(id="words")
            yield Passage(id="rows")
            yield Bar(id="choice")
            yield Bar(id="foot")

    def on_mount(self) -> None:
        """Ask."""
        self.title_bar.show(self._title_pieces)
        self.words.tell(self._paragraphs)
        self._draw_choice()
        self.foot.show(self.keys())

    def on_resize(self) -> None:
        """Leave the answers in sight, however long the question is."""
        room = max(3, self.size.height - _AROUND)
        self.words.styles.max_height = room
        self.call_after_refresh(self._fit_rows)

    def _fit_rows(self) -> None:
        self.rows.styles.max_height = max(3, self.size.height - _AROUND - self.words.size.height)

    def show_rows(self, rows: Sequence[Piece], *, wrap: bool) -> None:
        """Show rows below the words, wrapped or cut; none takes their room away."""
        if wrap:
            self.rows.tell(rows)
        else:
            self.rows.tell_rows([(row,) for row in rows])
        self.rows.set_class(bool(rows), "-shown")
        self.call_after_refresh(self._fit_rows)

    def keys(self) -> Pieces:
        """Return the keys that answer."""
        return (
            (" y", "key"), (" yes   ", "muted"), ("n", "key"), (" no   ", "muted"),
            ("← →", "key"), (" choose   ", "muted"), ("enter", "key"), (" take it", "muted"),
        )  # fmt: skip

    def _draw_choice(self) -> None:
        no, yes = (" No ", " Yes ")
        pieces: Pieces
        if self._yes:
            pieces = ((f"  {no}  ", "muted"), (f"[{yes}]", "strong"))
        else:
            pieces = ((f" [{no}] ", "strong"), (f" {yes} ", "muted"))
        self.choice.show((("  ", "text"), *pieces))

    def action_choose(self) -> None:
        """Go to the other answer."""
        self._yes = not self._yes
        self._draw_choice()

    def action_take(self) -> None:
        """Answer as chosen."""
        self.dismiss(self._yes)

    def action_answer(self, yes: bool) -> None:  # noqa: FBT001  (its only argument)
        """Answer at once."""
        self.dismiss(yes)

    def action_scroll(self, lines: int) -> None:
        """Move in what is listed, or in a question that is longer than the screen."""
        self._scrolled.page(lines)

    def action_page(self, by: float) -> None:
        """Move by pages."""
        self._scrolled.action_page(by)

    @property
    def _scrolled(self) -> Passage:
        return self.rows if self.rows.has_class("-shown") else self.words
