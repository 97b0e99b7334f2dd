"""The question before a write: on which profile, where, what, and as whom."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from textual.binding import Binding

from platui.present.write_questions import badge, listed, preview, question
from platui.ui.dialogs.question import QuestionDialog

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.binding import BindingType

    from platui.models.values.write_plans import WritePlan
    from platui.present.chrome import Pieces
_WRAPPED: Final = 500
"""Lines up to which long ones are wrapped; of more, each is cut."""


class ConfirmDialog(QuestionDialog):
    """Returns whether exactly this plan is to be done."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("i", "preview", "The request", id="confirm.preview"),
    ]

    def __init__(self, plan: WritePlan, notes: Sequence[str] = ()) -> None:
        """Prepare the question.

        Args:
            plan: what is to be done.
            notes: what should be known before the answer, a paragraph each.
        """
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

    def action_preview(self) -> None:
        """Show what will be sent, or what it means again."""
        self._previews = not self._previews
        self._show_rows()
