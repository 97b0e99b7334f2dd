"""Read config.toml into settings; options of the command line override it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from platui.config.settings import Settings
from platui.config.value_kinds import ReadContext
from platui.core.errors import ConfigError
from platui.core.paths import config_dir, read_file
from platui.core.text import clean, shorten

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from platui.config.problems import Problem
    from platui.config.settings import Options
    from platui.config.validation import Checked

_PLACE = r"\(at (?:line (\d+), column \d+|end of document)\)"
_SHOWN_LINE = 40

_TOO_BIG = 1_000_000
"""Bytes that only a device or a log given by mistake has."""


class ConfigFile(NamedTuple):
    """The text of a config.toml and whether only its owner can read it."""

    text: str
    private: bool


class ReadConfig(NamedTuple):
    """A config.toml that was read and checked."""

    content: ConfigFile
    document: dict[str, Any]
    checked: Checked
    problems: list[Problem]  # Each with its line


def config_file() -> Path:
    return config_dir() / "config.toml"


def load_settings(path: Path | None, env: Mapping[str, str], options: Options) -> Settings:
    """Read the settings from `path`, else from `--config`, else from the default path.

    Only the file at the default path may be missing. Raises ConfigError: the file cannot be read,
    is not TOML, or (as InvalidConfigError) has faults that prevent a start; all are named at once.
    The others are in `Settings.problem`.
    """
    named = path or options.config
    file = named or config_file()
    config = read_config(file, env)
    if config is None:
        if named is not None:
            raise ConfigError(clean(f"There is no file {file}."))
        return _with_options(Settings(), options)
    from platui.config.problems import InvalidConfigError, Severity, ignored  # noqa: PLC0415  (only with a config.toml)
    from platui.config.validation import settings_of  # noqa: PLC0415  (only with a config.toml)

    if any(one.severity is Severity.REFUSED for one in config.problems):
        raise InvalidConfigError(file, config.problems)
    settings = settings_of(config.checked, file)
    if config.problems:
        settings = replace(settings, problem=ignored(file, config.problems))
    return _with_options(settings, options)


def read_config(file: Path, env: Mapping[str, str]) -> ReadConfig | None:
    """Return values and problems; None without a file. Raises ConfigError: unreadable."""
    content = read_config_file(file)
    if content is None:
        return None
    from platui.config.problems import with_lines  # noqa: PLC0415  (only with a config.toml)
    from platui.config.validation import check  # noqa: PLC0415  (only with a config.toml)

    around = ReadContext(file.absolute().parent, home=env.get("HOME", ""), private=content.private)
    document = parse_toml(content.text, file)
    checked = check(document, around)
    problems = with_lines(checked.problems, content.text) if checked.problems else []
    return ReadConfig(content, document, checked, problems)


def read_config_file(file: Path) -> ConfigFile | None:
    """Return the file's text and mode; None without a file. Raises ConfigError: unreadable."""
    try:
        read = read_file(file, _TOO_BIG)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(clean(f"{file} cannot be read: {error.strerror}.")) from error
    if len(read.content) == _TOO_BIG:
        raise ConfigError(
            clean(f"{file} is too long for a configuration file."),
            hint="A log or an export, perhaps? --config FILE names another one.",
        )
    try:
        return ConfigFile(read.content.decode(), read.ours and read.private)
    except UnicodeDecodeError as error:
        line = read.content.count(b"\n", 0, error.start) + 1
        raise ConfigError(
            clean(f"{file}: line {line}: This is not UTF-8 text."),
            hint="Save it as UTF-8 in your editor.",
        ) from error


def parse_toml(text: str, file: Path) -> dict[str, Any]:
    """Return the document. Raises ConfigError: not TOML; the message has file and line."""
    import tomllib  # noqa: PLC0415  (a start without a file does without)

    try:
        return tomllib.loads(text)
    except ValueError as error:  # a number of thousands of digits is no TOMLDecodeError
        raise _not_toml(error, text, file) from error
    except RecursionError as error:
        raise ConfigError(
            clean(f"{file} is nested too deep for a configuration file."),
            hint="platui config schema says what can be in it.",
        ) from error


def _not_toml(error: ValueError, text: str, file: Path) -> ConfigError:
    said = str(error)
    place = re.search(_PLACE, said)
    line = int(place[1]) if place and place[1] else text.count("\n") + 1
    what = said[: place.start()].strip() if place else said
    wrote = shorten(text.split("\n")[line - 1].strip(), _SHOWN_LINE)
    secretive = any(name in wrote for name in ("token", "admin_key"))
    shown = "" if secretive or not wrote else f" in `{wrote}`"
    return ConfigError(
        clean(f"{file}: line {line}: This is not TOML: {what}{shown}."),
        hint=_remedy(what, place[0] if place else ""),
    )


def _remedy(what: str, place: str) -> str:
    words = what.lower()
    if "cannot declare" in words or "overwrite" in words or "already" in words:
        return "It stands there twice: join both, or take one out."
    if "end of document" in place or "unterminated" in words or r"character '\n'" in words:
        return "Something that was opened is not closed: a quote, or a bracket."
    if "invalid value" in words:
        return 'Text stands in quotes: theme = "ansi"; true, false and numbers without.'
    return 'A line is `key = value`, or `[table]`; text stands in quotes: theme = "ansi".'


def _with_options(settings: Settings, options: Options) -> Settings:
    given: dict[str, Any] = {
        name: True for name in ("ascii", "utc", "read_only") if getattr(options, name)
    }
    if options.debug is not None:
        given["debug_file"] = options.debug.absolute()
    return replace(settings, **given) if given else settings
