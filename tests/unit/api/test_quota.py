"""What the headers say of quota and waiting."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from platui.api.quota import LONGEST_PAUSE, Quota, quota_of, retry_after_of

NOW = datetime(2026, 3, 14, 3, 12, 10, tzinfo=UTC)
UNIX = int(NOW.timestamp())
IN_A_MINUTE = format_datetime(datetime(2026, 3, 14, 3, 13, 10, tzinfo=UTC), usegmt=True)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "17"}, 17),
        ({"retry-after": " 0 "}, 0),
        ({"retry-after": IN_A_MINUTE}, 60),
        ({"retry-after": "86400"}, LONGEST_PAUSE),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "9" * 40}, None),
        ({"ratelimit-reset": str(UNIX + 20)}, 20),
        ({"ratelimit-reset": str(UNIX - 20)}, 0),
        ({"ratelimit-reset": "0"}, 0),
        ({"ratelimit-resettime": IN_A_MINUTE}, 60),
        ({"retry-after": "5", "ratelimit-reset": str(UNIX + 20)}, 5),
    ],
)
def test_how_long_to_wait(headers: dict[str, str], seconds: float | None) -> None:
    """Seconds or a date, else the reset; absurd waits are cut to ten minutes."""
    assert retry_after_of(headers, NOW) == seconds


def test_a_reset_is_read_by_the_platforms_own_clock() -> None:
    """This machine's clock may be off by an hour."""
    platform_now = datetime(2026, 3, 14, 4, 12, 10, tzinfo=UTC)
    headers = {
        "date": format_datetime(platform_now, usegmt=True),
        "ratelimit-reset": str(int(platform_now.timestamp()) + 30),
    }
    quota = quota_of(headers, NOW)
    assert (quota.resets_in, quota.resets_at) == (30, platform_now.timestamp() + 30)


@pytest.mark.parametrize(
    ("headers", "quota"),
    [
        ({}, Quota()),
        ({"ratelimit-limit": "600"}, Quota(600)),
        ({"ratelimit-limit": "600", "ratelimit-remaining": "590"}, Quota(600, 10)),
        ({"ratelimit-limit": "600", "ratelimit-observed": "3"}, Quota(600, 3)),
        ({"ratelimit-limit": "unlimited", "ratelimit-observed": "1.5"}, Quota()),
    ],
)
def test_what_is_stated(headers: dict[str, str], quota: Quota) -> None:
    """Observed may follow from what remains; nonsense is silence."""
    assert quota_of(headers, NOW) == quota


@given(
    st.dictionaries(
        st.sampled_from(
            ["retry-after", "ratelimit-reset", "ratelimit-resettime", "date", "ratelimit-limit"]
        ),
        st.text() | st.integers().map(str),
    ),
)
def test_no_header_breaks_the_reading(headers: dict[str, str]) -> None:
    """Any text gives a wait from 0 s to ten minutes, or none."""
    wait = retry_after_of(headers, NOW)
    assert wait is None or 0 <= wait <= LONGEST_PAUSE
    quota_of(headers, NOW)
