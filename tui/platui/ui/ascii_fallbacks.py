"""ASCII replacements of the characters that platui and Textual draw, of the same width."""

from __future__ import annotations

from typing import Final

_BOXES: Final = range(0x2500, 0x2580)
_BRAILLE: Final = range(0x2800, 0x2900)
_BY_DOTS: Final = " .::-=++#"

_ALIKE: Final = (
    # statuses of pipelines and jobs
    ("✔✓✖✗✘×●◌○■□»▶◷◐◑", "++xxxx*oo##>!@%%"),
    # folds, sorting, watched projects, warnings, pauses
    ("▸▹▾▿▴▲▼◀◂►◄★☆◆◇⚠‖", ">>vv^^v<<><^.*o!="),
    # arrows and quotes
    ("←→↑↓↔↕⏎↵⟳↻↺‹›«", "<>^v-|<<ooo<><"),
    # punctuation; the ellipsis is no full stop
    ("…·•∙⋯–—―−‐‑‘’‚“”„", '~-*-.------\'\',"""'),
    # mathematics
    ("≤≥≈≠±÷°µ", "<>~#+/ou"),
    # sparklines and shades, by density
    ("▁▂▃▄▅▆▇█░▒▓", "_.:-=+*#:%#"),
    # bars, thumbs, and the borders drawn with them
    ("▔▀▏▎▍▌▋▊▉▐▕⎯⎸⎹", "--|>||||#||-||"),
    # lines
    ("─━═╴╶╸╺╼╾┄┅┈┉╌╍│┃║╵╷╹╻╽╿┆┇┊┋╎╏╱╲╳", "-" * 15 + "|" * 15 + "/\\x"),
    # non-breaking spaces
    ("\N{NO-BREAK SPACE}\N{FIGURE SPACE}\N{THIN SPACE}\N{NARROW NO-BREAK SPACE}", "    "),
)


def _signs() -> dict[int, str]:
    signs = dict.fromkeys(range(0x2580, 0x25A0), "#") | dict.fromkeys(_BOXES, "+")
    for point in _BRAILLE:
        signs[point] = _BY_DOTS[(point - _BRAILLE.start).bit_count()]
    for drawn, alike in _ALIKE:
        signs |= dict(zip(map(ord, drawn), alike, strict=True))
    return signs


ASCII_BY_CODE_POINT: Final = _signs()
