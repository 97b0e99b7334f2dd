"""The list of themes, each as it looks on this terminal."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any, Final

from rich.color import ColorSystem

from platui.cli.patience import narrate
from platui.cli.stdout import has_colours, is_terminal
from platui.cli.told import fitted_table, say_lines
from platui.core.text import clean
from platui.present.status import glyph_of
from platui.ui.ascii_art import SIGNS
from platui.ui.fewer_colours import in_256
from platui.ui.terminal import Colours, count_colours
from platui.ui.theme_contrast import readings, warnings
from platui.ui.theming import offered_themes, own_themes_dir, palette_for

if TYPE_CHECKING:
    from rich.style import Style

    from platui.config.settings import Options
    from platui.ui.palette import Palette
    from platui.ui.theming import Offered

_HEADS: Final = ("NAME", "LOOK", "GROUND", "CONTRAST", "FROM")
_SPARE: Final = ((4, 12), (0, 12))
_SHOWN: Final = ("failed", "running", "pending", "success", "manual", "skipped")
_SYSTEMS: Final = {
    Colours.SIXTEEN: ColorSystem.STANDARD,
    Colours.MANY: ColorSystem.EIGHT_BIT,
    Colours.TRUE: ColorSystem.TRUECOLOR,
}


def list_themes(options: Options, *, as_json: bool) -> int:
    """Print every theme; returns the exit code."""
    offered = offered_themes()
    if as_json:
        say_lines(json.dumps(theme_object(one)) for one in offered)
    else:
        say_lines(_table(offered, options))
    for one in offered:
        if one.problem is not None:
            narrate(f"{one.problem.sentence} {one.problem.hint}".strip())
    if not as_json and is_terminal():
        narrate(f"Your own belong in {own_themes_dir()}: platui themes new NAME writes one.")
    return 0


def theme_object(one: Offered) -> dict[str, Any]:
    """Return a theme for JSON: where it is from, how it reads, its colours by key."""
    told: dict[str, Any] = {
        "name": one.name,
        "from": one.origin,
        "path": None if one.path is None else str(one.path),
        "problem": None if one.problem is None else one.problem.sentence,
    }
    if one.theme is None:
        return told
    palette = palette_for(one.theme)
    found = readings(palette)
    return {
        **told,
        "is_dark": palette.dark,
        "is_ansi": palette.ansi,
        "contrast": palette.contrast,
        "least_contrast": round(found[0].ratio, 2) if found else None,
        "least_contrast_of": f"{found[0].role} on {found[0].ground}" if found else None,
        "warnings": warnings(palette),
        "backgrounds": {key: str(style) for key, style in palette.grounds._asdict().items()},
        "foregrounds": {key: str(style) for key, style in palette.inks.items()},
    }


def _table(offered: list[Offered], options: Options) -> list[str]:
    """Return the lines; a swatch is put over its place once the columns are as wide as they are."""
    colours = count_colours(os.environ)
    shows = is_terminal() and has_colours("", os.environ) and colours in _SYSTEMS
    signs = "".join(glyph_of(role) for role in _SHOWN)
    if options.ascii or not (sys.stdout.encoding or "").lower().startswith("utf"):
        signs = signs.translate(SIGNS)
    place = f" text {signs} row "
    rows = [_row(one, place) for one in offered]
    if not shows:
        rows = [(row[0], *row[2:]) for row in rows]
        heads = (_HEADS[0], *_HEADS[2:])
        return list(fitted_table([heads, *rows], {2}, [(at - (at > 1), n) for at, n in _SPARE]))
    head, *lines = fitted_table([_HEADS, *rows], {3}, _SPARE)
    return [
        head,
        *(
            line.replace(place, _swatch(palette_for(one.theme), signs, colours), 1)
            if one.theme
            else line
            for line, one in zip(lines, offered, strict=True)
        ),
    ]


def _row(one: Offered, place: str) -> tuple[str, ...]:
    where = one.origin if one.path is None or one.origin == "platui" else clean(str(one.path))
    name = clean(one.name)
    if one.theme is None:
        return name, "not usable", "", "", where
    palette = palette_for(one.theme)
    ground = "terminal's" if palette.ansi else "dark" if palette.dark else "light"
    found = readings(palette)
    weak = "!" if warnings(palette) else ""
    return name, place, ground, f"{weak}{found[0].ratio:.1f}" if found else "-", where


def _swatch(palette: Palette, signs: str, colours: Colours) -> str:
    """Return a theme in small: text, the statuses, and the row under the cursor."""
    if colours is Colours.MANY and not palette.ansi:
        palette = in_256(palette)
    system = _SYSTEMS[colours]
    parts: list[tuple[str, Style]] = [(" text ", palette.base)]
    parts += [(sign, palette.style(role)) for sign, role in zip(signs, _SHOWN, strict=True)]
    parts += [(" ", palette.base), ("row ", palette.base + palette.cursor)]
    return "".join(style.render(text, color_system=system) for text, style in parts)
