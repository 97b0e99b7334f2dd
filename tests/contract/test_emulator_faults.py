"""The relay: what passes it unharmed, and what each kind of fault does, seen by a plain client."""

from __future__ import annotations

import json
import socket
from datetime import timedelta
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import httpx
import pytest
from tests.support.faults import clear_faults, fault, faults_of, set_fault
from tests.support.platform import api_client, in_project, running_platform
from tests.support.quick_clock import QuickClock

from platui_emulator.faults.fault import KINDS, REFUSE
from platui_emulator.faults.strikes import STRIKES
from platui_emulator.server import EmulatorStartError, start_emulator

if TYPE_CHECKING:
    from collections.abc import Iterator

    from platui_emulator.server import RunningEmulator

LIST = "projects?per_page=5&order_by=id"


@pytest.fixture(scope="module")
def clock() -> QuickClock:
    """Return a clock on which no wait takes time, and which remembers each."""
    return QuickClock()


@pytest.fixture(scope="module")
def spoiled(clock: QuickClock) -> Iterator[RunningEmulator]:
    """Run a platform whose relay waits without losing time."""
    with running_platform(clock=clock) as platform:
        yield platform


@pytest.fixture(scope="module")
def relayed(spoiled: RunningEmulator) -> Iterator[httpx.Client]:
    """Open a client on the relay."""
    root = f"{spoiled.faults_url}/api/v4/"
    headers = {"PRIVATE-TOKEN": spoiled.token}
    with httpx.Client(
        base_url=root,
        headers=headers,
        trust_env=False,
        verify=False,  # noqa: S501  (see `ask`)
        timeout=5,
    ) as client:
        yield client


@pytest.fixture
def client(
    relayed: httpx.Client, spoiled: RunningEmulator, clock: QuickClock
) -> Iterator[httpx.Client]:
    """Hand the client out; no fault outlives its test."""
    clock.slept.clear()
    yield relayed
    clear_faults(spoiled)


def raw(platform: RunningEmulator, target: str = "/api/v4/user", *more: str) -> socket.socket:
    """Send a request by hand, and return the socket to read from."""
    address = urlsplit(platform.faults_url)
    plug = socket.create_connection((address.hostname, address.port), timeout=5)
    lines = [
        f"GET {target} HTTP/1.1",
        f"Host: {address.netloc}",
        f"PRIVATE-TOKEN: {platform.token}",
    ]
    plug.sendall("\r\n".join([*lines, *more, "", ""]).encode())
    return plug


def all_of(plug: socket.socket) -> tuple[bytes, str]:
    """Return everything that comes, and how the connection ended: `closed` or `reset`."""
    received = b""
    with plug:
        try:
            while chunk := plug.recv(65536):
                received += chunk
        except ConnectionResetError:
            return received, "reset"
    return received, "closed"


# what passes unharmed


def test_everything_passes_as_it_is(spoiled: RunningEmulator, client: httpx.Client) -> None:
    """Lists, gzip, HEAD, 304 and writes: equal to the direct answer."""
    with api_client(spoiled) as direct:
        host = {"Host": urlsplit(spoiled.faults_url).netloc}
        for path in ("user", LIST, "projects", in_project(spoiled, "jobs"), "nowhere"):
            straight, through = direct.get(path, headers=host), client.get(path)
            assert (through.status_code, through.content) == (
                straight.status_code,
                straight.content,
            )
            ours, theirs = dict(through.headers), dict(straight.headers)
            for name in ("date", "ratelimit-observed", "ratelimit-remaining"):
                ours.pop(name, None)
                theirs.pop(name, None)
            assert ours == theirs
    whole = client.get(in_project(spoiled, "jobs"))
    assert whole.headers["transfer-encoding"] == "chunked"
    assert client.head(LIST).content == b""
    unchanged = client.get(LIST, headers={"If-None-Match": client.get(LIST).headers["etag"]})
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    made = client.post("projects", json={"name": "through-the-relay"})
    assert made.status_code == 201
    long = client.post("projects", json={"name": "x" * 3_000_000})
    assert long.status_code == 413


def test_links_lead_through_the_relay(spoiled: RunningEmulator, client: httpx.Client) -> None:
    """The host that was asked is kept; the administration API lies there, too."""
    answer = client.get(LIST)
    assert answer.links["next"]["url"].startswith(spoiled.faults_url)
    assert answer.json()[0]["web_url"].startswith(spoiled.faults_url)
    key = {"Authorization": f"Bearer {spoiled.admin_key}"}
    report = client.get(f"{spoiled.faults_url}/admin/api/v1/reporting/report", headers=key)
    assert report.json()["users"]


def test_a_connection_serves_many_requests(spoiled: RunningEmulator) -> None:
    """Also two that come at once, and one that waits to be told to go on."""
    with raw(spoiled) as plug:
        plug.sendall(
            f"GET /api/v4/user HTTP/1.1\r\nHost: h\r\nPRIVATE-TOKEN: {spoiled.token}\r\n".encode()
        )
        plug.sendall(b"Expect: 100-continue\r\nContent-Length: 2\r\n\r\n")
        received = b""
        while b"100 Continue" not in received:
            received += plug.recv(65536)
        assert received.count(b"HTTP/1.1 200") == 1
        plug.sendall(b"{}")
        while received.count(b"HTTP/1.1 200") < 2:
            received += plug.recv(65536)


def test_what_is_no_http_ends_the_connection(spoiled: RunningEmulator) -> None:
    """And nothing else."""
    address = urlsplit(spoiled.faults_url)
    with socket.create_connection((address.hostname, address.port), timeout=5) as plug:
        plug.sendall(b"\x16\x03\x01 hello\r\n\r\n")
        assert all_of(plug)[0] == b""


# the desk


def test_faults_are_listed_counted_and_taken_away(
    spoiled: RunningEmulator, client: httpx.Client
) -> None:
    """With all that was asked for; the first strikes may be left out, the others numbered."""
    number = set_fault(
        spoiled, "server_error", status=503, path="/user", method="get", times=2, after=1
    )
    other = set_fault(spoiled, "latency", seconds=0.5, path="/nothing")
    assert faults_of(spoiled)[0] == {
        "id": number, "kind": "server_error", "path": "/user", "method": "GET", "times": 2,
        "after": 1, "status": 503, "struck": 0,
    }  # fmt: skip
    codes = [client.get("user").status_code for _ in range(4)]
    assert codes == [200, 503, 503, 200]
    assert client.get("projects").status_code == 200
    assert [one["struck"] for one in faults_of(spoiled)] == [2, 0]
    desk = f"{spoiled.faults_url}/-/emulator/faults"
    assert client.delete(f"{desk}/{other}").json() == {"cleared": 1}
    assert client.delete(f"{desk}/{other}").status_code == 404
    assert client.delete(desk).json() == {"cleared": 1}
    assert client.get(desk).json() == {"faults": []}
    assert client.put(desk).status_code == 405


def test_faults_touch_neither_the_desk_nor_the_direct_address(
    spoiled: RunningEmulator, client: httpx.Client
) -> None:
    """So that they can always be taken away."""
    with fault(spoiled, "reset_before", path="."), api_client(spoiled) as direct:
        with pytest.raises(httpx.ReadError):
            client.get("user")
        assert direct.get("user").status_code == 200
        desk = f"{spoiled.faults_url}/-/emulator"
        assert client.get(f"{desk}/faults").json()["faults"][0]["struck"] == 1
        assert client.get(f"{desk}/credentials").status_code == 200
        assert client.delete(f"{desk}/faults").json() == {"cleared": 1}
    assert client.get("user").status_code == 200


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ("[]", "A fault is a JSON object with a kind."),
        ("{", "A fault is a JSON object with a kind."),
        ({}, "kind is missing; there is: latency, bandwidth"),
        ({"kind": "flood"}, "kind 'flood' is not known"),
        ({"kind": "expired", "seconds": 3}, "expired has no 'seconds'; it takes: path, method"),
        ({"kind": "refuse", "path": "x"}, "refuse has no 'path'; it takes: seconds."),
        ({"kind": "latency", "path": "("}, "path is not a regular expression"),
        ({"kind": "latency", "path": 3}, "path is a regular expression."),
        ({"kind": "latency", "method": "FETCH"}, "method is one of GET, HEAD"),
        ({"kind": "latency", "times": 0}, "times is a whole number from 1 up."),
        ({"kind": "latency", "after": True}, "after is a whole number from 0 up."),
        ({"kind": "latency", "seconds": "1"}, "seconds is a number."),
        ({"kind": "latency", "seconds": -1}, "seconds is a number from 0 to 86,400."),
        ({"kind": "latency", "seconds": float("nan")}, "seconds is a number from 0"),
        ({"kind": "quota", "seconds": 1.5}, "seconds is a whole number."),
        ({"kind": "server_error", "status": 404}, "status is one of 500, 501, 502, 503, 504."),
        ({"kind": "garbage", "what": "noise"}, "what is one of json, encoding, type."),
    ],
)
def test_what_is_no_fault_is_refused_in_a_sentence(
    spoiled: RunningEmulator, client: httpx.Client, wish: Any, said: str
) -> None:
    """And nothing is set."""
    desk = f"{spoiled.base_url}/-/emulator/faults"
    answer = client.post(desk, content=wish if isinstance(wish, str) else json.dumps(wish))
    assert answer.status_code == 400
    assert said in answer.json()["message"]
    assert faults_of(spoiled) == []


def test_a_fault_to_begin_with() -> None:
    """As the command line sets it; one that is none starts nothing."""
    with running_platform(faults=[{"kind": "expired", "path": "/user"}]) as platform:
        assert b"invalid_token" in all_of(raw(platform, "/api/v4/user", "Connection: close"))[0]
    with pytest.raises(EmulatorStartError, match="Fault: kind 'flood' is not known"):
        start_emulator(faults=[{"kind": "flood"}])


# what comes in place of an answer


def test_a_spent_quota_and_a_limiter(spoiled: RunningEmulator, client: httpx.Client) -> None:
    """Plain text with every header of spec §8, or JSON without one."""
    with fault(spoiled, "quota", seconds=7, limit=30, times=1):
        answer = client.get("user")
        assert (answer.status_code, answer.text) == (429, "Retry later\n")
        assert answer.headers["retry-after"] == "7"
        names = ("Limit", "Observed", "Remaining", "Reset", "ResetTime")
        limit, observed, remaining, reset, moment = (
            answer.headers[f"RateLimit-{n}"] for n in names
        )
        assert (limit, observed, remaining) == ("30", "31", "0")
        assert parsedate_to_datetime(moment).timestamp() == int(reset)
        assert int(reset) - parsedate_to_datetime(answer.headers["date"]).timestamp() == 7
        assert client.get("user").status_code == 200
    with fault(spoiled, "limiter"):
        answer = client.get("user")
        assert answer.json()["message"]["error"].startswith("This endpoint has been requested")
        assert answer.status_code == 429
        assert not [name for name in answer.headers if "ratelimit" in name or "retry" in name]


@pytest.mark.parametrize(
    ("kind", "wish", "status", "content_type", "words"),
    [
        ("server_error", {}, 500, "application/json", '"message"'),
        ("server_error", {"status": 504}, 504, "application/json", "504 Gateway Timeout"),
        ("html", {}, 502, "text/html", "<h1>502 Bad Gateway</h1>"),
        ("html", {"status": 200}, 200, "text/html", "<h1>Sign in to continue</h1>"),
        ("expired", {}, 401, "application/json", "Token is expired."),
        ("revoked", {}, 401, "application/json", "Token was revoked."),
        ("garbage", {}, 200, "application/json", "half a rec"),
        ("garbage", {"what": "type"}, 200, "application/json", '"a word'),
    ],
)
def test_other_answers_in_place_of_the_right_one(
    spoiled: RunningEmulator,
    client: httpx.Client,
    kind: str,
    wish: dict[str, Any],
    status: int,
    content_type: str,
    words: str,
) -> None:
    """The connection lives on, HEAD has no body, and the platform never heard of it."""
    with fault(spoiled, kind, **wish):
        answer = client.get("user")
        assert (answer.status_code, words in answer.text) == (status, True)
        assert answer.headers["content-type"].startswith(content_type)
        assert client.head("user").content == b""
    assert client.get("user").status_code == 200


def test_a_body_in_another_encoding(spoiled: RunningEmulator, client: httpx.Client) -> None:
    """It is said to be packed, and is not."""
    with fault(spoiled, "garbage", what="encoding"), pytest.raises(httpx.DecodingError):
        client.get("user")


def test_a_platform_whose_clock_is_wrong(spoiled: RunningEmulator, client: httpx.Client) -> None:
    """Date and reset move together; the body does not."""
    right = client.get("user")
    with fault(spoiled, "clock_skew", seconds=-7200):
        wrong = client.get("user")
    moved = [
        parsedate_to_datetime(wrong.headers["date"]) - parsedate_to_datetime(right.headers["date"]),
        timedelta(
            seconds=int(wrong.headers["ratelimit-reset"]) - int(right.headers["ratelimit-reset"])
        ),
    ]
    assert moved == [timedelta(hours=-2)] * 2
    assert wrong.content == right.content


# time


def test_latency_hanging_and_slow_bodies_wait(
    spoiled: RunningEmulator, client: httpx.Client, clock: QuickClock
) -> None:
    """As long as they were told to, on the platform's clock."""
    plain = client.get("user", headers={"Accept-Encoding": "identity"})
    size = len(plain.content)
    with fault(spoiled, "latency", seconds=3, jitter=1), fault(spoiled, "latency", seconds=0.5):
        assert client.get("user").json() == plain.json()
    first, second = clock.slept
    assert 3 <= first <= 4
    assert second == 0.5
    clock.slept.clear()
    with fault(spoiled, "slow_body", seconds=0.25):
        assert client.get("user", headers={"Accept-Encoding": "identity"}).json() == plain.json()
    assert clock.slept == [0.25] * size
    clock.slept.clear()
    with fault(spoiled, "bandwidth", rate=1000, direction="both"):
        body = b'{"name":"' + b"s" * 190 + b'"}'
        sent = client.post("projects", content=body, headers={"Accept-Encoding": "identity"})
    assert sent.status_code == 201
    assert sum(clock.slept) >= (200 + int(sent.headers["content-length"])) / 1000
    clock.slept.clear()
    with fault(spoiled, "hang", seconds=77):
        with pytest.raises(httpx.RemoteProtocolError):
            client.get("user")
        assert all_of(raw(spoiled)) == (b"", "closed")
    assert clock.slept == [77, 77]


# broken connections


def test_resets_before_during_and_after(spoiled: RunningEmulator, client: httpx.Client) -> None:
    """True resets: nothing, a part, or everything comes before; the platform heard each."""
    identity = "Accept-Encoding: identity"
    with fault(spoiled, "reset_before"):
        assert all_of(raw(spoiled)) == (b"", "reset")
    with fault(spoiled, "reset_during", bytes=10):
        received, end = all_of(raw(spoiled, "/api/v4/user", identity))
        assert (len(received.partition(b"\r\n\r\n")[2]), end) == (10, "reset")
        assert b"Content-Length" in received or b"content-length" in received
    with fault(spoiled, "reset_during", bytes=1_000_000):
        received, end = all_of(raw(spoiled, "/api/v4/user", identity))
        assert (received[-5:], end) == (b":1000", "reset")  # and no brace behind it
    with fault(spoiled, "reset_after"):
        received, end = all_of(raw(spoiled))
        assert end == "reset"
    assert client.get("user").json()["username"]


def test_bodies_that_end_too_early(spoiled: RunningEmulator, client: httpx.Client) -> None:
    """With a length and in chunks; a short one lacks its last byte."""
    plain = {"Accept-Encoding": "identity"}
    with fault(spoiled, "truncated", bytes=20):
        for headers, said in ((plain, "received 20 bytes"), ({}, "incomplete chunked read")):
            with pytest.raises(httpx.RemoteProtocolError, match=said):
                client.get("projects", headers=headers)
        assert all_of(raw(spoiled))[1] == "closed"
    size = len(client.get("user", headers=plain).content)
    with (
        fault(spoiled, "truncated", bytes=9999),
        pytest.raises(httpx.RemoteProtocolError, match=f"received {size - 1} bytes"),
    ):
        client.get("user", headers=plain)


def test_lengths_that_are_wrong(
    spoiled: RunningEmulator, client: httpx.Client, clock: QuickClock
) -> None:
    """Too long: silence after the last byte; too short: bytes that belong to nothing."""
    size = len(client.get("user", headers={"Accept-Encoding": "identity"}).content)
    with fault(spoiled, "wrong_length", by=5, seconds=33):
        received, end = all_of(raw(spoiled))
        head, _, body = received.partition(b"\r\n\r\n")
        assert f"content-length: {size + 5}".encode() in head.lower()
        assert (len(body), end, clock.slept) == (size, "closed", [33])
    with fault(spoiled, "wrong_length", by=-4):
        # Not kept: what is left over would stand before the next answer.
        assert len(client.get("user", headers={"Connection": "close"}).content) == size - 4
        received, end = all_of(raw(spoiled, "/api/v4/user", "Connection: close"))
        head, _, body = received.partition(b"\r\n\r\n")
        assert f"content-length: {size - 4}".encode() in head.lower()
        assert (len(body), end) == (size, "closed")


def test_a_door_that_is_shut(platform_with: Any) -> None:
    """At once, also for those inside; it opens when the time is over or the fault gone."""
    platform = platform_with()
    user = f"{platform.faults_url}/api/v4/user"
    with httpx.Client(trust_env=False) as client:
        client.get(user)
        set_fault(platform, "refuse", seconds=3600)
        with pytest.raises(httpx.TransportError):
            client.get(user)  # reset while it was still inside, or refused
        with pytest.raises(httpx.ConnectError):
            client.get(user)
        set_fault(platform, "latency", seconds=0)
        with pytest.raises(httpx.ConnectError):
            client.get(user)
        clear_faults(platform)
        wait_for(client, user)
        set_fault(platform, "refuse", seconds=0.01)
        wait_for(client, user)
        assert faults_of(platform) == []
    set_fault(platform, "refuse")


def wait_for(client: httpx.Client, url: str) -> None:
    """Ask until somebody answers."""
    for _ in range(2000):
        try:
            client.get(url)
        except httpx.TransportError:
            continue
        return
    raise AssertionError(url)


# lists that go wrong between their pages


def ids(answer: httpx.Response) -> list[int]:
    """Return the ids of a page."""
    return [row["id"] for row in answer.json()]


def test_a_list_without_end(spoiled: RunningEmulator, client: httpx.Client) -> None:
    """It begins again after its pages, and each page leads to a further one."""
    right = [ids(client.get(f"{LIST}&page={page}")) for page in (1, 2)]
    with fault(spoiled, "endless", pages=2):
        url: str = LIST
        for page in range(1, 8):
            answer = client.get(url)
            assert ids(answer) == right[(page - 1) % 2]
            assert answer.headers["x-next-page"] == str(page + 1)
            url = answer.links["next"]["url"]
            assert f"page={page + 1}" in url
        assert "link" not in client.get("nowhere").headers


def test_a_list_that_shifts(spoiled: RunningEmulator, client: httpx.Client) -> None:
    """Rows of the page before come again, none is missing, and the end is said."""
    everything = ids(client.get("projects?per_page=100&order_by=id"))
    with fault(spoiled, "shifting", rows=2):
        seen: list[int] = []
        url: str | None = LIST
        pages = 0
        while url is not None:
            answer = client.get(url)
            rows = ids(answer)
            assert not pages or rows[:2] == seen[-2:]
            seen += rows
            pages += 1
            url = answer.links.get("next", {}).get("url")
    assert list(dict.fromkeys(seen)) == everything
    assert len(seen) == len(everything) + 2 * (pages - 1)


def test_every_kind_that_is_listed_strikes() -> None:
    """A kind that did nothing would be a promise."""
    assert {*STRIKES, REFUSE} == set(KINDS)
