"""A theme of one's own: a copy of another, with a comment on every key."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from platui.cli.patience import narrate
from platui.core.errors import ConfigError, FileWriteError
from platui.core.text import clean, shorten
from platui.ui.theme_file import ThemeFile
from platui.ui.theme_keys import FOREGROUNDS, theme_text
from platui.ui.theming import find_theme, own_themes_dir, palette_for, theme_files

if TYPE_CHECKING:
    from pathlib import Path

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")
_TAKEN: Final = frozenset({"auto", "dark", "light"})
"""What the setting `theme` and `:theme` mean something else by."""


def new_theme(name: str, source: str) -> Path:
    """Write a theme into the user's folder; returns its file.

    Raises:
        ConfigError: the name is none, or taken, or the source is no theme.
        FileWriteError: the folder cannot be written.
    """
    if not _NAME.fullmatch(name) or name in _TAKEN or name.endswith(".toml"):
        raise ConfigError(
            f"{shorten(name, 60)!r} is no name for a theme.",
            hint="Letters, digits, dots and dashes; without .toml.",
        )
    path = own_themes_dir() / f"{name}.toml"
    content = _text_of(source)
    hides = name in theme_files() and not path.exists()
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(content)
    except FileExistsError:
        raise ConfigError(
            clean(f"{path} is there already, and stays as it is."), hint="Choose another name."
        ) from None
    except OSError as error:
        raise FileWriteError(clean(f"{path} cannot be written: {error.strerror}.")) from error
    if hides:
        narrate(f"It stands in the place of platui's own {name}.")
    narrate(f'Put it on with `theme = "{name}"` in config.toml, or `:theme {name}`.')
    return path


def _text_of(source: str) -> str:
    about = f"made from {source}."
    known = theme_files().get(source)
    if known is not None:
        file = ThemeFile(known)
        file.palette()
        return file.text(about)
    palette = palette_for(find_theme(source))
    settings = {"dark": palette.dark, "ansi": palette.ansi, "contrast": palette.contrast}
    grounds = {
        key: "reverse" if style.reverse else _colour(str(style.bgcolor and style.bgcolor.name))
        for key, style in palette.grounds._asdict().items()
    }
    names = {role: str(ink).removeprefix("bold ") for role, ink in palette.inks.items()}
    alike = {key.name for key in FOREGROUNDS if key.like and names[key.name] == names[key.like]}
    inks = {role: _colour(name) for role, name in names.items() if role not in alike}
    return theme_text(about, settings, grounds, inks)


def _colour(name: str) -> str:
    return "default" if name in {"None", "none"} else name
