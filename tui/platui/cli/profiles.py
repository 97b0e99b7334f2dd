"""Which profile a command is about, and the service of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from platui.config.settings import Options, Settings


def for_address(address: str, settings: Settings, options: Options) -> Options:
    """Return the options with the profile whose platform an address is on, unless one is named."""
    if options.profile or options.url:
        return options
    from platui.service.addresses import place_of  # noqa: PLC0415  (with an address only)

    fitting = [name for name, one in settings.profiles.items() if place_of(address, one.url)]
    if not fitting or settings.default_profile in fitting:
        return options
    return replace(options, profile=fitting[0])
