"""Find, load and derive themes and their palettes."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal
from weakref import WeakKeyDictionary

from rich.style import Style
from textual.theme import BUILTIN_THEMES, Theme

import platui
from platui.core.errors import ConfigError
from platui.core.named_tuple import NamedTuple
from platui.core.paths import config_dir
from platui.core.suggestions import nearest
from platui.core.text import shorten
from platui.ui.contrast import RGB, blend, hexadecimal, readable
from platui.ui.palette import Backgrounds, Palette, css
from platui.ui.theme_file import ThemeFile, complete_inks

if TYPE_CHECKING:
    from textual.app import App
    from textual.color import Color

DEFAULT_THEME: Final = "platui-dark"
AUTO: Final = "auto"  # platui's dark or light theme, as the terminal
LIGHT_THEME: Final = "platui-light"
PLAIN_THEME: Final = "ansi"


class PaletteTheme(Theme):
    """A Textual theme made from a palette."""

    def __init__(self, palette: Palette) -> None:
        super().__init__(**_textual_colours(palette))
        self.palette: Final = palette


def user_themes_dir() -> Path:
    return config_dir() / "themes"


def theme_files() -> dict[str, Path]:
    """Return the theme files by name; the user's override platui's."""
    found: dict[str, Path] = {}
    for folder in (platui.themes_dir(), user_themes_dir()):
        found.update((path.stem, path) for path in sorted(folder.glob("*.toml")))
    return found


def resolve_auto(name: str, *, dark: bool) -> str:
    """Resolve `auto` to a theme for a dark or light terminal."""
    if name != AUTO:
        return name
    return DEFAULT_THEME if dark else LIGHT_THEME


def user_theme_file(name: str) -> Path | None:
    """Return the file of a user's theme; None: not a user's theme."""
    path = theme_files().get(name)
    return path if path is not None and path.parent == user_themes_dir() else None


class ThemeEntry(NamedTuple):
    name: str
    path: Path | None
    theme: Theme | None
    problem: ConfigError | None = None  # Why it is unusable; then `theme` is None

    @property
    def origin(self) -> Literal["platui", "user", "textual"]:
        if self.path is None:
            return "textual"
        return "platui" if self.path.parent == platui.themes_dir() else "user"


def all_themes() -> list[ThemeEntry]:
    found: list[ThemeEntry] = []
    for name, path in theme_files().items():
        try:
            found.append(ThemeEntry(name, path, load_theme(path)))
        except ConfigError as problem:
            found.append(ThemeEntry(name, path, None, problem))
    files = {one.name for one in found}
    found += [
        ThemeEntry(name, None, one) for name, one in BUILTIN_THEMES.items() if name not in files
    ]
    order = ("platui", "user", "textual")
    return sorted(found, key=lambda one: (order.index(one.origin), one.name))


def find_theme(name: str) -> Theme:
    """Return the theme of that name: the user's, platui's or Textual's. Raises ConfigError."""
    files = theme_files()
    if name in files:
        return load_theme(files[name])
    if name in BUILTIN_THEMES:
        return BUILTIN_THEMES[name]
    near = nearest(name, [*files, *BUILTIN_THEMES])
    hint = f"Did you mean {near!r}?" if near else "List them with: platui themes"
    raise ConfigError(f"Unknown theme {shorten(name, 40)!r}.", hint=hint)


@lru_cache(1)
def default_theme() -> PaletteTheme:
    return load_theme(platui.themes_dir() / f"{DEFAULT_THEME}.toml")


@lru_cache(1)
def ansi_theme() -> PaletteTheme:
    """Return platui's theme of the terminal's colours, which users cannot override."""
    return load_theme(platui.themes_dir() / f"{PLAIN_THEME}.toml")


def load_theme(path: Path) -> PaletteTheme:
    return PaletteTheme(ThemeFile(path).palette())


def _textual_colours(palette: Palette) -> dict[str, Any]:
    ink = {role: css(palette.ink(role).color) for role in palette.inks}
    background = {name: css(style.bgcolor) for name, style in palette.backgrounds._asdict().items()}
    variables = {
        **(BUILTIN_THEMES["ansi-dark"].variables if palette.ansi else {}),
        **palette.variables(),
        "border": ink["accent"],
        "border-blurred": ink["muted"] if palette.ansi else background["panel"],
        "footer-background": background["panel"],
        "input-selection-foreground": ink["text"],
        "input-selection-background": "ansi_bright_black" if palette.ansi else background["cursor"],
        "block-cursor-foreground": ink["text"],
        "block-cursor-background": background["cursor"],
        "block-cursor-text-style": "bold reverse" if palette.ansi else "none",
    }
    if not palette.ansi:
        # Textual's are semi-transparent; the contrast of these is tested.
        variables |= {"text": ink["text"], "text-muted": ink["muted"]}
        variables |= {"text-disabled": ink["muted"], "foreground-muted": ink["muted"]}
    return {
        "name": palette.name,
        **dict.fromkeys(("primary", "secondary", "accent"), ink["accent"]),
        "warning": ink["pending"],
        "error": ink["failed"],
        "success": ink["success"],
        "foreground": ink["text"],
        "background": background["base"],
        "surface": background["surface"],
        **dict.fromkeys(("panel", "boost"), background["panel"]),
        "dark": palette.dark,
        "ansi": palette.ansi,
        "variables": variables,
    }


_palettes: WeakKeyDictionary[App[Any], tuple[str, Palette]] = WeakKeyDictionary()


def palette_of(app: App[Any]) -> Palette:
    known = _palettes.get(app)
    if known is not None and known[0] == app.theme:
        return known[1]
    theme = app.current_theme
    palette = palette_for(theme)
    _palettes[app] = (theme.name, palette)
    return palette


def forget_palette(app: App[Any]) -> None:
    """Drop the cached palette of an app: another theme may have the same name."""
    _palettes.pop(app, None)


def palette_for(theme: Theme) -> Palette:
    """Return the palette of a theme, derived if necessary."""
    return theme.palette if isinstance(theme, PaletteTheme) else derive_palette(theme)


def derive_palette(theme: Theme) -> Palette:
    if theme.ansi:
        return replace(ansi_theme().palette, name=theme.name, dark=theme.dark)
    colours = theme.to_color_system()
    generated = colours.generate()
    parse = type(colours.primary).parse
    base = _opaque(parse(generated["background"]), (0, 0, 0))
    primary = _opaque(colours.primary, base)
    backgrounds = {
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
        role: Style(color=hexadecimal(readable(colour, backgrounds.values(), 4.5)))
        for role, colour in foregrounds.items()
    }
    return Palette(
        name=theme.name,
        dark=theme.dark,
        ansi=False,
        backgrounds=Backgrounds(
            **{k: Style(bgcolor=hexadecimal(v)) for k, v in backgrounds.items()}
        ),
        inks=complete_inks(inks),
    )


def _opaque(colour: Color, background: RGB) -> RGB:
    return blend(background, colour.rgb, colour.a)
