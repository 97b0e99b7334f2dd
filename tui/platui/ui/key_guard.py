"""Drop keys pressed before the user can have seen the dialog or screen that they act on."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from platui.core.clock import Clock

REACTION_SECONDS: Final = 0.3  # Seconds that a user needs to notice another screen

MIN_KEY_GAP: Final = 0.2  # Seconds between two deliberate keys; held keys and pastes are faster

TYPING_SECONDS: Final = 1.0  # Seconds after typed text in which a letter is more of it, no answer

WRITE_KEYS: Final = "write."  # Prefix of the ids of bindings that write to the platform
OWN: Final = "own."  # Prefix of those of the user's own actions, after that of writes


def is_own(id_: str) -> bool:
    return id_.removeprefix(WRITE_KEYS).startswith(OWN)


class KeyGuard:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._since = -inf
        self._dropped = -inf
        self._typed = -inf

    def changed(self) -> None:
        self._since = self._clock.monotonic()

    def is_deliberate(self, struck: float) -> bool:
        return struck - self._since >= REACTION_SECONDS and struck - self._dropped >= MIN_KEY_GAP

    def dropped(self, struck: float) -> None:
        """Record a dropped key (monotonic seconds); a key right after it is dropped too."""
        self._dropped = max(self._dropped, struck)

    def typed(self, struck: float) -> None:
        """Record a letter that is no key of the dialog (monotonic seconds)."""
        self._typed = max(self._typed, struck)

    def is_typing(self, struck: float) -> bool:
        return struck - self._typed < TYPING_SECONDS
