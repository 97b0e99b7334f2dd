"""Signing in, in words."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from platui.core.errors import (
    ExpiredTokenError,
    InvalidResponseError,
    OfflineError,
    OfflineReason,
    UnauthorizedError,
)
from platui.models.values.sign_in import SignInInfo, TokenInfo
from platui.present.sign_in import (
    end_in_short,
    end_told,
    is_production_name,
    may_told,
    name_for,
    projects_told,
    remedy,
    scopes_told,
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
    assert end_told(facts, NOW) == told
    assert end_told(facts, NOW.astimezone(timezone(timedelta(hours=-5)))) == told
    short = end_in_short(facts, NOW)
    assert short.startswith((f"{days:,} day", "expires today", "has expired"))


def test_what_is_not_told_is_not_made_up() -> None:
    """A platform need not tell anything of a token."""
    assert end_told(None, NOW) == end_told(TokenInfo("x"), NOW) == ""
    assert end_told(TokenInfo("x", ("api",)), NOW) == "has no end"
    assert scopes_told(None) == "the platform tells neither its scopes nor its end"
    assert scopes_told(TokenInfo()) == "a token, scopes not told"
    assert scopes_told(TokenInfo("everyday", ("api", "x"))) == "token “everyday”, api, x"
    assert may_told(None) == may_told(TokenInfo()) == may_told(TokenInfo("", ("api",))) == ""
    assert "only look" in may_told(TokenInfo("", ("read_api",)))
    assert who(SignInInfo()) == ""
    assert who(SignInInfo("Ada", "ada")) == "Ada (ada)"
    assert projects_told(SignInInfo(has_all_projects=False)) == "more than 0 projects"


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
    assert "give it again" in remedy(UnauthorizedError("x", status=401))
    assert "Make another" in remedy(ExpiredTokenError("x", status=401))
    assert remedy(UnauthorizedError("x", status=401, hint="own")) == "own"
    assert "proxy" in remedy(InvalidResponseError("x"))
