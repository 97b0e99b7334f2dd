"""A theme file: TOML to a palette, with errors that name file and key."""

from __future__ import annotations

import difflib
import tomllib
from typing import TYPE_CHECKING, Any, Final

from rich.errors import StyleSyntaxError
from rich.style import Style

from platui.core.errors import ConfigError
from platui.core.text import shorten
from platui.models.values.table import ROLES
from platui.ui.palette import Grounds, Palette

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_SETTINGS: Final = {"dark", "ansi", "contrast", "backgrounds", "foregrounds"}
_GROUNDS: Final = Grounds._fields
_FOREGROUNDS: Final = (
    "text", "muted", "accent", "success", "failed", "pending", "canceled", "manual",
)  # fmt: skip
_LIKE: Final = {
    "strong": "text",
    "running": "accent",
    "skipped": "muted",
    "warning": "pending",
    "section": "accent",
}
"""Roles that a file may leave out, and the one each then looks like."""


def read_palette(path: Path) -> Palette:
    """Return the palette in a file, named after it.

    Raises:
        ConfigError: the file cannot be read, or says something a theme cannot mean.
    """
    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"Theme file {path}: {shorten(str(error), 200)}") from error
    return _ThemeFile(path, content).palette()


class _ThemeFile:
    """The content of one file, taken apart key by key."""

    def __init__(self, path: Path, content: dict[str, Any]) -> None:
        self._path = path
        self._content = content

    def palette(self) -> Palette:
        """Return the palette that the file describes."""
        self._only_known("", self._content, _SETTINGS)
        ansi = self._switch("ansi", default=False)
        grounds = self._styles("backgrounds", required=_GROUNDS, optional=(), ansi=ansi)
        inks = self._styles("foregrounds", required=_FOREGROUNDS, optional=tuple(_LIKE), ansi=ansi)
        return Palette(
            name=self._path.stem,
            dark=self._switch("dark", default=True),
            ansi=ansi,
            grounds=Grounds(**{name: _as_ground(style) for name, style in grounds.items()}),
            inks=complete_inks(inks),
            contrast=self._contrast(),
        )

    def _styles(
        self, table: str, *, required: tuple[str, ...], optional: tuple[str, ...], ansi: bool
    ) -> dict[str, Style]:
        values = self._content.get(table)
        if not isinstance(values, dict):
            raise self._wrong(table, "is missing; it is a table of colours")
        self._only_known(f"{table}.", values, {*required, *optional})
        for name in required:
            if name not in values:
                raise self._wrong(f"{table}.{name}", "is missing")
        return {name: self._style(f"{table}.{name}", text, ansi) for name, text in values.items()}

    def _style(self, key: str, text: object, ansi: bool) -> Style:  # noqa: FBT001  (inner)
        if not isinstance(text, str) or not text.strip():
            raise self._wrong(key, "is not a colour in quotes")
        try:
            style = Style.parse(text.replace("-", "_"))
        except StyleSyntaxError as error:
            raise self._wrong(key, f"{shorten(text, 40)!r} is not a colour") from error
        if style.bgcolor is not None or style.link is not None:
            raise self._wrong(key, "names one colour only")
        if not ansi and (style.color is None or style.color.triplet is None):
            raise self._wrong(key, 'is written "#rrggbb", unless the file says ansi = true')
        return style

    def _switch(self, key: str, *, default: bool) -> bool:
        value = self._content.get(key, default)
        if not isinstance(value, bool):
            raise self._wrong(key, "is true or false")
        return value

    def _contrast(self) -> float:
        value = self._content.get("contrast", 4.5)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 1 <= value <= 21:  # noqa: PLR2004  (the scale's end)
            raise self._wrong("contrast", "is a number from 1 to 21")
        return float(value)

    def _only_known(self, prefix: str, table: Mapping[str, object], known: set[str]) -> None:
        for key in table:
            if key not in known:
                near = difflib.get_close_matches(key, known, n=1)
                hint = f"; did you mean {near[0]!r}?" if near else ""
                raise self._wrong(prefix + shorten(key, 40), f"is not known{hint}")

    def _wrong(self, key: str, what: str) -> ConfigError:
        return ConfigError(f"Theme file {self._path}: {key} {what}")


def _as_ground(style: Style) -> Style:
    if style.reverse:
        # Each role reversed in its own colour would be a patchwork: one bar in that of the text.
        return Style(color="default", bgcolor=style.color, reverse=True, bold=style.bold, dim=False)
    return Style(bgcolor=style.color, bold=style.bold)


def complete_inks(inks: Mapping[str, Style]) -> dict[str, Style]:
    """Return a style for every role, those left out taken from the one they look like."""
    like = {role: inks.get(role, inks[other]) for role, other in _LIKE.items()}
    bold = Style(bold=True)
    complete = {**inks, **like}
    complete["strong"] += bold
    complete["section"] += bold
    assert complete.keys() >= ROLES  # noqa: S101  (a role added without a colour)
    return complete
