"""Every sign that platui or Textual draws, as one of ASCII; every width stays."""

from __future__ import annotations

from typing import Final

_BLOCKS: Final = range(0x2580, 0x25A0)
_BOXES: Final = range(0x2500, 0x2580)
_BRAILLE: Final = range(0x2800, 0x2900)
_BY_DOTS: Final = " .::-=++#"

_ALIKE: Final = (
    # statuses of pipelines and jobs
    ("✔✓✖✗✘×●◌○■□»▶◷◐◑", "++xxxx*oo##>!@%%"),
    # folds, sorting, what is watched, warnings
    ("▸▹▾▿▴▲▼◀◂►◄★☆◆◇⚠", ">>vv^^v<<><*.*o!"),
    # arrows and quotes
    ("←→↑↓↔↕⏎↵⟳↻↺‹›«", "<>^v-|<<ooo<><"),
    # punctuation; what is cut ends as in other tools, and not like a sentence
    ("…·•∙⋯–—―−‐‑‘’‚“”„", '~-*-.------\'\',"""'),
    # mathematics
    ("≤≥≈≠±÷°µ", "<>~#+/ou"),
    # sparklines and shades, by the ink they have
    ("▁▂▃▄▅▆▇█░▒▓", "_.:-=+*#:%#"),
    # bars, thumbs, and the borders drawn with them
    ("▔▀▏▎▍▌▋▊▉▐▕⎯⎸⎹", "--|>||||#||-||"),
    # lines
    ("─━═╴╶╸╺╼╾┄┅┈┉╌╍│┃║╵╷╹╻╽╿┆┇┊┋╎╏╱╲╳", "-" * 15 + "|" * 15 + "/\\x"),
    # spaces that do not break
    ("\N{NO-BREAK SPACE}\N{FIGURE SPACE}\N{THIN SPACE}\N{NARROW NO-BREAK SPACE}", "    "),
)


def _signs() -> dict[int, str]:
    signs = dict.fromkeys(_BLOCKS, "#") | dict.fromkeys(_BOXES, "+")
    for point in _BRAILLE:
        signs[point] = _BY_DOTS[(point - _BRAILLE.start).bit_count()]
    for drawn, alike in _ALIKE:
        signs |= dict(zip(map(ord, drawn), alike, strict=True))
    return signs


ASCII_BY_CODE_POINT: Final = _signs()
