"""The whole application: both APIs, the desk and the pages behind one front."""

from __future__ import annotations

from email.utils import formatdate
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.routing import Mount

from platui.emulator.http import admin, control
from platui.emulator.http.admin import AdminApi
from platui.emulator.http.control import Control
from platui.emulator.http.journal import Entry, blotted
from platui.emulator.http.pages import Pages
from platui.emulator.http.project_api import PREFIX, ProjectApi

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from platui.emulator.http.platform import Platform


def create_app(platform: Platform) -> Starlette:
    """Return the application of one platform.

    Only the first steps of a path are told apart here, on the decoded path; the APIs route on
    the raw one.
    """
    return Starlette(
        routes=[
            Mount(PREFIX.rstrip("/"), ProjectApi(platform)),
            Mount(admin.PREFIX, AdminApi(platform)),
            Mount(control.PREFIX, Control(platform)),
            Mount("/", Pages(platform)),
        ],
        middleware=[Middleware(Front, platform=platform)],
    )


class Front:
    """Puts the date on each answer and writes each request into the journal."""

    def __init__(self, app: ASGIApp, platform: Platform) -> None:
        self._app = app
        self._platform = platform

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass one request on."""
        clock, journal = self._platform.clock, self._platform.journal
        arrived, monotonic = clock.now(), clock.monotonic()
        state: dict[str, str] = scope.setdefault("state", {})
        status = 500

        async def send_dated(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)["Date"] = formatdate(arrived.timestamp(), usegmt=True)
            await send(message)

        if scope["path"].startswith(control.PREFIX):
            await self._app(scope, receive, send_dated)
            return
        number = journal.number()
        try:
            await self._app(scope, receive, send_dated)
        finally:
            target = bytes(scope["raw_path"] + b"?" + scope["query_string"])
            journal.add(
                Entry(
                    number=number,
                    at=arrived.isoformat(),
                    monotonic=monotonic,
                    method=scope["method"],
                    path=blotted(target.decode("latin-1").removesuffix("?")),
                    status=status,
                    user=state.get("user"),
                )
            )
