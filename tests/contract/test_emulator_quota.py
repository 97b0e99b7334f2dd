"""The quota of spec §8: per user, over all of a user's tokens, in aligned windows."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

import pytest
from tests.support.clock import FakeClock
from tests.support.platform import api_client, credentials, in_project

if TYPE_CHECKING:
    from tests.support.platform import PlatformFactory

    from platui_emulator.server import RunningEmulator

LIMIT = 5
START = datetime(2026, 3, 14, 3, 12, 18, 250_000, tzinfo=UTC)
RESET = datetime(2026, 3, 14, 3, 13, tzinfo=UTC)


@pytest.fixture
def clock() -> FakeClock:
    """Stand in the middle of a minute."""
    return FakeClock(START)


@pytest.fixture
def small(platform_with: PlatformFactory, clock: FakeClock) -> RunningEmulator:
    """Run a platform with a small quota, whose minutes pass by hand."""
    return platform_with(rate_limit=LIMIT, clock=clock)


def test_every_answer_says_where_the_caller_stands(small: RunningEmulator) -> None:
    """Limit, name, observed, remaining and reset come with each answer, errors too."""
    with api_client(small) as client:
        for observed, path in enumerate(("user", "projects", "nowhere", "projects/0"), start=1):
            headers = client.get(path).headers
            assert headers["RateLimit-Limit"] == str(LIMIT)
            assert headers["RateLimit-Observed"] == str(observed)
            assert headers["RateLimit-Remaining"] == str(LIMIT - observed)
            assert headers["RateLimit-Reset"] == str(int(RESET.timestamp()))
            assert headers["RateLimit-Name"]
            assert "Retry-After" not in headers
            assert "RateLimit-ResetTime" not in headers


def test_one_request_too_many_is_refused_with_all_six_headers(small: RunningEmulator) -> None:
    """Spec §8: 429, in plain text, with everything a client needs to wait."""
    with api_client(small) as client:
        for _ in range(LIMIT):
            assert client.get("user").status_code == 200
        answer = client.get("user")
        again = client.get("user")
    assert answer.status_code == 429
    assert answer.text == "Retry later\n"
    assert answer.headers["Content-Type"] == "text/plain"
    assert answer.headers["RateLimit-Limit"] == str(LIMIT)
    assert answer.headers["RateLimit-Observed"] == str(LIMIT + 1)
    assert answer.headers["RateLimit-Remaining"] == "0"
    assert answer.headers["RateLimit-Reset"] == str(int(RESET.timestamp()))
    assert parsedate_to_datetime(answer.headers["RateLimit-ResetTime"]) == RESET
    assert answer.headers["Retry-After"] == "42"
    assert again.headers["RateLimit-Observed"] == str(LIMIT + 2)


def test_all_tokens_of_one_user_share_one_quota(small: RunningEmulator) -> None:
    """Spec §8: the user counts, who is the owner of the token; bots are users of their own."""
    keys = credentials(small)
    with (
        api_client(small) as first,
        api_client(small, token=keys["personal_second"]) as second,
        api_client(small, token=keys["other_personal"]) as other,
        api_client(small, token=keys["project"]) as bot,
    ):
        for client in (first, second, first, second, first):
            assert client.get("user").status_code == 200
        assert second.get("user").status_code == 429
        assert other.get("user").headers["RateLimit-Observed"] == "1"
        assert bot.get("user").headers["RateLimit-Observed"] == "1"


def test_the_quota_is_whole_again_in_the_next_minute(
    small: RunningEmulator, clock: FakeClock
) -> None:
    """Windows are aligned to the minute: waiting Retry-After seconds is enough, less is not."""
    with api_client(small) as client:
        for _ in range(LIMIT):
            client.get("user")
        wait = int(client.get("user").headers["Retry-After"])
        clock.jump(wait - 1)
        assert client.get("user").status_code == 429
        clock.jump(1)
        assert client.get("user").headers["RateLimit-Remaining"] == str(LIMIT - 1)


def test_what_is_not_modified_counts_too(small: RunningEmulator) -> None:
    """A 304 costs a request like any other answer."""
    with api_client(small) as client:
        etag = client.get("user").headers["ETag"]
        answer = client.get("user", headers={"If-None-Match": etag})
    assert answer.status_code == 304
    assert answer.headers["RateLimit-Observed"] == "2"


def test_a_trigger_counts_for_the_keeper_of_its_token(small: RunningEmulator) -> None:
    """The trigger operation is limited too, though no access token is sent."""
    with api_client(small, token="") as client:
        form = {"token": small.trigger_token, "ref": "main"}
        path = in_project(small, "trigger/pipeline")
        statuses = [client.post(path, data=form).status_code for _ in range(LIMIT + 1)]
    assert statuses == [201] * LIMIT + [429]


def test_unknown_callers_use_up_nobodys_quota(small: RunningEmulator) -> None:
    """A 401 is counted for no one."""
    with api_client(small, token="guess") as guesser, api_client(small) as known:
        for _ in range(LIMIT * 2):
            assert guesser.get("user").status_code == 401
        assert known.get("user").headers["RateLimit-Observed"] == "1"
