"""Streams a text piece by piece, without holding it in memory."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing
from typing import TYPE_CHECKING, Final

from starlette.responses import Response

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from platui_emulator.records import LongText

_GZIP_LEVEL: Final = 1
_GZIP_WINDOW: Final = zlib.MAX_WBITS | 16
_PIECE: Final = 64 * 1024
"""Bytes that are packed at once: about a millisecond."""


class StreamedAnswer(Response):
    """A 200 or 206 answer with a long text, or a part of it, as its body; nothing of it is held."""

    def __init__(
        self,
        text: LongText,
        *,
        media_type: str,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(b"", 200, {"content-type": media_type, **(headers or {})})
        self.text = text
        self._span: tuple[int, int | None] = (0, None)
        self._packed = False
        self._state_length(text.size)

    def narrow(self, start: int, end: int) -> None:
        """Send only the bytes from `start` up to, not including, `end`, as a 206."""
        self.status_code = 206
        self._span = (start, end)
        self.headers["Content-Range"] = f"bytes {start}-{end - 1}/{self.text.size}"
        self._state_length(end - start)

    def pack(self) -> None:
        """Compress the body with gzip; its length is then unknown."""
        self._packed = True
        self.headers["Content-Encoding"] = "gzip"
        self._state_length(None)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send(
            {
                "type": "http.response.start",
                "status": self.status_code,
                "headers": self.raw_headers,
            }
        )
        if scope["method"] != "HEAD":
            gone = asyncio.create_task(_gone(receive))
            try:
                await self._send_body(send, gone)
            finally:
                gone.cancel()
            if gone.done() and not gone.cancelled():
                return
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _send_body(self, send: Send, gone: asyncio.Task[None]) -> None:
        with closing(self._body()) as body:
            for piece in body:
                await send({"type": "http.response.body", "body": piece, "more_body": True})
                # A fast client never lets `send` wait: other requests get their turn here.
                await asyncio.sleep(0)
                if gone.done():
                    return

    def _body(self) -> Generator[bytes, None, None]:
        pieces = self.text.pieces(*self._span)
        yield from _gzipped(pieces) if self._packed else pieces

    def _state_length(self, length: int | None) -> None:
        if length is None:
            del self.headers["content-length"]
        else:
            self.headers["content-length"] = str(length)


def _gzipped(pieces: Iterator[bytes]) -> Iterator[bytes]:
    packer = zlib.compressobj(_GZIP_LEVEL, zlib.DEFLATED, _GZIP_WINDOW)
    for whole in pieces:
        for start in range(0, len(whole), _PIECE):
            # Even an empty piece is handed on: the sender looks around between two of them.
            yield packer.compress(whole[start : start + _PIECE])
    yield packer.flush()


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
