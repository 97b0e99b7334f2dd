"""Keys that were struck before anybody can have seen what they would act on.

A hand that is typing goes on for a moment when something opens under it, and a slow line
delivers what was typed in one piece. No such key may answer a question, or write.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from platui.core.clock import Clock

REACTION: Final = 0.3
"""Seconds that somebody needs to see that the screen is another one."""

QUIET: Final = 0.2
"""Seconds between two keys of a hand that looks; a key held down and a text pasted in pieces
come faster."""

WRITE_KEYS: Final = "write."
"""How the ids of bindings begin whose actions change something on the platform."""


class Reaction:
    """Knows since when the screen is what it is."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._since = -inf
        self._dropped = -inf

    def changed(self) -> None:
        """Take note that something else is on the screen from now on."""
        self._since = self._clock.monotonic()

    def has_seen(self, struck: float) -> bool:
        """Return whether who struck a key can have seen what is on the screen.

        Args:
            struck: the monotonic second at which the key was struck.
        """
        return struck - self._since >= REACTION and struck - self._dropped >= QUIET

    def dropped(self, struck: float) -> None:
        """Take note of a key that did not count: what follows it closely does not either.

        Args:
            struck: the monotonic second at which it was struck.
        """
        self._dropped = max(self._dropped, struck)
