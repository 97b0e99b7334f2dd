"""The dashboard on an emulated platform, driven by keys."""

from __future__ import annotations

import asyncio
import inspect
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.support.at_rest import Watch
from textual.events import Paste

from platui.config.credentials import Credentials
from platui.config.profile import Profile
from platui.config.settings import CacheSettings, Settings
from platui.core.clock import SystemClock
from platui.core.secrets import Secret
from platui.models.values.routes import Route
from platui.service import PlatformService
from platui.ui.app import PlatuiApp
from platui.ui.screens.parts.view_screen import ViewScreen
from platui.ui.terminal.detection import Terminal
from platui.ui.widgets.table import Table

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Iterator

    from textual.pilot import Pilot

    from platui.config.profile import NeighbourUse, Writes
    from platui.config.profile_choice import SessionProfiles
    from platui.config.settings import Start
    from platui.core.clock import Clock
    from platui_emulator.server import RunningEmulator

SIZE = (80, 24)

PATIENCE = 20.0
"""Seconds a test waits for what must come; the machine may be busy."""

STEP = 0.02
"""Seconds between two looks at the screen; the first ones follow each other more closely."""

CALM = 20
"""Looks in a row that see the same: then it is at rest."""


@dataclass(frozen=True)
class Elsewhere:
    """A platform that is not an emulator, or is one under another address."""

    base_url: str
    token: str = "a-token"


def dashboard(
    platform: RunningEmulator | Elsewhere,
    *,
    start: Route | None = None,
    words: str = "",
    clock: Clock | None = None,
    token: str | None = None,
    terminal: Terminal | None = None,
    remembers: bool = False,
    timeout: float = 30.0,
    writes: Writes = "locked",
    production: bool = False,
    name: str = "test",
    trigger_token: str = "",
    admin_url: str | None = None,
    admin_key: str = "",
    prepare_reports: Callable[[PlatformService], Coroutine[Any, Any, None]] | None = None,
    opens: Start = "last",
    session_profiles: SessionProfiles | None = None,
    neighbours: NeighbourUse = "auto",
    accent: str = "",
    **settings: Any,
) -> PlatuiApp:
    """Return the app as `platui` makes it, on a platform, keeping nothing on disk.

    It opens where it was left, at first on the projects. An empty token is none at all; with
    `remembers` the next dashboard knows this one's choices.
    """
    settings = {"cache": CacheSettings(disk=False), "utc": True, "start": opens, **settings}
    profile = Profile(
        name,
        platform.base_url,
        admin_url,
        production=production,
        writes=writes,
        is_in_memory=not remembers,
        timeout=timeout,
        neighbours=neighbours,
        accent=accent,
    )
    token = platform.token if token is None else token
    service = PlatformService(
        profile,
        Settings(**settings),
        clock or SystemClock(),
        Credentials(
            token=Secret(token) if token else None,
            trigger_token=Secret(trigger_token) if trigger_token else None,
            admin_key=Secret(admin_key) if admin_key else None,
            trigger_token_source="the keyring" if trigger_token else "not set",
        ),
        prepare_reports=prepare_reports,
    )
    return PlatuiApp(
        service, Settings(**settings), terminal or Terminal(usable=True), start=start, words=words,
        session_profiles=session_profiles,
    )  # fmt: skip


def pipelines_of(platform: RunningEmulator, project: str | None = None) -> Route:
    """Return the place of a project's pipelines, the showcase where none is named."""
    project = project or platform.project
    return Route("pipelines", project, project.rpartition("/")[2])


def lines(app: PlatuiApp) -> list[str]:
    """Return the text on the screen, a string a line."""
    width, height = app.size
    strips = app.screen._compositor.render_strips()
    return ["".join(part.text for part in strip)[:width].rstrip() for strip in strips[:height]]


def screen(app: PlatuiApp) -> str:
    """Return the text on the screen."""
    return "\n".join(lines(app))


def pauses(seconds: float) -> Iterator[float]:
    """Yield how long to pause before each look: most of what is waited for comes soon."""
    for look in range(int(seconds / STEP)):
        yield STEP * min(8, look + 1) / 8


class Driver:
    """A hand on the keyboard and an eye on the screen."""

    def __init__(self, app: PlatuiApp, pilot: Pilot[int]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def text(self) -> str:
        """Return what is on the screen now."""
        return screen(self.app)

    @property
    def route(self) -> Route:
        """Return where the dashboard is."""
        return self.app.navigation.history.current

    @property
    def table(self) -> Table:
        """Return the table of the view or dialog in front."""
        tables = self.app.screen.query(Table)
        return next((table for table in tables if table.id == "table"), tables.first())

    @property
    def cursor(self) -> str | None:
        """Return the key of the row under the cursor."""
        return self.table.cursor_key

    async def press(self, *keys: str) -> None:
        """Press keys."""
        await self.pilot.press(*keys)

    async def type(self, text: str) -> None:
        """Type a text."""
        await self.pilot.press(*text)

    async def paste(self, text: str) -> None:
        """Paste a text, as a terminal hands it over: in one piece."""
        self.app.post_message(Paste(text))
        await self.pilot.pause()

    async def enter(self, sign: str, text: str) -> None:
        """Type a line after `:` or `/` and confirm it."""
        await self.press(sign)
        await self.wait(lambda: f" {sign}" in self.text.splitlines()[-2][:2])
        await self.type(text)
        await self.press("enter")

    async def until(self, wanted: str | Callable[[str], bool], seconds: float = PATIENCE) -> str:
        """Wait until the screen shows a text (or fulfils a wish); return the screen."""
        check = wanted if callable(wanted) else (lambda text: wanted in text)
        await self.wait(lambda: check(self.text), seconds, str(wanted))
        return self.text

    async def until_told(self, words: str, seconds: float = PATIENCE) -> None:
        """Wait until a toast says these words."""
        await self.wait(lambda: words in self.told, seconds, f"{words} (of toasts)")

    async def until_at(self, view: str, seconds: float = PATIENCE) -> None:
        """Wait until a view is there and shows rows or lines of its own."""
        await self.wait(lambda: self._is_at(view), seconds, f"the view {view} with rows")

    async def until_route(self, view: str, seconds: float = PATIENCE) -> None:
        """Wait until a view is there, be it that nobody says anything of what it shows."""
        await self.wait(lambda: self.route.view == view, seconds, f"the view {view}")

    def _is_at(self, view: str) -> bool:
        screen = self.app.screen
        if not isinstance(screen, ViewScreen) or self.route.view != view:
            return False
        if screen.focused is None:  # keys would go nowhere yet
            return False
        body = screen.body
        if view != body.route.view or body.route != self.route or body.age.fetched_at is None:
            return False
        return " of " in self.text.splitlines()[-2] if view == "log" else self.cursor is not None

    async def wait(
        self, true: Callable[[], bool], seconds: float = PATIENCE, wanted: str = ""
    ) -> None:
        """Wait until something is so."""
        for pause in pauses(seconds):
            await self.pilot.pause(pause)
            if true():
                return
        missed = f"not within {seconds} s: {wanted or inspect.getsource(true).strip()}"
        raise AssertionError(f"{missed}\n{self.told}\n{self.text}")

    async def rest(self) -> None:
        """Wait until nothing moves on the screen any more."""
        seen, calm = self.text, 0
        while calm < CALM:
            await self.pilot.pause(STEP)
            calm, seen = (calm + 1, seen) if seen == self.text else (0, self.text)

    async def settle(self) -> None:
        """Wait until no request is under way, and all that came is on the screen."""
        seen, calm = "", 0

        def is_settled() -> bool:
            nonlocal seen, calm
            rests = seen == self.text and not Watch.is_busy(asyncio.get_running_loop())
            calm, seen = (calm + 1 if rests else 0), self.text
            return calm >= CALM

        await self.wait(is_settled, wanted="a screen that rests, and no request under way")

    @property
    def told(self) -> str:
        """Return what toasts have said and still say."""
        return "\n".join(f"{toast.title} {toast.message}" for toast in self.app._notifications)


@asynccontextmanager
async def driving(app: PlatuiApp, size: tuple[int, int] = SIZE) -> AsyncIterator[Driver]:
    """Run the app without a terminal, and hand over its keys."""
    async with app.run_test(size=size, notifications=True) as pilot:
        yield Driver(app, pilot)
