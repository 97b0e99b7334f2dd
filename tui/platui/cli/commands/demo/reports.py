"""The access reports that the demo begins with."""

from __future__ import annotations

import asyncio
import json
import tempfile
from contextlib import aclosing
from datetime import timedelta
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from platui.core.errors import PlatuiError

if TYPE_CHECKING:
    from platui.service import PlatformService

_AGO: Final = (28, 21, 14, 7)
"""Days before today that there is a report of, the first that was fetched first."""
_DESK: Final = "/-/emulator/report"
_WITHIN: Final = 10.0
"""Seconds in which the emulator answers."""


async def bring_reports(service: PlatformService) -> None:
    """Bring the access reports of some days before today, as the emulated platform gave them.

    Today's is left to be fetched.
    """
    reports, now = await service.reports(), service.clock.now()
    origin = urlsplit(service.profile.admin_url or "").hostname or ""
    url = service.profile.url
    try:
        with tempfile.TemporaryDirectory(prefix="platui-") as folder:
            file = Path(folder) / "report.json"
            today = int(json.loads(await asyncio.to_thread(_ask, url, ""))["period"])
            for ago in _AGO:
                text = await asyncio.to_thread(_ask, url, f"/text?period={today - ago}")
                await asyncio.to_thread(file.write_bytes, text)
                at = now - timedelta(days=ago)
                async with aclosing(reports.import_file(file, origin, at)) as states:
                    async for _ in states:
                        pass
    except (OSError, HTTPException, ValueError, PlatuiError):
        return  # then there is what was fetched, as on any platform


def _ask(url: str, what: str) -> bytes:
    address = urlsplit(url)
    # No proxy, no token: it is on this machine, and asks for none.
    connection = HTTPConnection(address.hostname or "", address.port, timeout=_WITHIN)
    try:
        connection.request("GET", f"{_DESK}{what}")
        return connection.getresponse().read()
    finally:
        connection.close()
