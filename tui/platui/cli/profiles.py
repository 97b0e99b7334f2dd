"""Choose the profile of a command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.cli.options import is_address
from platui.cli.suggestions import listed
from platui.config.environment import PROFILE
from platui.config.profile_choice import ambiguous_profiles, choose_profile
from platui.core.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from platui.config.profile import Profile
    from platui.config.settings import Options, Settings


def chosen_profile(
    settings: Settings, environ: Mapping[str, str], options: Options, word: str
) -> Profile:
    """Return the profile that a command is about; an address in `word` means its platform's."""
    options = _with_address(word, settings, environ, options)
    profile = choose_profile(settings, environ, options)
    if profile is None:
        raise ConfigError(
            "There is no profile yet.",
            hint="platui init makes one; or set PLATUI_URL and PLATUI_TOKEN.",
        )
    return profile


def profile_to_write(
    settings: Settings, environ: Mapping[str, str], options: Options, word: str
) -> Profile:
    """Return the profile that a write goes to: never one that merely stands first."""
    if is_address(word) and not (options.profile or options.url):
        names = _of_platform(word, settings)
        is_named = {settings.default_profile, environ.get(PROFILE)} & set(names)
        rivals = [] if is_named else names
    else:
        rivals = list(ambiguous_profiles(settings, environ, options))
    if len(rivals) > 1:
        raise ConfigError(
            f"Which profile is meant: {listed(rivals, 6)}? Nothing was sent.",
            hint="--profile or PLATUI_PROFILE says it; for good, default_profile in config.toml.",
        )
    return chosen_profile(settings, environ, options, word)


def options_for_address(address: str, settings: Settings, options: Options) -> Options:
    """Return the options with the profile whose platform an address is on, unless one is named."""
    if options.profile or options.url:
        return options
    fitting = _of_platform(address, settings)
    if not fitting or settings.default_profile in fitting:
        return options
    return options._replace(profile=fitting[0])


def _with_address(
    word: str, settings: Settings, environ: Mapping[str, str], options: Options
) -> Options:
    if not is_address(word) or options.profile or options.url:
        return options
    said = environ.get(PROFILE)
    if said is not None and said in _of_platform(word, settings):
        return options._replace(profile=said)
    return options_for_address(word, settings, options)


def _of_platform(address: str, settings: Settings) -> list[str]:
    from platui.ui.addresses import route_of  # noqa: PLC0415  (with an address only)

    return [name for name, one in settings.profiles.items() if route_of(address, one.url)]
