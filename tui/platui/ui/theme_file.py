"""A theme file: TOML to a palette, with errors that name file, key and remedy."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rich.errors import StyleSyntaxError
from rich.style import Style

from platui.config.load import parse_toml
from platui.core.errors import ConfigError
from platui.core.paths import read_file
from platui.core.text import shorten
from platui.models.values.table import ROLES
from platui.ui.palette import Backgrounds, Palette

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path


class ThemeKey(NamedTuple):
    """A key with a colour in it."""

    name: str
    what: str
    like: str = ""  # Key whose colour is the default; empty: required


BACKGROUNDS: Final = (
    ThemeKey("base", "behind everything"),
    ThemeKey("surface", "fields to type into; the cursor's row while the keys go elsewhere"),
    ThemeKey("panel", "header, footer, titles; the line of a log that one is at"),
    ThemeKey("cursor", "the row under the cursor"),
)

FOREGROUNDS: Final = (
    ThemeKey("text", "what is read"),
    ThemeKey("strong", "what is read first; bold in any case", "text"),
    ThemeKey("muted", "what can be read later"),
    ThemeKey("accent", "focus, keys, marks and links"),
    ThemeKey("section", "sections of a log; bold in any case", "accent"),
    ThemeKey("success", "what went well"),
    ThemeKey("failed", "what failed, errors, and a profile of production"),
    ThemeKey("running", "what runs", "accent"),
    ThemeKey("pending", "what waits, and what a search found"),
    ThemeKey("warning", "what is late", "pending"),
    ThemeKey("canceled", "what was stopped"),
    ThemeKey("skipped", "what was not run", "muted"),
    ThemeKey("manual", "what waits for somebody"),
)

_TABLES: Final = {"backgrounds": BACKGROUNDS, "foregrounds": FOREGROUNDS}

SETTINGS: Final = {
    "dark": "Whether light texts stand on dark grounds.",
    "ansi": "Whether colours are the terminal's own sixteen, whose looks nobody knows.",
    "contrast": "What every text has on every ground, 1 to 21 (WCAG: 4.5 reads, 7 reads well).\n"
    "# platui warns where it does not, and moves the colours of logs until they do.",
}

_HEAD: Final = """\
# A theme of platui: {about}
#
# A colour is "#rrggbb"; "bold", "italic" or "underline" may stand before it: "bold #ff7b86".
# With ansi = true it is one of the terminal's own ("red", "bright_blue", "default"), and "dim"
# or "reverse" may stand alone.
# `platui themes check FILE` says what is wrong with it. Saved while platui shows it, it is read
# anew at once.
"""


def theme_text(
    about: str,
    settings: Mapping[str, bool | float],
    backgrounds: Mapping[str, str],
    foregrounds: Mapping[str, str],
) -> str:
    """Return a theme file with a comment on every key; omitted keys are commented out."""
    lines = [_HEAD.format(about=about)]
    for name, what in SETTINGS.items():
        value = settings[name]
        text = str(value).lower() if isinstance(value, bool) else f"{value:.1f}"
        lines += [f"# {what}", f"{name} = {text}", ""]
    for (title, keys), values in zip(_TABLES.items(), (backgrounds, foregrounds), strict=True):
        lines.append(f"[{title}]")
        said = {
            key: f'{key.name} = "{values[key.name]}"'
            if key.name in values
            else f'# {key.name} = "{values[key.like]}"'
            for key in keys
        }
        width = max(map(len, said.values()))
        for key, line in said.items():
            default = f"; left out: as {key.like}" if key.like else ""
            lines.append(f"{line.ljust(width)}  # {key.what}{default}")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


_LIKE: Final = {key.name: key.like for key in FOREGROUNDS if key.like}
_EXAMPLE: Final = 'Write a colour as "#d7dee8".'
_NAMES: Final = 'Write "red", "bright_blue" or "default".'
_LARGEST: Final = 256 * 1024  # Bytes of a file that are read; no theme has so many
_EVERY_KEY: Final = "`platui themes new NAME` writes a file that has every key."


class ThemeFile:
    """The content of one file, taken apart key by key."""

    def __init__(self, path: Path) -> None:
        """Read a file. Raises ConfigError if it is unreadable or no TOML."""
        self._path = path
        try:
            text = read_file(path, _LARGEST).content.decode()
            self._content: Mapping[str, Any] = parse_toml(text, path)
        except (OSError, UnicodeDecodeError) as error:
            said = error.strerror if isinstance(error, OSError) else str(error)
            raise ConfigError(
                f"Theme file {path}: {shorten(said or 'it cannot be read', 200)}.", hint=_EVERY_KEY
            ) from error
        except ConfigError as error:
            raise ConfigError(f"Theme file {error.sentence}", hint=_EVERY_KEY) from error
        self.problems: list[ConfigError] = []
        self._only_known("", self._content, [*SETTINGS, *_TABLES])
        self._ansi = self._switch("ansi", default=False)
        self._dark = self._switch("dark", default=True)
        self._contrast = self._number()
        self._styles = {table: self._read(table, keys) for table, keys in _TABLES.items()}

    def palette(self) -> Palette:
        """Return the palette. Raises ConfigError, the first of `problems`."""
        if self.problems:
            raise self.problems[0]
        backgrounds, inks = self._styles["backgrounds"], self._styles["foregrounds"]
        return Palette(
            name=self._path.stem,
            dark=self._dark,
            ansi=self._ansi,
            backgrounds=Backgrounds(
                **{name: _as_ground(style) for name, style in backgrounds.items()}
            ),
            inks=complete_inks(inks),
            contrast=self._contrast,
        )

    def text(self, about: str) -> str:
        settings = {"dark": self._dark, "ansi": self._ansi, "contrast": self._contrast}
        tables = [self._content[table] for table in _TABLES]
        return theme_text(about, settings, *tables)

    def _read(self, table: str, keys: Sequence[ThemeKey]) -> dict[str, Style]:
        values = self._content.get(table)
        if not isinstance(values, dict):
            self._wrong(table, "is missing; it is a table of colours", _EVERY_KEY)
            return {}
        self._only_known(f"{table}.", values, [key.name for key in keys])
        styles = {}
        for key in keys:
            name = f"{table}.{key.name}"
            if key.name in values:
                styles[key.name] = self._style(name, values[key.name])
            elif not key.like:
                self._wrong(name, "is missing", f"It is the colour of {key.what}.")
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
            self._wrong(key, "names one colour only", remedy)
        elif not self._ansi and (style.color is None or style.color.triplet is None):
            self._wrong(key, 'is written "#rrggbb", unless the file says ansi = true', remedy)
        elif not self._ansi and (style.dim or style.reverse or style.conceal or style.blink):
            self._wrong(key, "is bold, italic or underlined at most", "Choose another colour.")
        return style

    def _switch(self, key: str, *, default: bool) -> bool:
        value = self._content.get(key, default)
        if isinstance(value, bool):
            return value
        self._wrong(key, "is true or false", f"Write {key} = {str(default).lower()}.")
        return default

    def _number(self) -> float:
        value = self._content.get("contrast", 4.5)
        if not isinstance(value, bool) and isinstance(value, int | float) and 1 <= value <= 21:  # noqa: PLR2004  (the scale's end)
            return float(value)
        self._wrong("contrast", "is a number from 1 to 21", "Write contrast = 4.5.")
        return 4.5

    def _only_known(self, prefix: str, table: Iterable[str], known: Sequence[str]) -> None:
        for key in table:
            if key not in known:
                near = difflib.get_close_matches(key, known, n=1)
                hint = f"; did you mean {near[0]!r}?" if near else ""
                remedy = "" if near else f"Known are {', '.join(known)}."
                self._wrong(prefix + shorten(key, 40), f"is not known{hint}", remedy)

    def _wrong(self, key: str, what: str, remedy: str) -> None:
        end = "" if what.endswith("?") else "."
        problem = ConfigError(f"Theme file {self._path}: {key} {what}{end}", hint=remedy)
        self.problems.append(problem)


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
