"""The HTTP client, guarded: the token goes to our own origin only, and shows nowhere.

httpx masks `Authorization` in its reprs but not `PRIVATE-TOKEN`, forwards it to other hosts
on redirects, and keeps it on the request that an exception carries. So the token is put on
at the last moment, below the client, and taken off before anybody sees the request again.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from http.cookiejar import CookieJar, DefaultCookiePolicy
from importlib import import_module
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit
from urllib.request import getproxies_environment, proxy_bypass

import httpcore
import httpx

from platui import __version__
from platui.api.tls import tls_context
from platui.core.errors import ConfigError, CredentialError, WrongOriginError
from platui.core.origins import is_loopback, origin_of

with suppress(ImportError):
    # httpcore would bring it with the first request, which is in the loop: 15 ms and more. This
    # module is imported in a thread.
    import_module("anyio._backends._asyncio")

if TYPE_CHECKING:
    from pathlib import Path

    from platui.api.address import Address
    from platui.core.origins import Origin
    from platui.core.secrets import Secret

KEEP_ALIVE: Final = 180.0
"""Seconds an idle connection is kept, so that polling does not shake hands each time."""

READ_AT_ONCE: Final = 256 * 1024
"""Bytes of an answer that are read at once, if available.

It is what asyncio reads from a socket; httpcore cuts that into pieces, each of which costs as
much as all of it. A running job's log, which comes whole each time, is read at twice the speed.
"""

CONNECT_TIMEOUT: Final = 10.0
_CONNECTIONS: Final = 12

UNSIGNED: Final = "platui.unsigned"
"""A request extension: this request gets no token; its own fields authenticate it."""

LOCATION: Final = "platui.location"
"""A response extension: where a redirect leads."""


TOKEN_HEADER: Final = "PRIVATE-TOKEN"  # noqa: S105  (a header's name, spec §5.2)
JOB_TOKEN_HEADER: Final = "JOB-TOKEN"  # noqa: S105  (the same)
"""For `CI_JOB_TOKEN`; the spec does not say how it is sent, this is GitLab's way."""


def proxy_for(address: Address) -> httpx.Proxy | None:
    """Return the environment's proxy; None for loopback. Raises ConfigError: no http proxy."""
    scheme, host, _ = address.origin
    if is_loopback(host):
        return None
    named = getproxies_environment()
    url = named.get(scheme) or named.get("all")
    if not url or proxy_bypass(host):
        return None
    url = url if "://" in url else f"http://{url}"
    variable = f"{scheme if named.get(scheme) else 'all'}_proxy"
    try:
        proxy = httpx.Proxy(url)
        usable = bool(urlsplit(url).hostname) and proxy.url.scheme in {"http", "https"}
    except (ValueError, httpx.InvalidURL):
        usable = False
    if not usable:  # its text may hold a password: not shown
        raise ConfigError(
            f"The environment's {variable} is not the address of an http proxy.",
            hint=f"Correct it, or name {host} in no_proxy.",
        )
    return proxy


class Credential:
    """A token and the header it goes in; both can be replaced in place."""

    def __init__(
        self, header: str, token: Secret | None, *, prefix: str = "", called: str = "token"
    ) -> None:
        self.called = called
        self._header = header
        self._headers = {header}
        self._prefix = prefix
        self._token: Secret | None = None
        self.replace(token)

    @property
    def given(self) -> bool:
        return self._token is not None

    @property
    def of_job(self) -> bool:
        return self._header == JOB_TOKEN_HEADER

    def replace(self, token: Secret | None, header: str | None = None) -> None:
        """Replace token and header. Raises CredentialError: no header can carry the token."""
        text = token.reveal() if token is not None else ""
        if not all("!" <= character <= "~" for character in text):
            raise CredentialError(
                "The token has a space, line end or other character that no token has.",
                hint="Copy it again, without what stands around it.",
            )
        self._token = token if text else None
        self._header = header or self._header
        # A request under way still carries the previous header.
        self._headers.add(self._header)

    def add_token(self, request: httpx.Request) -> None:
        if self._token is not None:
            request.headers[self._header] = self._prefix + self._token.reveal()

    def remove_token(self, request: httpx.Request) -> None:
        for header in self._headers:
            request.headers.pop(header, None)


class GuardedTransport(httpx.AsyncBaseTransport):
    """Refuses other origins, and carries the token just as long as the request is written.

    Closing it ends what is under way: httpx forgets a connection that is still being made,
    and would then leave it open for good.
    """

    def __init__(
        self, inner: httpx.AsyncBaseTransport, origin: Origin, credential: Credential
    ) -> None:
        self._inner = inner
        self._origin = origin
        self._credential = credential
        self._under_way: set[asyncio.Future[httpx.Response]] = set()
        self._closed = False

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request. Raises WrongOriginError: another host; httpx.ReadError: closed."""
        if origin_of(str(request.url)) != self._origin:
            raise WrongOriginError(
                f"A request for {request.url.host} was stopped: the token is for {self._origin[1]}."
            )
        try:
            if not request.extensions.get(UNSIGNED):
                self._credential.add_token(request)
            response = await self._answer(request)
        finally:
            self._credential.remove_token(request)
        if "location" in response.headers:
            # httpx reads it even when told not to follow, and fails on a hostile one.
            response.extensions[LOCATION] = response.headers.pop("location")
        return response

    async def aclose(self) -> None:
        """Close the connections, those that are still being made too."""
        self._closed = True
        if self._under_way:
            for answer in self._under_way:
                answer.cancel()
            await asyncio.wait(self._under_way)
        await self._inner.aclose()

    async def _answer(self, request: httpx.Request) -> httpx.Response:
        answer = asyncio.ensure_future(self._inner.handle_async_request(request))
        self._under_way.add(answer)
        answer.add_done_callback(self._under_way.discard)
        try:
            return await answer
        except asyncio.CancelledError:
            if not answer.cancelled() and answer.done() and answer.exception() is None:
                await answer.result().aclose()  # it came in the very moment
            task = asyncio.current_task()
            if not self._closed or (task is not None and task.cancelling()):
                raise
            # `aclose` cancelled it: for the caller, the connection is gone.
            raise httpx.ReadError("The client was closed.", request=request) from None


def open_client(
    address: Address,
    credential: Credential,
    *,
    ca_bundle: Path | None = None,
    timeout: float = 30.0,
) -> httpx.AsyncClient:
    """Return a client for one origin; blocks. Raises ConfigError: bad certificates or proxy."""
    httpcore.AsyncHTTP11Connection.READ_NUM_BYTES = READ_AT_ONCE
    secure = address.origin[0] == "https"
    inner = httpx.AsyncHTTPTransport(
        verify=tls_context(ca_bundle) if secure else False,
        trust_env=False,
        http1=True,
        http2=False,
        proxy=proxy_for(address),
        limits=httpx.Limits(
            max_connections=_CONNECTIONS,
            max_keepalive_connections=_CONNECTIONS,
            keepalive_expiry=KEEP_ALIVE,
        ),
    )
    return httpx.AsyncClient(
        transport=GuardedTransport(inner, address.origin, credential),
        timeout=httpx.Timeout(timeout, connect=min(CONNECT_TIMEOUT, timeout), pool=None),
        headers={
            "User-Agent": f"platui/{__version__}",
            "Accept": "application/json",
            "Accept-Encoding": "gzip",
        },
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
        follow_redirects=False,
        trust_env=False,
    )
