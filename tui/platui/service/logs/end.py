"""The end of a long log, asked for while the rest is still on its way: it is what one reads."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from platui.core.errors import PlatuiError
from platui.logs.preview import TAIL, preview_of
from platui.logs.stamps import STAMP_LENGTH

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager

    from platui.api.log_stream import LogStream
    from platui.service.logs.copy import LogCopy
    from platui.service.logs.source import RangeSupport

MIN_END_BYTES: Final = 512 * 1024
"""Bytes of a log from which two more requests are worth it: less is soon there as a whole."""

PATIENCE: Final = 0.7
"""Seconds after which the beginning is shown all the same."""

BEYOND: Final = 10**14
"""A byte that no log has: to ask for it tells how long the log is, and costs no bytes."""


class LogEnd:
    """Asks once for the last bytes, where the log is long and parts may be had.

    An answer that is packed does not say how long the log is. Then that is asked for first.
    """

    def __init__(
        self,
        open_from: Callable[[int], AbstractAsyncContextManager[LogStream]],
        habit: RangeSupport,
        came: Callable[[], None],
    ) -> None:
        self._open_from = open_from
        self._habit = habit
        self._came = came
        self._task: asyncio.Task[None] | None = None

    def may_come_first(self, total: int | None) -> bool:
        """Return whether an end of a log of so many bytes is worth to be waited for."""
        return self._habit.may_be_honoured and (total is None or total >= MIN_END_BYTES)

    def ask_for(self, copy: LogCopy, total: int | None) -> None:
        """Ask for the end in the background, if that is worth it and was not done yet.

        `total`: bytes of the whole log, where they are known.
        """
        long = max(copy.size, total or 0) >= MIN_END_BYTES and copy.size >= STAMP_LENGTH
        if long and self._task is None and self._habit.may_be_honoured:
            self._task = asyncio.ensure_future(self._fetch(copy, total))

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})
            if not self._task.cancelled():
                self._task.result()

    async def _fetch(self, copy: LogCopy, total: int | None) -> None:
        try:
            size = await self._size() if total is None else total
            if size is not None and size - copy.size > TAIL:
                await self._fetch_last(copy, size)
        except PlatuiError:
            # The whole log comes all the same; what is wrong with the line, it will tell.
            pass
        finally:
            copy.awaits_end = False
            self._came()

    async def _size(self) -> int | None:
        async with self._open_from(BEYOND) as stream:
            if stream.status == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
                return stream.total
            self._habit.learn(asked=BEYOND, came=stream.start)
            return None

    async def _fetch_last(self, copy: LogCopy, size: int) -> None:
        start = size - TAIL
        async with self._open_from(start) as stream:
            if stream.status != HTTPStatus.PARTIAL_CONTENT:
                self._habit.learn(asked=start, came=0)
                return
            self._habit.learn(asked=start, came=stream.start)
            if stream.start != start:
                return
            tail = await _first_of(stream, 2 * TAIL)
        head = copy.document.read(0, STAMP_LENGTH)
        copy.show_end(preview_of(head, tail, start + len(tail)), start + len(tail))


async def _first_of(stream: LogStream, length: int) -> bytes:
    """Return an answer up to about a length: a log that grows fast is not held in memory."""
    tail = bytearray()
    async for piece in stream.chunks():
        tail += piece
        if len(tail) >= length:
            break
    return bytes(tail)
