"""Answers that the relay makes itself, worded as real servers and proxies word them."""

from __future__ import annotations

import json
from email.utils import formatdate
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from platui.emulator.faults.wire import Answer, one

if TYPE_CHECKING:
    from platui.emulator.faults.fault import Fault

_JSON: Final = "application/json"
_TEXT: Final = "text/plain"
_HTML: Final = "text/html; charset=utf-8"
_PAGE: Final = """\
<html>
<head><title>{title}</title></head>
<body>
<center><h1>{title}</h1></center>
<hr><center>nginx</center>
</body>
</html>
"""
_GARBAGE: Final = {
    "json": b'[{"id": 1, "name": "half a rec',
    "encoding": b'[{"id": 1, "name": "not packed"}]',
    "type": b'"a word where a list or a record should be"',
}
_SAID: Final = {
    "expired": "Token is expired. You can either do re-authorization or token refresh.",
    "revoked": "Token was revoked. You have to re-authorize from the user.",
}


def made(status: int, content_type: str, body: bytes, now: float, **headers: str) -> Answer:
    """Return an answer; `_` stands for `-` in the names of headers."""
    named = {
        "date": formatdate(now, usegmt=True),
        "content-type": content_type,
        "content-length": str(len(body)),
        **{name.replace("_", "-").lower(): value for name, value in headers.items()},
    }
    pairs = tuple((name.encode(), value.encode()) for name, value in named.items())
    return Answer(status, pairs, one(body), HTTPStatus(status).phrase.encode())


def quota(fault: Fault, now: float) -> Answer:
    """Return the refusal of a spent quota (spec §8): plain text, and every header."""
    limit, wait = fault.whole("limit"), fault.whole("seconds")
    reset = int(now) + wait
    return made(
        HTTPStatus.TOO_MANY_REQUESTS,
        _TEXT,
        b"Retry later\n",
        now,
        RateLimit_Limit=str(limit),
        RateLimit_Name="throttle_authenticated_api",
        RateLimit_Observed=str(limit + 1),
        RateLimit_Remaining="0",
        RateLimit_Reset=str(reset),
        RateLimit_ResetTime=formatdate(reset, usegmt=True),
        Retry_After=str(wait),
    )


def limiter(now: float) -> Answer:
    """Return the refusal of a limit on one operation, which no header explains."""
    said = "This endpoint has been requested too many times. Try again later."
    return _json(HTTPStatus.TOO_MANY_REQUESTS, {"message": {"error": said}}, now)


def server_error(fault: Fault, now: float) -> Answer:
    """Return the platform's own 500, or what a front says when the platform is away."""
    status = HTTPStatus(fault.whole("status"))
    return _json(status, {"message": f"{status.value} {status.phrase}"}, now)


def page(fault: Fault, now: float) -> Answer:
    """Return a web page."""
    status = HTTPStatus(fault.whole("status"))
    title = "Sign in to continue" if status is HTTPStatus.OK else f"{status.value} {status.phrase}"
    return made(status, _HTML, _PAGE.format(title=title).encode(), now)


def unauthorized(kind: str, now: float) -> Answer:
    """Return the refusal of a token that was good once; there is no `message` in it."""
    body = {"error": "invalid_token", "error_description": _SAID[kind]}
    return _json(HTTPStatus.UNAUTHORIZED, body, now)


def garbage(fault: Fault, now: float) -> Answer:
    """Return a success that nobody can read."""
    what = str(fault.settings["what"])
    packed = {"Content_Encoding": "gzip"} if what == "encoding" else {}
    return made(HTTPStatus.OK, _JSON, _GARBAGE[what], now, **packed)


def gone(now: float) -> Answer:
    """Return that the server behind the relay does not answer."""
    return made(HTTPStatus.BAD_GATEWAY, _TEXT, b"The emulator's server is gone.\n", now)


def _json(status: HTTPStatus, body: dict[str, Any], now: float) -> Answer:
    return made(status, _JSON, json.dumps(body).encode(), now)
