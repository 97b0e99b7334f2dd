"""Every refusal the APIs give, in the body shape that real servers use for it (spec §7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


class ApiFailure(Exception):  # noqa: N818  (a refusal is an answer here, not an error of ours)
    """An answer other than success."""

    def __init__(
        self, status: int, body: Mapping[str, Any] | str, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(f"{status} {body}")
        self.status = status
        self.body = body
        self.headers = dict(headers or {})


def unauthorized() -> ApiFailure:
    """No credential, or one that nobody issued (spec §7)."""
    return ApiFailure(401, {"message": "401 Unauthorized"})


def expired() -> ApiFailure:
    """A credential that was good once; such an answer has no `message`."""
    return ApiFailure(
        401,
        {
            "error": "invalid_token",
            "error_description": "Token is expired. "
            "You can either do re-authorization or token refresh.",
        },
    )


def insufficient_scope(scope: str) -> ApiFailure:
    """Refuse a write with a credential that may only read."""
    return ApiFailure(
        403,
        {
            "error": "insufficient_scope",
            "error_description": "The request requires higher privileges "
            "than provided by the access token.",
            "scope": scope,
        },
    )


def forbidden(reason: str = "") -> ApiFailure:
    """Refuse what the caller's role does not allow."""
    return ApiFailure(403, {"message": f"403 Forbidden - {reason}" if reason else "403 Forbidden"})


def not_found(what: str = "") -> ApiFailure:
    """Say that a thing is missing or invisible, which sound the same on purpose."""
    return ApiFailure(404, {"message": f"404 {what} Not Found" if what else "404 Not Found"})


def record_not_found() -> ApiFailure:
    """Say that a record is missing where the platform's own look-up says so: a small `f`."""
    return ApiFailure(404, {"message": "404 Not found"})


def no_such_route() -> ApiFailure:
    """Say that the path leads nowhere."""
    return ApiFailure(404, {"error": "404 Not Found"})


def method_not_allowed(allowed: str) -> ApiFailure:
    """Say that the path is right and the verb is not."""
    return ApiFailure(405, {"error": "405 Not Allowed"}, {"Allow": allowed})


def bad_parameters(*complaints: str) -> ApiFailure:
    """Refuse parameters that are missing or of the wrong kind."""
    return ApiFailure(400, {"error": ", ".join(complaints)})


def bad_request(message: str) -> ApiFailure:
    """Refuse a request in words."""
    return ApiFailure(400, {"message": message})


def invalid(**fields: list[str]) -> ApiFailure:
    """Refuse values that are well-formed and still not acceptable, field by field."""
    return ApiFailure(400, {"message": fields})
