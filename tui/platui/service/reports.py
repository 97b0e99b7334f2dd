"""The access reports of one platform: fetched, taken in, kept, opened.

It needs neither the project API nor an access token: the administration API has an address, a
key and a client of its own, and no quota (spec §5.1, §8).
"""

from __future__ import annotations

import asyncio
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from platui.core.errors import ReportError
from platui.report.changes.compare import compare_reports
from platui.service.admin_door import AdminDoor
from platui.service.api_docs import docs_address, read_docs
from platui.service.report_bringing import ReportBringing
from platui.service.report_export import save_export, sheet_of, sheet_of_changes
from platui.service.report_home import home_of
from platui.service.report_shelf import ReportShelf

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable
    from datetime import datetime

    from platui.config.credentials import Credentials
    from platui.models.values.access import AccessReport, ReportInfo
    from platui.models.values.access_changes import AccessChanges, Change
    from platui.models.values.exports import ExportFormat, ExportOrder
    from platui.models.values.reports import ApiDocs, DamagedReport, ReportState
    from platui.report.export.sheet import Sheet
    from platui.report.opened import OpenedReport
    from platui.service.report_shelf import Stamp
    from platui.service.surface import Surface


class Reports:
    """What the profile's organization reports, and what of that is kept."""

    def __init__(self, surface: Surface, credentials: Credentials | None) -> None:
        """Take the profile; nothing is read or sent yet.

        Args:
            surface: profile, settings and clock.
            credentials: secrets at hand; None: the profile says where the key is.
        """
        self._surface = surface
        self._door = AdminDoor(surface, credentials)
        self._temporary: tempfile.TemporaryDirectory[str] | None = None
        self._folder = self._home()
        self._shelf = ReportShelf(self._folder, surface.settings.reports)
        self._bringing = ReportBringing(self._door, self._shelf, surface.clock)

    def _home(self) -> Path:
        """Return the folder of the platform's reports; gone at the end where nothing is kept."""
        profile = self._surface.profile
        if profile.keeps_nothing or not self._surface.settings.cache.disk:
            self._temporary = tempfile.TemporaryDirectory(prefix="platui-")
            return Path(self._temporary.name)
        return home_of(profile.name)

    @property
    def folder(self) -> Path:
        """Return where they are kept, and where there is room for what becomes one."""
        return self._folder

    @property
    def keeps_nothing(self) -> bool:
        """Return whether all of them are gone when the program ends."""
        return self._temporary is not None

    async def has_waiting(self) -> bool:
        """Return whether a text came whole and was not read: the next `fetch` reads it."""
        return await self._bringing.has_waiting()

    async def saved(self) -> tuple[ReportInfo, ...]:
        """Return what is kept and can be opened, newest first."""
        return await asyncio.to_thread(self._shelf.infos)

    async def damaged(self) -> tuple[DamagedReport, ...]:
        """Return what is kept and is damaged or of another version, newest first."""
        return (await asyncio.to_thread(self._shelf.kept))[1]

    async def stamp(self) -> Stamp:
        """Return what is another one when other reports are kept, or another file of theirs."""
        return await asyncio.to_thread(self._shelf.stamp)

    def now(self) -> datetime:
        """Return the time by which reports are dated (UTC)."""
        return self._surface.clock.now()

    async def open(self, id_: str = "") -> AccessReport:
        """Open a saved report, the newest where none is named.

        Raises:
            ReportError: there is none, or it is damaged or of another version.
        """
        return await asyncio.to_thread(self._open, id_)

    def _open(self, id_: str = "") -> OpenedReport:
        if not id_:
            infos = self._shelf.infos()
            if not infos:
                raise ReportError("There is no saved report yet.", hint="Fetch one first.")
            id_ = infos[0].id
        return self._shelf.open(id_)

    async def forget(self, id_: str) -> None:
        """Keep a report no longer, a damaged one, too.

        Raises:
            FileWriteError: the disk does not let it go.
        """
        await asyncio.to_thread(self._shelf.forget, id_)

    def fetch(self) -> AsyncGenerator[ReportState]:
        """Fetch the report, read it and keep it; as `ReportBringing.fetch`."""
        return self._bringing.fetch()

    def take_in(
        self, path: Path, name: str = "", at: datetime | None = None
    ) -> AsyncGenerator[ReportState]:
        """Read a report from a file and keep it; as `ReportBringing.take_in`."""
        return self._bringing.take_in(path, name, at)

    async def compare(
        self, before: str, after: str, tell: Callable[[float], None] = lambda _: None
    ) -> AccessChanges:
        """Hold an earlier saved report against a later one; cancelled, it ends at once.

        Args:
            before: id of the earlier one.
            after: id of the later one.
            tell: takes the share that is done, 0 to 1, in another thread.

        Raises:
            ReportError: one of them is not there, damaged, or of another version, or they have
                too many different levels between them.
        """
        enough = threading.Event()

        def told(share: float) -> bool:
            tell(share)
            return not enough.is_set()

        def find() -> AccessChanges | None:
            return compare_reports(self._open(before), self._open(after), told)

        try:
            found = await asyncio.to_thread(find)
        finally:
            enough.set()
        if found is None:
            raise asyncio.CancelledError
        return found

    async def export(
        self,
        report: AccessReport,
        order: ExportOrder,
        form: ExportFormat,
        target: Path,
        tell: Callable[[float], None] = lambda _: None,
        *,
        replace: bool = False,
    ) -> int:
        """Write a part of a report to a file, 0600; returns its rows. Cancelled, it leaves none.

        Args:
            report: one of these reports, opened.
            order: what of it.
            form: CSV, JSON lines or Markdown.
            target: the file.
            tell: takes the share that is written, 0 to 1, in another thread.
            replace: whether a file of that name may go.

        Raises:
            TermError: the query cannot be read.
            NameTakenError: there is a file of that name.
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
            lambda: sheet_of_changes(changes, keep, words), form, target, tell, replace=replace
        )

    async def save(
        self,
        sheet: Sheet,
        form: ExportFormat,
        target: Path,
        tell: Callable[[float], None] = lambda _: None,
        *,
        replace: bool = False,
        has_header: bool = True,
    ) -> int:
        """Write a table of such a part, made before; as `export`."""
        return await save_export(
            lambda: sheet, form, target, tell, replace=replace, has_header=has_header
        )

    async def docs(self) -> ApiDocs:
        """Ask the administration API what it says of itself; no key is needed.

        Raises:
            ConfigError: the profile names no administration API.
            PlatuiError: it does not answer.
        """
        api = await self._door.open(with_key=False)
        return await read_docs(api, self._door.address().api)

    def docs_address(self) -> str:
        """Return where the documentation is, for a browser; nothing is sent.

        Raises:
            ConfigError: the profile names no administration API.
        """
        return docs_address(self._door.address().api)

    async def close(self) -> None:
        """End what is under way; what is not kept is gone."""
        await self._door.close()
        if self._temporary is not None:
            await asyncio.to_thread(self._temporary.cleanup)
