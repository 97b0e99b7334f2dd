"""How a report comes to the shelf: from the platform, or from a file of the user's."""

from __future__ import annotations

import asyncio
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING

from platui.core.errors import ApiError, ConfigError, NothingToDoError, OfflineError, ReportError
from platui.models.values.reports import ReportStage, ReportState
from platui.report.importing import FirstRows, ReadProgress, read_report
from platui.report.read_request import ReadRequest
from platui.service.access.admin_client import with_hint
from platui.service.access.report_files import opened_file
from platui.service.access.report_store import opened
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
    """Brings one report after the other; between two of them it knows nothing but the disk."""

    def __init__(self, admin: AdminClient, store: ReportStore, clock: Clock) -> None:
        self._admin = admin
        self._store = store
        self._spool = ReportSpool(store.folder, clock)

    async def has_pending(self) -> bool:
        """Return whether a text came whole and was not read: the next `fetch` reads it."""
        return await self._pending() is not None

    async def fetch(self) -> AsyncGenerator[ReportState]:
        """Fetch the report, read it and keep it; close the generator to stop.

        Where a text came whole before and was not read to its end, that is read instead, and
        nothing is sent. Else the request is conditional on the newest that is kept.

        Raises ConfigError: the profile names no administration API, or no key. ReportError: what
        came is no report; what was kept is as it was. FileWriteError: the disk does not take it.
        PlatuiError: the platform does not give it; the hint says what to ask support for.
        """
        arrival = await self._pending()
        if arrival is None:
            yield ReportState(ReportStage.ASKING)
            async with aclosing(self._receive()) as told:
                async for one in told:
                    if isinstance(one, ReceivedReport):
                        arrival = one
                    else:
                        yield one
        if arrival is not None:
            async with aclosing(self._read_arrival(arrival)) as states:
                async for state in states:
                    yield state

    async def import_file(
        self, path: Path, name: str = "", at: datetime | None = None
    ) -> AsyncGenerator[ReportState]:
        """Read a report from a file and keep it; close the generator to stop.

        `path`: JSON as the platform gives it, or the same packed by gzip.
        `name`: where it is from; the file's own name where left out.
        `at`: when it was fetched (UTC); when the file was written where left out.
        Raises FileReadError: the file cannot be read. FileWriteError: the disk does not take what
        is unpacked of it. ReportError: it is no report; what was kept is as it was.
        NothingToDoError: it is too old to be kept; it was not read.
        """
        yield ReportState(ReportStage.READING)
        async with opened_file(path, self._store.folder) as file:
            moment = at or file.changed_at
            folder = self._store.folder_for(moment, file.digest)
            order = ReadRequest(file.text, folder, moment, name or file.name, file.digest)
            same = await asyncio.to_thread(self._store.same_as, file.digest)
            if same is None and not await asyncio.to_thread(self._store.has_room_for, folder.name):
                raise NothingToDoError(
                    f"A report of {moment:%Y-%m-%d %H:%M} UTC is older than what is kept: newer "
                    "ones, and later ones of their months, take all places.",
                    hint="`keep` in [reports] of config.toml says how many of the newest stay, "
                    "`keep_monthly` for how many months the last one does. Nothing was changed.",
                )
            async with aclosing(self._read(order, same)) as states:
                async for state in states:
                    yield state

    async def _pending(self) -> ReceivedReport | None:
        arrival = await asyncio.to_thread(self._spool.pending)
        with suppress(ConfigError):  # no address any more: it is read all the same
            if arrival is not None and arrival.origin != self._admin.address().host:
                return None
        return arrival

    async def _receive(self) -> AsyncGenerator[ReportState | ReceivedReport]:
        """Bring the text to the spool; where it is the one at hand, that is opened.

        Yields how far it is, and at the end what came; nothing came where it is the one at hand.
        """
        api = await self._admin.open()
        origin = self._admin.address().host
        newest = await asyncio.to_thread(self._store.newest_of, origin)
        stream: ReportStream | None = None
        try:
            async with api.report(newest.info.etag if newest is not None else "") as stream:
                if stream.is_unchanged:
                    yield ReportState(ReportStage.DONE, share=1.0, report=newest, is_unchanged=True)
                    return
                async with aclosing(self._spool.receive(stream, origin)) as told:
                    async for one in told:
                        yield one
        except ApiError as error:
            raise with_hint(error) from None
        except OfflineError as error:
            if stream is None or not stream.wire_received:
                raise
            raise _broken_off(error, stream) from None

    async def _read_arrival(self, arrival: ReceivedReport) -> AsyncGenerator[ReportState]:
        """Read a text of the spool, unless the newest report of its platform says the same.

        One that another process is reading is waited for, and then is such a report.
        """
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
            # Of earlier reports none counts: the platform may come back to what it said before.
            newest = await asyncio.to_thread(self._store.newest_of, arrival.origin)
            same = newest if newest is not None and newest.info.digest == arrival.digest else None
            if same is None and not await asyncio.to_thread(order.spool.exists):
                raise ReportError(
                    "Another process read what came, and it was no report.",
                    hint="There it is said why. The next fetch asks the platform again.",
                    is_of_text=False,
                )
            try:
                async with aclosing(self._read(order, same)) as states:
                    async for state in states:
                        yield state
            except ReportError as error:
                # The same text would fail again. One that failed for another reason stays.
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
                if isinstance(event, ReadProgress):
                    yield ReportState(stage, share=event.share, report=report)
                elif isinstance(event, FirstRows):
                    stage = ReportStage.FIRST_ROWS
                    report = await asyncio.to_thread(opened, event.report)
                    yield ReportState(stage, report=report)
                else:
                    gone = await asyncio.to_thread(self._store.trim, order.folder.name)
                    whole = await asyncio.to_thread(opened, event.report)
                    yield ReportState(ReportStage.DONE, share=1.0, report=whole, removed=gone)


def _broken_off(error: OfflineError, stream: ReportStream) -> OfflineError:
    total = f" of {stream.wire_total:,}" if stream.wire_total else ""
    where = f"after {stream.wire_received:,}{total} bytes of the report"
    sentence = f"{error.sentence.removesuffix('.')}, {where}."
    return OfflineError(sentence, reason=error.reason, hint=error.hint)
