"""What the administration API says of itself, and what it leaves open (spec 4.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.support.wire import says, wire_server

from platui.api.connect import Server, open_admin_api
from platui.core.clock import SystemClock
from platui.core.errors import NotFoundError
from platui.service.access.reports import read_docs

if TYPE_CHECKING:
    from platui.models.values.reports import ApiDocs
    from platui_emulator.server import RunningEmulator


async def asked(url: str) -> ApiDocs:
    """Ask the administration API of a server, without a key: the spec states none."""
    api = await open_admin_api(Server(url), None, SystemClock())
    try:
        return await read_docs(api, f"{url}/api/v1")
    finally:
        await api.aclose()


async def test_the_platforms_description_tells_its_version(platform: RunningEmulator) -> None:
    """And the address is the one that the spec names, at the part about reporting."""
    docs = await asked(platform.admin_url)
    assert docs.address == f"{platform.admin_url}/api/v1/docs#/reporting"
    assert docs.openapi.startswith("3.")
    assert docs.title
    assert docs.version


@pytest.mark.parametrize(
    "body",
    ["<!doctype html><title>API</title>", "[]", '{"info": 7, "openapi": 3}', "{" * 99, b"\xff"],
)
async def test_a_page_for_people_has_an_address_and_no_version(body: str | bytes) -> None:
    """Whatever it holds."""
    async with wire_server(says(body, content_type="text/html")) as server:
        docs = await asked(server.url)
    assert docs == (f"{server.url}/api/v1/docs#/reporting", "", "", "")
    assert "authorization" not in server.heard[0].headers


async def test_text_from_there_is_clean() -> None:
    """A title commands no terminal."""
    body = {"openapi": "3.1.0\x1b[2J", "info": {"title": "A\x1b]0;x\x07\nB", "version": "1" * 99}}
    async with wire_server(says(body)) as server:
        docs = await asked(server.url)
    assert "\x1b" not in "".join(docs)
    assert "\n" not in docs.title
    assert len(docs.version) == 40


async def test_no_documentation_is_an_error() -> None:
    """With the platform's own words."""
    async with wire_server(says({"message": "404 Not Found"}, "404 Not Found")) as server:
        with pytest.raises(NotFoundError):
            await asked(server.url)
