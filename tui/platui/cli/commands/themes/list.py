"""List themes with samples, check them and create new ones."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rich.color import ColorSystem

from platui.cli.exit_codes import Exit
from platui.cli.output.lists import table_lines
from platui.cli.output.progress import print_notice
from platui.cli.output.stdout import has_colours, is_terminal, print_line, print_lines, print_object
from platui.core.errors import ConfigError, FileWriteError
from platui.core.named_tuple import NamedTuple
from platui.core.text import clean, shorten
from platui.present.status import glyph_of
from platui.present.tables.spec import ColumnSpec, Context, TableSpec
from platui.ui.ascii_fallbacks import ASCII_BY_CODE_POINT
from platui.ui.contrast import ContrastReading, contrast_readings, warnings
from platui.ui.derived_palettes import in_256
from platui.ui.terminal.detection import Colours, count_colours
from platui.ui.theme_file import FOREGROUNDS, ThemeFile, theme_text
from platui.ui.themes import all_themes, find_theme, palette_for, theme_files, user_themes_dir

if TYPE_CHECKING:
    from rich.style import Style

    from platui.config.settings import Options
    from platui.ui.palette import Palette
    from platui.ui.themes import ThemeEntry

_SHOWN: Final = ("failed", "running", "pending", "success", "manual", "skipped")
_SYSTEMS: Final = {
    Colours.SIXTEEN: ColorSystem.STANDARD,
    Colours.MANY: ColorSystem.EIGHT_BIT,
    Colours.TRUE: ColorSystem.TRUECOLOR,
}

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")
_RESERVED: Final = frozenset({"auto", "dark", "light"})  # values of the setting `theme`


def list_themes(options: Options, *, as_json: bool) -> int:
    offered = all_themes()
    if as_json:
        for one in offered:
            found = _THEMES.object(_row(one))
            usable = found if one.theme is not None else {key: found[key] for key in _OF_UNUSABLE}
            print_object(usable)
    else:
        print_lines(_table(offered, options))
    for one in offered:
        if one.problem is not None:
            print_notice(f"{one.problem.sentence} {one.problem.hint}".strip())
    if not as_json and is_terminal():
        print_notice(f"Create your own in {user_themes_dir()} with: platui themes new NAME")
    return 0


class _Row(NamedTuple):
    offered: ThemeEntry
    palette: Palette | None  # None if invalid
    contrast_readings: Sequence[ContrastReading]
    sample: str = ""


def _row(one: ThemeEntry, sample: str = "") -> _Row:
    palette = None if one.theme is None else palette_for(one.theme)
    return _Row(one, palette, () if palette is None else contrast_readings(palette), sample)


def _where(one: _Row, _at: Context) -> str:
    origin, path = one.offered.origin, one.offered.path
    return origin if path is None or origin == "platui" else str(path)


def _ground(one: _Row, _at: Context) -> str:
    if one.palette is None:
        return ""
    return "terminal's" if one.palette.ansi else "dark" if one.palette.dark else "light"


def _contrast(one: _Row, _at: Context) -> str:
    if one.palette is None:
        return ""
    weak = "!" if warnings(one.palette) else ""
    return f"{weak}{one.contrast_readings[0].ratio:.1f}" if one.contrast_readings else "-"


def _lowest(get: Callable[[ContrastReading], Any]) -> Callable[[_Row, Context], Any]:
    return lambda one, _: get(one.contrast_readings[0]) if one.contrast_readings else None


def _of_palette(get: Callable[[Palette], Any]) -> Callable[[_Row, Context], Any]:
    return lambda one, _: None if one.palette is None else get(one.palette)


def _colours(styles: Mapping[str, Style]) -> dict[str, str]:
    return {key: str(style) for key, style in styles.items()}


_THEMES: Final[TableSpec[_Row]] = TableSpec(
    key=lambda one: one.offered.name,
    cli=("name", "look", "is_dark", "least_contrast", "from"),
    cli_blank="",
    columns=(
        ColumnSpec("name", "NAME", value=lambda one, _: one.offered.name, minimum=12),
        ColumnSpec(
            "from", "FROM", value=lambda one, _: one.offered.origin, cell=_where, minimum=12,
            ends=True,
        ),
        ColumnSpec("path", value=lambda one, _: one.offered.path and str(one.offered.path)),
        ColumnSpec(
            "problem", value=lambda one, _: one.offered.problem and one.offered.problem.sentence
        ),
        ColumnSpec(
            "look", "LOOK", name=None,
            cell=lambda one, _: "invalid" if one.palette is None else one.sample,
        ),
        ColumnSpec("is_dark", "BACKGROUND", value=_of_palette(lambda its: its.dark), cell=_ground),
        ColumnSpec("is_ansi", value=_of_palette(lambda its: its.ansi)),
        ColumnSpec("contrast", value=_of_palette(lambda its: its.contrast)),
        ColumnSpec(
            "least_contrast", "CONTRAST", value=_lowest(lambda one: round(one.ratio, 2)),
            cell=_contrast, right=True,
        ),
        ColumnSpec(
            "least_contrast_of",
            value=_lowest(lambda one: f"{one.role} on {one.background}"),
        ),
        ColumnSpec("warnings", value=_of_palette(warnings)),
        ColumnSpec("backgrounds", value=_of_palette(lambda p: _colours(p.backgrounds._asdict()))),
        ColumnSpec("foregrounds", value=_of_palette(lambda p: _colours(p.inks))),
    ),
)  # fmt: skip
_OF_UNUSABLE: Final = ("name", "from", "path", "problem")


def _table(offered: list[ThemeEntry], options: Options) -> list[str]:
    colours = count_colours(os.environ)
    shows = is_terminal() and has_colours("", os.environ) and colours in _SYSTEMS
    signs = "".join(glyph_of(role) for role in _SHOWN)
    if options.ascii or not (sys.stdout.encoding or "").lower().startswith("utf"):
        signs = signs.translate(ASCII_BY_CODE_POINT)
    sample = f" text {signs} row "
    themes = [_row(one, sample) for one in offered]
    if not shows:
        return list(table_lines(themes, _THEMES.less("look")))
    heads, *lines = table_lines(themes, _THEMES)
    return [
        heads,
        *(
            line.replace(sample, _swatch(one.palette, signs, colours), 1) if one.palette else line
            for line, one in zip(lines, themes, strict=True)
        ),
    ]


def _swatch(palette: Palette, signs: str, colours: Colours) -> str:
    if colours is Colours.MANY and not palette.ansi:
        palette = in_256(palette)
    system = _SYSTEMS[colours]
    parts: list[tuple[str, Style]] = [(" text ", palette.base)]
    parts += [(sign, palette.style(role)) for sign, role in zip(signs, _SHOWN, strict=True)]
    parts += [(" ", palette.base), ("row ", palette.base + palette.cursor)]
    return "".join(style.render(text, color_system=system) for text, style in parts)


def check_themes(words: Sequence[str], *, as_json: bool) -> int:
    code = Exit.DONE
    for word in words:
        palette, problems = _read(word)
        low_contrast = [] if palette is None else warnings(palette)
        readings = [] if palette is None else contrast_readings(palette)
        if problems:
            code = Exit.USAGE
        if as_json:
            print_object(
                {
                    "theme": word,
                    "is_usable": palette is not None,
                    "problems": [
                        {"sentence": clean(one.sentence), "remedy": clean(one.hint)}
                        for one in problems
                    ],
                    "warnings": list(low_contrast),
                    "least_contrast": round(readings[0].ratio, 2) if readings else None,
                }
            )
            continue
        for problem in problems:
            print_notice(f"{problem.sentence} {problem.hint}".strip())
        for sentence in low_contrast:
            print_notice(f"{clean(word)}: {sentence}")
        if palette is not None:
            how = "uses the terminal's own colours, whose contrast is unknown"
            if readings:
                worst = readings[0]
                how = f"the lowest contrast is {worst.ratio:.1f}, "
                how += f"of {worst.role} on {worst.background}"
            hard = ", but hard to read" * bool(low_contrast)
            print_line(f"{clean(word)}: valid{hard}; {how}.")
    return code


def _read(word: str) -> tuple[Palette | None, Sequence[ConfigError]]:
    known = theme_files().get(word)
    path = known if known is not None else Path(word)
    try:
        if known is None and not word.endswith(".toml") and "/" not in word:
            return palette_for(find_theme(word)), ()
        file = ThemeFile(path)
        return (None, file.problems) if file.problems else (file.palette(), ())
    except ConfigError as problem:
        return None, [problem]


def new_theme(name: str, source: str) -> Path:
    if not _NAME.fullmatch(name) or name in _RESERVED or name.endswith(".toml"):
        raise ConfigError(
            f'Invalid theme name "{shorten(name, 60)}".',
            hint="Use letters, digits, dots and dashes, without .toml.",
        )
    path = user_themes_dir() / f"{name}.toml"
    content = _text_of(source)
    hides = name in theme_files() and not path.exists()
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(content)
    except FileExistsError:
        raise ConfigError(clean(f"{path} already exists."), hint="Choose another name.") from None
    except OSError as error:
        raise FileWriteError(clean(f"{path} cannot be written: {error.strerror}.")) from error
    if hides:
        print_notice(f"It replaces the theme {name} of platui.")
    print_notice(f'Use it with `theme = "{name}"` in config.toml, or `:theme {name}`.')
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
    backgrounds = {
        key: "reverse" if style.reverse else _colour(str(style.bgcolor and style.bgcolor.name))
        for key, style in palette.backgrounds._asdict().items()
    }
    names = {role: str(ink).removeprefix("bold ") for role, ink in palette.inks.items()}
    alike = {key.name for key in FOREGROUNDS if key.like and names[key.name] == names[key.like]}
    inks = {role: _colour(name) for role, name in names.items() if role not in alike}
    return theme_text(about, settings, backgrounds, inks)


def _colour(name: str) -> str:
    return "default" if name in {"None", "none"} else name
