"""Which profile a command is about."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from platui.cli.options import is_address
from platui.config.choose import choose_profile
from platui.core.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from platui.config.profile import Profile
    from platui.config.settings import Options, Settings


def chosen_profile(
    settings: Settings, environ: Mapping[str, str], options: Options, word: str
) -> Profile:
    """Return the profile that a command is about.

    Args:
        settings: all profiles.
        environ: may name one.
        options: may, too.
        word: what the command is about; where it is an address, its platform's profile is meant.

    Raises:
        ConfigError: there is none.
    """
    if is_address(word):
        options = for_address(word, settings, options)
    profile = choose_profile(settings, environ, options)
    if profile is None:
        raise ConfigError(
            "There is no profile yet.",
            hint="Set PLATUI_URL and PLATUI_TOKEN; `platui` alone says what else can be set.",
        )
    return profile


def for_address(address: str, settings: Settings, options: Options) -> Options:
    """Return the options with the profile whose platform an address is on, unless one is named."""
    if options.profile or options.url:
        return options
    from platui.service.addresses import place_of  # noqa: PLC0415  (with an address only)

    fitting = [name for name, one in settings.profiles.items() if place_of(address, one.url)]
    if not fitting or settings.default_profile in fitting:
        return options
    return replace(options, profile=fitting[0])
