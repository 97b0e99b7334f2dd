"""The access reports of one platform: fetched, imported, saved and opened (spec §5.1)."""

from __future__ import annotations

import asyncio
import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from platui.core.errors import ReportError
from platui.core.text import shorten
from platui.models.values.reports import ApiDocs
from platui.report.changes.compare import compare_reports
from platui.service.access.admin_client import AdminClient
from platui.service.access.report_folders import report_folder
from platui.service.access.report_loader import ReportLoader
from platui.service.access.report_store import ReportStore
from platui.service.cancellation import in_thread

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from platui.api.admin_api import AdminApi
    from platui.config.credentials import Credentials
    from platui.models.values.access import AccessReport, ReportInfo
    from platui.models.values.access_changes import AccessChanges
    from platui.models.values.reports import (
        DamagedReport,
    )
    from platui.report.open_report import OpenedReport
    from platui.service.access.report_store import Stamp
    from platui.service.service_context import ServiceContext


_DOCS_PATH: Final = "docs#/reporting"
_MAX_TITLE: Final = 120
_MAX_VERSION: Final = 40


class Reports:
    def __init__(self, context: ServiceContext, credentials: Credentials | None) -> None:
        self._context = context
        self._admin = AdminClient(context, credentials)
        self._temporary: tempfile.TemporaryDirectory[str] | None = None
        profile = context.profile
        self.is_in_memory = profile.is_in_memory or not context.settings.cache.disk
        if self.is_in_memory:
            self._temporary = tempfile.TemporaryDirectory(prefix="platui-")
        self.folder = Path(self._temporary.name) if self._temporary else report_folder(profile.name)
        self._store = ReportStore(self.folder, context.settings.reports)
        loader = ReportLoader(self._admin, self._store, context.clock)
        self.has_pending = loader.has_pending
        self.fetch = loader.fetch
        self.import_file = loader.import_file

    async def saved(self) -> tuple[ReportInfo, ...]:
        return await asyncio.to_thread(self._store.infos)

    async def damaged(self) -> tuple[DamagedReport, ...]:
        return (await asyncio.to_thread(self._store.kept))[1]

    async def stamp(self) -> Stamp:
        return await asyncio.to_thread(self._store.stamp)

    def now(self) -> datetime:
        return self._context.clock.now()

    async def open(self, id_: str = "") -> AccessReport:
        """Open a saved report, by default the newest, or raise ReportError."""
        return await asyncio.to_thread(self._open, id_)

    def _open(self, id_: str = "") -> OpenedReport:
        if not id_:
            infos = self._store.infos()
            if not infos:
                raise ReportError("No saved report yet.", hint="Fetch one first.")
            id_ = infos[0].id
        return self._store.open(id_)

    async def forget(self, id_: str) -> None:
        """Delete a saved report. Raises FileWriteError: the disk rejects it."""
        await asyncio.to_thread(self._store.forget, id_)

    async def compare(
        self, before: str, after: str, on_progress: Callable[[float], None] = lambda _: None
    ) -> AccessChanges:
        """Compare two saved reports, or raise ReportError; the progress is 0 to 1."""

        def find(report: Callable[[float], None]) -> AccessChanges:
            return compare_reports(self._open(before), self._open(after), report)

        return await in_thread(find, on_progress)

    async def docs(self) -> ApiDocs:
        """Fetch title and versions of the administration API; no key is needed."""
        api = await self._admin.open(with_key=False)
        return await read_docs(api, self._admin.address().api)

    def docs_address(self) -> str:
        """Return the address of the documentation. Raises ConfigError: no administration API."""
        return f"{self._admin.address().api}/{_DOCS_PATH}"

    async def close(self) -> None:
        await self._admin.close()
        if self._temporary is not None:
            await asyncio.to_thread(self._temporary.cleanup)


async def read_docs(api: AdminApi, base: str) -> ApiDocs:
    """Fetch the OpenAPI description (spec §4.2); without one, the versions are empty."""
    _, body = await api.documentation("application/json, text/html;q=0.5")
    fields = await asyncio.to_thread(_fields, body)
    about = fields.get("info")
    about = about if isinstance(about, dict) else {}
    return ApiDocs(
        f"{base}/{_DOCS_PATH}",
        _text(about.get("title"), _MAX_TITLE),
        _text(about.get("version"), _MAX_VERSION),
        _text(fields.get("openapi"), _MAX_VERSION),
    )


def _fields(body: bytes) -> dict[str, Any]:
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return document if isinstance(document, dict) else {}


def _text(value: object, length: int) -> str:
    return shorten(value, length) if isinstance(value, str) else ""
