"""Send confirmed writes once, with audit log entries before and after."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any, TypeVar

from platui.api.endpoint import cacheable_headers
from platui.api.exchange import DEADLINE, PATIENCE, OutgoingRequest, refuse_page
from platui.api.retry import with_retries
from platui.core.errors import (
    InvalidResponseError,
    OfflineError,
    OutcomeUnknownError,
    PlatuiError,
    RateLimitedError,
    WriteRefusedError,
)
from platui.models.values.connection import Urgency

if TYPE_CHECKING:
    from platui.api.exchange import Exchange
    from platui.api.write import Write
    from platui.api.write_guard import WriteGuard
    from platui.models.values.writes import Confirmation

T = TypeVar("T")


class WriteSender:
    def __init__(self, exchange: Exchange, guard: WriteGuard) -> None:
        self._exchange = exchange
        self._guard = guard

    async def send(
        self,
        write: Write[T],
        confirmed: Confirmation | None,
        *,
        patience: float = PATIENCE,
        mark: str = "",
    ) -> T:
        """Send a write once, and log its start and end.

        A write that is canceled before it is sent is not logged. `patience`: maximum seconds to
        wait for a retry that is certainly safe. `mark`: id in the audit log. Raises
        WriteRefusedError: not allowed, or the audit log is not writable. OutcomeUnknownError: sent,
        result unknown. PlatuiError: as `ApiClient.fetch`; nothing was changed.
        """
        self._guard.allow(write, confirmed)
        before_send = _SendRecord(self._guard, write, confirmed, mark)
        try:
            result = await with_retries(
                lambda: self._sent(write, before_send), write.method, patience, self._exchange.clock
            )
        except OutcomeUnknownError as error:
            await before_send.conclude(f"unknown: {error.sentence}")
            raise
        except PlatuiError as error:
            await before_send.conclude(f"refused: {error.sentence}")
            raise
        except asyncio.CancelledError:
            before_send.give_up()
            raise
        number = getattr(result, "id", None)
        await before_send.conclude("done" if number is None else f"done: #{number}")
        return result

    def note(self, write: Write[Any], result: str, mark: str) -> None:
        with contextlib.suppress(OSError):  # the log has it as unknown, which is correct
            self._guard.note(write, result, mark)

    async def _sent(self, write: Write[T], before_send: _SendRecord) -> T:
        content, headers = write.content
        request = OutgoingRequest(
            write.target,
            method=write.method,
            optional=write.optional,
            headers=headers,
            content=content,
            signed=not write.credential,
            deadline=DEADLINE,
            before_send=before_send,
        )
        try:
            async with self._exchange.open(request, Urgency.USER) as response:
                body = await self._exchange.read_body(response)
                refuse_page(response, body)
                return write.decode(body, cacheable_headers(response.headers))
        except (OfflineError, RateLimitedError):
            before_send.mark_unprocessed()
            raise
        except InvalidResponseError as error:
            # The response may come from a proxy, so its status proves nothing.
            raise OutcomeUnknownError(error.sentence) from None


class _SendRecord:
    """Logs that a write is sent and how it ended, in a thread unless it is canceled."""

    def __init__(
        self, guard: WriteGuard, write: Write[Any], confirmed: Confirmation | None, mark: str
    ) -> None:
        self._guard = guard
        self._write = write
        self._confirmed = confirmed
        self._mark = mark
        self._noted = False
        self._left = False

    async def __call__(self) -> None:
        """Use up the confirmation and log that the write is sent, or raise WriteRefusedError."""
        self._guard.use(self._write, self._confirmed)
        if not self._noted:
            noting = asyncio.create_task(self._note("sent"))
            try:
                await asyncio.shield(noting)
            except asyncio.CancelledError:
                await asyncio.wait({noting})  # the entry will exist and needs an end
                self._noted = noting.exception() is None
                raise
            except OSError as error:
                what = f"The audit log cannot be written ({error.strerror}), so nothing was sent."
                raise WriteRefusedError(what, hint="") from None
            self._noted = True
        self._left = True

    def mark_unprocessed(self) -> None:
        """Allow another attempt: the last one was not processed."""
        if self._left:
            self._left = False
            self._guard.restore(self._write, self._confirmed)

    async def _note(self, result: str) -> None:
        await asyncio.to_thread(self._guard.note, self._write, result, self._mark)

    async def conclude(self, result: str) -> None:
        if self._noted:
            with contextlib.suppress(OSError):  # the result matters more to the caller
                await self._note(result)

    def give_up(self) -> None:
        """Log that the task was canceled before its result."""
        if self._noted:
            result = "unknown: canceled while sending" if self._left else "not sent: canceled"
            with contextlib.suppress(OSError):
                self._guard.note(self._write, result, self._mark)
