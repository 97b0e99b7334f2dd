"""Past access reports of the demo."""

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

_TIMEOUT: Final = 10.0  # seconds


async def import_past_reports(service: PlatformService) -> None:
    """Import access reports of past days from the emulator; today's is left to fetch."""
    reports, now = await service.access_reports.open_saved(), service.clock.now()
    origin = urlsplit(service.profile.admin_url or "").hostname or ""
    url = service.profile.url
    try:
        with tempfile.TemporaryDirectory(prefix="platui-") as folder:
            file = Path(folder) / "report.json"
            today = int(json.loads(await asyncio.to_thread(_fetch, url, ""))["period"])
            for ago in (28, 21, 14, 7):  # days, oldest first
                text = await asyncio.to_thread(_fetch, url, f"/text?period={today - ago}")
                await asyncio.to_thread(file.write_bytes, text)
                at = now - timedelta(days=ago)
                async with aclosing(reports.import_file(file, origin, at)) as states:
                    async for _ in states:
                        pass
    except (OSError, HTTPException, ValueError, PlatuiError):
        return  # the demo works without them


def _fetch(url: str, what: str) -> bytes:
    address = urlsplit(url)
    # Local, so without proxy and token.
    connection = HTTPConnection(address.hostname or "", address.port, timeout=_TIMEOUT)
    try:
        connection.request("GET", f"/-/emulator/report{what}")
        return connection.getresponse().read()
    finally:
        connection.close()
