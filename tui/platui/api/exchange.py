"""One HTTP request and its response: rate limit, redirects, request log, typed errors."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import field
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

import httpx

from platui.api.error_responses import ErrorResponse, is_page
from platui.api.network_errors import BEFORE_SENDING, offline_error
from platui.api.quota import quota_of, retry_after_of
from platui.api.redirects import is_cross_origin, is_redirect, next_hop
from platui.api.transport import UNSIGNED, Credential
from platui.core.dataclass import dataclass
from platui.core.errors import (
    ApiError,
    DisabledEndpointError,
    InvalidResponseError,
    OfflineError,
    OfflineReason,
    OutcomeUnknownError,
    PlatuiError,
    WriteRefusedError,
)
from platui.core.observers import Observers
from platui.core.text import shorten, with_full_stop
from platui.models.values.connection import RequestRecord, Urgency

if TYPE_CHECKING:
    from platui.api.address import Address
    from platui.api.request_limiter import RequestLimiter
    from platui.core.clock import Clock

PATIENCE: Final = 10.0  # Seconds that a retry may wait inside a call; longer waits are raised

DEADLINE: Final = 180.0  # Seconds for a whole response on a slow connection

_LONGEST_PATH: Final = 500
_LONGEST_BODY: Final = 32 * 1024 * 1024
_LARGE_BODY: Final = 4 * 1024 * 1024
_MOST_LARGE: Final = 4  # Large bodies received at once: all connections could need 400 MB
_LONGEST_ERROR: Final = 64 * 1024
_ERROR_TIME: Final = 10.0  # Seconds for the body of an error; streams have no deadline
_HOPS: Final = 5


@dataclass(frozen=True, slots=True)
class OutgoingRequest:
    """A request to send."""

    target: str  # Path and query below the API's base
    method: str = "GET"
    optional: bool = False
    headers: Mapping[str, str] = field(default_factory=dict)
    content: bytes | None = field(default=None, repr=False)
    signed: bool = True
    accepts: Collection[int] = ()  # Statuses of 300 or more that are not an error here
    allows_other_origin: bool = False
    """Whether a redirect to another host is returned, to be followed without the token."""
    deadline: float | None = None  # Seconds for the whole response; None for streams
    before_send: Callable[[], Awaitable[None]] | None = None
    """Awaited before the first byte: the guard that every write needs; raising stops it."""


@dataclass(slots=True)
class _Note:
    """The end of a request, for the request log."""

    status: int | None = None
    source: str = "live"
    received: int = 0


@dataclass(frozen=True, slots=True)
class Exchange:
    """Sends requests to one API, and counts them against its quota."""

    address: Address
    credential: Credential
    client: httpx.AsyncClient
    clock: Clock
    limiter: RequestLimiter | None = None
    journal: Observers[RequestRecord] = field(default_factory=Observers)
    """Notified after each request; records contain no secrets."""
    proxy: str | None = None  # Host of the proxy, for messages
    documented_only: bool = False  # Whether optional endpoints are disabled
    _large_bodies: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_MOST_LARGE))

    async def aclose(self) -> None:
        await self.client.aclose()

    @asynccontextmanager
    async def open(
        self, request: OutgoingRequest, urgency: Urgency
    ) -> AsyncIterator[httpx.Response]:
        """Send a request; the body is read while the context is open.

        Raises OfflineError: no response, or an interrupted one. ApiError: an error response, or a
        disabled optional endpoint. OutcomeUnknownError: the result of a write is unknown.
        WriteRefusedError: a write without a guard; nothing was sent.
        """
        if self.documented_only and request.optional:
            raise DisabledEndpointError(
                "This endpoint is not in the specification, and the profile disables it.",
                status=HTTPStatus.NOT_FOUND,
                hint='Set `neighbours = "auto"` in config.toml to try it.',
            )
        if request.method != "GET" and request.before_send is None:
            raise WriteRefusedError("A write needs a confirmation.", hint="")
        async with AsyncExitStack() as stack:
            if self.limiter is not None:
                await stack.enter_async_context(self.limiter.enter(urgency))
            if request.before_send is not None:
                await request.before_send()
            note = stack.enter_context(self._logged(request, urgency))
            async with self._converted_errors(request):
                response = await self._follow(request, note)
                try:
                    await self._check(response, request)
                    yield response
                finally:
                    note.received = response.num_bytes_downloaded
                    await response.aclose()
                    # A response and its stream know each other: apart, they are freed at once.
                    del response.stream

    async def read_body(
        self, response: httpx.Response, on_data: Callable[[], None] = lambda: None
    ) -> bytes:
        """Return the whole decompressed body. Raises InvalidResponseError: longer than 32 MB.

        `on_data` is called for each part that arrives. The rest of a large body may wait until that
        of another one is read.
        """
        body = bytearray()
        async with AsyncExitStack() as stack:
            is_large = False
            async for chunk in response.aiter_bytes():
                on_data()
                body += chunk
                del chunk  # not kept while this waits
                if len(body) > _LONGEST_BODY:
                    body.clear()  # the error, which is shown for a while, keeps this frame
                    raise InvalidResponseError(
                        f"The response is longer than {_LONGEST_BODY // 1_048_576} MB."
                    )
                if len(body) > _LARGE_BODY and not is_large:
                    is_large = True
                    await stack.enter_async_context(self._large_bodies)
                    on_data()  # That was no wait for the platform
        return bytes(body)

    @contextmanager
    def _logged(self, request: OutgoingRequest, urgency: Urgency) -> Iterator[_Note]:
        note, at, started = _Note(), self.clock.now(), self.clock.monotonic()
        try:
            yield note
        except OfflineError as error:
            note.source = str(error.reason)
            raise
        except PlatuiError as error:
            note.source = error.title.lower() if note.status is None else note.source
            raise
        except asyncio.CancelledError:
            note.source = "canceled"
            raise
        finally:
            self.journal.notify(
                RequestRecord(
                    number=0,
                    at=at,
                    method=request.method,
                    path=shorten(request.target, _LONGEST_PATH),
                    status=note.status,
                    milliseconds=round((self.clock.monotonic() - started) * 1000),
                    source="304" if note.status == HTTPStatus.NOT_MODIFIED else note.source,
                    received=note.received,
                    urgency=urgency,
                )
            )

    @asynccontextmanager
    async def _converted_errors(self, request: OutgoingRequest) -> AsyncIterator[None]:
        """Convert httpx errors without chaining: they hold the request with its token.

        Its transport passes on the errors of TLS that come after the handshake.
        """
        try:
            async with asyncio.timeout(request.deadline) as limit:
                yield
        except (httpx.HTTPError, ssl.SSLError) as error:
            failure = offline_error(error, self.address.origin, proxy=self.proxy)
            if isinstance(error, httpx.DecodingError):
                raise InvalidResponseError("The compressed response is invalid.") from None
            if request.method != "GET" and not isinstance(error, BEFORE_SENDING):
                raise _unknown(failure) from None
            raise failure from None
        except TimeoutError:
            if not limit.expired():
                raise
            name, seconds = self.address.origin.name, request.deadline or 0.0
            failure = OfflineError(
                f"{name} did not finish its response within {seconds:.0f} s.",
                reason=OfflineReason.TIMEOUT,
            )
            raise (failure if request.method == "GET" else _unknown(failure)) from None

    async def _follow(self, request: OutgoingRequest, note: _Note) -> httpx.Response:
        url = self._url(request)
        for hop in range(_HOPS + 1):
            if hop and self.limiter is not None:
                self.limiter.budget.spend()
            if self.client.is_closed:
                raise httpx.ConnectError("The client was closed.")
            outgoing = self.client.build_request(
                request.method,
                url,
                headers=dict(request.headers),
                content=request.content,
                extensions={} if request.signed else {UNSIGNED: True},
            )
            response = await self.client.send(outgoing, stream=True)
            note.status = response.status_code
            if self.limiter is not None:
                now, budget = self.clock.now(), self.limiter.budget
                budget.observe(quota_of(response.headers, now))
                if response.status_code == HTTPStatus.TOO_MANY_REQUESTS:
                    budget.pause(retry_after_of(response.headers, now))
            if not is_redirect(response):
                return response
            if request.allows_other_origin and is_cross_origin(response, self.address):
                return response
            await response.aclose()
            url = next_hop(response, self.address)
        raise InvalidResponseError("The platform redirects too many times.")

    def _url(self, request: OutgoingRequest) -> httpx.URL:
        try:
            return httpx.URL(self.address.url(request.target))
        except httpx.InvalidURL:  # Targets are quoted: only one of more than 64 kB is invalid
            raise ApiError(
                "The URL of this request is too long.", status=HTTPStatus.REQUEST_URI_TOO_LONG
            ) from None

    async def _check(self, response: httpx.Response, request: OutgoingRequest) -> None:
        status = response.status_code
        if status < HTTPStatus.MULTIPLE_CHOICES or status in request.accepts:
            return
        if request.allows_other_origin and is_redirect(response):
            return
        if status < HTTPStatus.BAD_REQUEST:
            raise InvalidResponseError(
                f"The platform responded with an unexpected status {status}."
            )
        body = bytearray()
        with suppress(httpx.HTTPError, ssl.SSLError, TimeoutError):  # the status is enough
            async with asyncio.timeout(_ERROR_TIME):
                async for chunk in response.aiter_bytes():
                    body += chunk
                    if len(body) >= _LONGEST_ERROR:
                        break
        refusal = ErrorResponse(
            status,
            response.headers,
            bytes(body[:_LONGEST_ERROR]),
            self.clock.now(),
            reason=response.reason_phrase,
            had_token=request.signed and self.credential.given,
            of_job=request.signed and self.credential.of_job,
            called=self.credential.called,
        )
        error = refusal.error()
        if request.method != "GET" and refusal.may_be_processed:
            raise _unknown(error)
        raise error


def etag_of(response: httpx.Response) -> str | None:
    """Return the ETag if it is valid in a request; HTTP allows more in responses."""
    return sendable(response.headers.get("etag", "")) or None


def sendable(value: str) -> str:
    """Return the value of a response's header if a request may have it, too; else empty."""
    return value if value.isascii() and value.isprintable() else ""


def refuse_page(response: httpx.Response, body: bytes) -> None:
    if is_page(response.headers.get("content-type", ""), body):
        raise InvalidResponseError("The platform's URL returned a web page instead of data.")


def _unknown(cause: PlatuiError) -> OutcomeUnknownError:
    return OutcomeUnknownError(with_full_stop(cause.sentence))
