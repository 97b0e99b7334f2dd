"""A hand that looks before it presses: for screens where keys count only when one has seen them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.support.clock import FakeClock
    from tests.support.dashboard import Driver

SIGHT = 0.3
"""Seconds after which a key counts."""

LOOK = 10 * SIGHT
"""Seconds of a look: a key counts from when it was struck, and waits on a busy machine."""


class Hand:
    """A driver whose clock is stepped: keys count when the test says that one has looked."""

    def __init__(self, driver: Driver, clock: FakeClock) -> None:
        self.driver = driver
        self.clock = clock

    async def look(self) -> None:
        """Look at the screen for long enough to have seen it."""
        await self.driver.pilot.pause()
        await self.driver.app.wait_for_refresh()  # a screen counts as seen after that
        self.clock.jump(LOOK)

    async def press(self, *keys: str) -> None:
        """Look, then press keys."""
        await self.look()
        await self.driver.press(*keys)

    async def at(self, dialog: type[Any]) -> None:
        """Wait until a dialog is in front."""
        await self.driver.wait(lambda: isinstance(self.driver.app.screen, dialog))
