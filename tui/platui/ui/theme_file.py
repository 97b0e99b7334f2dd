"""Theme files: parse TOML into a palette, and report errors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from rich.errors import StyleSyntaxError
from rich.style import Style

from platui.config.load import parse_toml
from platui.core.errors import ConfigError
from platui.core.named_tuple import NamedTuple
from platui.core.paths import read_file
from platui.core.suggestions import nearest
from platui.core.text import shorten
from platui.models.values.table import ROLES
from platui.ui.palette import Backgrounds, Palette


class ThemeKey(NamedTuple):
    name: str
    what: str
    like: str = ""  # Key whose colour is the default; empty: required


BACKGROUNDS: Final = (
    ThemeKey("base", "main background"),
    ThemeKey("surface", "inputs; the cursor's row without focus"),
    ThemeKey("panel", "header, footer, titles; the current line of a log"),
    ThemeKey("cursor", "the row under the cursor"),
)

FOREGROUNDS: Final = (
    ThemeKey("text", "normal text"),
    ThemeKey("strong", "important text; always bold", "text"),
    ThemeKey("muted", "secondary text"),
    ThemeKey("accent", "focus, keys, marks and links"),
    ThemeKey("section", "sections of a log; always bold", "accent"),
    ThemeKey("success", "success"),
    ThemeKey("failed", "failures, errors, production profiles"),
    ThemeKey("running", "running", "accent"),
    ThemeKey("pending", "pending; search matches"),
    ThemeKey("warning", "warnings, lateness", "pending"),
    ThemeKey("canceled", "canceled"),
    ThemeKey("skipped", "skipped", "muted"),
    ThemeKey("manual", "manual actions"),
)

_TABLES: Final = {"backgrounds": BACKGROUNDS, "foregrounds": FOREGROUNDS}

SETTINGS: Final = {
    "dark": "Whether the theme has light text on dark backgrounds.",
    "ansi": "Whether colours are the terminal's own sixteen.",
    "contrast": "Minimum contrast of text on every background, 1 to 21 (WCAG: 4.5, better 7).\n"
    "# platui warns about less, and adjusts the colours of logs.",
}

_HEAD: Final = """\
# A theme of platui: {about}
#
# A colour is "#rrggbb", optionally after "bold", "italic" or "underline": "bold #ff7b86".
# With ansi = true it is one of the terminal's own ("red", "bright_blue", "default"); "dim"
# and "reverse" need no colour.
# `platui themes check FILE` reports errors. platui reloads the theme in use when the file changes.
"""


def theme_text(
    about: str,
    settings: Mapping[str, bool | float],
    backgrounds: Mapping[str, str],
    foregrounds: Mapping[str, str],
) -> str:
    """Return a theme file with a comment for each key; omitted keys are commented out."""
    lines = [_HEAD.format(about=about)]
    for name, what in SETTINGS.items():
        value = settings[name]
        text = str(value).lower() if isinstance(value, bool) else f"{value:.1f}"
        lines += [f"# {what}", f"{name} = {text}", ""]
    for (title, keys), values in zip(_TABLES.items(), (backgrounds, foregrounds), strict=True):
        lines.append(f"[{title}]")
        said = {}
        for key in keys:
            mark, source = ("", key.name) if key.name in values else ("# ", key.like)
            said[key] = f'{mark}{key.name} = "{values[source]}"'
        width = max(map(len, said.values()))
        for key, line in said.items():
            default = f"; default: {key.like}" if key.like else ""
            lines.append(f"{line.ljust(width)}  # {key.what}{default}")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


_LIKE: Final = {key.name: key.like for key in FOREGROUNDS if key.like}
_EXAMPLE: Final = 'Write a colour as "#d7dee8".'
_NAMES: Final = 'Write "red", "bright_blue" or "default".'
_LARGEST: Final = 256 * 1024  # Bytes of a file
_EVERY_KEY: Final = "Create a complete theme file: platui themes new NAME"


class ThemeFile:
    def __init__(self, path: Path) -> None:
        """Read a file. Raises ConfigError if unreadable or not TOML."""
        self._path = path
        try:
            text = read_file(path, _LARGEST).content.decode()
            self._content: Mapping[str, Any] = parse_toml(text, path)
        except (OSError, UnicodeDecodeError) as error:
            said = error.strerror if isinstance(error, OSError) else str(error)
            raise ConfigError(
                f"Theme file {path}: {shorten(said or 'not readable', 200)}.", hint=_EVERY_KEY
            ) from error
        except ConfigError as error:
            raise ConfigError(f"Theme file {error.sentence}", hint=_EVERY_KEY) from error
        self.problems: list[ConfigError] = []
        self._only_known("", self._content, [*SETTINGS, *_TABLES])
        self._ansi = self._switch("ansi", default=False)
        self._settings: dict[str, Any] = {
            "ansi": self._ansi,
            "dark": self._switch("dark", default=True),
            "contrast": self._number(),
        }
        self._styles = {table: self._read(table, keys) for table, keys in _TABLES.items()}

    def palette(self) -> Palette:
        """Return the palette. Raises ConfigError, the first of `problems`."""
        if self.problems:
            raise self.problems[0]
        backgrounds, inks = self._styles["backgrounds"], self._styles["foregrounds"]
        return Palette(
            name=self._path.stem,
            backgrounds=Backgrounds(
                **{name: _as_ground(style) for name, style in backgrounds.items()}
            ),
            inks=complete_inks(inks),
            **self._settings,
        )

    def text(self, about: str) -> str:
        tables = [self._content[table] for table in _TABLES]
        return theme_text(about, self._settings, *tables)

    def _read(self, table: str, keys: Sequence[ThemeKey]) -> dict[str, Style]:
        values = self._content.get(table)
        if not isinstance(values, dict):
            self._wrong(table, "is missing; it must be a table of colours", _EVERY_KEY)
            return {}
        self._only_known(f"{table}.", values, [key.name for key in keys])
        styles = {}
        for key in keys:
            name = f"{table}.{key.name}"
            if key.name in values:
                styles[key.name] = self._style(name, values[key.name])
            elif not key.like:
                self._wrong(name, "is missing", f"Set the colour of: {key.what}.")
        return styles

    def _style(self, key: str, text: object) -> Style:
        remedy = _NAMES if self._ansi else _EXAMPLE
        if not isinstance(text, str) or not text.strip():
            self._wrong(key, "is not a colour in quotes", remedy)
            return Style.null()
        try:
            style = Style.parse(text.replace("-", "_"))
        except StyleSyntaxError:
            self._wrong(key, f"{shorten(text, 40)!r} is not a colour", remedy)
            return Style.null()
        if style.bgcolor is not None or style.link is not None:
            self._wrong(key, "must be one colour", remedy)
        elif not self._ansi and (style.color is None or style.color.triplet is None):
            self._wrong(key, 'must be "#rrggbb", unless ansi = true', remedy)
        elif not self._ansi and (style.dim or style.reverse or style.conceal or style.blink):
            self._wrong(key, "may only be bold, italic or underlined", "Choose another colour.")
        return style

    def _switch(self, key: str, *, default: bool) -> bool:
        value = self._content.get(key, default)
        if isinstance(value, bool):
            return value
        self._wrong(key, "must be true or false", f"Write {key} = {str(default).lower()}.")
        return default

    def _number(self) -> float:
        value = self._content.get("contrast", 4.5)
        if not isinstance(value, bool) and isinstance(value, int | float) and 1 <= value <= 21:  # noqa: PLR2004  (the end of the scale)
            return float(value)
        self._wrong("contrast", "must be a number from 1 to 21", "Write contrast = 4.5.")
        return 4.5

    def _only_known(self, prefix: str, table: Iterable[str], known: Sequence[str]) -> None:
        for key in table:
            if key not in known:
                near = nearest(key, known)
                hint = f"; did you mean {near!r}?" if near else ""
                remedy = "" if near else f"Known keys: {', '.join(known)}."
                self._wrong(prefix + shorten(key, 40), f"is unknown{hint}", remedy)

    def _wrong(self, key: str, what: str, remedy: str) -> None:
        end = "" if what.endswith("?") else "."
        problem = ConfigError(f"Theme file {self._path}: {key} {what}{end}", hint=remedy)
        self.problems.append(problem)


def _as_ground(style: Style) -> Style:
    if style.reverse:
        # One bar in the colour of the text, not one per role.
        return Style(color="default", bgcolor=style.color, reverse=True, bold=style.bold, dim=False)
    return Style(bgcolor=style.color, bold=style.bold)


def complete_inks(inks: Mapping[str, Style]) -> dict[str, Style]:
    """Return a style for every role, with defaults for missing ones."""
    like = {role: inks.get(role, inks[other]) for role, other in _LIKE.items()}
    bold = Style(bold=True)
    complete = {**inks, **like}
    complete["strong"] += bold
    complete["section"] += bold
    assert complete.keys() >= ROLES  # noqa: S101  (a role added without a colour)
    return complete
