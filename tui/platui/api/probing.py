"""Probe an address: which server answers there, and whether it is the platform."""

from __future__ import annotations

import json
import ssl
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from platui.api.endpoints.projects import projects
from platui.api.error_responses import is_page
from platui.api.exchange import OutgoingRequest, read_body
from platui.api.quota import server_time
from platui.core.errors import NoPlatformError, ServerFailedError
from platui.models.values.connection import Urgency
from platui.models.values.queries import ProjectsQuery

if TYPE_CHECKING:
    import httpx

    from platui.api.exchange import Exchange

_LONGEST: Final = 64 * 1024 * 1024
_DEADLINE: Final = 20.0
_ANY: Final = frozenset(range(int(HTTPStatus.MULTIPLE_CHOICES), 600))
_PROXY_HINT: Final = "Is it the platform's own? A proxy or login page may stand before it."


@dataclass(frozen=True, slots=True)
class Certificate:
    """The certificate that a server has shown."""

    host: str
    """Its first host name; empty if it has none."""
    issuer: str
    """Its issuer; empty if not stated."""
    ends_at: datetime | None


@dataclass(frozen=True, slots=True)
class Probe:
    """An answer of any status."""

    status: int
    reason: str
    body: bytes
    is_page: bool
    milliseconds: int
    at: datetime
    """When it came, by our clock (UTC)."""
    reported_at: datetime | None
    """When it was sent, by the server's clock, to the second; None if not stated."""
    certificate: Certificate | None
    """None over plain http."""


async def probe(exchange: Exchange, target: str, *, signed: bool = True) -> Probe:
    """Send a GET, and return the answer, whatever its status. Raises PlatuiError: none came."""
    started = exchange.clock.monotonic()
    request = OutgoingRequest(target, signed=signed, accepts=_ANY, deadline=_DEADLINE)
    async with exchange.open(request, Urgency.USER) as response:
        body = await read_body(response, _LONGEST)
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
    """Make sure that the project API answers there; no token goes along.

    Without one the platform either refuses with a reason in JSON (spec §7), or shows what
    everybody may see.

    Raises NoPlatformError: somebody else answers. ServerFailedError: something in front of it says
    that it is not at work. PlatuiError: as `probe`.
    """
    target = f"{projects(ProjectsQuery()).path}?per_page=1"
    found = await probe(exchange, target, signed=False)
    check_is_api(found, exchange.address.origin.name)
    return found


def check_is_api(found: Probe, host: str) -> None:
    """Make sure that the answer to a call for the list of projects is one of the project API's.

    Raises NoPlatformError: somebody else answers. ServerFailedError: something in front of it says
    that it is not at work.
    """
    said = _parsed(found.body)
    if found.status == HTTPStatus.TOO_MANY_REQUESTS:
        return  # whoever counts requests is an API
    if not found.is_page and found.status < HTTPStatus.MULTIPLE_CHOICES and isinstance(said, list):
        return
    refuses = found.status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}
    if refuses and isinstance(said, dict) and (said.get("message") or said.get("error")):
        return
    told = f"{found.status} {found.reason}".strip()
    if found.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        raise ServerFailedError(
            f"{host} does not work now ({told}).", status=found.status, hint="Try again later."
        )
    if found.is_page:
        raise NoPlatformError(
            f"{host} answered with a web page, and not as the platform's API does ({told}).",
            hint=_PROXY_HINT,
        )
    raise NoPlatformError(
        f"{host} answered, but not as the platform's API does ({told}).", hint=_PROXY_HINT
    )


def _parsed(body: bytes) -> Any:
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
    return Certificate(next(iter(names), ""), _name(shown.get("issuer", ())), ends_at)


def _name(parts: Any) -> str:
    fields = {str(key): str(value) for part in parts for key, value in part}
    return fields.get("organizationName") or fields.get("commonName") or ""
