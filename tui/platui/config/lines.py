"""On which line of a config.toml each key stands: what the reader of TOML does not tell.

It reads a text that is known to be TOML, and knows no more of it than where tables and keys
begin. What it is not sure of it leaves out.
"""

from __future__ import annotations

import re
from typing import Final

_NAME: Final = r"""(?:[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|'[^']*')"""
_DOTTED: Final = rf"{_NAME}(?:[ \t]*\.[ \t]*{_NAME})*"
_TABLE: Final = re.compile(rf"[ \t]*(\[\[?)[ \t]*({_DOTTED})[ \t]*\]")
_KEY: Final = re.compile(rf"[ \t]*({_DOTTED})[ \t]*=")
_PART: Final = re.compile(_NAME)
# What opens, closes or hides: a multi-line string, a string, a comment, a bracket.
_TOKEN: Final = re.compile(
    r'"""|\'\'\'|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|#[^\n]*|[\[\]{}]', re.DOTALL
)


def lines_of(text: str) -> dict[str, int]:
    """Return the line of each table and key, by its dotted name; the first line is 1.

    Tables of a list are numbered: `errors[1].pattern`.
    """
    found: dict[str, int] = {}
    counts: dict[str, int] = {}
    prefix, closes, depth = "", "", 0
    for number, line in enumerate(text.split("\n"), 1):
        if not closes and depth == 0:
            if table := _TABLE.match(line):
                prefix = _dotted(table[2])
                if table[1] == "[[":
                    counts[prefix] = counts.get(prefix, 0) + 1
                    prefix = f"{prefix}[{counts[prefix]}]"
                found.setdefault(prefix, number)
                prefix += "."
                continue
            if key := _KEY.match(line):
                found.setdefault(prefix + _dotted(key[1]), number)
        closes, depth = _after(line, closes, depth)
    return found


def line_of(key: str, lines: dict[str, int]) -> int | None:
    """Return the line of a key, else that of the table it is missing in; None: not known."""
    while key not in lines:
        key, dot, _ = key.rpartition(".")
        if not dot:
            return None
    return lines[key]


def _dotted(written: str) -> str:
    names = (part.group() for part in _PART.finditer(written))
    return ".".join(name[1:-1] if name[0] in "\"'" else name for name in names)


def _after(line: str, closes: str, depth: int) -> tuple[str, int]:
    """Return the quotes that a string goes on with behind a line, and the brackets left open."""
    at = 0
    while True:
        if closes:
            end = line.find(closes, at)
            if end < 0:
                return closes, depth
            closes, at = "", end + len(closes)
        token = _TOKEN.search(line, at)
        if token is None:
            return "", depth
        at = token.end()
        if token[0] in {'"""', "'''"}:
            closes = token[0]
        elif token[0] in "[{":
            depth += 1
        elif token[0] in "]}":
            depth = max(0, depth - 1)
