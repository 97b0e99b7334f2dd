"""Probe an address: identify the server and check that it is the platform."""

from __future__ import annotations

import json
import ssl
from contextlib import suppress
from datetime import UTC, datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from platui.api.endpoints.projects import projects
from platui.api.error_responses import is_page
from platui.api.exchange import Exchange, OutgoingRequest
from platui.api.quota import server_time
from platui.core.dataclass import dataclass
from platui.core.errors import NoPlatformError, ServerFailedError
from platui.core.text import shorten
from platui.models.values.connection import Urgency
from platui.models.values.queries import ProjectsQuery

if TYPE_CHECKING:
    import httpx


_DEADLINE: Final = 20.0
_SHOWN: Final = 60
_ANY: Final = range(HTTPStatus.MULTIPLE_CHOICES, 600)
_PROXY_HINT: Final = "Check the URL. A proxy or login page may be in front of the platform."


@dataclass(frozen=True, slots=True)
class Certificate:
    """The certificate of a server."""

    host: str  # First host name; may be empty
    issuer: str  # May be empty
    ends_at: datetime | None


@dataclass(frozen=True, slots=True)
class Probe:
    """A response of any status."""

    status: int
    reason: str
    body: bytes
    is_page: bool
    milliseconds: int
    at: datetime  # When it arrived, by our clock (UTC)
    reported_at: datetime | None
    """When it was sent, by the server's clock, in seconds; None: unknown."""
    certificate: Certificate | None  # None over plain http


async def probe(exchange: Exchange, target: str, *, signed: bool = True) -> Probe:
    """Send a GET and return the response of any status. Raises PlatuiError: no response."""
    started = exchange.clock.monotonic()
    request = OutgoingRequest(target, signed=signed, accepts=_ANY, deadline=_DEADLINE)
    async with exchange.open(request, Urgency.USER) as response:
        body = await exchange.read_body(response)
        return Probe(
            status=response.status_code,
            reason=response.reason_phrase,
            body=body,
            is_page=is_page(response.headers.get("content-type", ""), body),
            milliseconds=round((exchange.clock.monotonic() - started) * 1000),
            at=exchange.clock.now(),
            reported_at=server_time(response.headers),
            certificate=_certificate(response),
        )


async def check_is_platform(exchange: Exchange) -> Probe:
    """Check that the project API responds with JSON (spec §7), without sending the token."""
    target = f"{projects(ProjectsQuery()).path}?per_page=1"
    found = await probe(exchange, target, signed=False)
    check_is_api(found, exchange.address.origin.name)
    return found


def check_is_api(found: Probe, host: str) -> None:
    """Check that a response to the projects list is from the project API."""
    said = parsed(found.body)
    if found.status == HTTPStatus.TOO_MANY_REQUESTS:
        return  # only an API counts requests
    if not found.is_page and found.status < HTTPStatus.MULTIPLE_CHOICES and isinstance(said, list):
        return
    refuses = found.status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}
    if refuses and isinstance(said, dict) and (said.get("message") or said.get("error")):
        return
    status = shorten(f"{found.status} {found.reason}".strip(), _SHOWN)
    if found.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        raise ServerFailedError(
            f"{host} reports a server error ({status}).", status=found.status, hint="Retry later."
        )
    if found.is_page:
        raise NoPlatformError(
            f"{host} returned a web page instead of a response of the platform's API ({status}).",
            hint=_PROXY_HINT,
        )
    raise NoPlatformError(
        f"{host} responded, but not with the platform's API ({status}).", hint=_PROXY_HINT
    )


def parsed(body: bytes) -> Any:
    """Return a JSON document; None if it is invalid."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _certificate(response: httpx.Response) -> Certificate | None:
    stream = response.extensions.get("network_stream")
    tls = None if stream is None else stream.get_extra_info("ssl_object")
    shown = None if tls is None else tls.getpeercert()
    if not shown:
        return None
    ends_at = None
    with suppress(KeyError, ValueError, OverflowError):
        ends_at = datetime.fromtimestamp(ssl.cert_time_to_seconds(str(shown["notAfter"])), UTC)
    names = [str(value) for _, value in shown.get("subjectAltName", ())]
    issuer = {str(key): str(value) for part in shown.get("issuer", ()) for key, value in part}
    issuer_name = issuer.get("organizationName") or issuer.get("commonName") or ""
    return Certificate(next(iter(names), ""), issuer_name, ends_at)
