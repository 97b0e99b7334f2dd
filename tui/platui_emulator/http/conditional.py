"""Answers that depend on what the client has: `If-None-Match`, `Range`, `Accept-Encoding`."""

from __future__ import annotations

import gzip
import hashlib
import re
from typing import TYPE_CHECKING, Final

from starlette.responses import Response

from platui_emulator.http.failures import bad_request
from platui_emulator.http.streaming import StreamedAnswer

if TYPE_CHECKING:
    from starlette.datastructures import Headers

_GZIP_FROM: Final = 250
_GZIP_LEVEL: Final = 2
_GZIPPED: Final = frozenset({"application/json", "text/plain", "text/html"})
_RANGE: Final = re.compile(r"bytes=([0-9]{0,18})-([0-9]{0,18})", re.ASCII)


def conditional(asked: Headers, response: Response) -> Response:
    """Return what to send instead of a full 200. Raises ApiFailure: a suffix range."""
    if response.status_code != 200:  # noqa: PLR2004  (the one status that has conditions)
        return response
    etag = _etag(response)
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = "max-age=0, private, must-revalidate"
    if _is_known(asked.get("if-none-match", ""), etag):
        return _with_body(response, 304, b"")
    if "accept-ranges" in response.headers and "range" in asked:
        return _ranged(asked, response)
    return response


def compressed(asked: Headers, response: Response) -> Response:
    """Return the answer gzipped, where the client takes that and it is worth it."""
    kind = response.headers.get("content-type", "").partition(";")[0]
    if kind not in _GZIPPED or "content-range" in response.headers:
        return response
    response.headers["Vary"] = "Accept-Encoding"
    if isinstance(response, StreamedAnswer):
        if _takes_gzip(asked.get("accept-encoding", "")):
            response.pack()
        return response
    body = bytes(response.body)
    if len(body) < _GZIP_FROM or not _takes_gzip(asked.get("accept-encoding", "")):
        return response
    packed = _with_body(response, response.status_code, gzip.compress(body, _GZIP_LEVEL, mtime=0))
    packed.headers["Content-Encoding"] = "gzip"
    # A front server that packs on the fly does not know the length: the body goes out chunked.
    del packed.headers["content-length"]
    return packed


def _etag(response: Response) -> str:
    if isinstance(response, StreamedAnswer):
        known = response.text.identity.encode()
    else:
        known = bytes(response.body)
    return f'W/"{hashlib.blake2b(known, digest_size=16).hexdigest()}"'


def _is_known(header: str, etag: str) -> bool:
    known = {candidate.strip().removeprefix("W/") for candidate in header.split(",")}
    return "*" in known or etag.removeprefix("W/") in known


def _takes_gzip(header: str) -> bool:
    for item in header.lower().split(","):
        coding, _, weight = item.replace(" ", "").partition(";q=")
        if coding in {"gzip", "*"}:
            return weight.strip("0.") != "" if weight else True
    return False


def _ranged(asked: Headers, response: Response) -> Response:
    size = response.text.size if isinstance(response, StreamedAnswer) else len(response.body)
    found = _RANGE.fullmatch(asked["range"].replace(" ", ""))
    # Our tags are weak, and `If-Range` needs a strong one: it can never hold (RFC 9110 §13.1.5).
    if found is None or "if-range" in asked or size is None:
        return response
    first, last = found.groups()
    if not first:
        raise bad_request("400 Bad request - Suffix ranges are not supported")
    start = int(first)
    if last and int(last) < start:
        return response
    if start >= size:
        refused = _with_body(response, 416, b"")
        refused.headers["Content-Range"] = f"bytes */{size}"
        return refused
    return _part(response, start, min(int(last), size - 1) + 1 if last else size)


def _part(response: Response, start: int, end: int) -> Response:
    if isinstance(response, StreamedAnswer):
        response.narrow(start, end)
        return response
    body = bytes(response.body)
    part = _with_body(response, 206, body[start:end])
    part.headers["Content-Range"] = f"bytes {start}-{end - 1}/{len(body)}"
    return part


def _with_body(response: Response, status: int, body: bytes) -> Response:
    kept = {name: value for name, value in response.headers.items() if name != "content-length"}
    if status == 304:  # noqa: PLR2004  (no body, so nothing to say about one)
        kept.pop("content-type", None)
    return Response(body, status, headers=kept)
