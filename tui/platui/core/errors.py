"""All errors, each with a title, a message and a hint, safe to show (`core.text.clean`)."""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class PlatuiError(Exception):
    """An expected error."""

    title = "Something went wrong"  # two or three words, for a banner or toast
    default_hint = ""  # what the user can do

    def __init__(self, sentence: str, *, hint: str | None = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.hint = self.default_hint if hint is None else hint

    def __str__(self) -> str:
        return self.sentence

    def drop_traceback(self) -> None:
        """Drop traceback and causes of an error that is kept: their frames hold whole responses."""
        self.__traceback__ = self.__cause__ = self.__context__ = None


class ConfigError(PlatuiError):
    """A configuration file, option or environment variable is invalid."""

    title = "Configuration"


class CommandError(PlatuiError):
    """A typed command or name does not exist."""

    title = "Command"


class AmbiguousError(ConfigError):
    """A typed name matches several objects, or may later; the hint names them."""

    title = "Ambiguous name"


class CredentialError(ConfigError):
    """A credential cannot be read: no source, a failing command, wrong file permissions."""

    title = "Credential"


class OfflineReason(StrEnum):
    """Why no response came."""

    NO_SUCH_HOST = "no such host"
    REFUSED = "refused"
    TLS = "tls"
    NOT_TLS = "no tls"  # Perhaps plain http
    TIMEOUT = "timeout"
    DROPPED = "dropped"
    PROXY = "proxy"


class OfflineError(PlatuiError):
    """No response: DNS, connection, TLS or timeout."""

    title = "Offline"
    default_hint = "platui retries automatically."

    def __init__(self, sentence: str, *, reason: OfflineReason, hint: str | None = None) -> None:
        super().__init__(sentence, hint=hint)
        self.reason = reason


class WrongOriginError(PlatuiError):
    """A redirect or link points to another host; the token was not sent there."""

    title = "Another host"

    def __init__(self, sentence: str, *, hint: str | None = None, target: str = "") -> None:
        super().__init__(sentence, hint=hint)
        self.target = target  # of the redirect, untrusted; empty without one


class InsecureError(ConfigError):
    """A plain http address that is not loopback, without `insecure = true`."""

    title = "Not encrypted"


NO_OPERATION: Final = frozenset({405, 501})  # HTTP statuses of an unsupported operation


class ApiError(PlatuiError):
    """The platform responded with an HTTP error (`status`)."""

    title = "Request failed"

    def __init__(self, sentence: str, *, status: int, hint: str | None = None) -> None:
        super().__init__(sentence, hint=hint)
        self.status = status


class UnauthorizedError(ApiError):
    """401: the credential is missing, unknown, expired or revoked (spec §7)."""

    title = "Not signed in"
    default_hint = (
        "Set a new token: run platui init PROFILE, set PLATUI_TOKEN or token_command, "
        "or press A in the dashboard."
    )


class ExpiredTokenError(UnauthorizedError):
    """401: the credential has expired or was revoked."""


class ForbiddenError(ApiError):
    """403: the credential is valid but not allowed to do this."""

    title = "Not allowed"
    default_hint = "Request a role or a token scope that allows it."


class MissingScopeError(ForbiddenError):
    default_hint = "Use a token with this scope."


class NotFoundError(ApiError):
    """404: missing, or not visible to this credential."""

    title = "Not found"
    default_hint = "It may be deleted, or not visible to this token."

    def __init__(
        self, sentence: str, *, status: int, hint: str | None = None, missing: str = ""
    ) -> None:
        super().__init__(sentence, status=status, hint=hint)
        # `project`, `file`, `commit` or another `record`; empty: unknown, such as a route
        self.missing = missing


class DisabledEndpointError(NotFoundError):
    """An optional endpoint that the profile disables; nothing was sent."""


class RejectedError(ApiError):
    """400, 405, 409, 422: the request is invalid."""

    title = "Rejected"


MISSING: Final = (NotFoundError, RejectedError)
"""Responses of an optional endpoint that the platform does not support (spec §4.3)."""

HIDDEN: Final = (NotFoundError, ForbiddenError)
"""Responses for a resource that this credential may not see."""

UNAVAILABLE: Final = (*MISSING, ForbiddenError)


def is_unsupported(error: PlatuiError | None) -> bool:
    """Return whether the platform lacks an optional endpoint, not just the requested record."""
    if isinstance(error, NotFoundError):
        # Some platforms answer an unknown route like an unknown record.
        return error.missing in {"", "record"}
    return isinstance(error, MISSING)


class RateLimitedError(ApiError):
    """429: the quota is used up (spec §8)."""

    title = "Rate limit"
    default_hint = "platui continues automatically when the quota is available."

    def __init__(self, sentence: str, *, retry_after: float | None) -> None:
        super().__init__(sentence, status=429)
        self.retry_after = retry_after  # seconds to wait; None: not stated


class ServerFailedError(ApiError):
    """5xx: the platform or a proxy in front of it failed."""

    title = "Platform error"
    default_hint = "platui retries automatically."


RETRIED: Final = (OfflineError, RateLimitedError, ServerFailedError)
"""Errors after which the dashboard retries automatically, as their default hints promise."""


class InvalidResponseError(PlatuiError):
    """A response that violates the specification: HTML, broken JSON, a missing id."""

    title = "Invalid response"
    default_hint = "Check the URL: it may be a proxy or a login page."


class NoPlatformError(PlatuiError):
    title = "Not a platform"
    default_hint = InvalidResponseError.default_hint


class WriteRefusedError(PlatuiError):
    """A write was blocked: writes are off or locked, or it was not confirmed."""

    title = "Writes are locked"


class WritesOffError(WriteRefusedError):
    """The profile or --read-only forbids all writes."""

    title = "Writes are off"


class AlreadyRunningError(WriteRefusedError):
    """The same write is still running; it is not sent twice."""

    title = "Already running"


class NotSupportedError(PlatuiError):
    title = "Not supported"
    default_hint = "Try it in the platform's web interface."


class NothingToDoError(PlatuiError):
    title = "Nothing to do"


class OutcomeUnknownError(PlatuiError):
    """A write was sent, but its result is unknown."""

    title = "Result unknown"
    default_hint = "Check the result before you retry."


class FileWriteError(PlatuiError):
    """A file could not be written; an existing file is unchanged."""

    title = "Not saved"


class NameTakenError(PlatuiError):
    """The file already exists and may not be replaced."""

    title = FileWriteError.title


class FileReadError(PlatuiError):
    title = "Cannot read file"


class PatternError(PlatuiError):
    """A search pattern is invalid or takes too long."""

    title = "Search"


class TermError(PlatuiError):
    """A search term of the access report is invalid."""

    title = "Search"

    def __init__(self, sentence: str, *, start: int, end: int, hint: str = "") -> None:
        super().__init__(sentence, hint=hint)
        self.start = start  # index of its first invalid character in the query
        self.end = end  # index after the last one


class ReportError(PlatuiError):
    """An access report is invalid: truncated, not JSON, or of another schema."""

    title = "Cannot read the report"

    def __init__(self, sentence: str, *, hint: str | None = None, is_of_text: bool = True) -> None:
        super().__init__(sentence, hint=hint)
        self.is_of_text = is_of_text  # False: a temporary failure, as of memory
