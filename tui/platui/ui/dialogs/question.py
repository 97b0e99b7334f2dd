"""A question with No and Yes, for what is not to happen by accident. No stands first."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import getters
from textual.binding import Binding

from platui.ui.dialogs.passages import PassageDialog
from platui.ui.widgets.bar import Bar

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from platui.present.chrome import Piece, Pieces


class QuestionDialog(PassageDialog[bool]):
    """Returns whether the answer was yes. Keys struck before it can have been read are dropped.

    (The app drops them: see `WriterApp.takes`.)
    """

    DEFAULT_CSS = "QuestionDialog #choice { margin-top: 1; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "Yes", id="question.yes"),
        Binding("n,escape,q", "answer(False)", "No", id="question.no"),
        Binding("left,right,h,l,tab,shift+tab", "choose", "Choose", id="question.choose"),
        Binding("enter", "take", "Take", id="question.take"),
    ]

    AROUND = 10
    ASKS: ClassVar[bool] = True
    """Every key answers, or moves the answer: none counts before one can have read."""

    choice = getters.query_one("#choice", Bar)

    def __init__(
        self, title: Pieces, paragraphs: Iterable[Piece], *, production: bool = False
    ) -> None:
        """Prepare the question.

        Args:
            title: the line above it.
            paragraphs: what is asked.
            production: whether mistakes are dear here.
        """
        super().__init__(title, production=production)
        self._paragraphs = tuple(paragraphs)
        self._yes = False
        """Whether enter means yes."""

    def below(self) -> ComposeResult:
        """Yield both answers."""
        yield Bar(id="choice")

    def on_mount(self) -> None:
        """Ask."""
        self.words.tell(self._paragraphs)
        self._draw_choice()
        self.foot.show(self.keys())

    def show_rows(self, rows: Sequence[Piece], *, wrap: bool) -> None:
        """Show rows below the words, wrapped or cut; none takes their room away."""
        if wrap:
            self.rows.tell(rows)
        else:
            self.rows.tell_rows([(row,) for row in rows])
        self.rows.set_class(bool(rows), "-shown")
        self.call_after_refresh(self.fit_rows)

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
