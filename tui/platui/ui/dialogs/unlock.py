"""Unlocking writes: the name of the profile, typed letter by letter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.core.text import clean
from platui.ui.dialogs.typed_name import TypedNameDialog

if TYPE_CHECKING:
    from platui.present.chrome import Pieces


class UnlockDialog(TypedNameDialog):
    """Returns whether writes are unlocked now."""

    WHAT = "Writes are locked on this profile."
    HINT = "name of the profile"
    VERB = "unlock"

    def how(self) -> Pieces:
        """Return that the profile's name is wanted."""
        return (
            (" Type ", "text"), (clean(self._profile), "strong"),
            (" to unlock them for 15 minutes; each is still asked about.", "text"),
        )  # fmt: skip
