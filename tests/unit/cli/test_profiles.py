"""Which profile an address is opened with."""

from __future__ import annotations

from types import MappingProxyType

import pytest

from platui.cli.profiles import for_address
from platui.config.profile import Profile
from platui.config.settings import Options, Settings

SETTINGS = Settings(
    profiles=MappingProxyType(
        {
            "prod": Profile("prod", "https://prod.example"),
            "test": Profile("test", "https://test.example/data"),
        }
    )
)


@pytest.mark.parametrize(
    ("address", "options", "profile"),
    [
        ("https://test.example/data/acme/etl", Options(), "test"),
        ("https://prod.example/acme/etl/-/jobs/4", Options(), "prod"),
        ("https://else.example/acme/etl", Options(), None),
        ("https://test.example/data/acme/etl", Options(profile="prod"), "prod"),
        ("https://test.example/data/acme/etl", Options(url="https://x.example"), None),
    ],
)
def test_an_address_opens_the_profile_of_its_platform(
    address: str, options: Options, profile: str | None
) -> None:
    """Nobody should have to say twice which platform is meant."""
    assert for_address(address, SETTINGS, options).profile == profile
