"""Bound a regular expression before it is compiled: a few characters can take gigabytes.

`regex` writes counted repeats out: `((a{999}){999}){999}` ends the process for want of memory, and
`((a*|b){999}){999}` overflows its stack.
"""

from __future__ import annotations

import re
from math import prod
from typing import Final

_MOST: Final = 10_000  # Elements, with all counted repeats written out

# Escapes, comments, counted repeats, and any other character.
_TOKEN: Final = re.compile(
    r"\\.|\(\?\#[^)]*\)|\{\s*(?P<low>\d*)\s*,?\s*(?P<high>\d*)\s*\}|(?P<sign>.)", re.DOTALL
)

# A bracket in a set, nested sets and comments of the verbose flag: groups are not told apart.
_UNCLEAR: Final = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*[()]|\(\?[A-Za-z0-9]*(?:x|V1)", re.DOTALL)

# A group that is called inside itself takes memory for each character.
_CALLS: Final = re.compile(r"\(\?(?:R|[+-]?\d|&|P>)")


def is_too_complex(expression: str) -> bool:
    """Return whether an expression may take more memory or stack than there is."""
    return _expanded_size(expression) > _MOST or _CALLS.search(expression) is not None


def _expanded_size(expression: str) -> int:
    """Return the number of elements after all repeats, or a larger number."""
    tokens = list(_TOKEN.finditer(expression))
    if _UNCLEAR.search(expression):
        return len(expression) * prod(map(_times, tokens))
    # Of each open group, the size so far and that of its last element.
    sizes, lasts = [0], [0]
    for token in tokens:
        sign, times = token["sign"], _times(token)
        if sign == "(":
            sizes.append(0)
            lasts.append(0)
        elif sign == ")" and len(sizes) > 1:
            lasts.pop()
            lasts[-1] = sizes.pop() + 1
            sizes[-1] += lasts[-1]
        elif times > 1:
            sizes[-1] += lasts[-1] * (times - 1)
            lasts[-1] *= times
        else:
            sizes[-1] += 1
            lasts[-1] = lasts[-1] if _is_skipped(token[0]) else 1
    return sum(sizes)


def _is_skipped(text: str) -> bool:
    """Return whether a repeat behind this text may be one of what is before it."""
    return text.isspace() or (text != "{" and text.startswith(("(?#", "{")))


def _times(token: re.Match[str]) -> int:
    return max(1, int(token["low"] or 1), int(token["high"] or 1))
