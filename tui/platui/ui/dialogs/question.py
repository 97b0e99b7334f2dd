"""A confirmation dialog; No is the default."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar, Final, TypeVar

from textual import getters

from platui.models.values.writes import Confirmation, WriteRequest
from platui.present.writes.requests import badge, listed, preview, question
from platui.ui.active_keys import bind
from platui.ui.dialogs.box import keys_line
from platui.ui.dialogs.text_dialog import TextDialog
from platui.ui.widgets.bar import Bar

if TYPE_CHECKING:
    from textual.widget import Widget

    from platui.present.chrome import Piece, Pieces


A = TypeVar("A")

_WRAPPED: Final = 500  # Lines; longer lists are cut at the side instead of wrapped


class QuestionDialog(TextDialog[A]):
    """Returns the result of `yes`, or None for No."""

    DEFAULT_CSS = "QuestionDialog #choice { margin-top: 1; }"
    BINDINGS = [
        bind("y", "question.yes", "Yes", action="answer(True)"),
        bind("n,escape,q", "question.no", "No", action="answer(False)"),
        bind("left,right,h,l,tab,shift+tab", "question.choose", "Switch"),
        bind("enter", "question.take", "Confirm"),
        bind("i", "confirm.preview", "Request"),
    ]

    AROUND = 10
    ASKS: ClassVar[bool] = True  # Whether keys are ignored until the user can read the question

    choice = getters.query_one("#choice", Bar)

    def __init__(
        self,
        title: Pieces,
        paragraphs: Iterable[Piece],
        yes: Callable[[], A],
        *,
        production: bool = False,
        request: WriteRequest | None = None,
    ) -> None:
        super().__init__(title, production=production)
        self._paragraphs = tuple(paragraphs)
        self._make_result = yes  # Called for Yes
        self._request = request  # Its objects are listed; `i` shows the preview
        self._is_yes = False  # Whether Yes is selected
        self._shows_request = False

    def below(self) -> Sequence[Widget]:
        return (Bar(id="choice"),)

    def on_mount(self) -> None:
        self.words.show(self._paragraphs)
        self._draw_choice()
        self._show_rows()

    def _show_rows(self) -> None:
        lines: Sequence[str] = ()
        if self._request is not None:
            lines = preview(self._request) if self._shows_request else listed(self._request)
        rows = [(line, "text") for line in lines]
        if len(rows) <= _WRAPPED:
            self.rows.show(rows)
        else:
            self.rows.show_rows([(row,) for row in rows])
        self.rows.set_class(bool(rows), "-shown")
        self.call_after_refresh(self.fit_rows)
        self.foot.show(self._keys())

    def _keys(self) -> Pieces:
        keys = keys_line(("y", "yes"), ("n", "no"), ("← →", "switch"), ("enter", "confirm"))
        if self._request is None:
            return keys
        other = "hide request" if self._shows_request else "request"
        return (*keys, ("   i", "key"), (f" {other}", "muted"))

    def _draw_choice(self) -> None:
        no, yes = (("   No   ", "muted"), ("[ Yes ]", "strong"))
        if not self._is_yes:
            no, yes = ((" [ No ] ", "strong"), ("  Yes  ", "muted"))
        self.choice.show((("  ", "text"), no, yes))

    def action_choose(self) -> None:
        self._is_yes = not self._is_yes
        self._draw_choice()

    def action_take(self) -> None:
        self.action_answer(self._is_yes)

    def action_answer(self, yes: bool) -> None:  # noqa: FBT001  (its only argument)
        self.dismiss(self._make_result() if yes else None)

    def action_preview(self) -> None:
        if self._request is not None:
            self._shows_request = not self._shows_request
            self._show_rows()


def start_over_dialog(names: Sequence[str] = ()) -> QuestionDialog[bool]:
    """Ask whether a form may lose its input; `names` are the fields that it loses."""
    words = f"Discard your input: {', '.join(names)}?" if names else "Discard your input?"
    return QuestionDialog(((" Start over", "strong"),), [(words, "text")], lambda: True)


def confirm_dialog(
    request: WriteRequest, notes: Sequence[str] = ()
) -> QuestionDialog[Confirmation]:
    return QuestionDialog(
        badge(request.profile, production=request.production),
        question(request, notes),
        lambda: Confirmation(request),
        production=request.production,
        request=request,
    )
