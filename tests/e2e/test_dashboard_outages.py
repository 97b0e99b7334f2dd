"""A platform that goes away, one whose quota is spent, and both coming back by themselves."""

from __future__ import annotations

import math
import time
from datetime import datetime
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from tests.support.processes import emulator_process, wait_until
from tests.support.session import Session
from tests.support.walk import shows_pipelines
from tests.texts.widgets import PAUSED

from platui.core.clock import SystemClock

if TYPE_CHECKING:
    from pathlib import Path

QUOTA: Final = 30
WINDOW: Final = 60
"""Seconds of the platform's quota; its windows begin with the minutes of the clock."""

TOO_LATE: Final = 8
"""Seconds before the end of a window in which the test would not have happened yet."""


def test_a_dead_platform_keeps_its_data_and_comes_back(tmp_path: Path) -> None:
    """Rows stay, `offline since` says from when, and nobody has to press a key for its return."""
    with emulator_process() as platform:
        port = str(urlsplit(platform.base_url).port)
        with Session(
            f"{platform.base_url}/{platform.project}", home=tmp_path, environ=platform.environ()
        ) as session:
            session.until(lambda text: shows_pipelines(text) and "● live" in text)
            rows = session.screen.lines[3:8]
            platform.end()
            session.press("r")
            session.until("✖ offline since")
            session.until("Offline")
            assert "Traceback" not in session.text
            assert rows[0].split()[2] in session.text
            session.press("j", "enter")
            session.until(lambda text: "STAGE" in text or "Offline" in text)
            session.press("esc")
            session.until(rows[0].split()[2])
            with emulator_process("--port", port):
                session.until(lambda text: "● live" in text and "Offline" not in text, seconds=60)
                session.press(":", "q", "enter")
                assert session.end() == 0
            assert session.terminal_is_itself()


def test_a_spent_quota_is_waited_for_with_a_countdown(tmp_path: Path) -> None:
    """Another program of the same user spends it; no request goes out until Retry-After.

    The one slow test here: the platform's windows are aligned to the minute, as the real
    one's are, so the quota is back at the next full minute of the machine's clock.
    """
    if (left := WINDOW - SystemClock().now().timestamp() % WINDOW) < TOO_LATE:
        time.sleep(left)
    with (
        emulator_process("--rate-limit", str(QUOTA)) as platform,
        Session(
            f"{platform.base_url}/{platform.project}", home=tmp_path, environ=platform.environ()
        ) as session,
    ):
        session.until(lambda text: shows_pipelines(text) and f"/{QUOTA}" in text)
        while (answer := platform.get("user")).status_code == 200:
            pass
        ours = platform.requests()[-1]["number"]
        session.press("r")
        session.until(PAUSED)
        shown = countdown(session)
        assert abs(shown - int(answer.headers["Retry-After"])) <= 4
        session.until(lambda text: PAUSED in text and countdown(session) < shown)
        session.press("r", "j", "r")
        session.until(lambda text: PAUSED not in text, seconds=WINDOW + 10)
        session.until(lambda text: "● live" in text and "Rate limit" not in text)
        # The countdown ends before the requests go out.
        assert wait_until(lambda: len(platform.requests(after=ours)) > 1)
        refused, *later = platform.requests(after=ours)
        session.press("q", "q")
        assert session.end() == 0
    assert refused["status"] == 429
    assert {request["status"] for request in later} <= {200, 304}
    assert seconds_of(later[0]["at"]) >= math.ceil(seconds_of(refused["at"]) / WINDOW) * WINDOW


def countdown(session: Session) -> int:
    """Return the seconds that the header counts down."""
    return int(session.screen.lines[0].split(PAUSED)[1].split("s")[0])


def seconds_of(moment: str) -> float:
    """Return the Unix time of a moment as the platform writes it."""
    return datetime.fromisoformat(moment).timestamp()
