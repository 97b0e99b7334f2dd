"""The global options, and the parser that opens the dashboard without importing click."""

from __future__ import annotations

import os.path
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from platui.core.named_tuple import NamedTuple

if TYPE_CHECKING:
    from platui.config.settings import Options

FILE: Final = "FILE"  # Metavar of paths


class GlobalOption(NamedTuple):
    """An option that is accepted before and after every command."""

    name: str  # Field of `Options`
    help: str
    metavar: str = ""  # Empty: a flag

    @property
    def flag(self) -> str:
        return f"--{self.name.replace('_', '-')}"

    def value_of(self, word: str) -> Any:
        if self.metavar != FILE:
            return word
        from platui.core.paths import user_path  # noqa: PLC0415  (only for paths)

        return user_path(word)


GLOBAL_OPTIONS: Final = (
    GlobalOption("profile", "Use this profile of config.toml.", "NAME"),
    GlobalOption("url", "Use this platform (URL with or without /api/v4).", "URL"),
    GlobalOption("read_only", "Forbid writes, whatever the profile allows."),
    GlobalOption("ascii", "Draw with ASCII characters only."),
    GlobalOption("utc", "Show times in UTC."),
    GlobalOption("config", "Read this file instead of config.toml.", FILE),
    GlobalOption("debug", "Log all requests to a file, without secrets.", FILE),
)
_BY_FLAG: Final = {option.flag: option for option in GLOBAL_OPTIONS}


def parse_opening(arguments: Sequence[str]) -> tuple[Options, str | None] | None:
    """Return the dashboard's options and first view; None: not for the dashboard."""
    from platui.config.settings import Options  # noqa: PLC0415  (not for completion)

    options, where = Options(), None
    words = list(arguments)
    while words:
        word = words.pop(0)
        name, equals, value = word.partition("=")
        option = _BY_FLAG.get(name)
        if option is None:
            if word == "--":
                continue
            if where is not None or not opens_dashboard(word):
                return None
            where = word
        elif option.metavar:
            value = value if equals else words.pop(0) if words else ""
            if not value:
                return None
            options = options._replace(**{option.name: option.value_of(value)})
        elif equals:
            return None
        else:
            given: dict[str, Any] = {option.name: True}
            options = options._replace(**given)
    return options, where


def is_address(word: str) -> bool:
    return word.startswith(("http://", "https://"))


def is_view_line(word: str) -> bool:
    return word.startswith(":")


def is_path(word: str) -> bool:
    """Return whether a word is a project path, not an existing file."""
    first, *rest = word.split("/")
    is_one = all((first, *rest)) and bool(rest) and (first[0].isalnum() or first[0] == "_")
    return is_one and not os.path.isfile(word)  # noqa: PTH113  (a Path raises where it is too long)


def opens_dashboard(word: str) -> bool:
    return is_address(word) or is_view_line(word) or is_path(word)
