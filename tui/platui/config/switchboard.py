"""Going over from one profile to another in a run: which there are, and what goes along.

What the environment says is about the profile that the run began with: a token of there
never goes to another one's platform.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from platui.config.choose import choose_profile, profile_named
from platui.config.environment import ADMIN_URL, PROFILE, SECRETS, URL
from platui.config.load import load_settings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from platui.config.profile import Profile
    from platui.config.settings import Options, Settings

_OF_ONE_PLATFORM = frozenset({PROFILE, URL, ADMIN_URL, *SECRETS})


class Switchboard:
    """The profiles of a run that began with one of them."""

    def __init__(
        self, settings: Settings, environ: Mapping[str, str], options: Options, opened: Profile
    ) -> None:
        """Take what the run began with.

        Args:
            settings: all of config.toml.
            environ: may hold secrets, of the platform of `opened`.
            options: of the command line.
            opened: the profile that they chose; it need not be in the file.
        """
        self.settings = settings
        self._environ = environ
        self._options = options
        self._opened = opened

    @property
    def profiles(self) -> tuple[Profile, ...]:
        """Return every profile, those of the file in its order."""
        named = {**self.settings.profiles, self._opened.name: self._opened}
        return tuple(self._of_this_run(one) for one in named.values())

    def named(self, name: str) -> Profile:
        """Return the profile of that name, as it is opened in this run.

        Raises:
            ConfigError: there is none; the sentence names the nearest one.
        """
        if name == self._opened.name:
            return self._of_this_run(self._opened)
        profile = profile_named(self.settings, name, f":profile {name}")
        return self._of_this_run(profile)

    def environ_of(self, profile: Profile) -> Mapping[str, str]:
        """Return the variables that a profile is opened with."""
        if profile.name == self._opened.name:
            return self._environ
        return {k: v for k, v in self._environ.items() if k not in _OF_ONE_PLATFORM}

    def read_again(self) -> Switchboard:
        """Return what the file says now, for the same options.

        Raises:
            ConfigError: it cannot be read or used, or has the profile of the start no more.
        """
        settings = load_settings(self.settings.file, self._environ, self._options)
        opened = self._opened
        if not opened.ephemeral:
            options, environ = self._options, self._environ
            if options.profile or options.url or opened.name not in settings.profiles:
                options = replace(options, profile=opened.name)
            else:
                # By the environment, whose address may have a path that the file's has not.
                environ = {**environ, PROFILE: opened.name}
            opened = choose_profile(settings, environ, options) or opened
        return Switchboard(settings, self._environ, self._options, opened)

    def _of_this_run(self, profile: Profile) -> Profile:
        return replace(profile, writes="off") if self.settings.read_only else profile
