"""Answers that the relay makes itself, worded as real servers and proxies word them."""

from __future__ import annotations

import json
from dataclasses import replace
from email.utils import formatdate
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl, urlencode

from platui_emulator.faults.wire import Answer, Ask, Call, one, read

if TYPE_CHECKING:
    from platui_emulator.faults.fault import Fault


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
    """Return a response; `_` in a header's keyword becomes `-`."""
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
    """Return a 5xx in JSON."""
    status = HTTPStatus(fault.whole("status"))
    return _json(status, {"message": f"{status.value} {status.phrase}"}, now)


def page(fault: Fault, now: float) -> Answer:
    status = HTTPStatus(fault.whole("status"))
    title = "Sign in to continue" if status is HTTPStatus.OK else f"{status.value} {status.phrase}"
    return made(status, _HTML, _PAGE.format(title=title).encode(), now)


def unauthorized(kind: str, now: float) -> Answer:
    """Return the refusal of a token that was good once; there is no `message` in it."""
    body = {"error": "invalid_token", "error_description": _SAID[kind]}
    return _json(HTTPStatus.UNAUTHORIZED, body, now)


def garbage(fault: Fault, now: float) -> Answer:
    what = str(fault.settings["what"])
    packed = {"Content_Encoding": "gzip"} if what == "encoding" else {}
    return made(HTTPStatus.OK, _JSON, _GARBAGE[what], now, **packed)


def gone(now: float) -> Answer:
    """Return that the server behind the relay does not answer."""
    return made(HTTPStatus.BAD_GATEWAY, _TEXT, b"The emulator's server is gone.\n", now)


def _json(status: HTTPStatus, body: dict[str, Any], now: float) -> Answer:
    return made(status, _JSON, json.dumps(body).encode(), now)


_OK: Final = 200
_DEFAULT_PER_PAGE: Final = 20  # spec §8
_MOST_PER_PAGE: Final = 100
_DIGITS: Final = 9


async def endless(call: Call, ask: Ask, pages: int) -> Answer:
    """Answer with one of the first pages again and again, each leading to a further one."""
    page = _number(call, "page", 1)
    told = (page - 1) % pages + 1
    answer = await ask(call if told == page else _asking(call, page=told))
    return _numbered(call, answer, page, more=True) if _is_list(call, answer) else answer


async def shifting(call: Call, ask: Ask, rows: int) -> Answer:
    """Answer as if so many new rows had come on top since the page before was read."""
    page = _number(call, "page", 1)
    size = max(1, min(_number(call, "per_page", _DEFAULT_PER_PAGE), _MOST_PER_PAGE))
    if page == 1 or rows >= size or call.method != "GET":
        return await ask(call)
    start = (page - 1) * (size - rows)
    first = start // size + 1
    answer = await ask(_asking(call.plain(), page=first, per_page=size))
    if not _is_list(call, answer):
        return answer
    window = await _rows(answer)
    following = await ask(_asking(call.plain(), page=first + 1, per_page=size))
    window += await _rows(following)
    window = window[start % size :]
    more = len(window) > size or bool(following.header(b"x-next-page"))
    body = json.dumps(window[:size], ensure_ascii=False, separators=(",", ":")).encode()
    return _numbered(call, answer.with_body(body), page, more=more)


async def _rows(answer: Answer) -> list[Any]:
    rows = json.loads(await read(answer.body))
    return rows if isinstance(rows, list) else []


def _is_list(call: Call, answer: Answer) -> bool:
    kind = answer.header(b"content-type") or ""
    return call.method == "GET" and answer.status == _OK and kind.startswith("application/json")


def _numbered(call: Call, answer: Answer, page: int, *, more: bool) -> Answer:
    host = next((value for name, value in call.headers if name == b"host"), b"").decode("latin-1")
    following = f'<http://{host}{_asking(call, page=page + 1).target}>; rel="next"'
    return answer.with_headers(
        link=following if more else None,
        x_page=str(page),
        x_prev_page=str(page - 1) if page > 1 else "",
        x_next_page=str(page + 1) if more else "",
        x_total_pages=None,
    )


def _number(call: Call, name: str, default: int) -> int:
    values = dict(parse_qsl(call.target.partition("?")[2]))
    text = values.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _DIGITS else default


def _asking(call: Call, **values: int) -> Call:
    path, _, query = call.target.partition("?")
    pairs = [pair for pair in parse_qsl(query, keep_blank_values=True) if pair[0] not in values]
    pairs += [(name, str(value)) for name, value in values.items()]
    return replace(call, target=f"{path}?{urlencode(pairs)}")
