"""The access reports of one platform: fetched, taken in, kept, opened.

It needs neither the project API nor an access token: the administration API has an address, a
key and a client of its own, and no quota (spec §5.1, §8).
"""

from __future__ import annotations

import asyncio
import tempfile
import threading
from contextlib import aclosing, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from platui.core.errors import ApiError, ReportError
from platui.core.paths import cache_dir
from platui.models.values.reports import ReportStage, ReportState
from platui.report.changes.compare import compare_reports
from platui.report.importing import FirstRows, ReadingShare, read_report
from platui.report.opened import OpenedReport
from platui.report.order import ReportOrder
from platui.service.admin_door import AdminDoor
from platui.service.api_docs import docs_address, read_docs
from platui.service.report_export import save_export, sheet_of, sheet_of_changes
from platui.service.report_files import opened_file
from platui.service.report_shelf import ReportShelf
from platui.service.report_spool import Arrival, ReportSpool
from platui.service.support_words import with_remedy
from platui.store.naming import file_stem

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable
    from datetime import datetime

    from platui.config.credentials import Credentials
    from platui.models.values.access import AccessReport, ReportInfo
    from platui.models.values.access_changes import AccessChanges
    from platui.models.values.exports import ExportFormat, ExportOrder
    from platui.models.values.reports import ApiDocs
    from platui.report.export.sheet import Sheet
    from platui.report.saved import SavedReport
    from platui.service.surface import Surface


def has_shelf(name: str) -> bool:
    """Return whether anything was ever kept for a profile of this name."""
    return _folder_of(name).is_dir()


def _folder_of(name: str) -> Path:
    return cache_dir() / "reports" / file_stem(name)


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
        self._shelf = ReportShelf(self._folder, surface.settings.reports.keep)
        self._spool = ReportSpool(self._folder, surface.clock)

    def _home(self) -> Path:
        """Return the folder of the platform's reports; gone at the end where nothing is kept."""
        profile = self._surface.profile
        if profile.keeps_nothing or not self._surface.settings.cache.disk:
            self._temporary = tempfile.TemporaryDirectory(prefix="platui-")
            return Path(self._temporary.name)
        return _folder_of(profile.name)

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
        return await asyncio.to_thread(self._spool.waiting) is not None

    async def saved(self) -> tuple[ReportInfo, ...]:
        """Return what is kept, newest first; what cannot be opened is left out."""
        return await asyncio.to_thread(self._shelf.infos)

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
        return _opened(self._shelf.open(id_))

    async def forget(self, id_: str) -> None:
        """Keep a report no longer."""
        await asyncio.to_thread(self._shelf.forget, id_)

    async def fetch(self) -> AsyncGenerator[ReportState]:
        """Fetch the report, read it and keep it; close the generator to stop.

        Where a text came whole before and was not read to its end, that is read instead, and
        nothing is sent. Else the request is conditional on the newest that is kept.

        Raises:
            ConfigError: the profile names no administration API, or no key.
            ReportError: what came is no report; what was kept is as it was.
            FileWriteError: the disk does not take it.
            PlatuiError: the platform does not give it; the hint says what to ask support for.
        """
        arrival = await asyncio.to_thread(self._spool.waiting)
        if arrival is None:
            yield ReportState(ReportStage.ASKING)
            async with aclosing(self._receive()) as told:
                async for one in told:
                    if isinstance(one, Arrival):
                        arrival = one
                    else:
                        yield one
        if arrival is not None:
            async with aclosing(self._read_arrival(arrival)) as states:
                async for state in states:
                    yield state

    async def _receive(self) -> AsyncGenerator[ReportState | Arrival]:
        """Bring the text to the spool; where it is the one at hand, that is opened.

        Yields:
            How far it is, and at the end what came; nothing came where it is the one at hand.
        """
        api = await self._door.open()
        origin = self._door.address().host
        newest = await asyncio.to_thread(self._newest_from, origin)
        try:
            async with api.report(newest.info.etag if newest is not None else "") as stream:
                if stream.is_unchanged:
                    yield ReportState(ReportStage.DONE, share=1.0, report=newest, is_unchanged=True)
                    return
                async with aclosing(self._spool.receive(stream, origin)) as told:
                    async for one in told:
                        yield one
        except ApiError as error:
            raise with_remedy(error) from None

    def _newest_from(self, origin: str) -> OpenedReport | None:
        """Return the newest report that the platform may say is the same, if it can be opened."""
        known = [info for info in self._shelf.infos() if info.origin == origin][:1]
        if not known or not known[0].etag:
            return None
        try:
            return self._open(known[0].id)
        except ReportError:
            return None

    async def _read_arrival(self, arrival: Arrival) -> AsyncGenerator[ReportState]:
        order = ReportOrder(
            self._spool.path(arrival),
            self._shelf.place_for(arrival.at, arrival.digest),
            arrival.at,
            arrival.origin,
            arrival.digest,
            arrival.etag,
        )
        try:
            async with aclosing(self._read(order)) as states:
                async for state in states:
                    yield state
        except ReportError as error:
            # The same text would fail again. One that could not be read for another reason stays.
            if error.is_of_text:
                await asyncio.to_thread(self._spool.discard, arrival)
            raise
        await asyncio.to_thread(self._spool.discard, arrival)

    async def take_in(
        self, path: Path, name: str = "", at: datetime | None = None
    ) -> AsyncGenerator[ReportState]:
        """Read a report from a file and keep it; close the generator to stop.

        Args:
            path: JSON as the platform gives it, or the same packed by gzip.
            name: where it is from; the file's own name where left out.
            at: when it was fetched (UTC); when the file was written where left out.

        Raises:
            FileReadError: the file cannot be read.
            ReportError: it is no report; what was kept is as it was.
        """
        yield ReportState(ReportStage.READING)
        async with opened_file(path, self._folder) as file:
            moment = at or file.changed_at
            folder = self._shelf.place_for(moment, file.digest)
            order = ReportOrder(file.text, folder, moment, name or file.name, file.digest)
            async with aclosing(self._read(order)) as states:
                async for state in states:
                    yield state

    async def _read(self, order: ReportOrder) -> AsyncGenerator[ReportState]:
        """Read a text that is whole, unless a report of the very same is kept."""
        same = await asyncio.to_thread(self._same, order.digest)
        if same is not None:
            yield ReportState(ReportStage.DONE, share=1.0, report=same, is_unchanged=True)
            return
        stage, report = ReportStage.READING, None
        yield ReportState(stage)
        async with aclosing(read_report(order)) as events:
            async for event in events:
                if isinstance(event, ReadingShare):
                    yield ReportState(stage, share=event.share, report=report)
                elif isinstance(event, FirstRows):
                    stage = ReportStage.FIRST_ROWS
                    report = await asyncio.to_thread(_opened, event.report)
                    yield ReportState(stage, report=report)
                else:
                    await asyncio.to_thread(self._shelf.trim)
                    whole = await asyncio.to_thread(_opened, event.report)
                    yield ReportState(ReportStage.DONE, share=1.0, report=whole)

    def _same(self, digest: str) -> OpenedReport | None:
        for info in self._shelf.infos():
            if info.digest == digest:
                with suppress(ReportError):
                    return self._open(info.id)
        return None

    async def compare(
        self, before: str, after: str, tell: Callable[[float], None] = lambda _: None
    ) -> AccessChanges:
        """Hold an earlier saved report against a later one; cancelled, it ends at once.

        Args:
            before: id of the earlier one.
            after: id of the later one.
            tell: takes the share that is done, 0 to 1, in another thread.

        Raises:
            ReportError: one of them is not there, damaged, or of another version.
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
    ) -> int:
        """Write what changed to a file; as `export`."""
        return await save_export(
            lambda: sheet_of_changes(changes), form, target, tell, replace=replace
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


def _opened(saved: SavedReport) -> OpenedReport:
    contents = saved.contents
    return OpenedReport(
        saved.info,
        saved.arrays,
        levels=saved.levels,
        states=contents.states,
        domains=contents.domains,
    )
