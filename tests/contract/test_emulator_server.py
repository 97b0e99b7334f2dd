"""The running server: its journal, its port, its time, and how it starts and ends."""

from __future__ import annotations

import socket
import threading
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime

import httpx
import pytest
from tests.support.clock import START, FakeClock
from tests.support.platform import PlatformFactory, api_client, ask, in_project, running_platform

from platui_emulator.server import EmulatorStartError, is_loopback, start_emulator


def test_the_journal_tells_what_was_asked(platform_with: PlatformFactory) -> None:
    """Number, times, method, path, status and user of each request; no secret among them."""
    clock = FakeClock()
    platform = platform_with(clock=clock, rate_limit=2)
    trigger = in_project(platform, "trigger/pipeline")
    with api_client(platform) as client, api_client(platform, token="") as nobody:
        client.get("user")
        clock.jump(1.5)
        plain = {"Accept-Encoding": "identity"}
        listed = client.get(in_project(platform), params={"simple": "1"}, headers=plain)
        client.get("user")
        nobody.get("user")
        clock.jump(60)
        nobody.post(trigger, params={"token": platform.trigger_token, "ref": "main"})
    asked = ask("GET", f"{platform.base_url}/-/emulator/requests")
    entries = asked.json()["requests"]
    assert [(one["number"], one["method"], one["status"]) for one in entries] == [
        (1, "GET", 200),
        (2, "GET", 200),
        (3, "GET", 429),
        (4, "GET", 401),
        (5, "POST", 201),
    ]
    assert [one["monotonic"] for one in entries] == [1000.0, 1001.5, 1001.5, 1001.5, 1061.5]
    assert entries[0]["at"] == START.isoformat()
    assert entries[1]["path"] == f"/api/v4/{in_project(platform)}?simple=1"
    assert entries[0]["user"] == entries[2]["user"] == platform.platform.user.username
    assert entries[3]["user"] is None
    assert entries[1]["size"] == len(listed.content)
    assert platform.trigger_token not in asked.text
    later = ask("GET", f"{platform.base_url}/-/emulator/requests?after=4")
    assert [one["number"] for one in later.json()["requests"]] == [5]


def test_the_same_seed_and_time_give_the_same_answers(platform_with: PlatformFactory) -> None:
    """The company is a function of (seed, time)."""
    first, second = (platform_with(clock=FakeClock()) for _ in range(2))
    assert first.announcement().keys() == second.announcement().keys()
    assert (first.token, first.project) == (second.token, second.project)
    with api_client(first) as one, api_client(second) as two:
        for path in ("projects", in_project(first, "jobs")):
            same_host = {"Host": "platform.test"}
            assert (
                one.get(path, headers=same_host).content == two.get(path, headers=same_host).content
            )


def test_time_in_the_company_may_run_faster(platform_with: PlatformFactory) -> None:
    """With speed 60 a second is a minute there, by one clock; quotas keep to our minutes."""
    clock = FakeClock()
    platform = platform_with(clock=clock, speed=60.0)
    clock.jump(10)
    assert platform.platform.time.now() == START + timedelta(minutes=10)
    with api_client(platform) as client:
        headers = client.get("user").headers
        records = client.get(in_project(platform, "pipelines")).json()
    there = parsedate_to_datetime(headers["Date"])
    assert there == platform.platform.time.now()
    # Ten seconds of our minute are over: that is so, whatever a clock there shows.
    assert int(headers["RateLimit-Reset"]) == (there + timedelta(seconds=50)).timestamp()
    assert max(datetime.fromisoformat(one["updated_at"]) for one in records) <= there


def test_a_restart_on_the_same_port_works_at_once() -> None:
    """Also with a connection that a client kept open, which the stop ends."""
    with running_platform() as first:
        port = int(first.base_url.rpartition(":")[2])
        with api_client(first) as client:
            assert client.get("user").status_code == 200
            first.stop()
            with pytest.raises(httpx.TransportError):
                client.get("user")
            with running_platform(port=port) as second:
                assert second.base_url == first.base_url
                assert client.get("user").status_code == 200


def test_a_stopped_emulator_leaves_no_thread_and_stops_twice() -> None:
    """Stopping is complete, and doing it again does no harm."""
    before = threading.active_count()
    emulator = start_emulator()
    assert threading.active_count() == before + 1
    emulator.stop()
    emulator.stop()
    assert threading.active_count() == before


def test_a_taken_port_is_said_in_one_sentence() -> None:
    """A port that another program has is found out at once."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(EmulatorStartError, match=f"port {port}: Address already in use"):
            start_emulator(port=port)


def test_numbers_that_make_no_sense_are_refused() -> None:
    """Nothing is started with them."""
    with pytest.raises(EmulatorStartError, match="scenario"):
        start_emulator(scenario="utopia")
    with pytest.raises(EmulatorStartError, match="rate limit"):
        start_emulator(rate_limit=0)
    for speed in (-1.0, 1e9, float("nan"), float("inf")):
        with pytest.raises(EmulatorStartError, match="speed"):
            start_emulator(speed=speed)
    with pytest.raises(EmulatorStartError, match=r"host\.invalid"):
        start_emulator(host="host.invalid")


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),  # noqa: S104  (the question is whether this is loopback)
        ("::", False),
        ("host.invalid", False),
    ],
)
def test_it_is_known_who_can_reach_a_host(host: str, *, expected: bool) -> None:
    """Only loopback is this machine's own."""
    assert is_loopback(host) is expected
