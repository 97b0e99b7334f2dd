"""Signing in, in words."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from platui.core.errors import (
    ExpiredTokenError,
    InvalidResponseError,
    OfflineError,
    OfflineReason,
    RateLimitedError,
    ServerFailedError,
    UnauthorizedError,
)
from platui.models.values.connection import SignInInfo, TokenInfo
from platui.present.sign_in import (
    describe_expiry,
    describe_permissions,
    describe_projects,
    describe_scopes,
    is_production_name,
    name_for,
    remedy,
    short_expiry,
    token_page,
    who,
)

NOW = datetime(2026, 3, 14, 3, 12, tzinfo=UTC)


def test_the_page_for_tokens_is_filled_in() -> None:
    """Below the platform's own root."""
    page = "https://h.example/data/-/user_settings/personal_access_tokens?name=platui&scopes="
    assert token_page("https://h.example/data", writes=False) == f"{page}read_api"
    assert token_page("https://h.example/data", writes=True) == f"{page}api"


@pytest.mark.parametrize(
    ("days", "told"),
    [
        (23, "expires in 23 days (6 Apr 2026)"),
        (1, "expires tomorrow (15 Mar 2026)"),
        (0, "expires today (14 Mar 2026)"),
        (-1, "has expired (13 Mar 2026)"),
        (4000, "expires in 4,000 days (24 Feb 2037)"),
    ],
)
def test_how_long_a_token_is_good(days: int, told: str) -> None:
    """In days of UTC, in which the platform counts them."""
    facts = TokenInfo(expires_on=date(2026, 3, 14) + timedelta(days=days))
    assert describe_expiry(facts, NOW) == told
    assert describe_expiry(facts, NOW.astimezone(timezone(timedelta(hours=-5)))) == told
    short = short_expiry(facts, NOW)
    assert short.startswith((f"{days:,} day", "expires today", "has expired"))


def test_what_is_not_told_is_not_made_up() -> None:
    """A platform need not tell anything of a token."""
    assert describe_expiry(None, NOW) == describe_expiry(TokenInfo("x"), NOW) == ""
    assert describe_expiry(TokenInfo("x", ("api",)), NOW) == "does not expire"
    assert describe_scopes(None) == "scopes and expiry unknown"
    assert describe_scopes(TokenInfo()) == "a token, scopes unknown"
    assert describe_scopes(TokenInfo("everyday", ("api", "x"))) == "token “everyday”, api, x"
    assert (
        describe_permissions(None)
        == describe_permissions(TokenInfo())
        == describe_permissions(TokenInfo("", ("api",)))
        == ""
    )
    assert "Read-only" in describe_permissions(TokenInfo("", ("read_api",)))
    assert who(SignInInfo()) == ""
    assert who(SignInInfo("Ada", "ada")) == "Ada (ada)"
    assert describe_projects(SignInInfo(has_all_projects=False)) == "more than 0 projects"


@pytest.mark.parametrize(
    ("root", "name"),
    [
        ("https://platform.example.com", "platform"),
        ("https://www.data.acme.example", "acme"),
        ("https://gitlab.com", "gitlab-com"),
        ("http://127.0.0.1:8080", "local"),
        ("http://[::1]", "local"),
        ("http://localhost:1", "local"),
        ("https://intranet", "intranet"),
    ],
)
def test_a_profile_is_named_by_its_host(root: str, name: str) -> None:
    """By the word that tells it apart."""
    assert name_for(root) == name


def test_production_is_guessed_from_the_name() -> None:
    """It is asked in any case."""
    assert is_production_name("prod-eu")
    assert not is_production_name("test")


def test_a_remedy_is_for_who_signs_in() -> None:
    """Nothing is promised that only the dashboard does, and no key of it is named."""
    assert remedy(OfflineError("x", reason=OfflineReason.REFUSED)) == ""
    assert remedy(RateLimitedError("x", retry_after=None)) == ""
    assert remedy(ServerFailedError("x", status=500)) == ""
    assert "enter it again" in remedy(UnauthorizedError("x", status=401))
    assert "Create a new" in remedy(ExpiredTokenError("x", status=401))
    assert remedy(UnauthorizedError("x", status=401, hint="own")) == "own"
    assert "proxy" in remedy(InvalidResponseError("x"))
