"""Every way a thing can fail, as a type with a title, one sentence and a hint.

The text of an error is safe to show: it never holds a secret, and what came from
outside has passed `core.text.clean`. Only the ui decides how one is shown.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class PlatuiError(Exception):
    """Something platui can explain.

    Attributes:
        title: two or three words, for a banner or toast.
        sentence: one sentence that says what happened.
        hint: what the user can do; may be empty.
    """

    title = "Something went wrong"
    default_hint = ""

    def __init__(self, sentence: str, *, hint: str | None = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.hint = self.default_hint if hint is None else hint

    def __str__(self) -> str:
        return self.sentence


class ConfigError(PlatuiError):
    """A configuration file, option or environment variable is not usable."""

    title = "Configuration"


class CommandError(PlatuiError):
    """What was typed is no command, or names nothing that is there."""

    title = "Command"


class AmbiguousError(ConfigError):
    """A name that was typed fits several things; the hint lists them."""

    title = "Several are meant"


class IncompletePathError(ConfigError):
    """A write that nobody is asked about names its project by less than the whole path."""

    title = "Not named whole"


class CredentialError(ConfigError):
    """A credential could not be obtained: no source, a failing command, an open file."""

    title = "Credential"


class OfflineReason(StrEnum):
    """Why no answer came at all."""

    NO_SUCH_HOST = "no such host"
    REFUSED = "refused"
    TLS = "tls"
    NOT_TLS = "no tls"
    """Something answers there, perhaps plain http."""
    TIMEOUT = "timeout"
    DROPPED = "dropped"
    PROXY = "proxy"


class OfflineError(PlatuiError):
    """No answer came: DNS, connection, TLS or time."""

    title = "Offline"
    default_hint = "platui tries again by itself."

    def __init__(self, sentence: str, *, reason: OfflineReason, hint: str | None = None) -> None:
        super().__init__(sentence, hint=hint)
        self.reason = reason


class WrongOriginError(PlatuiError):
    """A redirect or link points to another host; the token was not sent there.

    Attributes:
        target: the address of a redirect, as it came: untrusted; empty where there was none.
    """

    title = "Another host"

    def __init__(self, sentence: str, *, hint: str | None = None, target: str = "") -> None:
        super().__init__(sentence, hint=hint)
        self.target = target


class InsecureError(ConfigError):
    """A plain http address that is not loopback, without `insecure = true`."""

    title = "Not encrypted"


NO_OPERATION: Final = frozenset({405, 501})
"""HTTP statuses by which a platform says that it has no such operation."""


class ApiError(PlatuiError):
    """The platform answered, and the answer is a refusal or a failure.

    Attributes:
        status: the HTTP status.
    """

    title = "The platform refused"

    def __init__(self, sentence: str, *, status: int, hint: str | None = None) -> None:
        super().__init__(sentence, hint=hint)
        self.status = status

    @property
    def lacks_operation(self) -> bool:
        """Return whether the platform has no such operation, whatever it is to be done with."""
        return self.status in NO_OPERATION


class UnauthorizedError(ApiError):
    """401: the credential is missing, unknown, expired or revoked (spec §7)."""

    title = "Not signed in"
    default_hint = (
        "Give a new token: platui init PROFILE puts one in its place; or PLATUI_TOKEN, "
        "token_command, A in the dashboard."
    )


class ExpiredTokenError(UnauthorizedError):
    """401: the credential was good once, and has expired or was revoked."""


class ForbiddenError(ApiError):
    """403: the credential is known but may not do this."""

    title = "Not allowed"
    default_hint = "Ask for a role or a token scope that allows it."


class MissingScopeError(ForbiddenError):
    """403: the credential is known, and was made for less than this."""

    default_hint = "Give a token that has this scope."


class NotFoundError(ApiError):
    """404: missing, or invisible to this credential."""

    title = "Not found"
    default_hint = "It may be gone, or not visible to this token."


class RejectedError(ApiError):
    """400, 405, 409, 422: the request as sent is not acceptable."""

    title = "Rejected"


MISSING: Final = (NotFoundError, RejectedError)
"""How a platform answers an optional endpoint that it does not offer (spec §4.3)."""

HIDDEN: Final = (NotFoundError, ForbiddenError)
"""How it answers for what this credential may not see."""

UNAVAILABLE: Final = (*MISSING, ForbiddenError)
"""Either of them."""


class RateLimitedError(ApiError):
    """429: the quota is spent (spec §8).

    Attributes:
        retry_after: seconds to wait, or None where the platform does not say.
    """

    title = "Rate limit"
    default_hint = "platui goes on by itself when the quota is back."

    def __init__(self, sentence: str, *, retry_after: float | None) -> None:
        super().__init__(sentence, status=429)
        self.retry_after = retry_after


class ServerFailedError(ApiError):
    """5xx: the platform or something in front of it failed."""

    title = "Platform error"
    default_hint = "platui tries again by itself."


class InvalidResponseError(PlatuiError):
    """An answer that is not what the spec promises: HTML, broken JSON, a missing id."""

    title = "Unreadable answer"
    default_hint = "Is the address the platform's own, and not a proxy or login page?"


class NoPlatformError(PlatuiError):
    """The server at an address is not a platform."""

    title = "No platform"
    default_hint = InvalidResponseError.default_hint


class WriteRefusedError(PlatuiError):
    """The guard did not let a write through: off, locked or not confirmed."""

    title = "Writes are locked"


class WritesOffError(WriteRefusedError):
    """The profile, or the way platui was started, allows no writes at all."""

    title = "Writes are off"


class AlreadyRunningError(WriteRefusedError):
    """The same was confirmed before, and has not ended: it is not sent a second time."""

    title = "Already under way"


class NotSupportedError(PlatuiError):
    """The platform has no such operation: it is one that its documentation does not promise."""

    title = "Not offered here"
    default_hint = "The platform's own pages may be able to do it."


class NothingToDoError(PlatuiError):
    """The platform was asked for what it could only leave as it was: there was nothing to do."""

    title = "Nothing to do"


class OutcomeUnknownError(PlatuiError):
    """A write was sent, and no answer of the platform's tells whether it happened."""

    title = "Outcome unknown"
    default_hint = "Look for the result before you try again."


class FileWriteError(PlatuiError):
    """A file of the user's could not be written; nothing that was there has changed."""

    title = "Not saved"


class NameTakenError(PlatuiError):
    """There is a file of that name already, and it may not be replaced."""

    title = FileWriteError.title


class FileReadError(PlatuiError):
    """A file of the user's cannot be read, or holds nothing that can be shown as text."""

    title = "Not readable"


class PatternError(PlatuiError):
    """What is looked for is no pattern, or one that no search comes to an end with."""

    title = "Search"


class TermError(PlatuiError):
    """A search term of the access report cannot be read.

    Attributes:
        start: first character of what cannot be read, in the query as typed.
        end: one after its last.
    """

    title = "Search"

    def __init__(self, sentence: str, *, start: int, end: int, hint: str = "") -> None:
        super().__init__(sentence, hint=hint)
        self.start = start
        self.end = end


class ReportError(PlatuiError):
    """An access report cannot be read: cut off, no JSON, or of another shape.

    The sentence says where it broke: a byte, a path in the JSON, or both.

    Attributes:
        is_of_text: False where reading failed for another reason than the text, as too
            little memory: it may go well another time.
    """

    title = "The report cannot be read"

    def __init__(self, sentence: str, *, hint: str | None = None, is_of_text: bool = True) -> None:
        super().__init__(sentence, hint=hint)
        self.is_of_text = is_of_text
