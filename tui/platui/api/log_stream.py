"""Stream a job's log: whole, from an offset, or unchanged."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from platui.api.endpoints import jobs
from platui.api.error_responses import is_page
from platui.api.exchange import OutgoingRequest, etag_of
from platui.api.quota import whole_number
from platui.core.errors import InvalidResponseError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    import httpx

    from platui.models.values.queries import ProjectRef

_CONTENT_RANGE: Final = re.compile(r"bytes\s+(?:(\d{1,15})-\d{1,15}|\*)/(\d{1,15}|\*)")


class LogStream:
    """A response with a log; its bytes are read while it is open."""

    def __init__(self, response: httpx.Response, asked_from: int) -> None:
        _refuse_others(response)
        self._response = response
        self.status = response.status_code
        """200: whole log. 206: from `start`. 304: unchanged. 416: nothing after `start`."""
        self.etag: str | None = etag_of(response)
        self.start = 0  # Offset of the first byte in the log
        self.total: int | None = None  # Size of the whole log in bytes; None: unknown
        self.packed = "content-encoding" in response.headers
        if self.status in {HTTPStatus.PARTIAL_CONTENT, HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE}:
            self.start, self.total = _range_of(response, asked_from)
        elif not self.packed:
            self.total = whole_number(response.headers.get("content-length"))

    @property
    def not_modified(self) -> bool:
        return self.status == HTTPStatus.NOT_MODIFIED

    async def chunks(self) -> AsyncIterator[bytes]:
        """Yield the bytes as they arrive; none if nothing is new."""
        if self.status not in {HTTPStatus.OK, HTTPStatus.PARTIAL_CONTENT}:
            return
        async for chunk in self._response.aiter_bytes():
            yield chunk


def log_request(
    project: ProjectRef, job: int, start: int, etag: str | None, *, packed: bool
) -> OutgoingRequest:
    headers = {"Accept": "text/plain, */*;q=0.1"}
    accepts = set()
    if start > 0:
        # A range counts uncompressed bytes; ranges from the end are rejected.
        headers["Range"] = f"bytes={start}-"
        accepts.add(int(HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE))
    if start > 0 or not packed:
        headers["Accept-Encoding"] = "identity"
    if etag is not None:
        headers["If-None-Match"] = etag
        accepts.add(int(HTTPStatus.NOT_MODIFIED))
    return OutgoingRequest(jobs.log(project, job).path, headers=headers, accepts=frozenset(accepts))


def _refuse_others(response: httpx.Response) -> None:
    """Reject a response that is not plain text: it would be cached as the log."""
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if is_page(kind, b""):
        raise InvalidResponseError("Received a web page instead of the log.")
    if response.status_code == HTTPStatus.OK and kind == "application/json":
        raise InvalidResponseError("Received JSON instead of the log.")


def _range_of(response: httpx.Response, asked_from: int) -> tuple[int, int | None]:
    found = _CONTENT_RANGE.fullmatch(response.headers.get("content-range", "").strip())
    if response.status_code == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
        total = found[2] if found else "*"
        return asked_from, None if total == "*" else int(total)
    if found is None or found[1] is None:
        raise InvalidResponseError("Received a part of the log without its range.")
    return int(found[1]), None if found[2] == "*" else int(found[2])
