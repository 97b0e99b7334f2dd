"""What a platform or proxy says against a request is one clean, short line, whatever it sends."""

from __future__ import annotations

from typing import Any

import httpx
from hypothesis import example, given
from hypothesis import strategies as st
from tests.fuzz.bodies import NOW
from tests.fuzz.bounds import in_time, tries
from tests.fuzz.checks import check_error
from tests.fuzz.strategies import as_json, json_values, texts

from platui.api.error_responses import ErrorResponse
from platui.api.network_errors import offline_error
from platui.api.probing import Probe, check_is_api
from platui.api.quota import LONGEST_PAUSE, quota_of, retry_after_of
from platui.core.errors import (
    ApiError,
    NoPlatformError,
    OfflineError,
    RateLimitedError,
    ServerFailedError,
)
from platui.core.origins import Origin

keys = st.sampled_from(
    ["message", "error", "error_description", "errors", "scope", "base", "insufficient_scope"]
)
said = st.sampled_from(
    [
        "insufficient_scope", "Token was revoked.", "Token is expired", "404 Project Not Found",
        "Your account has been blocked.", "<html>", "503 Service Unavailable",
    ]
)  # fmt: skip
content = json_values(keys | texts).map(as_json)
kinds = st.sampled_from(["", "text/plain", "text/html", "application/json; charset=\x1b[31m"])
names = st.sampled_from(
    [
        "retry-after", "ratelimit-reset", "ratelimit-resettime", "ratelimit-limit", "date",
        "ratelimit-remaining", "ratelimit-observed",
    ]
)  # fmt: skip
moments = st.datetimes().map(lambda moment: f"{moment:%a, %d %b %Y %H:%M:%S} GMT")
values = texts | st.integers().map(str) | moments
headers = st.dictionaries(names, values, max_size=4)


@tries(150)
@given(
    status=st.integers(400, 599) | st.sampled_from([401, 403, 404, 429, 503, 999]),
    body=content | st.dictionaries(keys, said | texts, max_size=3).map(as_json) | st.binary(),
    kind=kinds,
    headers=headers,
    reason=texts,
    called=st.sampled_from(["token", "key"]),
    flags=st.tuples(st.booleans(), st.booleans()),
)
@example(400, b'{"message":' * 1_000 + b"1" + b"}" * 1_000, "", {}, "", "token", (True, False))
@example(400, b"[" * 65_536, "", {}, "", "token", (True, False))
@example(400, b'{"message":' + b"9" * 65_000 + b"}", "", {}, "", "token", (True, False))
def test_any_refusal_is_one_clean_line(
    status: int,
    body: bytes,
    kind: str,
    headers: dict[str, str],
    reason: str,
    called: str,
    flags: tuple[bool, bool],
) -> None:
    """Of the status that it has; whether a write may be done is decided for each."""
    had_token, of_job = flags
    refusal = ErrorResponse(
        status, {**headers, "content-type": kind}, body, NOW, reason, had_token, of_job, called
    )
    with in_time():
        error = refusal.error()
        assert isinstance(refusal.may_be_processed, bool)
    check_error(error)
    assert isinstance(error, ApiError | OfflineError)
    assert isinstance(error, OfflineError) or error.status == status
    if isinstance(error, RateLimitedError):
        assert error.retry_after is None or 0 <= error.retry_after <= LONGEST_PAUSE


@tries(100)
@given(headers)
def test_any_headers_of_a_quota_are_read(headers: dict[str, str]) -> None:
    """No wait is endless, and no count is below zero."""
    quota = quota_of(headers, NOW)
    assert quota.limit is None or quota.limit >= 0
    assert quota.observed is None or quota.observed >= 0
    wait = retry_after_of(headers, NOW)
    assert wait is None or 0 <= wait <= LONGEST_PAUSE


errors: st.SearchStrategy[Any] = st.sampled_from(
    [httpx.ProxyError, httpx.ConnectError, httpx.ReadError, httpx.RemoteProtocolError,
     httpx.ReadTimeout, httpx.ConnectTimeout, httpx.LocalProtocolError]
)  # fmt: skip


@tries(60)
@given(kind=errors, text=texts, proxy=st.none() | st.just("proxy:3128"))
@example(httpx.ProxyError, "407 " + "x" * 100_000, None)
def test_what_broke_a_connection_is_one_clean_line(
    kind: type[httpx.HTTPError], text: str, proxy: str | None
) -> None:
    """A proxy chooses the reason that is shown."""
    check_error(offline_error(kind(text), Origin("https", "host", 443), proxy=proxy))


@tries(60)
@given(
    status=st.integers(200, 599),
    reason=texts,
    body=content | st.binary(max_size=20),
    is_page=st.booleans(),
)
@example(status=502, reason="x" * 60_000, body=b"", is_page=False)
def test_any_server_is_the_platform_or_is_not(
    status: int,
    reason: str,
    body: bytes,
    is_page: bool,  # noqa: FBT001  (drawn)
) -> None:
    """What it calls its status is shown in part."""
    found = Probe(status, reason, body, is_page, 1, NOW, None, None)
    try:
        with in_time():
            check_is_api(found, "host")
    except (NoPlatformError, ServerFailedError) as error:
        check_error(error)
