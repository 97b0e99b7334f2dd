"""Send endpoints: responses as bytes, transient failures retried."""

from __future__ import annotations

import re
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import TYPE_CHECKING, Final, TypeVar

from platui.api.downloads import Download, artifacts_request
from platui.api.endpoint import RawAnswer, cacheable_headers
from platui.api.exchange import (
    DEADLINE,
    LONGEST_BODY,
    PATIENCE,
    OutgoingRequest,
    etag_of,
    read_body,
    refuse_page,
)
from platui.api.log_stream import LogStream, log_request
from platui.api.quota import server_time
from platui.api.redirects import is_redirect
from platui.api.retry import with_retries
from platui.api.storage import onward
from platui.models.values.connection import Urgency

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from platui.api.endpoint import Endpoint
    from platui.api.exchange import Exchange
    from platui.api.storage import Storage
    from platui.models.values.queries import ProjectRef

T = TypeVar("T")

_RUNNERS_TOKEN: Final = re.compile(rb'"runners_token"\s*:\s*"(?:[^"\\]|\\.)*"')


class ApiClient:
    """Sends endpoints of the project API."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange

    @property
    def uses_job_token(self) -> bool:
        """Return whether requests carry the token of a running pipeline job."""
        return self._exchange.credential.of_job

    @property
    def is_authenticated(self) -> bool:
        return self._exchange.credential.given

    async def fetch(
        self,
        endpoint: Endpoint[T],
        urgency: Urgency,
        *,
        etag: str | None = None,
        patience: float = PATIENCE,
        before_send: Callable[[], Awaitable[None]] | None = None,
        on_failure: Callable[[], None] = lambda: None,
    ) -> RawAnswer:
        """Return the response of an endpoint, not decoded: equal bytes need no second decoding.

        `etag`: of the answer that is kept; the new one may then say "not modified".
        `patience`: seconds that waiting for another try may take.
        `before_send`: awaited when the request has its turn, before its first byte is sent.
        `on_failure`: called after a failed attempt, before the wait for the next one.
        Raises OfflineError: no answer came. ApiError: the platform refused or failed.
        InvalidResponseError: the answer is a web page, or far too long.
        """
        request = OutgoingRequest(
            endpoint.target,
            optional=endpoint.optional,
            before_send=before_send,
            headers={} if etag is None else {"If-None-Match": etag},
            accepts=frozenset() if etag is None else frozenset({int(HTTPStatus.NOT_MODIFIED)}),
            deadline=DEADLINE,
        )

        async def attempt() -> RawAnswer:
            async with self._exchange.open(request, urgency) as response:
                body = await read_body(response, LONGEST_BODY)
                unchanged = response.status_code == HTTPStatus.NOT_MODIFIED
                if not unchanged:
                    refuse_page(response, body)
                return RawAnswer(
                    body=b"" if unchanged else _without_secrets(body),
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
    ) -> AsyncIterator[LogStream]:
        """Open a job's log from byte `start` on; the platform may send all of it instead.

        All of it comes compressed where the platform can and `packed` allows it. There is no
        retry: the reader knows what it has already.

        Raises PlatuiError: as `Exchange.open`, also while the bytes come. InvalidResponseError: a
        web page or JSON, or a part that does not say where it belongs.
        """
        request = log_request(project, job, start, etag, packed=packed)
        async with self._exchange.open(request, urgency) as response:
            yield LogStream(response, start)

    @asynccontextmanager
    async def stream_artifacts(
        self, storage: Storage, project: ProjectRef, job: int, *, start: int = 0, mark: str = ""
    ) -> AsyncIterator[Download]:
        """Open the archive of a job's artifacts (an optional endpoint), from byte `start` on.

        All of it may come instead, and does where it is not the file of that mark. The token stays
        with the platform, wherever it redirects to. There is no retry: the reader knows what it has
        already.

        Raises NotFoundError: there are none, or no longer. PlatuiError: no usable answer; also
        while the bytes come.
        """
        request = artifacts_request(project, job, start, mark)
        async with self._exchange.open(request, Urgency.USER) as response:
            if not is_redirect(response):
                yield Download(response)
                return
            url = onward(response)
        async with storage.open(url, request.headers) as response:
            yield Download(response)


def _without_secrets(body: bytes) -> bytes:
    """Blank secrets before the cache: a project's details contain its runners' token."""
    if b"runners_token" not in body:
        return body
    return _RUNNERS_TOKEN.sub(b'"runners_token":null', body)
