"""Send endpoints of the project API, with retries; stream logs and artifacts."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import TYPE_CHECKING, Final, TypeVar

from platui.api import endpoints
from platui.api.endpoint import Endpoint, RawAnswer, cacheable_headers
from platui.api.error_responses import is_page
from platui.api.exchange import DEADLINE, PATIENCE, OutgoingRequest, etag_of, refuse_page, sendable
from platui.api.quota import server_time, whole_number
from platui.api.redirects import Storage, is_redirect, onward
from platui.api.retry import with_retries
from platui.core.errors import InvalidResponseError
from platui.models.values.connection import Urgency

if TYPE_CHECKING:
    import httpx

    from platui.api.exchange import Exchange
    from platui.core.errors import PlatuiError
    from platui.models.values.queries import ProjectRef

T = TypeVar("T")

_RUNNERS_TOKEN: Final = re.compile(rb'"runners_token"\s*:\s*"(?:[^"\\]|\\.)*"')
"""A secret in project details, blanked before they are cached."""

_CONTENT_RANGE: Final = re.compile(r"bytes\s+(?:(\d{1,15})-\d{1,15}|\*)/(\d{1,15}|\*)")


class LogStream:
    """A response with a log: whole, from an offset, or unchanged."""

    def __init__(self, response: httpx.Response, asked_from: int) -> None:
        # Only plain text: the body is cached as the log.
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if is_page(kind, b""):
            raise InvalidResponseError("Received a web page instead of the log.")
        # A proxy that scans what it forwards may send a 203.
        is_whole = response.is_success and response.status_code != HTTPStatus.PARTIAL_CONTENT
        if is_whole and kind == "application/json":
            raise InvalidResponseError("Received JSON instead of the log.")
        self._response = response
        self.status: int = HTTPStatus.OK if is_whole else response.status_code
        """200: whole log. 206: from `start`. 304: unchanged. 416: nothing after `start`."""
        self.etag: str | None = etag_of(response)
        self.packed = "content-encoding" in response.headers
        if self.status == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
            self.start, self.total = asked_from, _range_of(response)[1]
        else:
            self.start, self.total = _start_and_total(response, "log")

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
        self.start, self.total = _start_and_total(response, "file")
        etag = etag_of(response) or ""
        is_strong = etag.startswith('"')
        self.mark: str = etag if is_strong else sendable(headers.get("last-modified", ""))
        """ETag or modification date that identifies this version; may be empty."""


def _start_and_total(response: httpx.Response, what: str) -> tuple[int, int | None]:
    """Return the offset of the first byte, and the size of the whole; None: unknown."""
    if response.status_code == HTTPStatus.PARTIAL_CONTENT:
        start, total = _range_of(response)
        if start is None:
            raise InvalidResponseError(f"Received a part of the {what} without its range.")
        return start, total
    is_packed = "content-encoding" in response.headers
    return 0, None if is_packed else whole_number(response.headers.get("content-length"))


def _range_of(response: httpx.Response) -> tuple[int | None, int | None]:
    """Return the first byte and the size of the whole file; None: not stated."""
    found = _CONTENT_RANGE.fullmatch(response.headers.get("content-range", "").strip())
    if found is None:
        return None, None
    start, total = found.groups()
    return None if start is None else int(start), None if total == "*" else int(total)


class ApiClient:
    def __init__(self, exchange: Exchange, storage: Storage) -> None:
        self._exchange = exchange
        self._storage = storage
        self.credential = exchange.credential

    async def fetch(
        self,
        endpoint: Endpoint[T],
        urgency: Urgency,
        *,
        etag: str | None = None,
        patience: float = PATIENCE,
        before_send: Callable[[], Awaitable[None]] | None = None,
        on_data: Callable[[], None] = lambda: None,
        on_failure: Callable[[PlatuiError], None] = lambda _: None,
    ) -> RawAnswer:
        """Return the undecoded response of an endpoint.

        `etag`: of the cached response, to allow "not modified". `patience`: maximum seconds to wait
        for a retry. `before_send`: awaited when an attempt has its turn. `on_data`: called for
        each part of a body. `on_failure`: called after each failed attempt. Raises OfflineError: no
        response. ApiError: an error response. InvalidResponseError: a web page, or too long.
        """
        request = OutgoingRequest(
            endpoint.target,
            optional=endpoint.optional,
            before_send=before_send,
            headers={} if etag is None else {"If-None-Match": etag},
            accepts=() if etag is None else (HTTPStatus.NOT_MODIFIED,),
            deadline=DEADLINE,
        )

        async def attempt() -> RawAnswer:
            async with self._exchange.open(request, urgency) as response:
                body = await self._exchange.read_body(response, on_data)
                unchanged = response.status_code == HTTPStatus.NOT_MODIFIED
                if not unchanged:
                    refuse_page(response, body)
                return RawAnswer(
                    body=b"" if unchanged else _RUNNERS_TOKEN.sub(b'"runners_token":null', body),
                    headers=cacheable_headers(response.headers),
                    at=self._exchange.clock.now(),
                    etag=etag_of(response) or (etag if unchanged else None),
                    not_modified=unchanged,
                    reported_at=server_time(response.headers),
                )

        return await with_retries(attempt, "GET", patience, self._exchange.clock, on_failure)

    async def get(self, endpoint: Endpoint[T], urgency: Urgency) -> T:
        """Return the decoded response. Raises PlatuiError: as `fetch`, or not decodable."""
        answer = await self.fetch(endpoint, urgency)
        return endpoint.decode(answer.body, answer.headers)

    @asynccontextmanager
    async def stream_log(
        self,
        project: ProjectRef,
        job: int,
        urgency: Urgency = Urgency.VISIBLE,
        *,
        start: int = 0,
        etag: str | None = None,
        packed: bool = True,
        before_send: Callable[[], Awaitable[None]] | None = None,
    ) -> AsyncIterator[LogStream]:
        """Open a job's log from byte `start`; the platform may send the whole log.

        The log is compressed if the platform supports it and `packed` is set. `before_send`:
        awaited when the request has its turn. No retries: the reader resumes. Raises PlatuiError:
        as `Exchange.open`, also while streaming. InvalidResponseError: a web page, JSON, or a part
        without a range.
        """
        headers = {"Accept": "text/plain, */*;q=0.1"}
        accepts = []
        if start > 0:
            # A range counts uncompressed bytes; ranges from the end are rejected.
            headers["Range"] = f"bytes={start}-"
            accepts.append(HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE)
        if start > 0 or not packed:
            headers["Accept-Encoding"] = "identity"
        if etag is not None:
            headers["If-None-Match"] = etag
            accepts.append(HTTPStatus.NOT_MODIFIED)
        request = OutgoingRequest(
            endpoints.jobs.log(project, job).path,
            headers=headers,
            accepts=accepts,
            before_send=before_send,
        )
        async with self._exchange.open(request, urgency) as response:
            yield LogStream(response, start)

    @asynccontextmanager
    async def stream_artifacts(
        self, project: ProjectRef, job: int, *, start: int = 0, mark: str = ""
    ) -> AsyncIterator[Download]:
        """Open the artifacts archive of a job (optional endpoint) from byte `start`.

        The whole file is sent if the platform ignores ranges or the file no longer has that `mark`.
        The token is not sent to other hosts. No retries: the reader resumes. Raises
        NotFoundError: none, or expired. PlatuiError: no usable response, also while streaming.
        """
        headers = {
            "Accept": "application/zip, application/octet-stream, */*;q=0.1",
            "Accept-Encoding": "identity",
        }
        if start:
            headers["Range"] = f"bytes={start}-"
            if mark:
                headers["If-Range"] = mark
        endpoint = endpoints.jobs.artifacts(project, job)
        request = OutgoingRequest(
            endpoint.path, optional=endpoint.optional, headers=headers, allows_other_origin=True
        )
        async with self._exchange.open(request, Urgency.USER) as response:
            if not is_redirect(response):
                yield Download(response)
                return
            url = onward(response)
        async with self._storage.open(url, request.headers) as response:
            yield Download(response)
