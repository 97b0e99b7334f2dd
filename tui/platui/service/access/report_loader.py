"""Load reports: from the platform, or from a user's file."""

from __future__ import annotations

import asyncio
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING

from platui.core.errors import ApiError, ConfigError, NothingToDoError, OfflineError, ReportError
from platui.models.values.reports import ReportStage, ReportState
from platui.report.importing import read_report
from platui.report.read_request import ReadRequest
from platui.service.access.admin_client import with_hint
from platui.service.access.report_files import opened_file
from platui.service.access.spool import ReceivedReport, ReportSpool

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from datetime import datetime
    from pathlib import Path

    from platui.api.admin_api import ReportStream
    from platui.core.clock import Clock
    from platui.report.open_report import OpenedReport
    from platui.service.access.admin_client import AdminClient
    from platui.service.access.report_store import ReportStore


class ReportLoader:
    """Fetches or imports one report at a time; keeps no state in memory."""

    def __init__(self, admin: AdminClient, store: ReportStore, clock: Clock) -> None:
        self._admin = admin
        self._store = store
        self._spool = ReportSpool(store.folder, clock)

    async def has_pending(self) -> bool:
        """Return whether a downloaded report waits to be read by the next `fetch`."""
        return await self._pending() is not None

    async def fetch(self) -> AsyncGenerator[ReportState]:
        """Fetch the report, read and save it; close the generator to stop.

        A complete download that was not read before is read instead, without a request.
        """
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
            if arrival is not None and arrival.origin != self._admin.address().host:
                return None
        return arrival

    async def _receive(self) -> AsyncGenerator[ReportState | ReceivedReport]:
        """Download the report to the spool unless it is unchanged; the download is yielded last."""
        api = await self._admin.open()
        origin = self._admin.address().host
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
