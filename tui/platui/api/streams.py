"""Logs and artifacts of jobs: responses that are read as they arrive."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from platui.api.error_responses import is_page
from platui.api.exchange import etag_of
from platui.api.quota import whole_number
from platui.core.errors import InvalidResponseError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    import httpx

_CONTENT_RANGE: Final = re.compile(r"bytes\s+(?:(\d{1,15})-\d{1,15}|\*)/(\d{1,15}|\*)")


class LogStream:
    """A response with a log: whole, from an offset, or unchanged."""

    def __init__(self, response: httpx.Response, asked_from: int) -> None:
        # Only plain text: the body is cached as the log.
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if is_page(kind, b""):
            raise InvalidResponseError("Received a web page instead of the log.")
        if response.status_code == HTTPStatus.OK and kind == "application/json":
            raise InvalidResponseError("Received JSON instead of the log.")
        self._response = response
        self.status = response.status_code
        """200: whole log. 206: from `start`. 304: unchanged. 416: nothing after `start`."""
        self.etag: str | None = etag_of(response)
        self.start = 0  # Offset of the first byte in the log
        self.total: int | None = None  # Size of the whole log in bytes; None: unknown
        self.packed = "content-encoding" in response.headers
        if self.status == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
            self.start, self.total = asked_from, _range_of(response)[1]
        elif self.status == HTTPStatus.PARTIAL_CONTENT:
            start, self.total = _range_of(response)
            if start is None:
                raise InvalidResponseError("Received a part of the log without its range.")
            self.start = start
        elif not self.packed:
            self.total = whole_number(response.headers.get("content-length"))

    @property
    def not_modified(self) -> bool:
        return self.status == HTTPStatus.NOT_MODIFIED

    async def chunks(self) -> AsyncIterator[bytes]:
        """Yield the bytes as they arrive; none if nothing is new."""
        if self.status in {HTTPStatus.OK, HTTPStatus.PARTIAL_CONTENT}:
            async for chunk in self._response.aiter_bytes():
                yield chunk


class Download:
    """A response with a file, from the platform or its object storage."""

    def __init__(self, response: httpx.Response) -> None:
        headers = response.headers
        if is_page(headers.get("content-type", ""), b""):
            raise InvalidResponseError("Received a web page instead of the artifacts.")
        self.chunks = response.aiter_bytes
        self.start = 0  # Offset of the first byte in the file
        self.total: int | None = None  # Size of the whole file; None: unknown
        etag = headers.get("etag", "")
        self.mark: str = etag if etag.startswith('"') else headers.get("last-modified", "")
        """ETag or modification date that identifies this version; may be empty."""
        if response.status_code == HTTPStatus.PARTIAL_CONTENT:
            start, self.total = _range_of(response)
            if start is None:
                raise InvalidResponseError("Received a part of the file without its range.")
            self.start = start
        elif "content-encoding" not in headers:
            self.total = whole_number(headers.get("content-length"))


def _range_of(response: httpx.Response) -> tuple[int | None, int | None]:
    """Return the first byte and the size of the whole file; None: not stated."""
    found = _CONTENT_RANGE.fullmatch(response.headers.get("content-range", "").strip())
    if found is None:
        return None, None
    start, total = found.groups()
    return None if start is None else int(start), None if total == "*" else int(total)
