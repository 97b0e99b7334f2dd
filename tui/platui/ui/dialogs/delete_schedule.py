"""Deleting a schedule: its description, typed letter by letter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.core.errors import WriteRefusedError
from platui.core.text import shorten
from platui.ui.dialogs.typed_name import TypedNameDialog

if TYPE_CHECKING:
    from platui.present.chrome import Pieces


class DeleteScheduleDialog(TypedNameDialog):
    """Returns whether the description was typed; the question comes after it."""

    WHAT = "A schedule that is deleted does not come back."
    HINT = "description of the schedule"
    VERB = "go on"

    def __init__(self, profile: str, description: str, *, production: bool) -> None:
        """Prepare to ask for a description; clean, as it can be typed."""
        super().__init__(profile, self._compare, production=production)
        self._description = description

    def how(self) -> Pieces:
        """Return that the description is wanted."""
        return ((" Type ", "text"), (shorten(self._description, 60), "strong"))

    def _compare(self, typed: str) -> None:
        if " ".join(typed.split()) != " ".join(self._description.split()):
            raise WriteRefusedError("That is not its description.", hint="")
