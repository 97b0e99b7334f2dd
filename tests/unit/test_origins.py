"""What two addresses must have in common for a credential to go to both."""

from __future__ import annotations

import pytest

from platui.core.origins import origin_of, same_origin


@pytest.mark.parametrize(
    ("url", "root", "name"),
    [
        ("HTTPS://H.Example.:443/a?b#c", "https://h.example", "h.example"),
        ("http://h.example:443", "http://h.example:443", "h.example:443"),
        ("http://[::1]:8080/x", "http://[::1]:8080", "[::1]:8080"),
        ("https://h.example:0", "https://h.example:0", "h.example:0"),
    ],
)
def test_an_origin_has_one_spelling(url: str, root: str, name: str) -> None:
    """Capitals, the usual port and a dot at the end make no other."""
    origin = origin_of(url)
    assert origin is not None
    assert (origin.root, origin.name) == (root, name)
    assert origin_of(origin.root) == origin


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("https://host/a", "https://HOST:443/b?c", True),
        ("https://host", "http://host", False),
        ("https://host", "https://host:8443", False),
        ("https://host", "https://host.example.org", False),
        ("https://host", "https://host@evil.example.org", False),
        ("https://host", "//host", False),
        ("https://host", "https://ho st:x", False),
        ("nonsense", "nonsense", False),
        ("https://BÜCHER.example/a", "https://xn--bcher-kva.example", True),
        ("https://①.example", "https://①.example", False),
    ],
)
def test_an_origin_is_scheme_host_and_port(one: str, other: str, *, same: bool) -> None:
    """What a token may be sent to is decided by all three."""
    assert same_origin(one, other) is same
