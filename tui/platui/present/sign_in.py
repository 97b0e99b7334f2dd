"""Texts about signing in: token page, owner, scopes, expiry."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode, urlsplit

from platui.config.address import BadAddressError, host_name, possible_roots
from platui.core import errors
from platui.present.counts import counted

if TYPE_CHECKING:
    from platui.models.values.connection import SignInInfo, TokenInfo

LOOK_SCOPE: Final = "read_api"
WRITE_SCOPE: Final = "api"
SOON: Final = 14  # Days before the expiry of a token from which to warn
_PAGE: Final = "-/user_settings/personal_access_tokens"
# Parts of a host name that identify no platform
_DULL: Final = frozenset({"www", "app", "api", "gitlab", "git", "data"})
_ANOTHER: Final = "Create a new one on the platform: profile, access tokens."
_AGAIN: Final = "Check the token and enter it again, or create a new one."


def token_page(root: str, *, writes: bool) -> str:
    """Return the URL of the form for a new token, with name and scope filled in."""
    scope = WRITE_SCOPE if writes else LOOK_SCOPE
    return f"{root}/{_PAGE}?{urlencode({'name': 'platui', 'scopes': scope})}"


def who(info: SignInInfo) -> str:
    if info.name and info.username:
        return f"{info.name} ({info.username})"
    return info.name or info.username


def describe_scopes(facts: TokenInfo | None) -> str:
    """Return name and scopes of a token: `token “everyday”, api`."""
    if facts is None:
        return "scopes and expiry unknown"
    called = f"token “{facts.name}”" if facts.name else "a token"
    scopes = ", ".join(facts.scopes) if facts.scopes else "scopes unknown"
    return f"{called}, {scopes}"


def days_left(facts: TokenInfo | None, now: datetime) -> int | None:
    """Return the days until a token expires; None: no expiry, or unknown."""
    if facts is None or facts.expires_on is None:
        return None
    return (facts.expires_on - now.astimezone(UTC).date()).days


def describe_expiry(facts: TokenInfo | None, now: datetime) -> str:
    """Return the expiry of a token: `expires in 23 days (15 Dec 2026)`; empty: unknown."""
    if facts is None:
        return ""
    day, left = facts.expires_on, days_left(facts, now)
    if day is None or left is None:
        return "does not expire" if facts.scopes else ""
    return f"{_expires(left)} ({day.day} {day:%b %Y})"


def short_expiry(facts: TokenInfo | None, now: datetime) -> str:
    """Return the time left for a token: `23 days left`; empty: no expiry, or unknown."""
    left = days_left(facts, now)
    if left is None:
        return ""
    return f"{counted(left, 'day')} left" if left > 0 else _expires(left)


def describe_permissions(facts: TokenInfo | None) -> str:
    if facts is None or facts.may_write is not False:
        return ""
    return f"Read-only: running pipelines requires a token with the scope {WRITE_SCOPE}."


def name_for(root: str) -> str:
    host = (urlsplit(root).hostname or "").rstrip(".")
    if not host.strip("0123456789.:") or host == "localhost":
        return "local"
    words = [word for word in host.split(".")[:-1] if word not in _DULL] or [host_name(root)]
    letters = (one if one.isascii() and (one.isalnum() or one in "_-") else "-" for one in words[0])
    return "".join(letters).strip("-")[:64] or "platform"


def is_production_name(name: str) -> bool:
    return name.casefold().startswith(("prod", "live"))


def remedy(error: errors.PlatuiError) -> str:
    if isinstance(error, errors.UnauthorizedError) and error.hint == error.default_hint:
        return _ANOTHER if isinstance(error, errors.ExpiredTokenError) else _AGAIN
    if isinstance(error, errors.WrongOriginError) and error.target:
        return "If this is the platform, use this URL."
    # Unlike the dashboard, nothing retries here.
    is_retried = isinstance(error, errors.RETRIED) and error.hint == error.default_hint
    return "" if is_retried else error.hint


def other_address(text: str, error: errors.PlatuiError) -> str:
    """Return the likely correct address; empty: unknown."""
    match error:
        case errors.WrongOriginError(target=target) if target:
            try:
                return possible_roots(target)[0]
            except BadAddressError:
                return ""
        case errors.OfflineError(reason=errors.OfflineReason.NOT_TLS):
            scheme = "http"
        case errors.InsecureError():
            scheme = "https"
        case _:
            return ""
    return f"{scheme}://{text.strip().rpartition('://')[2]}"


def remedy_before_profile(error: errors.PlatuiError, how: str) -> str:
    """Return the remedy before a profile exists; `how` explains certificates."""
    if (
        error.hint
        and isinstance(error, errors.OfflineError)
        and error.reason is errors.OfflineReason.TLS
    ):
        return how
    return remedy(error)


def describe_projects(info: SignInInfo) -> str:
    more = "" if info.has_all_projects else "more than "
    return f"{more}{counted(len(info.projects), 'project')}"


def _expires(left: int) -> str:
    if left > 1:
        return f"expires in {left:,} days"
    if left == 1:
        return "expires tomorrow"
    return "expires today" if left == 0 else "has expired"
