"""The dashboard on an emulated platform, driven by keys."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from platui.config.credentials import Credentials
from platui.config.profile import Profile
from platui.config.settings import CacheSettings, Settings
from platui.core.clock import SystemClock
from platui.core.secrets import Secret
from platui.service import PlatformService
from platui.ui.app import PlatuiApp
from platui.ui.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from textual.pilot import Pilot

    from platui.core.clock import Clock
    from platui.emulator.server import RunningEmulator
    from platui.models.values.places import Place

SIZE = (80, 24)


def dashboard(
    platform: RunningEmulator,
    *,
    start: Place | None = None,
    clock: Clock | None = None,
    token: str | None = None,
    terminal: Terminal | None = None,
    remembers: bool = False,
    **settings: Any,
) -> PlatuiApp:
    """Return the app as `platui` makes it, on a platform, keeping nothing on disk."""
    settings = {"cache": CacheSettings(disk=False), "utc": True, **settings}
    profile = Profile("test", platform.base_url, keeps_nothing=not remembers)
    service = PlatformService.open(
        profile,
        Settings(**settings),
        clock or SystemClock(),
        Credentials(token=Secret(platform.token if token is None else token)),
    )
    return PlatuiApp(service, Settings(**settings), terminal or Terminal(usable=True), start=start)


def lines(app: PlatuiApp) -> list[str]:
    """Return the text on the screen, a string a line."""
    width, height = app.size
    strips = app.screen._compositor.render_strips()
    return ["".join(part.text for part in strip)[:width].rstrip() for strip in strips[:height]]


def screen(app: PlatuiApp) -> str:
    """Return the text on the screen."""
    return "\n".join(lines(app))


class Driver:
    """A hand on the keyboard and an eye on the screen."""

    def __init__(self, app: PlatuiApp, pilot: Pilot[int]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def text(self) -> str:
        """Return what is on the screen now."""
        return screen(self.app)

    async def press(self, *keys: str) -> None:
        """Press keys."""
        await self.pilot.press(*keys)

    async def type(self, text: str) -> None:
        """Type a text."""
        await self.pilot.press(*(KEYS.get(sign, sign) for sign in text))

    async def until(self, wanted: str | Callable[[str], bool], seconds: float = 15) -> str:
        """Wait until the screen shows a text (or fulfils a wish); return the screen."""
        check = wanted if callable(wanted) else (lambda text: wanted in text)
        rounds = int(seconds / 0.02)
        for _ in range(rounds):
            await self.pilot.pause(0.02)
            if check(self.text):
                return self.text
        raise AssertionError(f"not seen within {seconds} s: {wanted}\n{self.text}")


KEYS = {
    "/": "slash", ":": "colon", " ": "space", "-": "minus", "#": "number_sign", "_": "underscore",
    ".": "full_stop", "*": "asterisk", "!": "exclamation_mark",
}  # fmt: skip


@asynccontextmanager
async def driving(app: PlatuiApp, size: tuple[int, int] = SIZE) -> AsyncIterator[Driver]:
    """Run the app without a terminal, and hand over its keys."""
    async with app.run_test(size=size) as pilot:
        yield Driver(app, pilot)
