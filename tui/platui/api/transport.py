"""The HTTP client. The token is only sent to our own origin and never shown.

httpx masks `Authorization` in reprs but not `PRIVATE-TOKEN`, forwards it to other hosts on
redirects, and keeps it on the request of an exception. So the transport adds the token at the last
moment and removes it afterwards.
"""

from __future__ import annotations

import asyncio
import os
import re
import ssl
from contextlib import suppress
from http.cookiejar import CookieJar, DefaultCookiePolicy
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit
from urllib.request import getproxies_environment, proxy_bypass

import httpcore
import httpx

from platui import __version__
from platui.api.releasing import Sending
from platui.core.errors import ConfigError, CredentialError, WrongOriginError
from platui.core.memory import return_large_blocks
from platui.core.origins import Origin, is_loopback, origin_of

with suppress(ImportError):
    # httpcore would import it in the event loop at the first request, which takes 15 ms. This
    # module is imported in a thread.
    import_module("anyio._backends._asyncio")

if TYPE_CHECKING:
    from platui.api.address import Address
    from platui.core.secrets import Secret

KEEP_ALIVE: Final = 180.0
"""Seconds that an idle connection stays open, to avoid a handshake for each poll."""

READ_AT_ONCE: Final = 256 * 1024
"""Bytes per read, as asyncio reads; httpcore's smaller reads halve the speed of logs."""

CONNECT_TIMEOUT: Final = 10.0
_CONNECTIONS: Final = 12

UNSIGNED: Final = "platui.unsigned"  # request extension: send without the token

LOCATION: Final = "platui.location"  # response extension: target of a redirect


TOKEN_HEADER: Final = "PRIVATE-TOKEN"  # noqa: S105  (a header's name, spec §5.2)
JOB_TOKEN_HEADER: Final = "JOB-TOKEN"  # noqa: S105  (the same)
"""For `CI_JOB_TOKEN`; not in the spec, as in GitLab."""


_HASHED: Final = re.compile(r"[0-9a-f]{8}\.\d+")


def proxy_for(address: Address) -> httpx.Proxy | None:
    """Return the environment's proxy; None for loopback. Raises ConfigError: not an http proxy."""
    scheme, host, port = address.origin
    if is_loopback(host):
        return None
    named = getproxies_environment()
    url = named.get(scheme) or named.get("all")
    # With a port too: no_proxy may name it, and an IPv6 address in brackets.
    with_port = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    if not url or proxy_bypass(host) or proxy_bypass(with_port):
        return None
    url = url if "://" in url else f"http://{url}"
    variable = f"{scheme if named.get(scheme) else 'all'}_proxy"
    with suppress(ValueError, httpx.InvalidURL):
        proxy = httpx.Proxy(url)
        if urlsplit(url).hostname and proxy.url.scheme in {"http", "https"}:
            return proxy
    # The text of the variable may contain a password.
    raise ConfigError(
        f"The environment's {variable} is not the URL of an http proxy.",
        hint=f"Correct it, or add {host} to no_proxy.",
    )


class Credential:
    """A token and its header; both are replaceable."""

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
        """Replace token and header. Raises CredentialError: invalid characters."""
        text = token.reveal() if token is not None else ""
        if not all("!" <= character <= "~" for character in text):
            raise CredentialError(
                "The token contains a space, line break or other invalid character.",
                hint="Copy it again, without surrounding text.",
            )
        self._token = token if text else None
        self._header = header or self._header
        # A running request still has the previous header.
        self._headers.add(self._header)

    def add_token(self, request: httpx.Request) -> None:
        if self._token is not None:
            request.headers[self._header] = self._prefix + self._token.reveal()

    def remove_token(self, request: httpx.Request) -> None:
        for header in self._headers:
            request.headers.pop(header, None)


class GuardedTransport(httpx.AsyncBaseTransport):
    """Rejects other origins, adds the token while sending, and cancels requests at the end."""

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
                f"Blocked a request to {request.url.host}: the token is for {self._origin[1]}."
            )
        try:
            if not request.extensions.get(UNSIGNED):
                self._credential.add_token(request)
            response = await self._answer(request)
        finally:
            self._credential.remove_token(request)
        if "location" in response.headers:
            # httpx parses it even with follow_redirects=False, and fails on a malformed one.
            response.extensions[LOCATION] = response.headers.pop("location")
        return response

    async def aclose(self) -> None:
        """Close all connections, including those being opened."""
        self._closed = True
        if self._under_way:
            for answer in self._under_way:
                answer.cancel()
            await asyncio.wait(self._under_way)
        await self._inner.aclose()

    async def _answer(self, request: httpx.Request) -> httpx.Response:
        sending = Sending(self._inner, request)
        self._under_way.add(sending.task)
        sending.task.add_done_callback(self._under_way.discard)
        try:
            return await sending.response()
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if not self._closed or (task is not None and task.cancelling()):
                raise
            # `aclose` cancelled it: for the caller, the connection is gone.
            raise httpx.ReadError("The client was closed.", request=request) from None


def tls_context(ca_bundle: Path | None = None) -> ssl.SSLContext:
    """Return a context with the system's store and `ca_bundle`; takes 20 ms, so use a thread."""
    context = _system_context()
    if ca_bundle is not None:
        _load(context, ca_bundle, "ca_bundle")
    return context


def _system_context() -> ssl.SSLContext:
    file, folders = os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR")
    if file or folders:
        # OpenSSL silently skips unreadable files and then trusts no certificate.
        context = ssl.create_default_context()
        if file:
            _load(context, Path(file), "SSL_CERT_FILE")
        if folders and not any(Path(folder).is_dir() for folder in folders.split(os.pathsep)):
            raise ConfigError(f"SSL_CERT_DIR: {folders} is not a folder.")
        return context
    paths = ssl.get_default_verify_paths()
    if paths.cafile is None and paths.capath is not None and _is_hashed(paths.capath):
        return ssl.create_default_context(capath=paths.capath)  # 0.2 ms: read when needed
    context = ssl.create_default_context()
    if paths.capath is None and not context.cert_store_stats()["x509_ca"]:
        return httpx.create_ssl_context(trust_env=False)  # no system store: the bundle of certifi
    return context


def _is_hashed(folder: str | Path) -> bool:
    """Return whether OpenSSL finds certificates in this folder by subject hash."""
    try:
        with os.scandir(folder) as entries:
            return any(_HASHED.fullmatch(entry.name) for entry in entries)
    except OSError:
        return False


def _load(context: ssl.SSLContext, path: Path, setting: str) -> None:
    try:
        if path.is_dir():
            if not _is_hashed(path):  # OpenSSL would find no certificate in it
                raise ConfigError(
                    f"{setting}: the folder {path} has no certificates under their hashes.",
                    hint=f"Use a file in PEM form, or run: openssl rehash {path}",
                )
            context.load_verify_locations(capath=path)
        else:
            context.load_verify_locations(cafile=path)
    except ssl.SSLError:
        raise ConfigError(f"{setting}: {path} holds no certificates in PEM form.") from None
    except OSError as error:
        raise ConfigError(f"{setting}: {path} cannot be read ({error.strerror}).") from None


def open_client(
    address: Address,
    credential: Credential,
    ca_bundle: Path | None = None,
    timeout: float = 30.0,
) -> httpx.AsyncClient:
    """Return a client for one origin; blocks.

    Raises ConfigError: invalid certificates or proxy.
    """
    return_large_blocks()
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
