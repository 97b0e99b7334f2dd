"""Ways to answer a request with what a right platform answers, altered."""

from __future__ import annotations

import http.client
import json
import random
import re
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any, Final

from tests.attack.wrong_server import SILENT, Request, Way, WrongServer

_ESCAPE: Final = "\x1b]52;c;aGFja2Vk\x07\x1b[2J\x9b2J\u202e\u2028\x00\r\n[@click=app.quit][/x]"
_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d(T.*)?")
_DATES: Final = (
    "99999-99-99T99:99:99Z", "0000-01-01T00:00:00Z", "0001-01-01T00:00:00+23:59",
    "9999-12-31T23:59:59-23:59", "2026-02-30T12:00:00Z", "1969-12-31T23:59:59Z", "T", "-1",
)  # fmt: skip
_IDS: Final = (0, -1, 2**31, 2**63, 2**64 + 1, 10**30)
_TYPES: Final[tuple[Any, ...]] = (None, True, 7, -1.5, "text", [], ["x"], {}, {"id": 7}, [[7]])
_LATE: Final = 4.0
"""Seconds, longer than a client waits that has a timeout of 2."""
_KEPT_OUT: Final = frozenset({"connection", "keep-alive", "transfer-encoding", "content-length"})


@dataclass(frozen=True)
class Answer:
    """An answer of the platform."""

    status: str
    headers: tuple[tuple[str, str], ...]
    body: bytes

    @property
    def is_json(self) -> bool:
        """Return whether its body is a JSON document."""
        return any("json" in value for name, value in self.headers if name == "content-type")

    def head(self, length: int | None = None) -> bytes:
        """Return its status line and headers, with the length of the body or another one."""
        lines = [f"HTTP/1.1 {self.status}", *(f"{name}: {value}" for name, value in self.headers)]
        lines += [f"content-length: {len(self.body) if length is None else length}"]
        return "\r\n".join([*lines, "connection: close", "", ""]).encode()


Alter = Callable[[Answer, Request, WrongServer], Answer]


def _asked(request: Request, server: WrongServer) -> Answer:
    """Return what the platform answers, with addresses as if the server were the platform."""
    headers = dict(line.split(": ", 1) for line in request.headers.split("\r\n") if ": " in line)
    headers = {name: value for name, value in headers.items() if name.lower() not in _KEPT_OUT}
    headers |= {"Accept-Encoding": "identity", "Host": server.upstream}
    with closing(http.client.HTTPConnection(server.upstream, timeout=SILENT)) as line:
        line.request(request.method, request.target, request.body or None, headers)
        answer = line.getresponse()
        here = server.url.removeprefix("http://")
        kept = tuple(
            (name.lower(), value.replace(server.upstream, here))
            for name, value in answer.getheaders()
            if name.lower() not in _KEPT_OUT
        )
        body = answer.read().replace(server.upstream.encode(), here.encode())
        return Answer(f"{answer.status} {answer.reason}", kept, body)


def right(request: Request, server: WrongServer) -> Iterator[bytes]:
    """Answer as the platform does."""
    answer = _asked(request, server)
    yield answer.head() + answer.body


def _altered(alter: Alter) -> Way:
    def way(request: Request, server: WrongServer) -> Iterator[bytes]:
        answer = alter(_asked(request, server), request, server)
        yield answer.head() + answer.body

    return way


def _values(change: Callable[[Any, random.Random], Any]) -> Way:
    """Return a way that changes each value of a JSON document, the innermost first."""

    def changed(value: Any, chance: random.Random) -> Any:
        if isinstance(value, dict):
            value = {name: changed(item, chance) for name, item in value.items()}
        elif isinstance(value, list):
            value = [changed(item, chance) for item in value]
        return change(value, chance)

    def alter(answer: Answer, request: Request, _: WrongServer) -> Answer:
        if not answer.is_json:
            return answer
        document = changed(json.loads(answer.body), random.Random(request.target))
        return replace(answer, body=json.dumps(document).encode())

    return _altered(alter)


def _texts(change: Callable[[str, random.Random], Any]) -> Way:
    return _values(lambda value, chance: change(value, chance) if isinstance(value, str) else value)


def _is_id(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _mixed(value: Any, chance: random.Random) -> Any:
    return chance.choice(_TYPES) if chance.random() < 0.1 else value


def _thinned(value: Any, chance: random.Random) -> Any:
    if isinstance(value, dict):
        return {name: item for name, item in value.items() if chance.random() < 0.8}
    return value


def _logs(change: Callable[[bytes, int], tuple[str, str, bytes]]) -> Way:
    """Return a way that answers for a log with status, range and body made of its text."""

    def alter(answer: Answer, request: Request, server: WrongServer) -> Answer:
        if answer.is_json or not answer.status.startswith("20"):
            return answer
        status, span, body = change(answer.body, len(server.heard))
        kept = tuple(pair for pair in answer.headers if pair[0] != "content-range")
        given = (("content-range", span),) if span else ()
        return Answer(status or answer.status, (*kept, *given), body)

    return _altered(alter)


def _headers(**headers: str) -> Way:
    def alter(answer: Answer, request: Request, server: WrongServer) -> Answer:
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        given = {
            name: value.format(url=server.url, target=request.target)
            for name, value in given.items()
        }
        kept = tuple(pair for pair in answer.headers if pair[0] not in given)
        return replace(answer, headers=(*kept, *given.items()))

    return _altered(alter)


def _cut(request: Request, server: WrongServer) -> Iterator[bytes]:
    answer = _asked(request, server)
    yield answer.head() + answer.body[: len(answer.body) // 2]


def _late(request: Request, server: WrongServer) -> Iterator[bytes]:
    server.ended.wait(_LATE)
    yield from right(request, server)


def _halves(request: Request, server: WrongServer) -> Iterator[bytes]:
    answer = _asked(request, server)
    half = len(answer.body) // 2
    yield answer.head() + answer.body[:half]
    time.sleep(0.3)
    yield answer.body[half:]


def _every_second(request: Request, server: WrongServer) -> Iterator[bytes]:
    answer = _asked(request, server)
    bad = replace(answer, status="500 Odd", body=b"{}") if len(server.heard) % 2 else answer
    yield bad.head() + bad.body


def _of_another(answer: Answer, request: Request, server: WrongServer) -> Answer:
    other = next((one for one in reversed(server.heard) if one.target != request.target), request)
    return answer if other.writes else _asked(other, server)


def _with_list(change: Callable[[list[Any]], list[Any]]) -> Way:
    def alter(answer: Answer, _: Request, __: WrongServer) -> Answer:
        document = json.loads(answer.body) if answer.is_json else None
        if not isinstance(document, list):
            return answer
        return replace(answer, body=json.dumps(change(document)).encode())

    return _altered(alter)


ALTERED: Final[dict[str, Way]] = {
    "right cut in the middle": _cut,
    "right too late": _late,
    "right in two halves": _halves,
    "every second one fails": _every_second,
    "right for another request": _altered(_of_another),
    "right without type": _headers(content_type=""),
    "right as a web page": _headers(content_type="text/html"),
    "ids out of range": _values(lambda one, by: by.choice(_IDS) if _is_id(one) else one),
    "one id for all": _values(lambda one, _: 7 if _is_id(one) else one),
    "dates out of range in records": _texts(
        lambda text, by: by.choice(_DATES) if _DATE.fullmatch(text) else text
    ),
    "some values of another type": _values(_mixed),
    "some fields missing": _values(_thinned),
    "some values null": _values(lambda one, by: None if by.random() < 0.2 else one),
    "numbers of no end": _values(lambda one, _: 1e308 * 10 if _is_id(one) else one),
    "escapes before texts": _texts(lambda text, _: text if _DATE.match(text) else _ESCAPE + text),
    "texts without words": _texts(lambda _, __: ""),
    "texts of 10 kB": _texts(lambda text, _: text + "ä\u0301" * 3000),
    "half a pair in texts": _texts(lambda text, _: text + "\ud800"),
    "addresses of others": _texts(
        lambda text, _: "https://user:secret@evil.example/\x1b[31m" if "://" in text else text
    ),
    "each record twice": _with_list(lambda rows: [row for row in rows for _ in range(2)]),
    "records backwards": _with_list(lambda rows: rows[::-1]),
    "more records than asked for": _with_list(lambda rows: (rows * 500)[:5000]),
    "no records of all": _with_list(lambda _: []),
    "right page for ever": _headers(x_next_page="2", x_total_pages="9999999", x_total="-5"),
    "right page links to itself": _headers(link='<{url}{target}>; rel="next"'),
    "right page links elsewhere": _headers(link='<https://evil.example{target}>; rel="next"'),
    "log shorter each time": _logs(lambda text, heard: ("200 OK", "", text[: -50 * heard])),
    "log other each time": _logs(
        lambda text, heard: ("200 OK", "", b"%d other\n" % heard * (len(text) // 8))
    ),
    "log longer each time": _logs(
        lambda text, heard: ("200 OK", "", text + b"more \x1b[2J\x1b]0;x\x07\n" * 20_000 * heard)
    ),
    "log of another range": _logs(
        lambda text, _: ("206 Partial Content", "bytes 5-9/3", text[7:] + text[:7])
    ),
    "log of a range of no number": _logs(
        lambda text, _: ("206 Partial Content", "bytes x-y/\x1b[2J", text)
    ),
    "log of a range of no end": _logs(
        lambda text, _: ("206 Partial Content", f"bytes 0-{10**25}/{10**26}", text)
    ),
    "log range never right": _logs(lambda _, __: ("416 Odd", "bytes */0", b"")),
    "log of zeros": _logs(lambda text, _: ("", "", bytes(len(text)))),
}
"""Name -> how a request is answered."""
