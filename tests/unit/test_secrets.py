"""What is taken for a token where something else was asked for."""

from __future__ import annotations

import pytest

from platui.core.secrets import looks_like_token


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("glpat-Ab3dEf6hIj9kLm2nOp5q", True),
        ("glpat-aB-_cdefghijklmnopq.01.0a1b2c3d4", True),
        ("personal-2001.1-39235c266b192fd1e60e", True),
        ("0123456789abcdef0123456789abcdef01234567", True),
        ("glue-platform.example.com", False),
        ("d111111abcdef8x9y0z.cloudfront.example", False),
        ("https://h.example/0123456789abcdef0123", False),
        ("production-cluster-eu-west-1", False),
        ("warehouse-core-analytics", False),
        ("/etc/ssl/certs/0123456789abcdef01.pem", False),
        ("pass show platform/0123456789abcdef01", False),
        ("192.168.100.200:8080", False),
        ("255.255.255.255", False),
        ("20260314T120000Z", False),
        ("1 3-5", False),
    ],
)
def test_a_token_is_told_from_a_host_a_name_and_a_path(text: str, *, is_one: bool) -> None:
    """Who types one at the wrong question has it taken off the screen; a host is asked."""
    assert looks_like_token(text) is is_one
