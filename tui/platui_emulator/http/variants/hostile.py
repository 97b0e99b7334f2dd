"""The same company with attacks in texts, logs, files, headers and errors."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from starlette.datastructures import Headers
from starlette.responses import Response

from platui_emulator import data
from platui_emulator.http.parameters import Parameters
from platui_emulator.http.streaming import StreamedAnswer
from platui_emulator.http.variants.attacks import (
    MARKUP,
    SEQUENCES,
    SHAPES,
    all_bare,
    bare,
    dice,
    poisoned,
    poisoned_texts,
    spoiled,
)
from platui_emulator.http.variants.variant import Variant

if TYPE_CHECKING:
    from platui_emulator.http.call import Call


LINES: Final = (
    *(f"hostile {payload} line".encode() for payload in SEQUENCES if payload != "\x00"),
    *(f"hostile {payload} line".encode() for payload in (*MARKUP, *SHAPES)),
    b"hostile \xff\xfe\xc3\x28\xe2\x82 bytes that are no text",
    b"hostile \x9b2J\x9d0;owned\x9c bare C1",
    b"hostile \x00\x00\x00 zeros",
    b"hostile \x1b]0;this never ends",
    b"hostile \x1bP and neither does this",
    b"hostile \x1b[38;2;1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17;18;19;99999999999999m colours",
    b"hostile 10 %\r20 %\r30 %\r\x1b[Khostile 100 %",
    b"section_start:1773457920:\x1b]52;c;aGFja2Vk\x07[/nope]\r\x1b[0Khostile section",
    b"section_start:99999999999999999999:huge\r\x1b[0Kafter the end of time",
    b"section_end:-1:never_begun\r\x1b[0K",
    b"section_start:1773457920:same\r\x1b[0Ksection_start:1773457920:same\r\x1b[0Ktwice",
    "hostile \u202eturned\u2028 and \u200bhidden \U000e0041".encode(),
    b"hostile " + b"giant " * 12_000,
)

_EVERY: Final = 5

HEAD: Final = b"# \x1b]52;c;aGFja2Vk\x07\x1b[2J\x9b2J [@click=app.quit]x[/nope] \xff\xfe\x00\n"
TAIL: Final = "\n# \u202e\u2028\x1b]0;without an end".encode()


def noisy_log(log: bytes) -> bytes:
    """Return a log with hostile lines; one that has grown still begins with what it was before."""
    if not log:
        return log
    lines = log.split(b"\n")
    found = [LINES[0]]
    for number, line in enumerate(lines[:-1]):
        found.append(line)
        if number % _EVERY == 0:
            found.append(LINES[(number // _EVERY + 1) % len(LINES)])
    return b"\n".join([*found, lines[-1]])


def noisy_content(content: bytes) -> bytes:
    """Return the content of a file between hostile bytes."""
    return HEAD + content + TAIL


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

_HEADERS: Final[Mapping[str, Sequence[str]]] = data.read_json("hostile_headers.json")


class Hostile(Variant):
    """Everything there is, poisoned."""

    def asked(self, headers: Headers) -> Headers:
        plain = _ODD.encode("latin-1")
        return Headers(raw=[(name, value.replace(plain, b"")) for name, value in headers.raw])

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
        """Replace header values by invalid ones that HTTP allows."""
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
