"""Convert error responses of any form to typed errors with one clean line of message."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import datetime
from http import HTTPStatus
from http.client import responses
from typing import Any, Final

from platui.api.quota import retry_after_of
from platui.core.dataclass import dataclass
from platui.core.errors import (
    ApiError,
    ExpiredTokenError,
    ForbiddenError,
    MissingScopeError,
    NotFoundError,
    OfflineError,
    OfflineReason,
    PlatuiError,
    RateLimitedError,
    RejectedError,
    ServerFailedError,
    UnauthorizedError,
)
from platui.core.text import shorten
from platui.models.wire.record import flatten_messages

LONGEST_TEXT: Final = 240
_PAGE_HINT: Final = "A proxy or login page may be in front of the platform."
_NOT_FOR_JOBS: Final = "Not allowed with a job token, or the job has ended."
_JOB_HINT: Final = (
    "Set PLATUI_TOKEN. A job token only works for platui job and platui trigger while its job runs."
)
_BLOCKED: Final = "account has been blocked"
_BLOCKED_HINT: Final = "Use the token of an active user."
_MISSING: Final = re.compile(r"(?<![/\w])(?:project|file|commit)\b", re.IGNORECASE)  # In a 404
_REJECTED: Final = frozenset({400, 405, 406, 409, 410, 412, 413, 414, 415, 422, 423})


@dataclass(frozen=True, slots=True)
class ErrorResponse:
    """A response with a status of 400 or more."""

    status: int
    headers: Mapping[str, str]  # By lower-case name
    body: bytes
    at: datetime
    reason: str = ""
    had_token: bool = True
    of_job: bool = False
    called: str = "token"  # The user's term for the credential: token or key

    def error(self) -> PlatuiError:
        match self.status:
            case HTTPStatus.UNAUTHORIZED:
                return self._unauthorized()
            case HTTPStatus.FORBIDDEN:
                return self._forbidden()
            case HTTPStatus.NOT_FOUND:
                found = _MISSING.search(text := self._text())
                # An unknown route has no `message`.
                record = "record" if self._fields().get("message") else ""
                missing = found[0].lower() if found else record
                return NotFoundError(text, status=404, hint=self._hint(), missing=missing)
            case HTTPStatus.PROXY_AUTHENTICATION_REQUIRED:
                sentence = "The proxy requires a user name and password."
                return OfflineError(sentence, reason=OfflineReason.PROXY, hint="")
            case HTTPStatus.TOO_MANY_REQUESTS:
                # Operators may configure any body of a 429: it is not used.
                wait = retry_after_of(self.headers, self.at)
                when = "" if wait is None else f"; wait {wait:.0f} s"
                # The quota of the user has headers (spec §8); an endpoint's own limit has none.
                of_user = any(name.startswith("ratelimit-") for name in self.headers)
                which = "in this minute" if of_user else "to this endpoint"
                return RateLimitedError(f"Too many requests {which}{when}.", retry_after=wait)
        kind = RejectedError if self.status in _REJECTED else ApiError
        if self.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            kind = ServerFailedError
        return kind(self._text(), status=self.status, hint=self._hint())

    @property
    def may_be_processed(self) -> bool:
        """Return whether a write may have been processed: a proxy also sends 503 afterwards."""
        if self.status < HTTPStatus.INTERNAL_SERVER_ERROR:
            return False
        if self.status == HTTPStatus.SERVICE_UNAVAILABLE:
            # The platform sends a JSON object with a reason (spec §7).
            fields = self._fields() if self.body.lstrip().startswith(b"{") else {}
            return not (fields.get("message") or fields.get("error"))
        return self.status != HTTPStatus.NOT_IMPLEMENTED

    def _unauthorized(self) -> UnauthorizedError:
        fields = self._fields()
        spoken_of = (fields.get("error_description"), fields.get("message"), fields.get("error"))
        said = " ".join(flatten_messages(one) for one in spoken_of if one).lower()
        # A token has the default hint.
        hint = None if self.called == "token" else f"Enter a new {self.called}."
        if "expired" in said or "revoked" in said:
            end = "has expired" if "expired" in said else "was revoked"
            return ExpiredTokenError(f"The {self.called} {end}.", status=self.status, hint=hint)
        if not self.had_token:
            sentence = f"The platform requires a {self.called}, and none is set."
        elif self._is_page():
            sentence, hint = self._text(), _PAGE_HINT
        elif self.of_job:
            sentence, hint = _NOT_FOR_JOBS, _JOB_HINT
        else:
            sentence = f"The platform does not accept this {self.called} ({self._text()})."
        return UnauthorizedError(sentence, status=self.status, hint=hint)

    def _forbidden(self) -> ForbiddenError | UnauthorizedError:
        fields = self._fields()
        if fields.get("error") == "insufficient_scope":
            # Any of the scopes, separated by spaces, is sufficient.
            scopes = shorten(flatten_messages(fields.get("scope")), 60).split()
            named = " or ".join(f"`{scope}`" for scope in scopes)
            sentence = f"The {self.called} lacks the scope {named}." if named else self._text()
            return MissingScopeError(sentence, status=self.status)
        if _BLOCKED in self._text().lower():
            sentence = "The owner of this token is blocked on the platform."
            return UnauthorizedError(sentence, status=self.status, hint=_BLOCKED_HINT)
        return ForbiddenError(self._text(), status=self.status, hint=self._hint())

    def _text(self) -> str:
        status = f"{self.status} {self.reason or responses.get(self.status, '')}".strip()
        if self._is_page():
            return f"{shorten(status, 60)}: received a web page instead of data."
        fields = self._fields()
        candidates = (fields.get("message"), fields.get("error_description"), fields.get("error"))
        texts = (_one_line(flatten_messages(candidate)) for candidate in candidates)
        said = next((text for text in texts if text), "")
        if not said and self.headers.get("content-type", "").lower().startswith("text/plain"):
            lines = self.body.decode("utf-8", errors="replace").strip().splitlines()
            said = _one_line(lines[0]) if lines else ""
        return shorten(said or _one_line(status), LONGEST_TEXT)

    def _hint(self) -> str | None:
        return _PAGE_HINT if self._is_page() else None

    def _fields(self) -> dict[str, Any]:
        try:
            value = json.loads(self.body)
        except (ValueError, RecursionError):
            return {}
        if isinstance(value, dict):
            return value
        return {"message": value}

    def _is_page(self) -> bool:
        return is_page(self.headers.get("content-type", ""), self.body)


def is_page(content_type: str, body: bytes) -> bool:
    """Return whether a response is a web page, as proxies and login forms send."""
    if "html" in content_type.lower():
        return True
    start = body[:256].lstrip().lower()
    return start.startswith((b"<!doctype html", b"<html"))


def _one_line(text: str) -> str:
    return " ".join(shorten(text, LONGEST_TEXT * 4).split())
