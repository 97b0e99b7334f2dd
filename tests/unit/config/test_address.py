"""Addresses have one spelling."""

from __future__ import annotations

import pytest

from platui.config.address import host_name, normalize_root


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
    ],
)
def test_one_spelling(text: str, expected: str) -> None:
    """Case, the usual port, the API's path and slashes make no other platform."""
    assert normalize_root(text) == expected
    assert normalize_root(expected) == expected


def test_a_nameless_platform_is_called_by_its_host() -> None:
    """And its port, where that is not the usual one."""
    assert host_name("http://[::1]:8080/x") == "[::1]:8080"
    assert host_name("https://h.example:443/x") == "h.example"
