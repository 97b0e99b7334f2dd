"""Themes: files to palettes and to Textual's own Theme, each read when it is wanted."""

from __future__ import annotations

import difflib
import tomllib
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

from rich.errors import StyleSyntaxError
from rich.style import Style
from textual.theme import BUILTIN_THEMES, Theme

import platui
from platui.core.errors import ConfigError
from platui.core.paths import config_dir
from platui.core.text import shorten
from platui.models.values.table import ROLES
from platui.ui.contrast import RGB, blend, hexadecimal, readable
from platui.ui.palette import Grounds, Palette, css

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from textual.app import App
    from textual.color import Color

__all__ = [
    "DEFAULT_THEME",
    "HouseTheme",
    "Palette",
    "default_theme",
    "find_theme",
    "house_themes",
    "load_theme",
    "palette_of",
    "theme_files",
]

DEFAULT_THEME: Final = "platui-dark"

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


class HouseTheme(Theme):
    """A Textual theme together with the palette it was made from."""

    def __init__(self, palette: Palette) -> None:
        super().__init__(**_textual_colours(palette))
        self.palette: Final = palette


def theme_files() -> dict[str, Path]:
    """Return the theme files by name; the user's own win over those of the house."""
    found: dict[str, Path] = {}
    for folder in (platui.themes_dir(), config_dir() / "themes"):
        found.update((path.stem, path) for path in sorted(folder.glob("*.toml")))
    return found


def find_theme(name: str) -> Theme:
    """Return the theme of that name: a file of the user or the house, or one of Textual's.

    Raises:
        ConfigError: there is none of that name, or its file is not usable.
    """
    files = theme_files()
    if name in files:
        return load_theme(files[name])
    if name in BUILTIN_THEMES:
        return BUILTIN_THEMES[name]
    near = difflib.get_close_matches(name, [*files, *BUILTIN_THEMES], n=1)
    hint = f"Did you mean {near[0]!r}?" if near else f"The default is {DEFAULT_THEME!r}."
    raise ConfigError(f"There is no theme named {shorten(name, 40)!r}.", hint=hint)


@lru_cache(1)
def default_theme() -> HouseTheme:
    """Return the theme that is there when another one is not usable."""
    return load_theme(platui.themes_dir() / f"{DEFAULT_THEME}.toml")


def house_themes() -> tuple[list[HouseTheme], list[ConfigError]]:
    """Return every theme that has a file, and what is wrong with those not usable."""
    themes: list[HouseTheme] = []
    problems: list[ConfigError] = []
    for path in theme_files().values():
        try:
            themes.append(load_theme(path))
        except ConfigError as problem:
            problems.append(problem)
    return themes, problems


def load_theme(path: Path) -> HouseTheme:
    """Return the theme in a file, named after it.

    Raises:
        ConfigError: the file cannot be read, or says something a theme cannot mean.
    """
    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"Theme file {path}: {shorten(str(error), 200)}") from error
    return HouseTheme(_ThemeFile(path, content).palette())


class _ThemeFile:
    """The content of a theme file, taken apart with errors that name file and key."""

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
    return Style(bgcolor=style.color, reverse=style.reverse, bold=style.bold)


def complete_inks(inks: Mapping[str, Style]) -> dict[str, Style]:
    """Return a style for every role, those left out taken from the one they look like."""
    like = {role: inks.get(role, inks[other]) for role, other in _LIKE.items()}
    bold = Style(bold=True)
    complete = {**inks, **like}
    complete["strong"] += bold
    complete["section"] += bold
    assert complete.keys() >= ROLES  # noqa: S101  (a role added without a colour)
    return complete


def _textual_colours(palette: Palette) -> dict[str, Any]:
    """Return a palette as the arguments of Textual's Theme."""
    ink = {role: css(palette.ink(role).color) for role in palette.inks}
    ground = {name: css(style.bgcolor) for name, style in palette.grounds._asdict().items()}
    variables = {
        **(BUILTIN_THEMES["ansi-dark"].variables if palette.ansi else {}),
        **palette.variables(),
        "border": ink["accent"],
        "border-blurred": ink["muted"] if palette.ansi else ground["panel"],
        "footer-background": ground["panel"],
        "input-selection-foreground": ink["text"],
        "input-selection-background": "ansi_bright_black" if palette.ansi else ground["cursor"],
        "block-cursor-foreground": ink["text"],
        "block-cursor-background": ground["cursor"],
        "block-cursor-text-style": "bold reverse" if palette.ansi else "none",
    }
    if not palette.ansi:
        # Textual's own are part-transparent; these are the ones whose contrast is tested.
        variables |= {"text": ink["text"], "text-muted": ink["muted"]}
        variables |= {"text-disabled": ink["muted"], "foreground-muted": ink["muted"]}
    return {
        "name": palette.name,
        "primary": ink["accent"],
        "secondary": ink["accent"],
        "accent": ink["accent"],
        "warning": ink["pending"],
        "error": ink["failed"],
        "success": ink["success"],
        "foreground": ink["text"],
        "background": ground["base"],
        "surface": ground["surface"],
        "panel": ground["panel"],
        "boost": ground["panel"],
        "dark": palette.dark,
        "ansi": palette.ansi,
        "variables": variables,
    }


_palettes: WeakKeyDictionary[App[Any], tuple[str, Palette]] = WeakKeyDictionary()


def palette_of(app: App[Any]) -> Palette:
    """Return the palette of the theme that an app shows, made once a theme."""
    known = _palettes.get(app)
    if known is not None and known[0] == app.theme:
        return known[1]
    theme = app.current_theme
    palette = theme.palette if isinstance(theme, HouseTheme) else derive_palette(theme)
    _palettes[app] = (theme.name, palette)
    return palette


def derive_palette(theme: Theme) -> Palette:
    """Return a palette for a theme that is not ours, moved until its texts are readable."""
    if theme.ansi:
        plain = load_theme(platui.themes_dir() / "ansi.toml").palette
        return Palette(
            theme.name, dark=theme.dark, ansi=True, grounds=plain.grounds, inks=plain.inks
        )
    colours = theme.to_color_system()
    generated = colours.generate()
    parse = type(colours.primary).parse
    base = _opaque(parse(generated["background"]), (0, 0, 0))
    primary = _opaque(colours.primary, base)
    grounds = {
        "base": base,
        "surface": _opaque(parse(generated["surface"]), base),
        "panel": _opaque(parse(generated["panel"]), base),
        "cursor": blend(base, primary, 0.25),
    }
    text = _opaque(parse(generated["foreground"]), base)
    foregrounds = {
        "text": text,
        "muted": blend(text, base, 0.35),
        "accent": primary,
        "success": _opaque(parse(generated["success"]), base),
        "failed": _opaque(parse(generated["error"]), base),
        "pending": _opaque(parse(generated["warning"]), base),
        "canceled": blend(text, base, 0.3),
        "manual": _opaque(parse(generated["secondary"]), base),
    }
    inks = {
        role: Style(color=hexadecimal(readable(colour, grounds.values(), 4.5)))
        for role, colour in foregrounds.items()
    }
    return Palette(
        name=theme.name,
        dark=theme.dark,
        ansi=False,
        grounds=Grounds(**{k: Style(bgcolor=hexadecimal(v)) for k, v in grounds.items()}),
        inks=complete_inks(inks),
    )


def _opaque(colour: Color, ground: RGB) -> RGB:
    return blend(ground, colour.rgb, colour.a)
