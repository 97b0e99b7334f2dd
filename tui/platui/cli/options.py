"""The global options, declared once, and the parser of the arguments that open the dashboard.

The dashboard starts without click, so these few arguments are parsed by hand. Everything else is
parsed by click (`platui.cli.group`), with the same declarations.
"""

from __future__ import annotations

import os.path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.config.settings import Options

FILE: Final = "FILE"
"""The metavar of options whose value is a path."""


class GlobalOption(NamedTuple):
    """An option that may stand before or after every command."""

    name: str
    """The field of `Options`."""
    help: str
    metavar: str = ""
    """Empty: a flag."""

    @property
    def flag(self) -> str:
        return f"--{self.name.replace('_', '-')}"

    def value_of(self, word: str) -> Any:
        if self.metavar != FILE:
            return word
        from platui.core.paths import user_path  # noqa: PLC0415  (where a file is named only)

        return user_path(word)


GLOBAL_OPTIONS: Final = (
    GlobalOption("profile", "Profile of config.toml to use.", "NAME"),
    GlobalOption("url", "Address of the platform, with or without /api/v4.", "URL"),
    GlobalOption("read_only", "Write nothing to the platform, whatever the profile allows."),
    GlobalOption("ascii", "Draw with ASCII characters only."),
    GlobalOption("utc", "Show times in UTC."),
    GlobalOption("config", "Another config.toml.", FILE),
    GlobalOption("debug", "Write all requests to a file; secrets are never written.", FILE),
)
_BY_FLAG: Final = {option.flag: option for option in GLOBAL_OPTIONS}


def parse_opening(arguments: Sequence[str]) -> tuple[Options, str | None] | None:
    """Return the options of the dashboard and where it opens; None: click parses the arguments."""
    from platui.config.settings import Options  # noqa: PLC0415  (not at a tab)

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
    """Return whether a word is a project path: it has a slash and is not the name of a file."""
    first, *rest = word.split("/")
    is_one = all((first, *rest)) and bool(rest) and (first[0].isalnum() or first[0] == "_")
    return is_one and not os.path.isfile(word)  # noqa: PTH113  (a Path raises where it is too long)


def opens_dashboard(word: str) -> bool:
    return is_address(word) or is_view_line(word) or is_path(word)
