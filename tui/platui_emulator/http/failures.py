"""Every refusal the APIs give, in the body shape that real servers use for it (spec §7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


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
    """No credential, or an unknown one (spec §7)."""
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


def revoked() -> ApiFailure:
    """A credential that was withdrawn: as an expired one, in other words."""
    return ApiFailure(
        401,
        {
            "error": "invalid_token",
            "error_description": "Token was revoked. You have to re-authorize from the user.",
        },
    )


def blocked() -> ApiFailure:
    """A valid credential of a blocked user."""
    return forbidden("Your account has been blocked.")


def insufficient_scope(*scopes: str) -> ApiFailure:
    """Refuse a credential that has none of these scopes."""
    return ApiFailure(
        403,
        {
            "error": "insufficient_scope",
            "error_description": "The request requires higher privileges "
            "than provided by the access token.",
            "scope": " ".join(scopes),
        },
    )


def forbidden(reason: str = "") -> ApiFailure:
    """Refuse what the caller's role does not allow."""
    return ApiFailure(403, {"message": f"403 Forbidden - {reason}" if reason else "403 Forbidden"})


def not_found(what: str = "") -> ApiFailure:
    """Report a missing or invisible record; both look the same on purpose."""
    return ApiFailure(404, {"message": f"404 {what} Not Found" if what else "404 Not Found"})


def record_not_found() -> ApiFailure:
    """Report a missing record with the lower-case `f` of the platform's own lookups."""
    return ApiFailure(404, {"message": "404 Not found"})


def no_such_route() -> ApiFailure:
    return ApiFailure(404, {"error": "404 Not Found"})


def method_not_allowed(allowed: str) -> ApiFailure:
    """Say that the path is right and the verb is not."""
    return ApiFailure(405, {"error": "405 Not Allowed"}, {"Allow": allowed})


def too_deep(kind: str, limit: int) -> ApiFailure:
    """Refuse a page that lies deeper in a list of such records than offsets may lead."""
    return ApiFailure(
        405,
        {
            "error": f"Offset pagination has a maximum allowed offset of {limit} for requests that "
            f"return objects of type {kind}. Remaining records can be retrieved using "
            "keyset pagination."
        },
    )


def no_keyset() -> ApiFailure:
    """Say that a list cannot be paged by key, or not in this order."""
    return ApiFailure(
        405, {"error": "Keyset pagination is not yet available for this type of request"}
    )


def not_acceptable() -> ApiFailure:
    """Say that no kind of answer is left that the request would take."""
    return ApiFailure(406, {"message": "406 Not Acceptable"})


def too_large() -> ApiFailure:
    """Refuse a body that is longer than anything the platform takes."""
    return ApiFailure(413, {"error": "413 Request Entity Too Large"})


def over_quota(headers: Mapping[str, str]) -> ApiFailure:
    """Report an exceeded rate limit (spec §8): plain text with quota headers."""
    return ApiFailure(429, "Retry later\n", headers)


def asked_too_often() -> ApiFailure:
    """Say that one endpoint was asked too often: JSON, and no word on when to come again."""
    said = "This endpoint has been requested too many times. Try again later."
    return ApiFailure(429, {"message": {"error": said}})


def bad_parameters(*complaints: str) -> ApiFailure:
    """Refuse parameters that are missing or of the wrong kind."""
    return ApiFailure(400, {"error": ", ".join(complaints)})


def bad_request(message: str) -> ApiFailure:
    return ApiFailure(400, {"message": message})


def invalid(**fields: list[str]) -> ApiFailure:
    """Refuse values that are well-formed and still not acceptable, field by field."""
    return ApiFailure(400, {"message": fields})


def precondition_failed() -> ApiFailure:
    """Refuse to delete what has changed since the caller looked."""
    return ApiFailure(412, {"message": "412 Precondition Failed"})


def unprocessable(reason: str = "") -> ApiFailure:
    """Refuse a parameter that is understood and leads nowhere."""
    return ApiFailure(422, {"message": f"422 {reason or 'Unprocessable Entity'}"})
