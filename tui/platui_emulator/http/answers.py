"""How an answer is written down."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from starlette.responses import Response

from platui_emulator.http.streaming import StreamedAnswer

if TYPE_CHECKING:
    from platui_emulator.http.failures import ApiFailure
    from platui_emulator.records import LongText


def json_answer(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    return written_answer(written(body), status, headers)


def written(body: Any) -> str:
    """Return the JSON of an answer or of a part of one."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))


def written_answer(
    text: str, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """Return a JSON response of a text."""
    # A JSON body may have brought half a surrogate pair, which UTF-8 cannot say.
    return Response(text.encode("utf-8", "replace"), status, headers, media_type="application/json")


def no_content() -> Response:
    """Return the answer to what went well and leaves nothing to say."""
    return Response(status_code=204)


def plain_answer(
    body: bytes | LongText, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """Return bytes as plain text without a charset, because the encoding is unknown."""
    if not isinstance(body, bytes):
        return StreamedAnswer(body, media_type="text/plain", headers=headers)
    return Response(body, status, {"content-type": "text/plain", **(headers or {})})


def failure_answer(failure: ApiFailure) -> Response:
    """Return a refusal: JSON, or plain text where the platform answers so."""
    if isinstance(failure.body, str):
        return plain_answer(failure.body.encode(), failure.status, failure.headers)
    return json_answer(failure.body, failure.status, failure.headers)
