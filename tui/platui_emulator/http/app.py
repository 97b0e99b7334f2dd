"""The whole application: both APIs, the desk and the pages behind one front."""

from __future__ import annotations

from email.utils import formatdate
from html import escape
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders, QueryParams
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import BaseRoute, Match

from platui_emulator.http import admin, control
from platui_emulator.http.admin import AdminApi
from platui_emulator.http.control import Control
from platui_emulator.http.journal import Entry, blotted
from platui_emulator.http.project_api import PREFIX, ProjectApi
from platui_emulator.http.storage import Storage, StorageServer, carried_tokens

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from platui_emulator.http.platform import Platform


class Pages:
    """Every address outside the APIs; one that belongs to nothing is an HTML 404."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = Request(scope, receive).url.path.strip("/")
        known = self._is_known(path)
        title = path or "An emulated data-operations platform"
        said = "A page of the simulated company." if known else "Nothing here."
        page = HTMLResponse(
            "<!doctype html><html lang=en><meta charset=utf-8>"
            f"<title>{escape(title)}</title><h1>{escape(title)}</h1><p>{said}</p></html>",
            status_code=200 if known else 404,
        )
        await page(scope, receive, send)

    def _is_known(self, path: str) -> bool:
        world = self._platform.world
        place = path.partition("/-/")[0].removeprefix("groups/")
        return (
            not path
            or world.project(place) is not None
            or world.group(place) is not None
            or any(person.username == place for person in world.people())
        )


def create_app(platform: Platform) -> Starlette:
    """Return the application of one platform, with the storage on its own port."""
    return Starlette(
        routes=[
            AtPort(platform.storage, StorageServer(platform)),
            Below(PREFIX.rstrip("/"), ProjectApi(platform)),
            Below(admin.PREFIX, AdminApi(platform)),
            Below(control.PREFIX, Control(platform)),
            Below("", Pages(platform)),
        ],
        middleware=[Middleware(Front, platform=platform)],
    )


class _Whole(BaseRoute):
    """All of what an application answers for: it gets its requests as they came."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    def takes(self, scope: Scope) -> bool:
        """Return whether the application serves a request."""
        raise NotImplementedError

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        return (Match.FULL if self.takes(scope) else Match.NONE), {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)


class AtPort(_Whole):
    """Everything that comes to the storage's port."""

    def __init__(self, storage: Storage, app: ASGIApp) -> None:
        super().__init__(app)
        self._storage = storage

    def takes(self, scope: Scope) -> bool:
        """Return whether a request was sent to that port."""
        return is_storage(scope, self._storage)


class Below(_Whole):
    """A folder and all below it, newlines in names too: Starlette's own `Mount` stops at one."""

    def __init__(self, folder: str, app: ASGIApp) -> None:
        super().__init__(app)
        self._folder = folder

    def takes(self, scope: Scope) -> bool:
        path = str(scope["path"])
        return path == self._folder or path.startswith(f"{self._folder}/")


def is_storage(scope: Scope, storage: Storage) -> bool:
    """Return whether a request was sent to the storage's port."""
    return bool(scope["server"] and scope["server"][1] == storage.port)


class Front:
    """Puts the date on each answer and writes each request into the journal."""

    def __init__(self, app: ASGIApp, platform: Platform) -> None:
        self._app = app
        self._platform = platform

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        clock, journal = self._platform.clock, self._platform.journal
        arrived, monotonic = clock.now(), clock.monotonic()
        date = formatdate(self._platform.time.now().timestamp(), usegmt=True)
        state: dict[str, str] = scope.setdefault("state", {})
        status, size = 500, 0

        async def send_dated(message: Message) -> None:
            nonlocal status, size
            size += len(message.get("body", b""))
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)["Date"] = date
            await send(message)

        at_storage = is_storage(scope, self._platform.storage)
        if scope["path"].startswith(control.PREFIX) and not at_storage:
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
                    size=size,
                    server="storage" if at_storage else "platform",
                    tokens=_tokens(scope) if at_storage else (),
                )
            )


def _tokens(scope: Scope) -> tuple[str, ...]:
    return carried_tokens(Headers(scope=scope), QueryParams(scope["query_string"]))
