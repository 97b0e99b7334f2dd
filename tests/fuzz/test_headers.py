"""Headers of pages and redirects lead to no other origin, and in no circle."""

from __future__ import annotations

from typing import Final

import httpx
from hypothesis import example, given
from hypothesis import strategies as st
from tests.fuzz.bounds import in_time, tries
from tests.fuzz.checks import check_error, check_line
from tests.fuzz.strategies import texts

from platui.api.address import project_address
from platui.api.api_client import Download, LogStream
from platui.api.decoding import next_page
from platui.api.exchange import etag_of
from platui.api.redirects import is_cross_origin, next_hop, onward
from platui.api.transport import LOCATION
from platui.config.address import BadAddressError, normalize_root
from platui.core.errors import (
    ConfigError,
    InvalidResponseError,
    RejectedError,
    WrongOriginError,
)
from platui.core.origins import is_of_origin, origin_of

BASE: Final = "https://platform.example.org"
ADDRESS: Final = project_address(BASE)

hosts = st.sampled_from(
    [
        "platform.example.org", "PLATFORM.example.org:443", "platform.example.org:8443",
        "platform.example.org.", "evil.example", "platform.example.org@evil.example",
        "evil.example\\@platform.example.org", "platform.example.org\t.evil.example", "[::1]",
        "evil.example#@platform.example.org", "platform.example.org%2eevil.example", "127.1",
        "platform。example。org", "plat\u00adform.example.org", "evil.example:80@", "user:pw@",
        "user:pw@platform.example.org", "", "xn--a.org", "a..b", "ⅷ.org", "a" * 70,
        "[::1", "xn--a.example.org",
    ]
)  # fmt: skip
schemes = st.sampled_from(
    ["https://", "http://", "//", "https:", "https:/", "https:\\\\", "HTTPS://", "javascript:", "",
     "file://", "/", "\\\\", "ftp://", " https://", "/\t/", "https:///"]
)  # fmt: skip
paths = (
    st.sampled_from(["", "/", "/a?page=3", "?page=2", "#x", "/../..", "/%00", "/\r\nX: y"]) | texts
)
targets = st.builds("{}{}{}".format, schemes, hosts | texts, paths)


def as_header(text: str) -> str:
    """Return a header's text as httpx reads it from the wire."""
    return httpx.Headers([(b"x", text.encode("utf-8", "surrogatepass"))])["x"]


def check_no_password(error: Exception) -> None:
    """Check that an error about an address does not repeat its password."""
    assert "pw" not in str(error)


def redirected(location: str, method: str = "GET", status: int = 302) -> httpx.Response:
    """Return a redirect as the transport passes it on."""
    request = httpx.Request(method, f"{ADDRESS.api}/projects?page=1")
    return httpx.Response(status, request=request, extensions={LOCATION: as_header(location)})


@tries(200)
@given(
    location=targets,
    method=st.sampled_from(["GET", "POST"]),
    status=st.sampled_from([301, 302, 303, 307, 308]),
)
@example("https://user:pw@platform.example.org/a", "GET", 302)
@example("https://xn--a.org", "GET", 302)
def test_no_redirect_leads_to_another_origin(location: str, method: str, status: int) -> None:
    """As httpx itself will read the target, which is what decides where the token goes."""
    response = redirected(location, method, status)
    try:
        with in_time():
            target = next_hop(response, ADDRESS)
    except (WrongOriginError, InvalidResponseError, RejectedError) as error:
        check_error(error)
        return
    assert method == "GET"
    assert (target.scheme, target.host.rstrip(".")) == ("https", "platform.example.org")
    assert target.port in {None, 443}
    assert not target.userinfo
    assert target != response.url
    assert not is_cross_origin(response, ADDRESS)
    request = httpx.Request("GET", target)
    assert request.headers["host"].rstrip(".") == "platform.example.org"
    assert "authorization" not in request.headers


@tries(100)
@given(location=targets)
@example("https://xn--a.org/file")
def test_a_download_is_redirected_to_a_usable_address_or_not_at_all(location: str) -> None:
    """The target may be another host, but has no user name, and is one for both parsers."""
    try:
        with in_time():
            target = onward(redirected(location))
    except InvalidResponseError as error:
        check_error(error)
        return
    assert not httpx.URL(target).userinfo
    origin = origin_of(target)
    if origin is not None:
        assert httpx.URL(target).raw_host.decode().rstrip(".") == origin.host


relations = st.sampled_from(
    ['; rel="next"', "; rel=next", '; REL="last next"', '; title="a, b"; rel="next"', "; rel=", ";",
     '; rel="last"', '; rel="first"', "; rel*=UTF-8''next"]
)  # fmt: skip
links = st.lists(
    st.builds("<{}>{}".format, targets, relations) | texts | st.just("<" * 50), max_size=4
).map(", ".join)
paging = st.fixed_dictionaries(
    {},
    optional={
        "link": links,
        "x-next-page": texts | st.integers().map(str),
        "x-per-page": texts | st.integers().map(str),
        "x-total": texts | st.integers().map(str),
    },
)


@tries(150)
@given(count=st.integers(0, 200), headers=paging, number=st.integers(1, 10**6))
@example(count=1, headers={"link": "<a>; rel=x, " * 9_000}, number=1)
@example(count=1, headers={"link": "<" * 100_000}, number=1)
@example(count=1, headers={"link": "<a>" + ";" * 100_000}, number=1)
@example(count=1, headers={"link": "<a>;rel" + " " * 100_000}, number=1)
def test_pages_end_or_go_on(count: int, headers: dict[str, str], number: int) -> None:
    """The next page has a higher number; a link gives this number and nothing else."""
    with in_time():
        following = next_page(count, headers, number, 100)
    assert following is None or following > number
    assert count or following is None
    elsewhere = headers.get("link", "").replace("platform.example.org", "evil.example")
    assert next_page(
        count, {**headers, "link": elsewhere} if elsewhere else headers, number, 100
    ) == (following)


@tries(60)
@given(texts)
def test_an_etag_is_sent_back_only_if_it_is_one_line(tag: str) -> None:
    """Else it could add a header to the request."""
    sent = tag.encode("utf-8", "surrogatepass")
    etag = etag_of(httpx.Response(200, headers=[(b"etag", sent)]))
    assert etag is None or (etag.isascii() and etag.isprintable())
    assert etag == (tag or None) or not (tag.isascii() and tag.isprintable())


@tries(150)
@given(url=targets, path=paths)
def test_any_address_of_a_platform_is_taken_or_refused(url: str, path: str) -> None:
    """And httpx connects to the host that was checked."""
    try:
        address = project_address(normalize_root(url))
    except (BadAddressError, ConfigError) as error:
        check_line(str(error))
        check_no_password(error)
        return
    connected = httpx.URL(address.url("projects"))
    assert not connected.userinfo
    assert connected.raw_host.decode().rstrip(".").lower() == address.origin.host.lower()
    assert (connected.port or {"http": 80, "https": 443}[connected.scheme]) == address.origin.port
    if is_of_origin(url + path, address.base):
        assert origin_of(url + path) == address.origin


ranges = st.builds(
    "{}{}-{}/{}".format,
    st.sampled_from(["bytes ", "bytes  ", "", "items ", "bytes="]),
    st.integers(-1, 10**18) | st.just("*"),
    st.integers(-1, 10**18),
    st.integers(-1, 10**18) | st.just("*"),
)
marks = texts | st.sampled_from(['"a"', 'W/"a"', '"é"', '"a\x7f"', "Sat, 14 Mar 2026 03:12:00 GMT"])


@tries(100)
@given(
    status=st.sampled_from([200, 206, 304, 416]),
    fields=st.fixed_dictionaries(
        {},
        optional={
            "content-range": ranges | texts,
            "content-length": texts | st.integers(-1, 10**18).map(str),
            "content-type": texts | st.just("text/plain"),
            "content-encoding": st.just("gzip"),
            "etag": marks,
            "last-modified": marks,
        },
    ),
    start=st.integers(0, 10**9),
)
@example(200, {"etag": '"é"', "last-modified": "é"}, 0)
def test_any_headers_of_a_part_are_read_or_refused(
    status: int, fields: dict[str, str], start: int
) -> None:
    """What is sent back to resume a download can be sent; it was an error of its own."""
    sent = [(name.encode(), value.encode("utf-8", "replace")) for name, value in fields.items()]
    response = httpx.Response(status, headers=sent)
    try:
        log, download = LogStream(response, start), Download(response)
    except InvalidResponseError as error:
        check_error(error)
        return
    for part in (log, download):
        assert part.start is None or part.start >= 0
        assert part.total is None or part.total >= 0
    httpx.Request("GET", BASE, headers={"If-Range": download.mark, "If-None-Match": log.etag or ""})
