"""A question with No and Yes, for what is not to happen by accident. No stands first."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, TypeVar

from textual import getters

from platui.models.values.writes import Confirmation
from platui.present.writes.plans import badge, listed, preview, question
from platui.ui.dialogs.box import keys_line
from platui.ui.dialogs.passages import PassageDialog
from platui.ui.keys_in_use import bind
from platui.ui.widgets.bar import Bar

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from textual.app import ComposeResult

    from platui.models.values.writes import WritePlan
    from platui.present.chrome import Piece, Pieces


A = TypeVar("A")


class AskingDialog(PassageDialog[A]):
    """Asks for No or Yes; `WriteKeys.counts` drops keys struck before it can have been read."""

    DEFAULT_CSS = "AskingDialog #choice { margin-top: 1; }"
    BINDINGS = [
        bind("y", "question.yes", "Yes", action="answer(True)"),
        bind("n,escape,q", "question.no", "No", action="answer(False)"),
        bind("left,right,h,l,tab,shift+tab", "question.choose", "Choose"),
        bind("enter", "question.take", "Take"),
    ]

    AROUND = 10
    ASKS: ClassVar[bool] = True
    """Every key answers, or moves the answer: none counts before one can have read."""

    choice = getters.query_one("#choice", Bar)

    def __init__(
        self, title: Pieces, paragraphs: Iterable[Piece], *, production: bool = False
    ) -> None:
        super().__init__(title, production=production)
        self._paragraphs = tuple(paragraphs)
        self._yes = False  # Whether enter means yes

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
        return keys_line(("y", "yes"), ("n", "no"), ("← →", "choose"), ("enter", "take it"))

    def _draw_choice(self) -> None:
        no, yes = (("   No   ", "muted"), ("[ Yes ]", "strong"))
        if not self._yes:
            no, yes = ((" [ No ] ", "strong"), ("  Yes  ", "muted"))
        self.choice.show((("  ", "text"), no, yes))

    def action_choose(self) -> None:
        """Go to the other answer."""
        self._yes = not self._yes
        self._draw_choice()

    def action_take(self) -> None:
        """Answer as chosen."""
        self.action_answer(self._yes)

    def action_answer(self, yes: bool) -> None:  # noqa: FBT001  (its only argument)
        """Answer at once."""
        raise NotImplementedError


class QuestionDialog(AskingDialog[bool]):
    """Returns the answer."""

    def action_answer(self, yes: bool) -> None:  # noqa: FBT001  (its only argument)
        """Answer at once."""
        self.dismiss(yes)


_WRAPPED: Final = 500  # Lines up to which long ones are wrapped; of more, each is cut


class ConfirmDialog(AskingDialog[Confirmation]):
    """Returns the user's yes to exactly this plan; None for a no."""

    BINDINGS = [
        bind("i", "confirm.preview", "The request"),
    ]

    def __init__(self, plan: WritePlan, notes: Sequence[str] = ()) -> None:
        super().__init__(
            badge(plan.profile, production=plan.production),
            question(plan, notes),
            production=plan.production,
        )
        self._plan = plan
        self._previews = False

    def on_mount(self) -> None:
        """List what there is to list."""
        self._show_rows()

    def _show_rows(self) -> None:
        lines = preview(self._plan) if self._previews else listed(self._plan)
        self.show_rows([(line, "text") for line in lines], wrap=len(lines) <= _WRAPPED)
        self.foot.show(self.keys())

    def keys(self) -> Pieces:
        """Return the keys that answer, and the one that shows what will be sent."""
        other = "hide the request" if self._previews else "the request"
        return (*super().keys(), ("   i", "key"), (f" {other}", "muted"))

    def action_answer(self, yes: bool) -> None:  # noqa: FBT001  (its only argument)
        """Answer at once."""
        self.dismiss(Confirmation.to(self._plan) if yes else None)

    def action_preview(self) -> None:
        """Show what will be sent, or what it means again."""
        self._previews = not self._previews
        self._show_rows()
