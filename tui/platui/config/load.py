"""Read config.toml into settings, with the command line's word over the file's."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from platui.config.profile import Profile
from platui.config.reading import read_file
from platui.config.settings import (
    CacheSettings,
    ErrorPattern,
    NotifySettings,
    Options,
    PollSettings,
    ReportSettings,
    Settings,
)
from platui.core.errors import ConfigError
from platui.core.paths import config_dir
from platui.core.text import clean

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from platui.config.check import Checked

_TOO_BIG = 1_000_000
"""Bytes that no config.toml has; a device or a log given by mistake does."""


class ConfigFile(NamedTuple):
    """The text of a config.toml and whether only its owner can read it."""

    text: str
    private: bool


def config_file() -> Path:
    """Return where config.toml lies when the command line does not say."""
    return config_dir() / "config.toml"


def load_settings(path: Path | None, env: Mapping[str, str], options: Options) -> Settings:
    """Read the settings from `path`, else from `--config`, else from the usual place.

    Only the usual place may be empty: whoever names a file means it to be there.

    Raises:
        ConfigError: the file cannot be read, is not TOML, or (as InvalidConfigError) has
            keys or values that are not known; all of them are named at once.
    """
    named = path or options.config
    file = named or config_file()
    content = read_config_file(file)
    if content is None:
        if named is not None:
            raise ConfigError(clean(f"There is no file {file}."))
        return _with_options(Settings(), options)
    # Imported here: a start without a file needs no reader of files.
    from platui.config.check import check  # noqa: PLC0415
    from platui.config.kinds import Surroundings  # noqa: PLC0415
    from platui.config.problems import InvalidConfigError  # noqa: PLC0415

    around = Surroundings(file.absolute().parent, home=env.get("HOME", ""), private=content.private)
    checked = check(parse_toml(content.text, file), around)
    if checked.problems:
        raise InvalidConfigError(file, checked.problems)
    return _with_options(_settings(checked, file), options)


def read_config_file(file: Path) -> ConfigFile | None:
    """Read the file's text and mode in one go; None where there is no file.

    Raises:
        ConfigError: it is there and cannot be read as text.
    """
    try:
        read = read_file(file, _TOO_BIG)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(clean(f"{file} cannot be read: {error.strerror}.")) from error
    if len(read.content) == _TOO_BIG:
        raise ConfigError(clean(f"{file} is too long for a configuration file."))
    try:
        return ConfigFile(read.content.decode(), read.ours and read.private)
    except UnicodeDecodeError as error:
        raise ConfigError(clean(f"{file} is not UTF-8 text.")) from error


def parse_toml(text: str, file: Path) -> dict[str, Any]:
    """Return the document.

    Raises:
        ConfigError: it is not TOML; the sentence names the file and the line.
    """
    import tomllib  # noqa: PLC0415  (a start without a file does without)

    try:
        return tomllib.loads(text)
    except ValueError as error:  # a number of thousands of digits is no TOMLDecodeError
        line = "" if "line" in str(error) else f", line {text.count(chr(10)) + 1}"
        raise ConfigError(clean(f"{file} is not TOML: {error}{line}.")) from error
    except RecursionError as error:
        raise ConfigError(clean(f"{file} is nested too deep for a configuration file.")) from error


def _settings(checked: Checked, file: Path) -> Settings:
    profiles = {name: Profile(name=name, **values) for name, values in checked.profiles.items()}
    return Settings(
        profiles=MappingProxyType(profiles),
        keys=MappingProxyType(checked.keys),
        cache=CacheSettings(**checked.sections["cache"]),
        reports=ReportSettings(**checked.sections["reports"]),
        poll=PollSettings(**checked.sections["poll"]),
        notify=NotifySettings(**checked.sections["notify"]),
        errors=tuple(map(_error, checked.errors)),
        file=file,
        **checked.top,
    )


def _error(table: Mapping[str, Any]) -> ErrorPattern:
    given = {"unless" if key == "not" else key: value for key, value in table.items()}
    return ErrorPattern(**given)


def _with_options(settings: Settings, options: Options) -> Settings:
    """Lay the command line's word over the file's."""
    given: dict[str, Any] = {
        name: True for name in ("ascii", "utc", "read_only") if getattr(options, name)
    }
    if options.debug is not None:
        given["debug_file"] = options.debug.absolute()
    return replace(settings, **given) if given else settings
