"""What is wrong with a theme, and what is hard to read in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from platui.cli.exits import Exit
from platui.cli.patience import narrate
from platui.cli.told import say
from platui.core.errors import ConfigError
from platui.core.text import clean
from platui.ui.theme_contrast import readings, warnings
from platui.ui.theme_file import ThemeFile
from platui.ui.theming import find_theme, palette_for, theme_files

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.ui.palette import Palette


def check_themes(words: Sequence[str], *, as_json: bool) -> int:
    """Say of each file, or theme of a name, what is wrong with it; returns the exit code."""
    code = Exit.DONE
    for word in words:
        palette, problems = _read(word)
        hard = [] if palette is None else warnings(palette)
        if problems:
            code = Exit.USAGE
        if as_json:
            say(json.dumps(_object(word, palette, problems, hard)))
            continue
        for problem in problems:
            narrate(f"{problem.sentence} {problem.hint}".strip())
        for sentence in hard:
            narrate(f"{clean(word)}: {sentence}")
        if palette is not None:
            say(f"{clean(word)}: {_said(palette, len(hard))}")
    return code


def _read(word: str) -> tuple[Palette | None, Sequence[ConfigError]]:
    """Return the palette of a file or of a theme's name, or what is wrong with it."""
    known = theme_files().get(word)
    path = known if known is not None else Path(word)
    try:
        if known is None and not word.endswith(".toml") and "/" not in word:
            return palette_for(find_theme(word)), ()
        file = ThemeFile(path)
        return (None, file.problems) if file.problems else (file.palette(), ())
    except ConfigError as problem:
        return None, [problem]


def _said(palette: Palette, hard: int) -> str:
    found = readings(palette)
    if not found:
        how = "in the terminal's own colours, whose contrast nobody knows"
    else:
        worst = found[0]
        how = f"the least contrast is {worst.ratio:.1f}, of {worst.role} on {worst.ground}"
    return f"usable, but hard to read; {how}." if hard else f"right; {how}."


def _object(
    word: str, palette: Palette | None, problems: Sequence[ConfigError], hard: Sequence[str]
) -> dict[str, object]:
    found = [] if palette is None else readings(palette)
    return {
        "theme": word,
        "is_usable": palette is not None,
        "problems": [
            {"sentence": clean(one.sentence), "remedy": clean(one.hint)} for one in problems
        ],
        "warnings": list(hard),
        "least_contrast": round(found[0].ratio, 2) if found else None,
    }
