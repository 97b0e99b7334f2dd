"""What the platform says against a request, in one clean line and with a type."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from platui.api.error_responses import LONGEST_TEXT, ErrorResponse
from platui.core.errors import (
    ApiError,
    ForbiddenError,
    MissingScopeError,
    NotFoundError,
    OfflineError,
    PlatuiError,
    RateLimitedError,
    RejectedError,
    ServerFailedError,
    UnauthorizedError,
)
from platui.core.text import clean

NOW = datetime(2026, 3, 14, 3, 12, tzinfo=UTC)
PAGE = b"\n<!DOCTYPE html><html><title>Bad Gateway</title><script>alert(1)</script></html>"


def refused(status: int, body: object = b"", signed: str = "yes", **headers: str) -> PlatuiError:
    """Return the error of an answer; header names with `_` for `-`."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return ErrorResponse(status, named, content, NOW, had_token=signed == "yes").error()


@pytest.mark.parametrize(
    ("status", "body", "kind", "sentence"),
    [
        (400, {"error": "ref is missing, cron is missing"}, RejectedError, "ref is missing, cron"),
        (400, {"message": {"base": ["Reference not found"]}}, RejectedError, "Reference not found"),
        (400, {"message": {"cron": ["is odd", "x"]}}, RejectedError, "cron: is odd, x"),
        (400, {"message": {"a": {"b": ["c"]}}, "error": "no"}, RejectedError, "a: b: c"),
        (400, {"message": "", "error": "said here"}, RejectedError, "said here"),
        (400, {"message": {}}, RejectedError, "400 Bad Request"),
        (400, [{"message": "in a list"}], RejectedError, "in a list"),
        (400, "just text", RejectedError, "just text"),
        (
            403,
            {"message": "403 Forbidden - Job is not retryable"},
            ForbiddenError,
            "403 Forbidden -",
        ),
        (404, {"message": "404 Project Not Found"}, NotFoundError, "404 Project Not Found"),
        (404, {"error": "404 Not Found"}, NotFoundError, "404 Not Found"),
        (405, b"", RejectedError, "405 Method Not Allowed"),
        (409, {"message": "409 Conflict: Resource lock"}, RejectedError, "409 Conflict"),
        (418, b"\xff\xfe", ApiError, "418"),
        (422, {"message": "422 Unprocessable"}, RejectedError, "422 Unprocessable"),
        (500, {"message": "500 Internal Server Error"}, ServerFailedError, "500 Internal"),
        (502, b"{broken", ServerFailedError, "502 Bad Gateway"),
        (599, b"", ServerFailedError, "599"),
    ],
)
def test_kind_and_text(status: int, body: object, kind: type[ApiError], sentence: str) -> None:
    """`message`, else `error_description`, else `error`, else the reason phrase."""
    error = refused(status, body)
    assert type(error) is kind
    assert isinstance(error, ApiError)
    assert error.status == status
    assert error.sentence.startswith(sentence)


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("404 Project Not Found", "project"),
        ("404 File Not Found", "file"),
        ("404 Commit Not Found", "commit"),
        ("404 Not found", "record"),
    ],
)
def test_not_found_errors_have_the_missing_resource(text: str, missing: str) -> None:
    error = refused(404, {"message": text})
    assert isinstance(error, NotFoundError)
    assert error.missing == missing


@pytest.mark.parametrize("body", [{"error": "404 Not Found"}, {"message": ""}, b"", PAGE])
def test_an_unknown_route_names_no_record(body: object) -> None:
    error = refused(404, body)
    assert isinstance(error, NotFoundError)
    assert error.missing == ""


@pytest.mark.parametrize("status", [400, 401, 403, 404, 500, 502, 503])
@pytest.mark.parametrize("declared", ["text/html; charset=utf-8", "application/json"])
def test_a_web_page_is_never_shown(status: int, declared: str) -> None:
    """What a proxy sends is named for what it is, whatever it calls itself."""
    error = refused(status, PAGE, content_type=declared)
    assert "web page" in error.sentence
    assert "<" not in error.sentence
    assert "proxy" in error.hint.lower()


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (
            {"error": "invalid_token", "error_description": "Token is expired. You can either..."},
            "The token has expired.",
        ),
        (
            {"error": "invalid_token", "error_description": "Token was revoked. You have to..."},
            "The token was revoked.",
        ),
        ({"message": "401 Unauthorized: token expired"}, "The token has expired."),
        (
            {"message": "401 Unauthorized"},
            "The platform does not accept this token (401 Unauthorized).",
        ),
    ],
)
def test_a_401_says_what_is_wrong_with_the_token(body: object, sentence: str) -> None:
    """Expired, revoked and unknown need different remedies."""
    error = refused(401, body)
    assert isinstance(error, UnauthorizedError)
    assert error.sentence == sentence
    assert all(word in error.hint for word in ("PLATUI_TOKEN", "token_command", "A in the"))


OWN = {"message": "503 Service Unavailable"}


@pytest.mark.parametrize(
    ("status", "body", "is_open"),
    [
        (404, {"message": "404 Not Found"}, False),
        (500, {"message": "500 Internal Server Error"}, True),
        (501, {}, False),
        (502, {"message": "502 Bad Gateway"}, True),
        (503, OWN, False),
        (503, {"error": "read only"}, False),
        (503, PAGE, True),
        (503, b"upstream connect error or disconnect/reset before headers", True),
        (503, b'"no healthy upstream"', True),
        (503, b"", True),
        (504, PAGE, True),
        (524, b"", True),
    ],
)
def test_only_the_platform_itself_can_say_that_nothing_was_done(
    status: int, body: object, *, is_open: bool
) -> None:
    """Of a failure that whatever stands before it tells, nobody knows what was done before."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    assert ErrorResponse(status, {}, content, NOW).may_be_processed is is_open


def test_a_401_without_a_token_says_so() -> None:
    """There was nothing to accept."""
    error = refused(401, {"message": "401 Unauthorized"}, signed="no")
    assert error.sentence == "The platform requires a token, and none is set."


@pytest.mark.parametrize(
    ("scope", "sentence"),
    [
        ("api", "The token lacks the scope `api`."),
        ("api read_api", "The token lacks the scope `api` or `read_api`."),
        ("", "higher privileges"),
    ],
)
def test_a_missing_scope_is_named(scope: str, sentence: str) -> None:
    """The user knows what to ask for."""
    error = refused(
        403,
        {"error": "insufficient_scope", "error_description": "higher privileges", "scope": scope},
    )
    assert isinstance(error, MissingScopeError)
    assert error.sentence == sentence


def test_a_blocked_owner_is_a_matter_of_the_token() -> None:
    """Asking for a role would not help."""
    said = {"message": "403 Forbidden - Your account has been blocked."}
    error = refused(403, said)
    assert isinstance(error, UnauthorizedError)
    assert error.status == 403
    assert error.sentence == "The owner of this token is blocked on the platform."


def test_a_jobs_token_is_told_apart() -> None:
    """Another token helps, and the job's own is not called wrong; its end is told where known."""
    body = json.dumps({"message": "401 Unauthorized"}).encode()
    error = ErrorResponse(401, {}, body, NOW, of_job=True).error()
    assert "job token" in error.sentence
    assert "PLATUI_TOKEN" in error.hint
    revoked = {"error": "invalid_token", "error_description": "Token was revoked."}
    error = ErrorResponse(401, {}, json.dumps(revoked).encode(), NOW, of_job=True).error()
    assert error.sentence == "The token was revoked."


@pytest.mark.parametrize(
    ("body", "headers", "wait"),
    [
        (b"Retry later\n", {"retry_after": "42", "content_type": "text/plain"}, 42),
        ({"message": {"error": "Too many times."}}, {}, None),
        (b"<html>any text an operator likes: wait 9000 s</html>", {"retry_after": "3"}, 3),
    ],
)
def test_a_429_is_read_by_its_headers_alone(
    body: object, headers: dict[str, str], wait: float | None
) -> None:
    """Both kinds; the body may be anything and is not looked at."""
    error = refused(429, body, **headers)
    assert isinstance(error, RateLimitedError)
    assert error.retry_after == wait
    assert "9000" not in error.sentence
    assert "times." not in error.sentence


@pytest.mark.parametrize(
    ("headers", "words"),
    [({"ratelimit-remaining": "0"}, "in this minute"), ({"retry-after": "7"}, "to this endpoint")],
)
def test_the_limit_of_an_endpoint_is_not_called_the_quota(
    headers: dict[str, str], words: str
) -> None:
    """The quota of the user tells itself by its headers; an endpoint's own limit has none."""
    error = ErrorResponse(429, headers, b"", NOW).error()
    assert isinstance(error, RateLimitedError)
    assert words in error.sentence


def test_a_proxy_that_wants_a_password_is_a_matter_of_the_line() -> None:
    """407 never comes from the platform."""
    assert isinstance(refused(407), OfflineError)


def test_plain_text_is_shown_by_its_first_line_only_when_declared() -> None:
    """A trace dump without a type is not a message."""
    assert refused(500, b"Oops\ntrace", content_type="text/plain").sentence == "Oops"
    assert refused(500, b"Oops\ntrace").sentence == "500 Internal Server Error"


_JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["message", "error", "error_description", "x"]), inner)
    ),
)


@given(st.integers(400, 599), _JSON | st.binary(), st.sampled_from(["text/plain", "", "a/b"]))
def test_any_refusal_gives_one_clean_line(status: int, body: object, declared: str) -> None:
    """Not empty, not long, nothing in it that a terminal would obey."""
    sentence = refused(status, body, content_type=declared).sentence
    assert sentence.strip()
    assert clean(sentence) == sentence
    assert len(sentence) <= LONGEST_TEXT + 80
