"""Read config.toml into settings and apply the command-line options."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from platui.config.settings import Options, Settings
from platui.config.value_kinds import ReadContext
from platui.core.errors import ConfigError
from platui.core.named_tuple import NamedTuple
from platui.core.paths import config_dir, read_file
from platui.core.text import clean, shorten

if TYPE_CHECKING:
    from platui.config.problems import Problem
    from platui.config.validation import Checked

_POSITION = r"\(at (?:line (\d+), column \d+|end of document)\)"
_SHOWN_LINE = 40

_TOO_BIG = 1_000_000  # Bytes
_MOST_PARTS = 50  # Of a key; the time of tomllib is quadratic in them

# Compiled on first use. Strings of several lines, keys with dots, other strings, and comments.
_LONG_STRING = r"""\"{3}(?:[^"\\]|\\.|"(?!""))*+(?:"{3})?|'{3}(?:[^']|'(?!''))*+(?:'{3})?"""
_PART = r"""(?:[A-Za-z0-9_-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+"""
_STRING = r"""\"(?:[^"\\\n]|\\.)*+"?|'[^'\n]*+'?"""
_TOKEN = (
    rf"{_LONG_STRING}|(?P<long>(?:{_PART}){{{_MOST_PARTS}}}+)|(?:{_PART})++|{_STRING}"
    r"|[A-Za-z0-9_-]++|\#[^\n]*+"
)


class UnreadableConfigError(ConfigError):
    """A file that cannot be read, or is not TOML."""

    def __init__(
        self, file: Path, what: str, *, line: int | None = None, hint: str = "", source: str = ""
    ) -> None:
        """`source` is the part of the line that `what` quotes."""
        at = "" if line is None else f": line {line}:"
        super().__init__(clean(f"{file}{at} {what}"), hint=hint)
        self.what = what
        self.line = line
        self.source = source


class ConfigFile(NamedTuple):
    """The text of a config.toml and whether only its owner can read it."""

    text: str
    private: bool


class ReadConfig(NamedTuple):
    content: ConfigFile
    document: dict[str, Any]
    checked: Checked
    problems: list[Problem]  # Each with its line


def config_file() -> Path:
    return config_dir() / "config.toml"


def load_settings(path: Path | None, env: Mapping[str, str], options: Options) -> Settings:
    """Read the settings from `path`, else from `--config`, else from the default path.

    Only the file at the default path may be missing. Ignored keys are reported in
    `Settings.problem`. Raises ConfigError: unreadable, not TOML, or (InvalidConfigError) with
    problems that prevent the start.
    """
    named = path or options.config
    file = named or config_file()
    config = read_config(file, env)
    if config is None and named is not None:
        raise ConfigError(clean(f"File not found: {file}"))
    given: dict[str, Any] = {
        name: True for name in ("ascii", "utc", "read_only") if getattr(options, name)
    }
    if options.debug is not None:
        given["debug_file"] = options.debug.absolute()
    if config is None:
        return Settings(**given)
    from platui.config.problems import InvalidConfigError, Severity, ignored  # noqa: PLC0415  (only with a config.toml)
    from platui.config.validation import settings_of  # noqa: PLC0415  (only with a config.toml)

    if any(one.severity is Severity.REFUSED for one in config.problems):
        raise InvalidConfigError(file, config.problems)
    if config.problems:
        given["problem"] = ignored(file, config.problems)
    return replace(settings_of(config.checked, file), **given)


def with_settings(options: Options, settings: Settings) -> Options:
    """Return the options with the keys of the file that are options as well."""
    return options._replace(ascii=bool(settings.ascii), utc=settings.utc)


def read_config(file: Path, env: Mapping[str, str]) -> ReadConfig | None:
    """Read and check a file; None without the file. Raises ConfigError: unreadable."""
    content = read_config_file(file)
    if content is None:
        return None
    from platui.config.problems import with_lines  # noqa: PLC0415  (only with a config.toml)
    from platui.config.validation import Checked  # noqa: PLC0415  (only with a config.toml)

    context = ReadContext(file.absolute().parent, home=env.get("HOME", ""), private=content.private)
    document = parse_toml(content.text, file)
    checked = Checked(document, context)
    problems = with_lines(checked.problems, content.text) if checked.problems else []
    return ReadConfig(content, document, checked, problems)


def read_config_file(file: Path) -> ConfigFile | None:
    """Return the file's text; None without the file. Raises ConfigError: unreadable."""
    try:
        read = read_file(file, _TOO_BIG)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UnreadableConfigError(file, f"cannot be read: {error.strerror}.") from error
    if len(read.content) == _TOO_BIG:
        raise UnreadableConfigError(
            file,
            "is too large for a configuration file.",
            hint="Is it a log or an export? Use --config FILE for another file.",
        )
    try:
        # Some editors begin a file with a byte order mark, which TOML does not have.
        return ConfigFile(read.content.decode("utf-8-sig"), read.ours and read.private)
    except UnicodeDecodeError as error:
        line = read.content.count(b"\n", 0, error.start) + 1
        raise UnreadableConfigError(
            file, "not UTF-8 text.", line=line, hint="Save the file as UTF-8."
        ) from error


def parse_toml(text: str, file: Path) -> dict[str, Any]:
    """Parse TOML. Raises ConfigError, with file and line."""
    import tomllib  # noqa: PLC0415  (only with a file)

    if line := _line_of_long_key(text):
        what = f"a key has more than {_MOST_PARTS} parts."
        raise UnreadableConfigError(file, what, line=line)
    try:
        return tomllib.loads(text)
    except ValueError as error:  # not TOMLDecodeError for huge numbers
        message = str(error)
        place = re.search(_POSITION, message)
        line = int(place[1]) if place and place[1] else text.count("\n") + 1
        what = message[: place.start()].strip() if place else message
        source = shorten(text.split("\n")[line - 1].strip(), _SHOWN_LINE)
        if any(name in source for name in ("token", "admin_key")):
            source = ""
        shown = f" in `{source}`" if source else ""
        hint = _remedy(what, place[0] if place else "")
        what = f"not TOML: {what}{shown}."
        raise UnreadableConfigError(
            file, what, line=line, hint=hint, source=clean(source)
        ) from error
    except RecursionError as error:
        raise UnreadableConfigError(
            file,
            "is nested too deeply for a configuration file.",
            hint="Run platui config schema for all keys.",
        ) from error


def _line_of_long_key(text: str) -> int | None:
    if all(line.count(".") < _MOST_PARTS for line in text.split("\n")):
        return None
    for token in re.finditer(_TOKEN, text, re.DOTALL):
        if token["long"]:
            return text.count("\n", 0, token.start()) + 1
    return None


def _remedy(what: str, place: str) -> str:
    words = what.lower()
    if "cannot declare" in words or "overwrite" in words or "already" in words:
        return "It is defined twice: merge both, or remove one."
    if "end of document" in place or "unterminated" in words or r"character '\n'" in words:
        return "A quote or bracket is not closed."
    if "invalid value" in words:
        return 'Quote text: theme = "ansi"; not true, false and numbers.'
    return 'Write `key = value` or `[table]`; quote text: theme = "ansi".'
