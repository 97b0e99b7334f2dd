"""Which profile an address is opened with."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

import pytest

from platui.cli.profiles import chosen_profile, options_for_address, profile_to_write
from platui.config.profile import Profile
from platui.config.settings import Options, Settings
from platui.core.errors import ConfigError

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
    assert options_for_address(address, SETTINGS, options).profile == profile


AGAIN = "https://test.example/data/acme/etl"
RIVALS = Settings(
    profiles=MappingProxyType(
        dict(SETTINGS.profiles) | {"robot": Profile("robot", "https://test.example/data")}
    )
)


@pytest.mark.parametrize(
    ("settings", "environ", "options", "word", "meant"),
    [
        (SETTINGS, {}, Options(), "acme/etl", None),
        (SETTINGS, {}, Options(profile="test"), "acme/etl", "test"),
        (SETTINGS, {"PLATUI_PROFILE": "test"}, Options(), "acme/etl", "test"),
        (SETTINGS, {"PLATUI_URL": "https://test.example/data"}, Options(), "acme/etl", "test"),
        (SETTINGS, {"PLATUI_URL": "https://else.example"}, Options(), "acme/etl", "else.example"),
        (SETTINGS, {}, Options(url="https://prod.example"), "acme/etl", "prod"),
        (replace(SETTINGS, default_profile="test"), {}, Options(), "acme/etl", "test"),
        (SETTINGS, {}, Options(), AGAIN, "test"),
        (RIVALS, {}, Options(), AGAIN, None),
        (RIVALS, {}, Options(url="https://test.example/data"), "acme/etl", None),
        (RIVALS, {"PLATUI_PROFILE": "robot"}, Options(), AGAIN, "robot"),
        (replace(RIVALS, default_profile="robot"), {}, Options(), AGAIN, "robot"),
        (replace(RIVALS, default_profile="prod"), {}, Options(), AGAIN, None),
        (Settings(profiles={"prod": SETTINGS.profiles["prod"]}), {}, Options(), "x", "prod"),
    ],
)
def test_a_write_goes_to_a_profile_that_was_meant(
    settings: Settings, environ: dict[str, str], options: Options, word: str, meant: str | None
) -> None:
    """Not to the one that stands first in the file; reading may, for it harms nobody."""
    assert chosen_profile(settings, environ, options, word).name
    if meant is not None:
        assert profile_to_write(settings, environ, options, word).name == meant
        return
    with pytest.raises(ConfigError) as raised:
        profile_to_write(settings, environ, options, word)
    assert "test" in raised.value.sentence
    assert "Nothing was sent." in raised.value.sentence
    assert "--profile" in raised.value.hint
