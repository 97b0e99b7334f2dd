"""The access reports of one platform: fetched, taken in, kept, opened.

It needs neither the project API nor an access token: the administration API has an address, a
key and a client of its own, and no quota (spec §5.1, §8).
"""

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
from platui.report.export.sheets import changes_sheet
from platui.service.access.admin_client import AdminClient
from platui.service.access.export import save_export, sheet_of
from platui.service.access.report_folders import report_folder
from platui.service.access.report_loader import ReportLoader
from platui.service.access.report_store import ReportStore
from platui.service.in_thread import in_thread

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from platui.api.admin_api import AdminApi
    from platui.config.credentials import Credentials
    from platui.models.values.access import AccessReport, ReportInfo
    from platui.models.values.access_changes import AccessChanges, Change
    from platui.models.values.reports import (
        DamagedReport,
        ExportFormat,
        ExportRequest,
    )
    from platui.report.open_report import OpenedReport
    from platui.service.access.report_store import Stamp
    from platui.service.service_context import ServiceContext


_PLACE: Final = "docs#/reporting"

_LONGEST: Final = 120

_LONGEST_VERSION: Final = 40


class Reports:
    """What the profile's organization reports, and what of that is kept."""

    def __init__(self, context: ServiceContext, credentials: Credentials | None) -> None:
        self._context = context
        self._admin = AdminClient(context, credentials)
        self._temporary: tempfile.TemporaryDirectory[str] | None = None
        profile = context.profile
        self.is_in_memory = profile.is_in_memory or not context.settings.cache.disk
        """Whether all of them are gone when the program ends."""
        if self.is_in_memory:
            self._temporary = tempfile.TemporaryDirectory(prefix="platui-")
        self.folder = Path(self._temporary.name) if self._temporary else report_folder(profile.name)
        """Where they are kept, and where there is room for what becomes one."""
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
        """Return what is another one when other reports are kept, or another file of theirs."""
        return await asyncio.to_thread(self._store.stamp)

    def now(self) -> datetime:
        """Return the time by which reports are dated (UTC)."""
        return self._context.clock.now()

    async def open(self, id_: str = "") -> AccessReport:
        """Open a saved report, the newest where none is named.

        Raises ReportError: there is none, or it is damaged or of another version.
        """
        return await asyncio.to_thread(self._open, id_)

    def _open(self, id_: str = "") -> OpenedReport:
        if not id_:
            infos = self._store.infos()
            if not infos:
                raise ReportError("There is no saved report yet.", hint="Fetch one first.")
            id_ = infos[0].id
        return self._store.open(id_)

    async def forget(self, id_: str) -> None:
        """Keep a report no longer, a damaged one, too.

        Raises FileWriteError: the disk does not let it go.
        """
        await asyncio.to_thread(self._store.forget, id_)

    async def compare(
        self, before: str, after: str, tell: Callable[[float], None] = lambda _: None
    ) -> AccessChanges:
        """Hold an earlier saved report against a later one; cancelled, it ends at once.

        `tell`: takes the share that is done, 0 to 1, in another thread.
        Raises ReportError: one of them is not there, damaged, or of another version, or they have
        too many different levels between them.
        """

        def find(check: Callable[[], None]) -> AccessChanges:
            def told(share: float) -> None:
                check()
                tell(share)

            return compare_reports(self._open(before), self._open(after), told)

        return await in_thread(find)

    async def export(
        self,
        report: AccessReport,
        order: ExportRequest,
        form: ExportFormat,
        target: Path,
        tell: Callable[[float], None] = lambda _: None,
        *,
        replace: bool = False,
    ) -> int:
        """Write a part of a report to a file, 0600; returns its rows. Cancelled, it leaves none.

        `tell`: takes the share that is written, 0 to 1, in another thread.
        Raises TermError: the query cannot be read. NameTakenError: there is a file of that name.
        FileWriteError: the disk does not take it.
        """
        return await save_export(
            lambda: sheet_of(report, order), form, target, tell, replace=replace
        )

    async def export_changes(
        self,
        changes: AccessChanges,
        form: ExportFormat,
        target: Path,
        tell: Callable[[float], None] = lambda _: None,
        *,
        replace: bool = False,
        keep: Callable[[Change], bool] | None = None,
        words: str = "",
    ) -> int:
        """Write what changed to a file, or what of it some words were searched for; as `export`."""
        return await save_export(
            lambda: changes_sheet(changes, keep=keep, words=words),
            form,
            target,
            tell,
            replace=replace,
        )

    async def docs(self) -> ApiDocs:
        """Ask the administration API what it says of itself; no key is needed.

        Raises ConfigError: the profile names no administration API. PlatuiError: it does not
        answer.
        """
        api = await self._admin.open(with_key=False)
        return await read_docs(api, self._admin.address().api)

    def docs_address(self) -> str:
        """Return where the documentation is, for a browser; nothing is sent.

        Raises ConfigError: the profile names no administration API.
        """
        return docs_address(self._admin.address().api)

    async def close(self) -> None:
        await self._admin.close()
        if self._temporary is not None:
            await asyncio.to_thread(self._temporary.cleanup)


def docs_address(base: str) -> str:
    """Return the address of the documentation for a browser, at its part about reporting.

    `base`: the API's base, as `https://admin.example.com/api/v1`.
    """
    return f"{base}/{_PLACE}"


async def read_docs(api: AdminApi, base: str) -> ApiDocs:
    """Ask the administration API for its OpenAPI description (spec §4.2).

    A platform that answers with a page for people alone tells no version.

    Raises PlatuiError: it does not answer.
    """
    _, body = await api.documentation("application/json, text/html;q=0.5")
    fields = await asyncio.to_thread(_fields, body)
    about = fields.get("info")
    about = about if isinstance(about, dict) else {}
    return ApiDocs(
        docs_address(base),
        _text(about.get("title"), _LONGEST),
        _text(about.get("version"), _LONGEST_VERSION),
        _text(fields.get("openapi"), _LONGEST_VERSION),
    )


def _fields(body: bytes) -> dict[str, Any]:
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return document if isinstance(document, dict) else {}


def _text(value: object, length: int) -> str:
    return shorten(value, length) if isinstance(value, str) else ""
