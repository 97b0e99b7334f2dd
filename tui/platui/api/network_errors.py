"""Convert httpx errors to an `OfflineError` with a reason."""

from __future__ import annotations

import errno
import socket
import ssl
from typing import TYPE_CHECKING, Final, TypeVar

import httpx

from platui.core.errors import OfflineError, OfflineReason
from platui.core.text import clean, shorten

if TYPE_CHECKING:
    from platui.core.origins import Origin

_E = TypeVar("_E", bound=BaseException)

_CERTIFICATE: Final = {
    9: "is not valid yet; check this machine's clock.",
    10: "has expired.",
    18: "is self-signed.",
    19: "is signed by an untrusted authority.",
    20: "is signed by an unknown authority.",
    21: "is signed by an unknown authority.",
    62: "is for another host.",
    64: "is for another address.",
}
"""OpenSSL verify codes, as the end of a sentence."""

_TLS_HINT: Final = "Set `ca_bundle` in the profile to your organization's certificates."
_NOT_TLS: Final = frozenset({"WRONG_VERSION_NUMBER", "HTTP_REQUEST", "RECORD_LAYER_FAILURE"})
_REASON: Final = 120  # Characters of a proxy's reason
_NO_WAY: Final = frozenset({errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN})

BEFORE_SENDING: Final = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpx.ProxyError,
    httpx.UnsupportedProtocol,
    httpx.LocalProtocolError,
)
"""Errors after which the request was certainly not sent."""


def offline_error(
    error: httpx.HTTPError | ssl.SSLError, origin: Origin, *, proxy: str | None = None
) -> OfflineError:
    """Return an error with the reason; the text of httpx's error is not shown."""
    host, tls = origin.name, _first(error, ssl.SSLError)
    if isinstance(error, httpx.ProxyError):
        name, said = f"The proxy {proxy or ''}".strip(), shorten(str(error), _REASON).strip()
        return OfflineError(
            f"{name} refused: {said}." if said else f"{name} refused.",
            reason=OfflineReason.PROXY,
            hint="Ask the administrator of the proxy, or bypass it with no_proxy.",
        )
    if proxy and isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
        if tls is not None:
            return _tls(tls, origin)
        return OfflineError(
            f"The proxy {proxy} does not respond.",
            reason=OfflineReason.PROXY,
            hint="Check https_proxy or all_proxy in the environment, or bypass it with no_proxy.",
        )
    if isinstance(error, httpx.ConnectTimeout):
        return OfflineError(f"{host} does not respond.", reason=OfflineReason.TIMEOUT)
    if isinstance(error, httpx.TimeoutException):
        return OfflineError(f"{host} did not respond in time.", reason=OfflineReason.TIMEOUT)
    if _first(error, socket.gaierror) is not None:
        return OfflineError(
            f"Host {origin.host} not found.",
            reason=OfflineReason.NO_SUCH_HOST,
            hint="Check the URL and the network (or VPN).",
        )
    if tls is not None and tls is not error:  # else TLS failed after the handshake
        return _tls(tls, origin)
    if _first(error, ConnectionRefusedError) is not None:
        return OfflineError(f"{host} refused the connection.", reason=OfflineReason.REFUSED)
    if not isinstance(error, httpx.ConnectError):
        return OfflineError(f"The connection to {host} was dropped.", reason=OfflineReason.DROPPED)
    system = _first(error, OSError)
    is_cut_off = system is not None and system.errno in _NO_WAY
    what = (
        f"{host} is not reachable from this network."
        if is_cut_off
        else f"Cannot connect to {host}."
    )
    return OfflineError(what, reason=OfflineReason.REFUSED)


def _tls(error: ssl.SSLError, origin: Origin) -> OfflineError:
    host = origin.name
    if isinstance(error, ssl.SSLCertVerificationError):
        fault = _CERTIFICATE.get(error.verify_code, f"is not valid: {clean(error.verify_message)}.")
        return OfflineError(
            f"The certificate of {host} {fault}", reason=OfflineReason.TLS, hint=_TLS_HINT
        )
    if error.reason in _NOT_TLS:
        return OfflineError(
            f"{host} does not support TLS on this port.",
            reason=OfflineReason.NOT_TLS,
            hint=f"Check the port, or use {origin._replace(scheme='http').root}.",
        )
    return OfflineError(
        f"Cannot establish a secure connection to {host}.", reason=OfflineReason.TLS, hint=""
    )


def _first(error: BaseException, kind: type[_E]) -> _E | None:
    """Return the first of this kind among an error and its causes."""
    seen: set[int] = set()
    pending: list[BaseException | None] = [error]
    while pending:
        current = pending.pop()
        if isinstance(current, kind):
            return current
        if current is None or id(current) in seen:
            continue
        seen.add(id(current))
        if isinstance(current, BaseExceptionGroup):
            pending.extend(current.exceptions)
        pending += [current.__context__, current.__cause__]
    return None
