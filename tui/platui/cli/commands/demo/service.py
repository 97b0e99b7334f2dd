"""The service of the demo, with a fetched access report."""

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
from platui.service import PlatformService

if TYPE_CHECKING:
    from platui.service.access.desk import ReportDesk

_AGO: Final = (28, 21, 14, 7)
"""Days before today that there is a report of, the first that was fetched first."""
_DESK: Final = "/-/emulator/report"
_WITHIN: Final = 10.0
"""Seconds in which the emulator answers."""


class DemoService(PlatformService):
    """When the access report is first looked at, those of some days before are brought.

    They are what the emulated platform said on those days; today's is left to be fetched.
    """

    _bringing: asyncio.Task[None] | None = None

    async def report_desk(self) -> ReportDesk:
        if self._bringing is None:
            self._bringing = asyncio.create_task(self._bring(), name="platui demo reports")
        # The shield: a view that is left must not take them away from the others.
        await asyncio.shield(self._bringing)
        return await super().report_desk()

    async def _bring(self) -> None:
        reports, now = await self.reports(), self.clock.now()
        origin = urlsplit(self.profile.admin_url or "").hostname or ""
        try:
            with tempfile.TemporaryDirectory(prefix="platui-") as folder:
                file = Path(folder) / "report.json"
                today = int(json.loads(await asyncio.to_thread(self._ask, ""))["period"])
                for ago in _AGO:
                    text = await asyncio.to_thread(self._ask, f"/text?period={today - ago}")
                    await asyncio.to_thread(file.write_bytes, text)
                    at = now - timedelta(days=ago)
                    async with aclosing(reports.take_in(file, origin, at)) as states:
                        async for _ in states:
                            pass
        except (OSError, HTTPException, ValueError, PlatuiError):
            return  # then there is what was fetched, as on any platform

    def _ask(self, what: str) -> bytes:
        address = urlsplit(self.profile.url)
        # No proxy, no token: it is on this machine, and asks for none.
        connection = HTTPConnection(address.hostname or "", address.port, timeout=_WITHIN)
        try:
            connection.request("GET", f"{_DESK}{what}")
            return connection.getresponse().read()
        finally:
            connection.close()

    async def close(self) -> None:
        if self._bringing is not None and not self._bringing.done():
            self._bringing.cancel()
            await asyncio.wait({self._bringing})
        await super().close()
