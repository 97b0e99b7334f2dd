"""What counts in a run, key by key, and whence: file, environment, option or default."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from platui.config.choose import for_profile
from platui.config.environment import ADMIN_KEY, ADMIN_URL, JOB_TOKEN, TOKEN, URL
from platui.config.lines import lines_of
from platui.config.schema import ERROR, PROFILE, SECTIONS, TOP
from platui.core.secrets import Secret

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from platui.config.load import ReadConfig
    from platui.config.profile import Profile
    from platui.config.settings import Options, Settings

DEFAULT: Final = "default"
FILE: Final = "file"
ENVIRONMENT: Final = "environment"
OPTION: Final = "option"

MASKED: Final = "••••••"

_OF_OPTIONS: Final = {
    "ascii": ("ascii", "--ascii"),
    "utc": ("utc", "--utc"),
    "read_only": ("read_only", "--read-only"),
    "debug_file": ("debug", "--debug"),
}
_OF_ENVIRONMENT: Final = {"token": TOKEN, "admin_key": ADMIN_KEY}
_PROFILES_OWN: Final = {
    "theme": "theme", "poll.running": "poll_running", "poll.idle": "poll_idle",
}  # fmt: skip


class Effective(NamedTuple):
    """One key with what counts."""

    key: str
    value: Any
    """As TOML has it; None where there is none, a mask where it is a secret."""
    source: str
    """`default`, `file`, `environment` or `option`."""
    detail: str = ""
    """Line of the file, name of the variable or of the option."""
    is_secret: bool = False


class Effectives:
    """Reads what counts off the settings, and where it is from off what they were made of."""

    def __init__(
        self,
        settings: Settings,
        profile: Profile | None,
        config: ReadConfig | None,
        options: Options,
        env: Mapping[str, str],
    ) -> None:
        """Take what a run is made of.

        Args:
            settings: all of the file, and the options over it.
            profile: the chosen one; None: there is none.
            config: the file as it was read; None: there is none.
            options: of the command line.
            env: variables; no value of a secret one is told.
        """
        self._settings = settings if profile is None else for_profile(settings, profile)
        self._profile = profile
        self._checked = None if config is None else config.checked
        self._lines = {} if config is None else lines_of(config.content.text)
        self._options = options
        self._env = env

    def all(self) -> list[Effective]:
        """Return every key: of the whole, of the chosen profile, keys and errors of one's own."""
        return [
            *self._top(),
            *self._sections(),
            *self._of_profile(),
            *self._keys(),
            *self._errors(),
        ]

    def _top(self) -> Iterator[Effective]:
        given = {} if self._checked is None else self._checked.top
        for key in TOP:
            value = _plain(getattr(self._settings, key))
            attribute, option = _OF_OPTIONS.get(key, ("", ""))
            if attribute and getattr(self._options, attribute):
                yield Effective(key, value, OPTION, option)
            else:
                yield self._own(key) or self._filed(key, value, is_there=key in given)

    def _sections(self) -> Iterator[Effective]:
        for name, table in SECTIONS.items():
            section = getattr(self._settings, name)
            given = {} if self._checked is None else self._checked.sections[name]
            for key in table:
                dotted, value = f"{name}.{key}", _plain(getattr(section, key))
                yield self._own(dotted) or self._filed(dotted, value, is_there=key in given)

    def _own(self, key: str) -> Effective | None:
        """Return what the profile says in place of a setting; None where it says nothing."""
        name = _PROFILES_OWN.get(key)
        value = getattr(self._profile, name) if name and self._profile is not None else None
        if not value or self._profile is None:
            return None
        return Effective(key, value, FILE, self._place(f"profiles.{self._profile.name}.{name}"))

    def _of_profile(self) -> Iterator[Effective]:
        profile = self._profile
        if profile is None:
            return
        given = {} if self._checked is None else self._checked.profiles.get(profile.name, {})
        for key in PROFILE:
            dotted, value = f"profiles.{profile.name}.{key}", _plain(getattr(profile, key))
            is_secret = isinstance(getattr(profile, key), Secret)
            if variable := self._variable_of(key, profile):
                secret = key in _OF_ENVIRONMENT
                shown = MASKED if secret else value
                yield Effective(dotted, shown, ENVIRONMENT, variable, is_secret=secret)
            elif key == "url" and self._options.url:
                yield Effective(dotted, value, OPTION, "--url")
            elif key == "writes" and self._settings.read_only:
                by_option = self._options.read_only
                where = (OPTION, "--read-only") if by_option else (FILE, "read_only")
                yield Effective(dotted, value, *where)
            else:
                found = self._filed(dotted, value, is_there=key in given)
                yield found._replace(is_secret=is_secret)

    def _variable_of(self, key: str, profile: Profile) -> str:
        """Return the variable of the environment that says a key of the profile, if one does."""
        if key == "token" and self._env.get(JOB_TOKEN) and not self._env.get(TOKEN):
            has_own = profile.token or profile.token_command or profile.token_file
            return "" if has_own or profile.token_keyring else JOB_TOKEN
        if key in _OF_ENVIRONMENT:
            return _OF_ENVIRONMENT[key] if self._env.get(_OF_ENVIRONMENT[key]) else ""
        if key == "url" and not self._options.url and self._env.get(URL):
            said = self._checked.profiles.get(profile.name, {}) if self._checked else {}
            return "" if said.get("url") == profile.url else URL
        if key == "admin_url" and self._env.get(ADMIN_URL) and profile.admin_url:
            return ADMIN_URL
        return ""

    def _keys(self) -> Iterator[Effective]:
        for action, keys in self._settings.keys.items():
            yield self._filed(f"keys.{action}", keys, is_there=True)

    def _errors(self) -> Iterator[Effective]:
        for number, error in enumerate(self._settings.errors, 1):
            for key in ERROR:
                value = getattr(error, "unless" if key == "not" else key)
                if value != "":
                    yield self._filed(f"errors[{number}].{key}", value, is_there=True)

    def _filed(self, key: str, value: Any, *, is_there: bool) -> Effective:
        if not is_there:
            return Effective(key, value, DEFAULT)
        return Effective(key, value, FILE, self._place(key))

    def _place(self, key: str) -> str:
        line = self._lines.get(key)
        return "" if line is None else f"line {line}"


def as_document(found: list[Effective]) -> dict[str, Any]:
    """Return keys as a document that can be written as config.toml: without any secret."""
    document: dict[str, Any] = {}
    errors: dict[str, dict[str, Any]] = {}
    for one in found:
        if one.value is None or one.is_secret or one.value in ("", []):
            continue
        if one.key.startswith("errors["):
            number, _, key = one.key.partition(".")
            errors.setdefault(number, {})[key] = one.value
        elif one.key.startswith("keys."):
            document.setdefault("keys", {})[one.key.removeprefix("keys.")] = one.value
        elif one.key.startswith("profiles."):
            name, _, key = one.key.removeprefix("profiles.").rpartition(".")
            document.setdefault("profiles", {}).setdefault(name, {})[key] = one.value
        else:
            section, _, key = one.key.rpartition(".")
            (document.setdefault(section, {}) if section else document)[key] = one.value
    return document | ({"errors": list(errors.values())} if errors else {})


def _plain(value: Any) -> Any:
    """Return a value as TOML has it, a secret as a mask."""
    if isinstance(value, Secret):
        return MASKED
    if isinstance(value, Path):
        return os.fspath(value)
    return list(value) if isinstance(value, tuple) else value
