"""Where pictures are made: the program on the emulator, in a night that never ends.

The clock stands still, the gauge of requests always shows the same, and the platform has an
address as others have: what a picture shows is what the program does, not what the machine does.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from http.client import HTTPConnection
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import httpx
import pytest
from screenshots.cells import Grid, cells_of
from tests.support.at_rest import Watch
from tests.support.dashboard import driving
from tests.support.frozen import FrozenClock
from tests.support.platform import running_platform

from platui.api.budget import Budget
from platui.cli.commands.demo import reports as demo_reports
from platui.models.values.connection import BudgetState

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from screenshots.scenes import Scene

    from platui_emulator.server import RunningEmulator

ADDRESS: Final = "https://data.example.com"
"""Where the platform seems to be."""

SPENT: Final = BudgetState(used=48, limit=600, from_server=True)
"""How many requests it took depends on which of them were overtaken by others."""
_OUTSIDE: Final = ("NO_COLOR", "CLICOLOR", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "TERM_PROGRAM")


@contextmanager
def stage() -> Iterator[RunningEmulator]:
    """Run the platform that all pictures share, and let programs of this process find it."""
    with (
        running_platform(clock=FrozenClock()) as platform,
        pytest.MonkeyPatch.context() as patch,
    ):
        Watch().begin(patch)
        _lead_to(platform, patch)
        patch.setattr(Budget, "state", lambda _: SPENT)
        patch.setattr("platui.ui.key_guard.REACTION_SECONDS", -60.0)  # keys count at once
        yield replace(platform, base_url=ADDRESS, admin_url=f"{ADDRESS}/admin")


def _lead_to(platform: RunningEmulator, patch: pytest.MonkeyPatch) -> None:
    """Let requests to the address of the pictures reach the emulator."""
    host, here = urlsplit(ADDRESS).hostname, urlsplit(platform.base_url)
    handle = httpx.AsyncHTTPTransport.handle_async_request

    async def lead(transport: httpx.AsyncHTTPTransport, request: httpx.Request) -> httpx.Response:
        if request.url.host == host:
            # Another port is the emulator's storage.
            port = request.url.port or here.port
            request = httpx.Request(
                request.method,
                request.url.copy_with(scheme="http", host=here.hostname, port=port),
                headers=[*request.headers.raw, (b"X-Forwarded-Proto", b"https")],
                stream=request.stream,
                extensions=request.extensions,
            )
        return await handle(transport, request)

    def connect(*_: object, **options: Any) -> HTTPConnection:
        return HTTPConnection(here.hostname or "", here.port, **options)

    patch.setattr(httpx.AsyncHTTPTransport, "handle_async_request", lead)
    patch.setattr(demo_reports, "HTTPConnection", connect)
    # Nothing is encrypted, so that no certificates need be read.
    patch.setattr("platui.api.transport.tls_context", lambda _: False)


async def play(
    scene: Scene, size: tuple[int, int], themes: Sequence[str], platform: RunningEmulator
) -> dict[str, Grid]:
    """Lead the program to what a scene shows; return that in each theme."""
    drawn = {}
    with pytest.MonkeyPatch.context() as patch:
        for name in _OUTSIDE:
            patch.delenv(name, raising=False)
            patch.delenv(name.lower(), raising=False)
        for name, value in scene.environ.items():
            patch.setenv(name, value)
        app = await scene.open(platform, themes[0])
        async with driving(app, size) as driver:  # type: ignore[arg-type]  # or the first page
            for wanted, keys in scene.steps:
                await driver.until(wanted)
                await driver.press(*keys.split())
            await driver.settle()
            app.clear_notifications()
            for theme in themes:
                if theme != app.theme:
                    app.theme_switcher.use(theme)
                await driver.pilot.pause()
                drawn[theme] = cells_of(app)
    return drawn
