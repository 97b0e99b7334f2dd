"""The access reports of one platform: fetched, imported, saved and opened (spec §5.1)."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from platui.core.errors import ApiError, ConfigError, NothingToDoError, OfflineError, ReportError
from platui.core.text import shorten
from platui.models.values.reports import ApiDocs, DamagedReport, ReportStage, ReportState
from platui.report.changes.compare import compare_reports
from platui.report.importing import read_report
from platui.report.reading.draft import ReadRequest
from platui.service.access.admin_client import AdminClient, with_hint
from platui.service.access.report_files import opened_file
from platui.service.access.report_folders import report_folder
from platui.service.access.report_store import ReportStore, Stamp
from platui.service.access.spool import ReceivedReport, ReportSpool
from platui.service.cancellation import in_thread

if TYPE_CHECKING:
    from platui.api.admin_api import AdminApi, ReportStream
    from platui.config.credentials import Credentials
    from platui.models.values.access import AccessReport, ReportInfo
    from platui.models.values.access_changes import AccessChanges
    from platui.report.open_report import OpenedReport
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
        saved = report_folder(profile.other_reports or profile.name)
        self.folder = Path(self._temporary.name) if self._temporary else saved
        self._store = ReportStore(self.folder, context.settings.reports)
        self._spool = ReportSpool(self.folder, context.clock)

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

    async def has_pending(self) -> bool:
        """Return whether a downloaded report waits to be read by the next `fetch`."""
        return await self._pending() is not None

    async def fetch(self) -> AsyncGenerator[ReportState]:
        """Fetch and save the report, or read an unread download; close the generator to stop."""
        arrival = await self._pending()
        if arrival is None:
            yield ReportState(ReportStage.ASKING)
            async with aclosing(self._receive()) as received:
                async for one in received:
                    if isinstance(one, ReceivedReport):
                        arrival = one
                    else:
                        yield one
        if arrival is not None:
            async with aclosing(self._read_download(arrival)) as states:
                async for state in states:
                    yield state

    async def import_file(
        self, path: Path, name: str = "", at: datetime | None = None
    ) -> AsyncGenerator[ReportState]:
        """Read a report (JSON, perhaps gzipped) and save it; close the generator to stop.

        `name` (its origin) and `at` (UTC) are the file's by default. Raises ReportError: invalid;
        NothingToDoError: too old to be saved.
        """
        yield ReportState(ReportStage.READING)
        async with opened_file(path, self._store.folder) as file:
            moment = at or file.changed_at
            folder = self._store.folder_for(moment, file.digest)
            order = ReadRequest(file.text, folder, moment, name or file.name, file.digest)
            same = await asyncio.to_thread(self._store.same_as, file.digest)
            if same is None and not await asyncio.to_thread(self._store.has_room_for, folder.name):
                raise NothingToDoError(
                    f"The report of {moment:%Y-%m-%d %H:%M} UTC is too old: newer reports, and "
                    "later ones of their months, fill the limit.",
                    hint="[reports] in config.toml: `keep` limits the newest reports, "
                    "`keep_monthly` the months whose last report is kept. Nothing changed.",
                )
            async with aclosing(self._read(order, same)) as states:
                async for state in states:
                    yield state

    async def _pending(self) -> ReceivedReport | None:
        arrival = await asyncio.to_thread(self._spool.pending)
        with suppress(ConfigError):  # without an address it is read nevertheless
            if arrival is not None and arrival.origin != self._admin.address().origin.host:
                return None
        return arrival

    async def _receive(self) -> AsyncGenerator[ReportState | ReceivedReport]:
        """Download the report to the spool unless it is unchanged; the download is yielded last."""
        api = await self._admin.open()
        origin = self._admin.address().origin.host
        newest = await asyncio.to_thread(self._store.newest_of, origin)
        stream: ReportStream | None = None
        try:
            async with api.report(newest.info.etag if newest is not None else "") as stream:
                if stream.is_unchanged:
                    yield ReportState(ReportStage.DONE, share=1.0, report=newest, is_unchanged=True)
                    return
                async with aclosing(self._spool.receive(stream, origin)) as received:
                    async for one in received:
                        yield one
        except ApiError as error:
            raise with_hint(error) from None
        except OfflineError as error:
            if stream is None or not stream.wire_received:
                raise
            total = f" of {stream.wire_total:,}" if stream.wire_total else ""
            where = f"after {stream.wire_received:,}{total} bytes of the report"
            sentence = f"{error.sentence.removesuffix('.')}, {where}."
            raise OfflineError(sentence, reason=error.reason, hint=error.hint) from None

    async def _read_download(self, arrival: ReceivedReport) -> AsyncGenerator[ReportState]:
        order = ReadRequest(
            self._spool.path(arrival),
            self._store.folder_for(arrival.at, arrival.digest),
            arrival.at,
            arrival.origin,
            arrival.digest,
            arrival.etag,
        )
        yield ReportState(ReportStage.READING)
        async with self._spool.locked(arrival):
            # Only the newest one counts: the platform may return to an earlier state.
            newest = await asyncio.to_thread(self._store.newest_of, arrival.origin)
            same = newest if newest is not None and newest.info.digest == arrival.digest else None
            if same is None and not await asyncio.to_thread(order.spool.exists):
                raise ReportError(
                    "Another process read the download, and it was not a valid report.",
                    hint="That process shows the reason. The next fetch downloads it again.",
                    is_of_text=False,
                )
            try:
                async with aclosing(self._read(order, same)) as states:
                    async for state in states:
                        yield state
            except ReportError as error:
                # The same text would fail again; otherwise it is kept for a retry.
                if error.is_of_text:
                    await asyncio.to_thread(self._spool.discard, arrival)
                raise
            await asyncio.to_thread(self._spool.discard, arrival)

    async def _read(
        self, order: ReadRequest, same: OpenedReport | None
    ) -> AsyncGenerator[ReportState]:
        if same is not None:
            yield ReportState(ReportStage.DONE, share=1.0, report=same, is_unchanged=True)
            return
        stage, report = ReportStage.READING, None
        async with aclosing(read_report(order)) as events:
            async for event in events:
                if isinstance(event, float):
                    yield ReportState(stage, share=event, report=report)
                elif not event.is_whole:
                    stage, report = ReportStage.FIRST_ROWS, event
                    yield ReportState(stage, report=report)
                else:
                    dropped = await asyncio.to_thread(self._store.trim, order.folder.name)
                    yield ReportState(ReportStage.DONE, share=1.0, report=event, removed=dropped)


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
