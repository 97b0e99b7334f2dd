"""Why no answer came, in plain words."""

from __future__ import annotations

import errno
import socket
import ssl

import httpx
import pytest

from platui.api.failures import outage, surely_unsent
from platui.core.errors import Unreachable
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
        (connect_error(socket.gaierror(-2, "x")), Unreachable.NO_SUCH_HOST, "No host is called"),
        (connect_error(OSError(), ConnectionRefusedError()), Unreachable.REFUSED, "refused"),
        (
            connect_error(OSError(), ExceptionGroup("x", [ConnectionRefusedError()])),
            Unreachable.REFUSED,
            "refused",
        ),
        (connect_error(OSError(errno.ENETUNREACH, "x")), Unreachable.REFUSED, "no way to"),
        (connect_error(), Unreachable.REFUSED, "No connection"),
        (connect_error(certificate_error(10)), Unreachable.TLS, "has expired"),
        (connect_error(certificate_error(9)), Unreachable.TLS, "not valid yet"),
        (connect_error(certificate_error(18)), Unreachable.TLS, "self-signed"),
        (connect_error(certificate_error(20)), Unreachable.TLS, "does not know"),
        (connect_error(certificate_error(62)), Unreachable.TLS, "another host"),
        (connect_error(certificate_error(99)), Unreachable.TLS, "is not valid"),
        (
            connect_error(tls_error("WRONG_VERSION_NUMBER")),
            Unreachable.NOT_TLS,
            "does not speak TLS",
        ),
        (connect_error(tls_error("NO_SHARED_CIPHER")), Unreachable.TLS, "No secure connection"),
        (httpx.ConnectTimeout("x"), Unreachable.TIMEOUT, "does not answer"),
        (httpx.ReadTimeout("x"), Unreachable.TIMEOUT, "in time"),
        (httpx.PoolTimeout("x"), Unreachable.TIMEOUT, "in time"),
        (httpx.ReadError("x"), Unreachable.DROPPED, "dropped"),
        (httpx.WriteError("x"), Unreachable.DROPPED, "dropped"),
        (httpx.RemoteProtocolError("x"), Unreachable.DROPPED, "dropped"),
        (httpx.ProxyError("403 no \x1b[2J"), Unreachable.PROXY, "proxy"),
    ],
)
def test_reason_and_sentence(error: httpx.HTTPError, reason: Unreachable, words: str) -> None:
    """Each failure is told apart, and nothing of a terminal's language passes."""
    failure = outage(error, ORIGIN)
    assert failure.reason is reason
    assert words in failure.sentence
    assert failure.sentence.isprintable()
    names_a_port = reason not in {Unreachable.NO_SUCH_HOST, Unreachable.PROXY}
    assert (f"{HOST}:8443" in failure.sentence) is names_a_port
    assert ("http://" in failure.hint) is (reason is Unreachable.NOT_TLS)


def test_behind_a_proxy_it_is_the_proxy_that_is_not_there() -> None:
    """The platform itself was never asked; its certificate is still its own."""
    gone = outage(connect_error(ConnectionRefusedError()), ORIGIN, proxy="proxy.example.org")
    assert gone.reason is Unreachable.PROXY
    assert "proxy.example.org" in gone.sentence
    expired = outage(connect_error(certificate_error(10)), ORIGIN, proxy="proxy.example.org")
    assert expired.reason is Unreachable.TLS
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
    assert surely_unsent(error) is unsent
