"""Choose the profile to open: command line over environment over file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from platui.config.address import BadAddressError, host_name, normalize_root
from platui.config.environment import ADMIN_URL, JOB_SERVER, JOB_TOKEN, PROFILE, SECRETS, TOKEN, URL
from platui.config.load import config_file, load_settings
from platui.config.profile import Profile
from platui.config.settings import Options, PollSettings, Settings
from platui.config.value_kinds import WrongValueError, check_profile_name
from platui.core.errors import ConfigError
from platui.core.origins import same_origin
from platui.core.text import shorten

_SIGN_IN = (
    "insecure", "token_command", "trigger_token_command", "token_keyring", "token_file", "token",
)  # fmt: skip
_ADMIN_SIGN_IN = ("admin_key_command", "admin_key_file", "admin_key")
_SHOWN_NAME = 60
_SEVERAL = 2
_PLATFORM_VARIABLES = frozenset({PROFILE, URL, ADMIN_URL, *SECRETS})


def choose_profile(settings: Settings, env: Mapping[str, str], options: Options) -> Profile | None:
    """Return the profile to open; None if no platform is configured.

    `--profile` and `--url` override the environment, which overrides the file. An address selects
    the profile with this address (and its safety settings), else an ephemeral one. The last
    fallback is the platform of the running pipeline job. Raises ConfigError: unknown profile or
    invalid address.
    """
    profile = _chosen(settings, env, options)
    if profile is None:
        return None
    platform = _address(URL, environ_of_secrets(settings, env).get(URL))
    if platform is None or same_origin(platform, profile.url):
        profile = _with_admin_url(profile, env)
    return _with_settings(profile, settings)


def settings_for_profile(settings: Settings, profile: Profile) -> Settings:
    poll = PollSettings(
        profile.poll_running or settings.poll.running, profile.poll_idle or settings.poll.idle
    )
    theme = profile.theme or settings.theme
    if (poll, theme) == (settings.poll, settings.theme):
        return settings
    return replace(settings, poll=poll, theme=theme)


def environ_of_secrets(settings: Settings, env: Mapping[str, str]) -> Mapping[str, str]:
    """Return the environment with the address that its secrets are meant for.

    PLATUI_PROFILE alone names a platform, which `--profile` or a given address may differ from.
    """
    meant_for = settings.profiles.get(env.get(PROFILE, ""))
    if meant_for is None or env.get(URL, "").strip():
        return env
    return {**env, URL: meant_for.url}


def ambiguous_profiles(
    settings: Settings, env: Mapping[str, str], options: Options
) -> tuple[str, ...]:
    """Return the candidates if `choose_profile` takes one only because it is the first."""
    if options.profile:
        return ()
    url = _address("--url", options.url)
    if url is None:
        if env.get(PROFILE):
            return ()
        url = _address(URL, env.get(URL))
    names = [name for name, one in settings.profiles.items() if url in {None, one.url}]
    return () if len(names) < _SEVERAL or settings.default_profile in names else tuple(names)


def profile_of_url(settings: Settings, url: str) -> Profile:
    """Return the profile with this address, else an ephemeral one named by its host."""
    matching = {name: one for name, one in settings.profiles.items() if one.url == url}
    first = next(iter(matching.values()), None) or _ephemeral(url)
    return matching.get(settings.default_profile, first)


def profile_of_admin_url(env: Mapping[str, str]) -> Profile | None:
    """Return a profile, named by the host, for PLATUI_ADMIN_URL alone; None if not set."""
    url = _address(ADMIN_URL, env.get(ADMIN_URL))
    return None if url is None else replace(_ephemeral(url), admin_url=url)


def _ephemeral(url: str) -> Profile:
    return Profile(host_name(url), url, ephemeral=True)


def _chosen(settings: Settings, env: Mapping[str, str], options: Options) -> Profile | None:
    option_url = _address("--url", options.url)
    env_url = _address(URL, env.get(URL))
    if options.profile:
        return _at_url(profile_named(settings, options.profile, "--profile"), option_url)
    if option_url:
        return profile_of_url(settings, option_url)
    name = env.get(PROFILE, "")
    if name in settings.profiles:
        return _at_url(settings.profiles[name], env_url)
    if env_url:
        profile = profile_of_url(settings, env_url)
        if not name or not profile.ephemeral:
            return profile
        try:
            check_profile_name(name)
        except WrongValueError as error:
            raise ConfigError(f'{PROFILE}: "{shorten(name, _SHOWN_NAME)}" {error}.') from error
        return replace(profile, name=name)
    if name:
        return profile_named(settings, name, PROFILE)
    if settings.default_profile:
        return settings.profiles[settings.default_profile]
    if settings.profiles:
        return next(iter(settings.profiles.values()))
    # The platform of the running job, unless another token is set.
    is_in_job = env.get(JOB_TOKEN) and not env.get(TOKEN)
    url = _address(JOB_SERVER, env.get(JOB_SERVER)) if is_in_job else None
    return None if url is None else _ephemeral(url)


def profile_named(settings: Settings, name: str, source: str) -> Profile:
    """Return a profile by name. Raises ConfigError: unknown; names `source`."""
    if name in settings.profiles:
        return settings.profiles[name]
    from platui.core.suggestions import nearest  # noqa: PLC0415  (on a mistake only)

    near = nearest(name, settings.profiles)
    known = ", ".join(settings.profiles)
    raise ConfigError(
        f'{source}: unknown profile "{shorten(name, _SHOWN_NAME)}"'
        f"{f'; did you mean {near}?' if near else '.'}",
        hint=f"Profiles: {known}." if known else "config.toml has no profiles yet.",
    )


def _at_url(profile: Profile, url: str | None) -> Profile:
    """Change a profile's address; on another origin, drop its name and secrets."""
    if url is None:
        return profile
    moved = replace_url(profile, url)
    if same_origin(url, profile.url):
        return moved
    return replace(moved, name=host_name(url), ephemeral=True)


def replace_url(profile: Profile, url: str) -> Profile:
    """Change a profile's address; on another origin, drop its sign-in."""
    if same_origin(url, profile.url):
        return replace(profile, url=url)
    return replace(_without(profile, *_SIGN_IN, *_ADMIN_SIGN_IN), url=url, admin_url=None)


def _with_admin_url(profile: Profile, env: Mapping[str, str]) -> Profile:
    """Use PLATUI_ADMIN_URL; an invalid one matters only to the administration API."""
    try:
        url = _address(ADMIN_URL, env.get(ADMIN_URL))
    except ConfigError as error:
        problem = f"{error.sentence} {error.hint}"
        return replace(profile, admin_url=None, admin_url_problem=problem)
    if url is None:
        return profile
    is_other = profile.admin_url is not None and not same_origin(url, profile.admin_url)
    # Reports of two platforms must not be compared, nor removed for each other.
    return replace(
        replace_admin_url(profile, url), other_reports=host_name(url) if is_other else ""
    )


def replace_admin_url(profile: Profile, url: str) -> Profile:
    """Change a profile's admin_url; on another origin, drop its key."""
    if profile.admin_url is not None and same_origin(url, profile.admin_url):
        return replace(profile, admin_url=url)
    return replace(_without(profile, *_ADMIN_SIGN_IN), admin_url=url)


def _without(profile: Profile, *keys: str) -> Profile:
    plain = Profile("", "")
    return replace(profile, **{key: getattr(plain, key) for key in keys})


def _address(source: str, text: str | None) -> str | None:
    if not text or not text.strip():
        return None
    try:
        return normalize_root(text)
    except BadAddressError as error:
        hint = "Use the platform's root: https://platform.example.com"
        if source == ADMIN_URL:
            hint = "Use the root of the administration API: https://admin.example.com"
        raise ConfigError(f"{source} {error}.", hint=hint) from error


class SessionProfiles:
    """The profiles of a session, including the one it started with."""

    def __init__(
        self, settings: Settings, environ: Mapping[str, str], options: Options, opened: Profile
    ) -> None:
        """`opened` is the profile of the start; it may be missing in the file."""
        self.settings = settings
        self._environ = environ
        self._options = options
        self._opened = opened

    @property
    def profiles(self) -> tuple[Profile, ...]:
        named = {**self.settings.profiles, self._opened.name: self._opened}
        return tuple(_with_settings(one, self.settings) for one in named.values())

    def named(self, name: str) -> Profile:
        """Return a profile by name. Raises ConfigError: unknown profile."""
        profile = self._opened
        if name != profile.name:
            profile = profile_named(self.settings, name, f":profile {name}")
        return _with_settings(profile, self.settings)

    def environ_of(self, profile: Profile) -> Mapping[str, str]:
        if profile.name == self._opened.name:
            return self._environ
        return {k: v for k, v in self._environ.items() if k not in _PLATFORM_VARIABLES}

    def reload(self) -> SessionProfiles:
        """Reload the file. Raises ConfigError: invalid, or the opened profile was removed."""
        settings = load_settings(self.settings.file, self._environ, self._options)
        opened = self._opened
        if not opened.ephemeral:
            options, environ = self._options, self._environ
            if options.profile or options.url or opened.name not in settings.profiles:
                options = options._replace(profile=opened.name)
            else:
                # The address of the environment may have another path than that of the file.
                environ = {**environ, PROFILE: opened.name}
            opened = choose_profile(settings, environ, options) or opened
        return SessionProfiles(settings, self._environ, self._options, opened)


def _with_settings(profile: Profile, settings: Settings) -> Profile:
    if settings.file is not None and settings.file != config_file():
        profile = replace(profile, config_file=settings.file.absolute())
    return replace(profile, writes="off") if settings.read_only else profile
