"""Addresses have one spelling."""

from __future__ import annotations

import pytest

from platui.config.address import (
    BadAddressError,
    host_name,
    looks_like_address,
    normalize_root,
    possible_roots,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("https://h.example", "https://h.example"),
        (" https://h.example/ ", "https://h.example"),
        ("HTTPS://H.Example/api/v4", "https://h.example"),
        ("https://h.example/api/v4/", "https://h.example"),
        ("https://h.example/sub/api/v4", "https://h.example/sub"),
        ("https://h.example/api", "https://h.example/api"),
        ("https://h.example:443", "https://h.example"),
        ("http://h.example:443", "http://h.example:443"),
        ("http://h.example:80/", "http://h.example"),
        ("https://h.example.", "https://h.example"),
        ("http://[::1]:8080/", "http://[::1]:8080"),
        ("https://Bücher.example/sub", "https://xn--bcher-kva.example/sub"),
    ],
)
def test_one_spelling(text: str, expected: str) -> None:
    """Case, the usual port, the API's path and slashes make no other platform."""
    assert normalize_root(text) == expected
    assert normalize_root(expected) == expected


@pytest.mark.parametrize("host", ["xn--a", "999.1.1.1", "①.example"])
def test_a_host_that_has_no_such_name_is_refused(host: str) -> None:
    """When the file is read, not when the first request is sent."""
    with pytest.raises(BadAddressError, match=f"contains {host}, which is not the name of a host"):
        normalize_root(f"https://{host}/")


def test_a_nameless_platform_is_called_by_its_host() -> None:
    """And its port, where that is not the usual one."""
    assert host_name("http://[::1]:8080/x") == "[::1]:8080"
    assert host_name("https://h.example:443/x") == "h.example"


@pytest.mark.parametrize(
    ("text", "roots"),
    [
        ("h.example", ["https://h.example"]),
        (" <https://H.Example/?tab=x#top> ", ["https://h.example"]),
        ("localhost:8080/-/user_settings", ["http://localhost:8080"]),
        ("127.0.0.1", ["http://127.0.0.1"]),
        ("https://h.example/api/v4", ["https://h.example"]),
        ("https://h.example/data/api/v4/projects/3?x=1", ["https://h.example/data"]),
        ("https://h.example/api/v4x/y/z/-/jobs", ["", "/api", "/api/v4x"]),
        ("https://h.example/a/b/c/-/jobs/412", ["", "/a", "/a/b"]),
        ("https://h.example/data/", ["", "/data"]),
    ],
)
def test_a_pasted_page_leads_to_its_platform(text: str, roots: list[str]) -> None:
    """Whatever it is a page of, the host comes first; a call of the API tells all."""
    assert possible_roots(text) == tuple(
        root if root.startswith("http") else f"https://h.example{root}" for root in roots
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "https://",
        "https://u:hush@h.example/x",
        "ftp://h",
        "a b",
        "glpat-Ahush45ghij7klmn",
        "https://glpat-Ahush45ghij7klmn/",
        "personal-2.1-39235c266b192fd1hush",
    ],
)
def test_what_is_no_address_is_refused_without_its_password(text: str) -> None:
    """The message says why, and never repeats what may be secret."""
    with pytest.raises(BadAddressError) as raised:
        possible_roots(text)
    assert "hush" not in str(raised.value)


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("https://platform.example.com/acme/-/jobs", True),
        ("http://127.0.0.1:8080", True),
        ("platform.example.com", True),
        ("Platform.Example.com:8443/x", True),
        ("localhost", True),
        ("platform:8080", True),
        ("[::1]:8080", True),
        ("glpat-Ab3dEf6hIj9kLm2nOp5q", False),
        ("glpat-abcdefghijklmnopqrst.ab", False),
        ("https://glpat-Ab3dEf6hIj9kLm2nOp5q", False),
        ("eyJhbGciOiJI1.eyJzdWIiOiI2.SflKxwRJ4Q", False),
        ("word", False),
        ("a.b1", False),
        ("", False),
    ],
)
def test_an_address_is_told_from_a_token(text: str, *, is_one: bool) -> None:
    """By its scheme, or by a host; what has the shape of a token is none."""
    assert looks_like_address(text) is is_one
