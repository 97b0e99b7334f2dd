"""Follow redirects: of the API to the same origin, of downloads to storage without any secret."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Final

import httpx

from platui.api.address import Address
from platui.api.error_responses import ErrorResponse
from platui.api.network_errors import offline_error
from platui.api.transport import LOCATION, Credential, open_client, proxy_for
from platui.core.dataclass import dataclass
from platui.core.errors import (
    ForbiddenError,
    InsecureError,
    InvalidResponseError,
    RejectedError,
    WrongOriginError,
)
from platui.core.origins import is_loopback, origin_of
from platui.core.text import shorten

if TYPE_CHECKING:
    from platui.core.clock import Clock

_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_SHOWN: Final = 120
_UNUSABLE: Final = "The platform sends a redirect without a usable target."


def is_redirect(response: httpx.Response) -> bool:
    return response.status_code in _REDIRECTS


def redirect_target(response: httpx.Response) -> httpx.URL:
    """Return the target of a redirect; the response's own URL without a valid one."""
    try:
        target = response.url.join(response.extensions.get(LOCATION, ""))
        _ = target.host  # Decoded on access; raises ValueError if it is no international name
    except (httpx.InvalidURL, ValueError):
        return response.url
    return target


def is_cross_origin(response: httpx.Response, address: Address) -> bool:
    target = redirect_target(response)
    return target != response.url and origin_of(str(target)) != address.origin


def next_hop(response: httpx.Response, address: Address) -> httpx.URL:
    """Return the target of a redirected GET, or raise for writes and other origins."""
    target = redirect_target(response)
    is_write = response.request.method != "GET"
    if is_write and response.status_code == HTTPStatus.SEE_OTHER:
        raise InvalidResponseError("The platform redirects instead of returning a result.")
    if target == response.url:
        raise InvalidResponseError(_UNUSABLE)
    origin = origin_of(str(target))
    if origin != address.origin:
        elsewhere = f"{target.scheme}://{target.netloc.decode('ascii', 'replace')}"
        where = shorten(elsewhere.rpartition("@")[2], _SHOWN)
        raise WrongOriginError(
            f"{address.origin.name} redirects to {where}; nothing was sent there.",
            hint="If that is the platform's new URL, change it in the profile.",
            target=str(target),
        )
    if target.userinfo:
        raise InvalidResponseError(_UNUSABLE)  # httpx would send it as a credential
    if is_write:
        path = shorten(target.path, _SHOWN)
        raise RejectedError(
            f"The platform redirects this write to {path}.",
            status=response.status_code,
        )
    return target


_HOPS: Final = 3
_SHOWN_HOST: Final = 80


@dataclass(frozen=True, slots=True)
class Storage:
    """Sends requests to other hosts with the profile's settings, but without its token."""

    clock: Clock
    encrypted: bool  # Whether the platform uses https; then the storage must, too
    insecure: bool = False
    ca_bundle: Path | None = None
    timeout: float = 30.0

    @asynccontextmanager
    async def open(self, url: str, headers: Mapping[str, str]) -> AsyncIterator[httpx.Response]:
        """Request a file, following redirects; read its body while the context is open."""
        for _ in range(_HOPS):
            address = self._address(url)
            no_token = Credential("Authorization", None)
            client = await asyncio.to_thread(
                open_client, address, no_token, self.ca_bundle, self.timeout
            )
            async with client:
                try:
                    request = client.build_request("GET", url, headers=dict(headers))
                    response = await client.send(request, stream=True)
                    try:
                        if not is_redirect(response):
                            self._check(response, address)
                            yield response
                            return
                        url = onward(response)
                    finally:
                        await response.aclose()
                except (httpx.HTTPError, ssl.SSLError) as error:
                    proxy = proxy_for(address)
                    host = None if proxy is None else proxy.url.host
                    raise offline_error(error, address.origin, proxy=host) from None
        raise InvalidResponseError("The download is redirected too many times.")

    def _address(self, url: str) -> Address:
        """Return the address of another host. Raises PlatuiError: not allowed."""
        origin = origin_of(url)
        if origin is None:
            raise InvalidResponseError("The platform redirects the download to an invalid URL.")
        scheme, host, _ = origin
        if scheme == "http" and self.encrypted and not self.insecure and not is_loopback(host):
            raise InsecureError(
                f"The download is redirected to http://{shorten(host, _SHOWN_HOST)}, unencrypted.",
                hint="Set `insecure = true` in the profile to allow it.",
            )
        return Address(base=url, api=url, origin=origin)

    def _check(self, response: httpx.Response, address: Address) -> None:
        status = response.status_code
        if status < HTTPStatus.MULTIPLE_CHOICES:
            return
        if status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
            # It does not know the token of the platform, so another one would not help.
            name = shorten(address.origin.name, _SHOWN_HOST)
            raise ForbiddenError(
                f"The storage {name} refused the download ({status}).",
                status=status,
                hint="Retry: its link may have expired.",
            )
        raise ErrorResponse(
            status,
            response.headers,
            b"",  # storages respond with XML
            self.clock.now(),
            reason=response.reason_phrase,
            had_token=False,
        ).error()


def onward(response: httpx.Response) -> str:
    """Return the full target of a redirect. Raises InvalidResponseError: it is not usable."""
    target = redirect_target(response)
    if target == response.url or target.userinfo:
        raise InvalidResponseError(_UNUSABLE)
    return str(target.copy_with(fragment=None))
