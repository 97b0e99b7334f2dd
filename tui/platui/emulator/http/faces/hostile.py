"""The same company as an attack on whoever looks at it: texts, logs, files, headers, errors.

What a client sends back, attacks and all, is understood.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from typing import TYPE_CHECKING, Any, Final

from starlette.datastructures import Headers
from starlette.responses import Response

from platui.emulator.http.faces.noise import noisy_content, noisy_log
from platui.emulator.http.faces.payloads import all_bare, bare, dice, poisoned
from platui.emulator.http.faces.spoiling import poisoned_texts, spoiled
from platui.emulator.http.parameters import Parameters
from platui.emulator.http.streaming import StreamedAnswer

if TYPE_CHECKING:
    from platui.emulator.http.call import Call

_LOG: Final = "GET projects/{project}/jobs/{job}/trace"
_FILE: Final = "GET projects/{project}/repository/files/{file}"
_RAW: Final = f"{_FILE}/raw"
_PROJECTS: Final = "GET projects"
_REPORT: Final = "GET reporting/report"
_OK: Final = 200
_REFUSALS: Final = 400

_ODD: Final = "\x9d0;owned\x9c"
"""C1 characters: HTTP forbids C0 in a header, and lets these pass."""

_NO_PROJECTS: Final = [None, poisoned("no project"), {"name": poisoned("without an id")}]
_TARGET: Final = re.compile(r"<https?://[^/>]*")

_HEADERS: Final = {
    "x-next-page": ("-1", "2; drop", "0x10", _ODD, "99999999999999999999"),
    "x-prev-page": (_ODD, "-2"),
    "x-page": ("0", _ODD, "one"),
    "x-per-page": ("-20", _ODD, "1e9"),
    "x-total": ("-1", _ODD, "99999999999999999999", "NaN"),
    "x-total-pages": ("-1", _ODD, "1e3"),
    "content-disposition": (
        f'attachment; filename="../../../../tmp/{_ODD}owned.sh"',
        "attachment; filename*=UTF-8''..%2F..%2F%1b%5d0%3bowned%07",
        'attachment; filename="/etc/passwd"; filename="two"',
    ),
    "ratelimit-limit": ("-600", _ODD, "99999999999999999999", "600, 600"),
    "ratelimit-observed": ("-1", _ODD, "NaN"),
    "ratelimit-remaining": ("-1", _ODD, "99999999999999999999"),
    "ratelimit-reset": ("-1", _ODD, "1e999"),
    "ratelimit-resettime": ("Thu, 99 Foo 99999 99:99:99 GMT", _ODD),
    "ratelimit-name": (_ODD,),
    "retry-after": ("-5", _ODD, "99999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT"),
    "x-gitlab-size": ("-1",),
    "x-gitlab-content-sha256": (_ODD,),
    "cache-control": (f"max-age=-1, {_ODD}",),
    "allow": (_ODD,),
}
"""What stands in the place of an honest value."""


class Hostile:
    """Everything there is, poisoned."""

    def asked(self, headers: Headers) -> Headers:
        """Understand our own odd ETags."""
        plain = _ODD.encode("latin-1")
        return Headers(raw=[(name, value.replace(plain, b"")) for name, value in headers.raw])

    def admits(self, method: str, pattern: str) -> bool:
        """Have every route."""
        del method, pattern
        return True

    def incoming(self, call: Call) -> None:
        """Take the attacks out of what the client sends back."""
        call.path = {name: bare(value) for name, value in call.path.items()}
        call.params = Parameters(all_bare(call.params.all()))

    def answered(self, route: str, response: Response) -> Response:
        """Poison the body, if it is not too long to be held."""
        if isinstance(response, StreamedAnswer):
            return response
        kind = response.headers.get("content-type", "").partition(";")[0]
        body = bytes(response.body)
        if kind == "application/json":
            return _with_body(response, _json(_poison(json.loads(body), route, response)))
        if response.status_code >= _REFUSALS:
            return _with_body(response, poisoned(body.decode()).encode("utf-8", "replace"))
        return _with_body(response, _bytes_of(route, body))

    def sent(self, response: Response) -> None:
        """Put nonsense into the headers that are there, as far as HTTP allows."""
        headers = response.headers
        for name in set(headers) & _HEADERS.keys():
            choices = _HEADERS[name]
            headers[name] = choices[dice(name, headers[name]) % len(choices)]
        if "link" in headers:
            decoy = f'<javascript:alert(1)>; rel="prefetch", <//evil.example/{_ODD}>; rel="up", '
            headers["link"] = decoy + _TARGET.sub("<https://evil.example", headers["link"])
        if "etag" in headers:
            headers["etag"] = headers["etag"].removesuffix('"') + f'{_ODD}"'
        if headers.get("content-type") == "application/json":
            headers["content-type"] = "application/json; charset=utf-7"


def _poison(body: Any, route: str, response: Response) -> Any:
    if route == _FILE and response.status_code == _OK:
        body = _file(body)
        return spoiled(body) | {"content": body["content"], "size": body["size"]}
    if route == _PROJECTS and isinstance(body, list):
        # All projects stay reachable, so that there is always somewhere to go.
        last = 'rel="next"' not in response.headers.get("link", 'rel="next"')
        return [spoiled(project) for project in body] + (_NO_PROJECTS if last else [])
    if route == _REPORT:
        return poisoned_texts(body)
    return spoiled(body)


def _file(body: dict[str, Any]) -> dict[str, Any]:
    """Return a file whose content is hostile, and whose size and checksum are of that content."""
    content = noisy_content(base64.b64decode(body["content"]))
    return body | {
        "content": base64.b64encode(content).decode("ascii"),
        "size": len(content),
        "content_sha256": hashlib.sha256(content).hexdigest(),
    }


def _bytes_of(route: str, body: bytes) -> bytes:
    if route == _LOG:
        return noisy_log(body)
    return noisy_content(body) if route == _RAW else body


def _json(value: Any) -> bytes:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    # Half a pair is not UTF-8; as an escape it is still JSON.
    return text.encode("utf-8", "backslashreplace")


def _with_body(response: Response, body: bytes) -> Response:
    kept = {name: value for name, value in response.headers.items() if name != "content-length"}
    return Response(body, response.status_code, headers=kept)
