"""Choose the profile of a command."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from platui.cli.options import is_address
from platui.config.environment import PROFILE
from platui.config.profile_choice import ambiguous_profiles, choose_profile
from platui.core.errors import ConfigError
from platui.core.suggestions import listed

if TYPE_CHECKING:
    from platui.config.profile import Profile
    from platui.config.settings import Options, Settings


def chosen_profile(
    settings: Settings, environ: Mapping[str, str], options: Options, word: str
) -> Profile:
    """Return the profile of a command; an address in `word` selects its platform."""
    if is_address(word) and not (options.profile or options.url):
        name = environ.get(PROFILE)
        if name is not None and name in _of_platform(word, settings):
            options = options._replace(profile=name)
        else:
            options = options_for_address(word, settings, options)
    profile = choose_profile(settings, environ, options)
    if profile is None:
        raise ConfigError(
            "No profile.",
            hint="Run platui init, or set PLATUI_URL and PLATUI_TOKEN.",
        )
    return profile


def profile_to_write(
    settings: Settings, environ: Mapping[str, str], options: Options, word: str
) -> Profile:
    """Return the profile of a write. Raises ConfigError: ambiguous."""
    if is_address(word) and not (options.profile or options.url):
        names = _of_platform(word, settings)
        is_named = {settings.default_profile, environ.get(PROFILE)} & set(names)
        rivals = [] if is_named else names
    else:
        rivals = list(ambiguous_profiles(settings, environ, options))
    if len(rivals) > 1:
        raise ConfigError(
            f"Several profiles match: {listed(rivals, 6)}. Nothing was sent.",
            hint="Use --profile or PLATUI_PROFILE, or set default_profile in config.toml.",
        )
    return chosen_profile(settings, environ, options, word)


def options_for_address(address: str, settings: Settings, options: Options) -> Options:
    """Select the profile of an address's platform, unless a profile is given."""
    if options.profile or options.url:
        return options
    fitting = _of_platform(address, settings)
    if not fitting or settings.default_profile in fitting:
        return options
    return options._replace(profile=fitting[0])


def _of_platform(address: str, settings: Settings) -> list[str]:
    from platui.ui.addresses import route_of  # noqa: PLC0415  (only for an address)

    return [name for name, one in settings.profiles.items() if route_of(address, one.url)]
