"""Send requests so that no cancellation loses a connection of the pool.

httpcore releases a connection inside cancel scopes of anyio, which `Task.cancel` ignores: if it
interrupts a release, or the first moment of a connection, the pool counts that connection as used
for ever. When all are lost in this way, requests wait without end.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from typing import Any, Final, cast

import anyio
import httpx

_COMPRESSED: Final = 4 * 1024
"""Bytes of a compressed piece, which is at most 4 MB when decompressed."""


class Sending:
    """A request until its response begins, in a task of its own."""

    def __init__(self, inner: httpx.AsyncBaseTransport, request: httpx.Request) -> None:
        self._scope = anyio.CancelScope()
        self.task = asyncio.ensure_future(self._send(inner, request))

    async def response(self) -> httpx.Response:
        """Wait for the response; a cancelled caller waits until the connection is released."""
        try:
            response = await asyncio.shield(self.task)
        except asyncio.CancelledError:
            self._scope.cancel()
            await _to_the_end(self._discard())
            raise
        inner = cast("httpx.AsyncByteStream", response.stream)
        response.stream = _Body(inner, response.headers.get("content-encoding", ""))
        return response

    async def _send(
        self, inner: httpx.AsyncBaseTransport, request: httpx.Request
    ) -> httpx.Response:
        with self._scope:
            return await inner.handle_async_request(request)
        raise asyncio.CancelledError

    async def _discard(self) -> None:
        await asyncio.wait({self.task})
        if not self.task.cancelled() and self.task.exception() is None:
            await self.task.result().aclose()  # it arrived while canceling


class _Body(httpx.AsyncByteStream):
    """The body of a response, whose connection is released even if the reader is cancelled.

    httpx decompresses each piece whole, to up to 1,032 times its size; so compressed pieces are
    small, and nothing is compressed twice.
    """

    def __init__(self, inner: httpx.AsyncByteStream, coding: str) -> None:
        self._inner = inner
        self._coding = coding

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self._small_pieces() if self._coding else aiter(self._inner)

    async def _small_pieces(self) -> AsyncIterator[bytes]:
        if "," in self._coding:
            raise httpx.DecodingError("compressed more than once")
        async for piece in self._inner:
            for start in range(0, len(piece), _COMPRESSED):
                yield piece[start : start + _COMPRESSED]

    async def aclose(self) -> None:
        await _to_the_end(self._inner.aclose())


async def _to_the_end(work: Coroutine[Any, Any, None]) -> None:
    """Do some work to its end; a cancellation is raised afterwards, rather than its error."""
    task = asyncio.ensure_future(work)
    cancellations: list[asyncio.CancelledError] = []
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError as error:
            cancellations.append(error)
    failure = None if task.cancelled() else task.exception()
    if cancellations:
        raise cancellations.pop() from failure
    task.result()
