"""Object storage on another port: signed addresses that expire; tokens are refused."""

from __future__ import annotations

import hashlib
import hmac
import re
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode, urlsplit
from xml.sax.saxutils import escape

from starlette.requests import Request
from starlette.responses import Response

from platui_emulator.http.streaming import StreamedAnswer

if TYPE_CHECKING:
    from starlette.datastructures import Headers, QueryParams
    from starlette.types import Receive, Scope, Send

    from platui.core.clock import Clock
    from platui_emulator.http.platform import Platform
    from platui_emulator.world.artifact_files import Archive

TOKEN_HEADERS: Final = ("authorization", "job-token", "private-token")
"""What no request to a storage may carry."""

_GOOD_FOR: Final = 600

_PATH: Final = re.compile(r"/artifacts/([0-9]{1,18})/([0-9]{1,18})/artifacts\.zip", re.ASCII)
_RANGE: Final = re.compile(r"bytes=([0-9]{0,18})-([0-9]{0,18})", re.ASCII)


class Storage:
    """Signs and checks addresses of the storage."""

    def __init__(self, seed: int, clock: Clock) -> None:
        self._key = f"storage:{seed}".encode()
        self._clock = clock
        self.port = 0
        """Where the storage listens, once it does."""

    def address(self, root: str, project_id: int, job_id: int) -> str:
        """Return the address of a job's archive, on the host by which the caller reached us."""
        parts = urlsplit(root)
        host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
        path = f"/artifacts/{project_id}/{job_id}/artifacts.zip"
        ends = int(self._clock.now().timestamp()) + _GOOD_FOR
        query = urlencode({"expires": ends, "signature": self._signature(path, str(ends))})
        return f"{parts.scheme}://{host}:{self.port}{path}?{query}"

    def refusal(self, path: str, query: QueryParams) -> Response | None:
        """Return the error for an invalid or expired address."""
        ends = query.get("expires", "")
        if not hmac.compare_digest(
            query.get("signature", "").encode(), self._signature(path, ends).encode()
        ):
            return _refused(403, "SignatureDoesNotMatch", "The signature is not one of ours.")
        if int(ends) < self._clock.now().timestamp():
            return _refused(403, "AccessDenied", "Request has expired")
        return None

    def _signature(self, path: str, ends: str) -> str:
        said = f"{path}?expires={ends}".encode()
        return hmac.new(self._key, said, hashlib.sha256).hexdigest()


class StorageServer:
    """The storage as an ASGI application."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._answer(Request(scope, receive))(scope, receive, send)

    def _answer(self, request: Request) -> Response:
        if carried_tokens(request.headers, request.query_params):
            return _refused(400, "InvalidArgument", "Only one auth mechanism allowed")
        if request.method not in {"GET", "HEAD"}:
            return _refused(405, "MethodNotAllowed", "Objects can be read here.")
        path = request.url.path
        refusal = self._platform.storage.refusal(path, request.query_params)
        if refusal is not None:
            return refusal
        found = _PATH.fullmatch(path)
        archive = self._archive(int(found[1]), int(found[2])) if found else None
        if archive is None:
            return _refused(404, "NoSuchKey", "The specified key does not exist.")
        return _sent(archive, request.headers)

    def _archive(self, project_id: int, job_id: int) -> Archive | None:
        return self._platform.world.pipelines.archive(project_id, job_id, self._platform.time.now())


def carried_tokens(headers: Headers, query: QueryParams) -> tuple[str, ...]:
    """Return the names of the places in which a request carries a token."""
    found = [name for name in TOKEN_HEADERS if name in headers]
    found += [name for name in ("private_token", "access_token", "job_token") if name in query]
    return tuple(found)


def _sent(archive: Archive, headers: Headers) -> Response:
    tag = f'"{hashlib.blake2b(archive.identity.encode(), digest_size=16).hexdigest()}"'
    answer = StreamedAnswer(
        archive,
        media_type="application/zip",
        headers={
            "Accept-Ranges": "bytes",
            "ETag": tag,
            "Content-Disposition": 'attachment; filename="artifacts.zip"',
        },
    )
    found = _RANGE.fullmatch(headers.get("range", "").replace(" ", ""))
    if found is None or not any(found.groups()) or headers.get("if-range", tag) != tag:
        return answer
    size = archive.size or 0
    first, last = found.groups()
    start = int(first) if first else max(0, size - int(last))
    end = min(int(last) + 1, size) if first and last else size
    if start >= end:
        refused = _refused(416, "InvalidRange", "The requested range is not satisfiable")
        refused.headers["Content-Range"] = f"bytes */{size}"
        return refused
    answer.narrow(start, end)
    return answer


def _refused(status: int, code: str, words: str) -> Response:
    said = f"<Code>{code}</Code><Message>{escape(words)}</Message>"
    body = f'<?xml version="1.0" encoding="UTF-8"?>\n<Error>{said}</Error>'
    return Response(body, status, media_type="application/xml")
