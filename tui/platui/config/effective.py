"""The effective value and source of each key; changes after a reload of the file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from platui.config.environment import ADMIN_KEY, ADMIN_URL, JOB_TOKEN, TOKEN, URL
from platui.config.problems import lines_of
from platui.config.profile_choice import settings_for_profile
from platui.config.schema import ACTION, ERROR, PROFILE, SECTIONS, TOP, Table, as_toml
from platui.core.named_tuple import NamedTuple
from platui.core.secrets import Secret

if TYPE_CHECKING:
    from platui.config.load import ReadConfig
    from platui.config.profile import Profile
    from platui.config.settings import Options, Settings

DEFAULT: Final = "default"
FILE: Final = "file"
ENVIRONMENT: Final = "environment"
OPTION: Final = "option"

MASKED: Final = "••••••"

_OPTION_OF: Final = {
    "ascii": "--ascii", "utc": "--utc", "read_only": "--read-only", "debug_file": "--debug",
}  # fmt: skip
_VARIABLE_NAMES: Final = {"token": TOKEN, "admin_key": ADMIN_KEY}
_PROFILE_KEYS: Final = {
    "theme": "theme", "poll.running": "poll_running", "poll.idle": "poll_idle",
}  # fmt: skip
_AT_START: Final = frozenset({"mouse", "debug_file"})  # Keys that require a restart


class EffectiveValue(NamedTuple):
    key: str
    value: Any  # Converted for TOML; None without a value; secrets are masked
    source: str  # DEFAULT, FILE, ENVIRONMENT or OPTION
    detail: str = ""  # Line of the file, name of the variable or option
    is_secret: bool = False


class EffectiveConfig:
    def __init__(
        self,
        settings: Settings,
        profile: Profile | None,
        config: ReadConfig | None,
        options: Options,
        env: Mapping[str, str],
    ) -> None:
        self._settings = settings if profile is None else settings_for_profile(settings, profile)
        self._profile = profile
        self._in_file: dict[str, Any] = {}
        self._lines: dict[str, int] = {}
        if config is not None:
            checked = config.checked
            tables = {"": checked.top}
            tables |= {f"{name}.": table for name, table in checked.sections.items()}
            tables |= {f"profiles.{name}.": table for name, table in checked.profiles.items()}
            tables |= {f"actions.{name}.": table for name, table in checked.actions.items()}
            for prefix, table in tables.items():
                self._in_file |= {prefix + key: value for key, value in table.items()}
            self._lines = lines_of(config.content.text)
        self._options = options
        self._env = env

    def all(self) -> list[EffectiveValue]:
        settings, profile = self._settings, self._profile
        found = [*self._of_settings(TOP, settings, "")]
        for name, table in SECTIONS.items():
            found += self._of_settings(table, getattr(settings, name), f"{name}.")
        if profile is not None:
            found += self._of_profile(profile)
        found += [self._from_file(f"keys.{action}", keys) for action, keys in settings.keys.items()]
        for name, action in settings.actions.items():
            found += self._of_settings(ACTION, action, f"actions.{name}.")
        for number, error in enumerate(settings.errors, 1):
            for key, declared in ERROR.items():
                dotted, value = f"errors[{number}].{key}", getattr(error, declared.attribute)
                if value != "":
                    found.append(self._from_file(dotted, value))
        return found

    def _of_settings(self, table: Table, holder: object, prefix: str) -> Iterator[EffectiveValue]:
        for key in table:
            dotted, value = prefix + key, _plain(getattr(holder, key))
            option, own = _OPTION_OF.get(dotted, ""), _PROFILE_KEYS.get(dotted, "")
            if option and getattr(self._options, option[2:].replace("-", "_")):
                yield EffectiveValue(dotted, value, OPTION, option)
            elif own and self._profile is not None and getattr(self._profile, own):
                found = self._from_file(f"profiles.{self._profile.name}.{own}", value)
                yield found._replace(key=dotted)
            else:
                yield self._from_file_or_default(dotted, value)

    def _of_profile(self, profile: Profile) -> Iterator[EffectiveValue]:
        for key in PROFILE:
            dotted, value = f"profiles.{profile.name}.{key}", getattr(profile, key)
            is_secret = isinstance(value, Secret)
            one = self._from_file_or_default(dotted, _plain(value))._replace(is_secret=is_secret)
            if variable := self._variable_of(key, profile):
                is_secret = key in _VARIABLE_NAMES
                value = MASKED if is_secret else one.value
                one = EffectiveValue(dotted, value, ENVIRONMENT, variable, is_secret=is_secret)
            elif key == "url" and self._options.url:
                one = one._replace(source=OPTION, detail="--url")
            elif key == "writes" and self._settings.read_only:
                by_option = self._options.read_only
                source, detail = (OPTION, "--read-only") if by_option else (FILE, "read_only")
                one = one._replace(source=source, detail=detail)
            yield one

    def _variable_of(self, key: str, profile: Profile) -> str:
        if key == "token" and self._env.get(JOB_TOKEN) and not self._env.get(TOKEN):
            has_own = profile.token or profile.token_command or profile.token_file
            return "" if has_own or profile.token_keyring else JOB_TOKEN
        if key in _VARIABLE_NAMES:
            return _VARIABLE_NAMES[key] if self._env.get(_VARIABLE_NAMES[key]) else ""
        if key == "url" and not self._options.url and self._env.get(URL):
            in_file = self._in_file.get(f"profiles.{profile.name}.url")
            return "" if in_file == profile.url else URL
        if key == "admin_url" and self._env.get(ADMIN_URL) and profile.admin_url:
            return ADMIN_URL
        return ""

    def _from_file_or_default(self, key: str, value: Any) -> EffectiveValue:
        if key in self._in_file:
            return self._from_file(key, value)
        return EffectiveValue(key, value, DEFAULT)

    def _from_file(self, key: str, value: Any) -> EffectiveValue:
        line = self._lines.get(key)
        return EffectiveValue(key, value, FILE, "" if line is None else f"line {line}")


def as_document(found: list[EffectiveValue]) -> dict[str, Any]:
    """Return the values as a document for config.toml, without secrets."""
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
        elif one.key.startswith(("profiles.", "actions.")):
            table, _, rest = one.key.partition(".")
            name, _, key = rest.rpartition(".")
            document.setdefault(table, {}).setdefault(name, {})[key] = one.value
        else:
            section, _, key = one.key.rpartition(".")
            (document.setdefault(section, {}) if section else document)[key] = one.value
    return document | ({"errors": list(errors.values())} if errors else {})


def _plain(value: Any) -> Any:
    return MASKED if isinstance(value, Secret) else as_toml(value)


class Changes(NamedTuple):
    """Changed keys, dotted, in the order of their declarations."""

    taken: tuple[str, ...]  # Take effect immediately
    at_start: tuple[str, ...]  # Take effect after a restart


def changes_between(
    before: tuple[Settings, Iterable[Profile]], after: tuple[Settings, Iterable[Profile]]
) -> Changes:
    """Return the changed keys between two pairs of settings and profiles."""
    (old, old_profiles), (new, new_profiles) = before, after
    keys = [*_different(TOP, old, new, "")]
    for name, table in SECTIONS.items():
        keys += _different(table, getattr(old, name), getattr(new, name), f"{name}.")
    actions = sorted({*old.keys, *new.keys})
    keys += [f"keys.{one}" for one in actions if old.keys.get(one) != new.keys.get(one)]
    keys += ["errors"] * (old.errors != new.errors)
    names = sorted({*old.actions, *new.actions})
    keys += [f"actions.{one}" for one in names if old.actions.get(one) != new.actions.get(one)]
    was, now = ({one.name: one for one in some} for some in (old_profiles, new_profiles))
    for name in {**was, **now}:
        if name in was and name in now:
            keys += _different(PROFILE, was[name], now[name], f"profiles.{name}.")
        else:
            keys.append(f"profiles.{name}")
    return Changes(
        tuple(key for key in keys if key not in _AT_START),
        tuple(key for key in keys if key in _AT_START),
    )


def _different(table: Table, old: object, new: object, prefix: str) -> list[str]:
    return [prefix + key for key in table if getattr(old, key) != getattr(new, key)]
