"""Why no answer came, in plain words."""

from __future__ import annotations

import errno
import socket
import ssl

import httpx
import pytest

from platui.api.network_errors import BEFORE_SENDING, offline_error
from platui.core.errors import OfflineReason
from platui.core.origins import Origin

HOST = "platform.example.org"
ORIGIN = Origin("https", HOST, 8443)


def certificate_error(code: int) -> ssl.SSLCertVerificationError:
    """Return what OpenSSL's verification raises."""
    error = ssl.SSLCertVerificationError("certificate verify failed")
    error.verify_code, error.verify_message = code, "what \x1b]OpenSSL says"
    return error


def tls_error(reason: str) -> ssl.SSLError:
    """Return what a failing handshake raises."""
    error = ssl.SSLError("handshake")
    error.reason = reason
    return error


def caused(error: httpx.HTTPError, *causes: BaseException) -> httpx.HTTPError:
    """Return an error with what led to it, as httpx chains them."""
    current: BaseException = error
    for cause in causes:
        current.__cause__ = cause
        current = cause
    return error


def connect_error(*causes: BaseException) -> httpx.HTTPError:
    """Return an error of connecting."""
    return caused(httpx.ConnectError("All connection attempts failed"), *causes)


@pytest.mark.parametrize(
    ("error", "reason", "words"),
    [
        (connect_error(socket.gaierror(-2, "x")), OfflineReason.NO_SUCH_HOST, "not found"),
        (connect_error(OSError(), ConnectionRefusedError()), OfflineReason.REFUSED, "refused"),
        (
            connect_error(OSError(), ExceptionGroup("x", [ConnectionRefusedError()])),
            OfflineReason.REFUSED,
            "refused",
        ),
        (connect_error(OSError(errno.ENETUNREACH, "x")), OfflineReason.REFUSED, "not reachable"),
        (connect_error(), OfflineReason.REFUSED, "Cannot connect"),
        (connect_error(certificate_error(10)), OfflineReason.TLS, "has expired"),
        (connect_error(certificate_error(9)), OfflineReason.TLS, "not valid yet"),
        (connect_error(certificate_error(18)), OfflineReason.TLS, "self-signed"),
        (connect_error(certificate_error(20)), OfflineReason.TLS, "unknown authority"),
        (connect_error(certificate_error(62)), OfflineReason.TLS, "another host"),
        (connect_error(certificate_error(99)), OfflineReason.TLS, "is not valid"),
        (
            connect_error(tls_error("WRONG_VERSION_NUMBER")),
            OfflineReason.NOT_TLS,
            "does not support TLS",
        ),
        (connect_error(tls_error("NO_SHARED_CIPHER")), OfflineReason.TLS, "secure connection"),
        (httpx.ConnectTimeout("x"), OfflineReason.TIMEOUT, "does not respond"),
        (httpx.ReadTimeout("x"), OfflineReason.TIMEOUT, "in time"),
        (httpx.PoolTimeout("x"), OfflineReason.TIMEOUT, "in time"),
        (httpx.ReadError("x"), OfflineReason.DROPPED, "dropped"),
        (httpx.WriteError("x"), OfflineReason.DROPPED, "dropped"),
        (httpx.RemoteProtocolError("x"), OfflineReason.DROPPED, "dropped"),
        (httpx.ProxyError("403 no \x1b[2J"), OfflineReason.PROXY, "proxy"),
        (httpx.ProxyError("403 no" + " x" * 50_000), OfflineReason.PROXY, "…"),
    ],
)
def test_reason_and_sentence(error: httpx.HTTPError, reason: OfflineReason, words: str) -> None:
    """Each failure is told apart, and nothing of a terminal's language passes."""
    failure = offline_error(error, ORIGIN)
    assert failure.reason is reason
    assert words in failure.sentence
    assert failure.sentence.isprintable()
    names_a_port = reason not in {OfflineReason.NO_SUCH_HOST, OfflineReason.PROXY}
    assert (f"{HOST}:8443" in failure.sentence) is names_a_port
    assert ("http://" in failure.hint) is (reason is OfflineReason.NOT_TLS)


def test_behind_a_proxy_it_is_the_proxy_that_is_not_there() -> None:
    """The platform itself was never asked; its certificate is still its own."""
    gone = offline_error(connect_error(ConnectionRefusedError()), ORIGIN, proxy="proxy.example.org")
    assert gone.reason is OfflineReason.PROXY
    assert "proxy.example.org" in gone.sentence
    expired = offline_error(connect_error(certificate_error(10)), ORIGIN, proxy="proxy.example.org")
    assert expired.reason is OfflineReason.TLS
    assert HOST in expired.sentence


@pytest.mark.parametrize(
    ("error", "unsent"),
    [
        (httpx.ConnectError("x"), True),
        (httpx.ConnectTimeout("x"), True),
        (httpx.PoolTimeout("x"), True),
        (httpx.ProxyError("x"), True),
        (httpx.ReadTimeout("x"), False),
        (httpx.WriteTimeout("x"), False),
        (httpx.ReadError("x"), False),
        (httpx.WriteError("x"), False),
        (httpx.RemoteProtocolError("x"), False),
    ],
)
def test_what_was_surely_not_sent(error: httpx.HTTPError, *, unsent: bool) -> None:
    """Only these writes may be sent again."""
    assert isinstance(error, BEFORE_SENDING) is unsent
