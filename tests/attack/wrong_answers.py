"""Many ways to answer a request wrongly."""

from __future__ import annotations

import gzip
import json
import time
from typing import TYPE_CHECKING, Any, Final

from tests.attack.wrong_server import SILENT, Request, Way, WrongServer

if TYPE_CHECKING:
    from collections.abc import Iterator

MEGABYTE: Final = 1 << 20
_ESCAPE: Final = "\x1b]0;owned\x07\x1b[31m\x9b31m\u202egnp\r\n"

_FIELDS: Final = """
    id iid name path path_with_namespace full_path web_url status ref sha source created_at
    updated_at started_at finished_at duration queued_duration coverage user username state
    stage allow_failure failure_reason artifacts artifacts_file runner pipeline project
    project_id default_branch description cron cron_timezone next_run_at active owner
    last_pipeline variables key value commit title message author_name committed_date parent
    parent_id kind namespace scopes expires_at revoked token ref_type last_activity_at
    yaml_errors detailed_status tag_list retried web commits diffs total_time test_suites users
    platform
"""


def _head(status: str = "200 OK", **headers: str | int) -> bytes:
    lines = [f"HTTP/1.1 {status}", "Connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode("utf-8") + b"\r\n\r\n"


def _whole(body: bytes, status: str = "200 OK", **headers: str) -> bytes:
    return _head(status, **{"Content_Type": "application/json", **headers}, **_length(body)) + body


def _length(body: bytes) -> dict[str, str]:
    return {"Content_Length": str(len(body))}


def _says(body: bytes | str, status: str = "200 OK", **headers: str) -> Way:
    content = body.encode() if isinstance(body, str) else body

    def way(_: Request, __: WrongServer) -> Iterator[bytes]:
        yield _whole(content, status, **headers)

    return way


def _sends(*pieces: bytes) -> Way:
    def way(_: Request, __: WrongServer) -> Iterator[bytes]:
        yield from pieces

    return way


def _record(value: Any) -> dict[str, Any]:
    """Return a record that has the fields of all, each with the same value."""
    return dict.fromkeys(_FIELDS.split(), value)


def _records(value: Any) -> Way:
    def way(request: Request, _: WrongServer) -> Iterator[bytes]:
        record = _record(value)
        last = request.target.partition("?")[0].rpartition("/")[2]
        is_one = last.isdigit() or last in {"user", "self", "version", "metadata", "report"}
        yield _whole(json.dumps(record if is_one else [record, record]).encode())

    return way


def _pages(**headers: str) -> Way:
    """Return a way whose pages never end; `{url}` and `{target}` are replaced in headers."""

    def way(request: Request, server: WrongServer) -> Iterator[bytes]:
        record = {"id": 7, "status": "failed", "ref": "main", "name": "x", "web_url": server.url}
        filled = {
            name: value.replace("{url}", server.url).replace("{target}", request.target)
            for name, value in headers.items()
        }
        yield _whole(json.dumps([record] * 100).encode(), **filled)

    return way


def _redirects(location: str, status: str = "302 Found") -> Way:
    def way(request: Request, server: WrongServer) -> Iterator[bytes]:
        other = server.elsewhere.url if server.elsewhere is not None else "http://127.0.0.2:1"
        place = location.replace("{url}", server.url).replace("{other}", other)
        yield _whole(b"", status, Location=place.replace("{target}", request.target))

    return way


def _silent(_: Request, server: WrongServer) -> Iterator[bytes]:
    server.ended.wait(SILENT)
    yield b""


def _drips(_: Request, server: WrongServer) -> Iterator[bytes]:
    yield _head(Content_Length=100_000)
    until = time.monotonic() + SILENT
    while time.monotonic() < until and not server.ended.is_set():
        yield b" "
        time.sleep(0.1)


def _repeats(first: bytes, piece: bytes, times: int) -> Way:
    def way(_: Request, __: WrongServer) -> Iterator[bytes]:
        yield first
        for _time in range(times):
            yield piece

    return way


def _ranges(_: Request, __: WrongServer) -> Iterator[bytes]:
    yield _whole(b"x" * 10, "206 Partial Content", Content_Range="bytes 900-909/5")


def _shrinks(request: Request, server: WrongServer) -> Iterator[bytes]:
    size = max(0, 5_000 - 1_000 * len(server.heard))
    if request.target.partition("?")[0].endswith("trace"):
        yield _whole(b"line of a log\n" * size, Content_Type="text/plain")
    else:
        yield _whole(b'{"id": 1, "status": "running", "name": "x", "stage": "y", "ref": "main"}')


_ZEROS: Final = gzip.compress(bytes(300 * MEGABYTE), 9)
_LONG: Final = b'["' + b"a" * (100 * MEGABYTE) + b'"]'

_BYTE_AT_A_TIME: Final = "a byte at a time"
_PAGES: Final[dict[str, Way]] = {
    "next page is this one": _pages(X_Next_Page="1", X_Total="100000"),
    "pages without end": _pages(X_Next_Page="2", X_Page="1", X_Total_Pages="99999999999"),
    "link to itself": _pages(Link='<{url}{target}>; rel="next"'),
    "link to another host": _pages(Link='<https://evil.example/>; rel="next"'),
    "link of garbage": _pages(Link="<<<>;;; rel=,,next"),
    "link of 100 kB": _pages(Link="<a>; rel=x, " * 9000),
    "negative totals": _pages(X_Total="-1", X_Next_Page="-2"),
}
WAYS: Final[dict[str, Way]] = {
    # framing
    "no status line": _sends(b"hello\r\n\r\n"),
    "nothing at all": _sends(),
    "status of letters": _sends(b"HTTP/1.1 abc OK\r\n\r\n"),
    "status 999": _says("{}", "999 Odd"),
    "another protocol": _sends(b"HTTP/3.7 200 OK\r\n\r\n"),
    "header without colon": _sends(b"HTTP/1.1 200 OK\r\nodd header\r\n\r\n"),
    "zero byte in a header": _sends(b"HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Length: 2\r\n\r\n{}"),
    "header of a megabyte": _repeats(b"HTTP/1.1 200 OK\r\nX: ", b"a" * MEGABYTE, 4),
    "headers without end": _repeats(b"HTTP/1.1 200 OK\r\n", b"X: a\r\n" * 1000, 100),
    "negative length": _sends(b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n{}"),
    "two lengths": _sends(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 9\r\n\r\n{}"),
    "length too large": _sends(_head(Content_Length=10**6) + b"{}"),
    "length too small": _sends(_head(Content_Length=1) + b'{"id": 7}'),
    "length beyond all": _sends(_head(Content_Length=10**30) + b"{}"),
    "chunk of letters": _sends(_head(Transfer_Encoding="chunked") + b"zz\r\n{}\r\n"),
    "chunk beyond all": _sends(_head(Transfer_Encoding="chunked") + b"ffffffffffffffff1\r\n{}"),
    "chunks without end": _repeats(
        _head(Transfer_Encoding="chunked"), b"10000\r\n" + b" " * 65536 + b"\r\n", 2000
    ),
    "continue without end": _repeats(b"", b"HTTP/1.1 100 Continue\r\n\r\n", 20_000),
    "silence": _silent,
    _BYTE_AT_A_TIME: _drips,
    # compression
    "bomb": _says(_ZEROS, Content_Encoding="gzip"),
    "compressed twice": _says(gzip.compress(b"{}"), Content_Encoding="gzip, gzip"),
    "broken compression": _says(b"no gzip", Content_Encoding="gzip"),
    "compression cut off": _says(gzip.compress(b"[" * 9999)[:30], Content_Encoding="gzip"),
    "unknown compression": _says(b"{}", Content_Encoding="odd"),
    # texts
    "100 MB of one line": _sends(_head(Content_Length=len(_LONG)), _LONG),
    "100,000 levels": _says("[" * 100_000),
    "levels of objects": _says('{"a":' * 100_000),
    "empty": _says(""),
    "null": _says("null"),
    "empty list": _says("[]"),
    "empty object": _says("{}"),
    "list of null": _says("[null]"),
    "list of lists": _says("[[[]]]"),
    "number": _says("7"),
    "number beyond all": _says("1" + "0" * 5000),
    "not a number": _says('[{"id": NaN}, Infinity]'),
    "key twice": _says('[{"id": 1, "id": "x"}]'),
    "not UTF-8": _says(b'[{"name": "\xff\xfe"}]'),
    "UTF-16": _says('[{"id": 7}]'.encode("utf-16")),
    "half a pair": _says('[{"id": 7, "name": "\\ud800"}]'),
    "byte order mark": _says(b"\xef\xbb\xbf[]"),
    "web page": _says("<html><script>alert(1)</script>", Content_Type="text/html"),
    "plain text": _says("it works", Content_Type="text/plain"),
    "two documents": _says("{}{}"),
    # records
    "escapes in all texts": _records(_ESCAPE),
    "null in all fields": _records(None),
    "lists in all fields": _records([]),
    "objects in all fields": _records({"id": {"id": {}}}),
    "true in all fields": _records(True),
    "huge numbers": _records(10**400),
    "negative numbers": _records(-(2**63)),
    "fractions": _records(1e308),
    "dates out of range": _records("99999-99-99T99:99:99Z"),
    "year zero": _records("0000-01-01T00:00:00Z"),
    "year 9999 far west": _records("9999-12-31T23:59:59-23:59"),
    "long texts": _records("ä" * 100_000),
    "addresses of another host": _records("https://evil.example/x"),
    # pages
    **_PAGES,
    # redirects
    "redirect to itself": _redirects("{url}{target}"),
    "redirect without end": _redirects("{url}{target}x"),
    "redirect to another host": _redirects("{other}{target}"),
    "redirect to another host, 307": _redirects("{other}{target}", "307 Temporary Redirect"),
    "redirect to a file": _redirects("file:///etc/passwd"),
    "redirect to a script": _redirects("javascript:alert(1)"),
    "redirect of slashes": _redirects("//evil.example/{target}"),
    "redirect with a user": _redirects("http://127.0.0.1@evil.example/"),
    "redirect of garbage": _redirects("http://[::1"),
    "redirect to nowhere": _redirects(""),
    # statuses
    **{f"status {code}": _says('{"message": "odd"}', f"{code} Odd") for code in (
        201, 204, 206, 300, 304, 400, 401, 403, 404, 405, 409, 418, 422, 500, 501, 502, 503, 504,
    )},
    "quota for ever": _says("{}", "429 Too Many Requests", Retry_After="99999999999"),
    "quota of garbage": _says("{}", "429 Too Many Requests", Retry_After="soon\x1b[31m"),
    "quota in the past": _says("{}", "429 Odd", Retry_After="-5", RateLimit_Reset="-1"),
    "refusal of a megabyte": _says(json.dumps({"message": _ESCAPE * 50_000}), "400 Bad Request"),
    "refusal of levels": _says('{"message":' * 1000 + "1" + "}" * 1000, "422 Odd"),
    # logs and files
    "range that lies": _ranges,
    "log that shrinks": _shrinks,
    "log of carriage returns": _says("a\r" * 500_000, Content_Type="text/plain"),
    "log of empty lines": _says("\n" * 3_000_000, Content_Type="text/plain"),
    "log of sections": _says("section_start:1:a\r\x1b[0K" * 50_000, Content_Type="text/plain"),
}  # fmt: skip
"""Name -> how a request is answered."""

ENDING: Final = frozenset(WAYS) - frozenset(_PAGES) - {_BYTE_AT_A_TIME}
"""Ways that end soon, so that a view shows something of them, if only that it is empty."""
