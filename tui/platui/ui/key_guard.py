"""Drop keys that were struck before the user can have seen what they would act on.

A hand goes on typing when a dialog opens, and a slow line delivers keys in one piece. No such
key may answer a question, or write.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from platui.core.clock import Clock

REACTION_SECONDS: Final = 0.3  # Seconds that a user needs to notice another screen

MIN_KEY_GAP: Final = 0.2  # Seconds between two deliberate keys; held keys and pastes are faster

WRITE_KEYS: Final = "write."  # Prefix of the ids of bindings that write to the platform


class KeyGuard:
    """Records when the screen changed last."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._since = -inf
        self._dropped = -inf

    def changed(self) -> None:
        self._since = self._clock.monotonic()

    def is_deliberate(self, struck: float) -> bool:
        return struck - self._since >= REACTION_SECONDS and struck - self._dropped >= MIN_KEY_GAP

    def dropped(self, struck: float) -> None:
        """Note a dropped key (monotonic second): one that follows closely is dropped too."""
        self._dropped = max(self._dropped, struck)
