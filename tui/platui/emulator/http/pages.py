"""The platform's web pages: what a `web_url` leads to, as plain HTML."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import HTMLResponse

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from platui.emulator.http.platform import Platform


class Pages:
    """Every address outside the APIs; one that belongs to nothing is an HTML 404."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
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
