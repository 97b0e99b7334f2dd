"""Send endpoints: responses as bytes, transient failures retried."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import TYPE_CHECKING, Final, TypeVar

from platui.api.downloads import open_artifacts
from platui.api.endpoint import RawAnswer, kept_headers
from platui.api.exchange import (
    DEADLINE,
    LONGEST_BODY,
    PATIENCE,
    Outgoing,
    etag_of,
    read_body,
    refuse_page,
)
from platui.api.log_stream import open_log
from platui.api.quota import server_time
from platui.api.retry import with_retries
from platui.models.values.connection import Urgency

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from contextlib import AbstractAsyncContextManager

    from platui.api.downloads import Download
    from platui.api.endpoint import Endpoint
    from platui.api.exchange import Exchange
    from platui.api.log_stream import LogStream
    from platui.api.storage import Storage
    from platui.models.values.queries import ProjectRef

T = TypeVar("T")

_RUNNERS_TOKEN: Final = re.compile(rb'"runners_token"\s*:\s*"(?:[^"\\]|\\.)*"')


class Caller:
    """Sends endpoints of the project API."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange

    @property
    def is_of_job(self) -> bool:
        """Return whether what is asked goes with the token of a running pipeline job."""
        return self._exchange.credential.of_job

    @property
    def is_signed(self) -> bool:
        return self._exchange.credential.given

    async def fetch(
        self,
        endpoint: Endpoint[T],
        urgency: Urgency,
        *,
        etag: str | None = None,
        patience: float = PATIENCE,
        leaving: Callable[[], Awaitable[None]] | None = None,
        failing: Callable[[], None] = lambda: None,
    ) -> RawAnswer:
        """Return the response of an endpoint, not decoded: equal bytes need no second decoding.

        `etag`: of the answer that is kept; the new one may then say "not modified".
        `patience`: seconds that waiting for another try may take.
        `leaving`: is told when the request has its turn, before its first byte leaves.
        `failing`: is told when an attempt failed, before another is waited for.
        Raises OfflineError: no answer came. ApiError: the platform refused or failed.
        UnreadableAnswerError: the answer is a web page, or far too long.
        """
        request = Outgoing(
            endpoint.target,
            optional=endpoint.optional,
            leaving=leaving,
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
                    headers=kept_headers(response.headers),
                    at=self._exchange.clock.now(),
                    etag=etag_of(response) or (etag if unchanged else None),
                    not_modified=unchanged,
                    said_at=server_time(response.headers),
                )

        return await with_retries(attempt, "GET", patience, self._exchange.clock, failing)

    async def get(self, endpoint: Endpoint[T], urgency: Urgency) -> T:
        """Return the decoded response of an endpoint.

        Raises PlatuiError: as `fetch`, and where the answer cannot be decoded.
        """
        answer = await self.fetch(endpoint, urgency)
        return endpoint.decode(answer.body, answer.headers)

    def stream_log(
        self,
        project: ProjectRef,
        job: int,
        urgency: Urgency = Urgency.VISIBLE,
        *,
        start: int = 0,
        etag: str | None = None,
        packed: bool = True,
    ) -> AbstractAsyncContextManager[LogStream]:
        """Open a job's log; not tried again, because its reader knows what it has already."""
        return open_log(
            self._exchange, project, job, urgency, start=start, etag=etag, packed=packed
        )

    def stream_artifacts(
        self, storage: Storage, project: ProjectRef, job: int, *, start: int = 0, mark: str = ""
    ) -> AbstractAsyncContextManager[Download]:
        """Open the archive of a job's artifacts; whoever reads it knows what it has already."""
        return open_artifacts(self._exchange, storage, project, job, start=start, mark=mark)


def _without_secrets(body: bytes) -> bytes:
    """Blank what must not reach the cache: a project's detail holds its runners' token."""
    if b"runners_token" not in body:
        return body
    return _RUNNERS_TOKEN.sub(b'"runners_token":null', body)
