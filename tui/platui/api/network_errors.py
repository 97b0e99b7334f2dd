"""Turn httpx's errors into an `OfflineError` with the reason why no answer came."""

from __future__ import annotations

import errno
import socket
import ssl
from typing import TYPE_CHECKING, Final, TypeVar

import httpx

from platui.core.errors import OfflineError, OfflineReason
from platui.core.text import clean

if TYPE_CHECKING:
    from collections.abc import Iterator

    from platui.core.origins import Origin

_E = TypeVar("_E", bound=BaseException)

_CERTIFICATE: Final = {
    9: "is not valid yet; is this machine's clock right?",
    10: "has expired.",
    18: "is self-signed.",
    19: "is signed by an authority that this machine does not trust.",
    20: "is signed by an authority that this machine does not know.",
    21: "is signed by an authority that this machine does not know.",
    62: "is for another host.",
    64: "is for another address.",
}
"""OpenSSL's verify codes, as the end of a sentence."""

_TLS_HINT: Final = "Name your organization's certificates as `ca_bundle` in the profile."
_NOT_TLS: Final = frozenset({"WRONG_VERSION_NUMBER", "HTTP_REQUEST", "RECORD_LAYER_FAILURE"})
_NO_WAY: Final = frozenset({errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN})

_BEFORE_SENDING: Final = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpx.ProxyError,
    httpx.UnsupportedProtocol,
    httpx.LocalProtocolError,
)


def is_certainly_unsent(error: httpx.HTTPError) -> bool:
    return isinstance(error, _BEFORE_SENDING)


def offline_error(
    error: httpx.HTTPError, origin: Origin, *, proxy: str | None = None
) -> OfflineError:
    """Return why no answer came; the text of httpx's error is not shown."""
    if isinstance(error, httpx.ProxyError):
        return _proxy_refused(error, proxy)
    if proxy and isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
        tls = _first(error, ssl.SSLError)
        if tls is None:
            return _at_the_proxy(proxy)
        return _tls(tls, origin)
    return _at_the_platform(error, origin)


def timed_out(origin: Origin, seconds: float) -> OfflineError:
    return OfflineError(
        f"{origin.name} did not finish its answer within {seconds:.0f} s.",
        reason=OfflineReason.TIMEOUT,
    )


def _at_the_platform(error: httpx.HTTPError, origin: Origin) -> OfflineError:
    host = origin.name
    if isinstance(error, httpx.ConnectTimeout):
        return OfflineError(f"{host} does not answer.", reason=OfflineReason.TIMEOUT)
    if isinstance(error, httpx.TimeoutException):
        return OfflineError(f"{host} did not answer in time.", reason=OfflineReason.TIMEOUT)
    if _first(error, socket.gaierror) is not None:
        return OfflineError(
            f"No host is called {origin.host}, or there is no name service.",
            reason=OfflineReason.NO_SUCH_HOST,
            hint="Is the address right, and this machine on the network (or VPN)?",
        )
    if (tls := _first(error, ssl.SSLError)) is not None:
        return _tls(tls, origin)
    if _first(error, ConnectionRefusedError) is not None:
        return OfflineError(f"{host} refused the connection.", reason=OfflineReason.REFUSED)
    if isinstance(error, httpx.ConnectError):
        return _no_connection(error, host)
    return OfflineError(f"The connection to {host} was dropped.", reason=OfflineReason.DROPPED)


def _no_connection(error: httpx.HTTPError, host: str) -> OfflineError:
    system = _first(error, OSError)
    if system is not None and system.errno in _NO_WAY:
        return OfflineError(f"There is no way to {host} from here.", reason=OfflineReason.REFUSED)
    return OfflineError(f"No connection to {host} came about.", reason=OfflineReason.REFUSED)


def _tls(error: ssl.SSLError, origin: Origin) -> OfflineError:
    host = origin.name
    if isinstance(error, ssl.SSLCertVerificationError):
        fault = _CERTIFICATE.get(error.verify_code, f"is not valid: {clean(error.verify_message)}.")
        return OfflineError(
            f"The certificate of {host} {fault}", reason=OfflineReason.TLS, hint=_TLS_HINT
        )
    if error.reason in _NOT_TLS:
        return OfflineError(
            f"{host} does not speak TLS on this port.",
            reason=OfflineReason.NOT_TLS,
            hint=f"Is the port right, or the address {origin._replace(scheme='http').root}?",
        )
    return OfflineError(
        f"No secure connection to {host} came about.", reason=OfflineReason.TLS, hint=""
    )


def _at_the_proxy(proxy: str) -> OfflineError:
    return OfflineError(
        f"The proxy {proxy} does not answer.",
        reason=OfflineReason.PROXY,
        hint="The environment's https_proxy or all_proxy names it; no_proxy goes around it.",
    )


def _proxy_refused(error: httpx.HTTPError, proxy: str | None) -> OfflineError:
    said = clean(str(error)).strip()
    return OfflineError(
        f"The proxy {proxy or ''} refused".replace("  ", " ") + (f": {said}." if said else "."),
        reason=OfflineReason.PROXY,
        hint="Ask whoever runs the proxy, or go around it with no_proxy.",
    )


def _first(error: BaseException, kind: type[_E]) -> _E | None:
    return next((cause for cause in _causes(error) if isinstance(cause, kind)), None)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    pending = [error]
    while pending:
        current = pending.pop()
        if current is None or id(current) in seen:
            continue
        seen.add(id(current))
        yield current
        if isinstance(current, BaseExceptionGroup):
            pending.extend(current.exceptions)
        pending += [current.__context__, current.__cause__]
