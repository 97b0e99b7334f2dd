"""Bound a regular expression before it is compiled: a few characters can take gigabytes.

`regex` writes counted repeats out: `((a{999}){999}){999}` ends the process for want of memory, and
`((a*|b){999}){999}` overflows its stack.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import prod
from typing import Final

_MOST: Final = 10_000  # Elements, with all counted repeats written out

_COUNT: Final = re.compile(r"\{\s*(?P<low>\d*)\s*,?\s*(?P<high>\d*)\s*\}")

# Escapes, comments, sets, counted repeats, and any other character.
_TOKEN: Final = re.compile(
    r"\\.|\(\?\#[^)]*\)|(?P<set>\[\^?\]?(?:\\.|[^\]\\])*\])"
    rf"|{_COUNT.pattern}|(?P<sign>.)",
    re.DOTALL,
)

# Where these flags are set, sets may be nested and comments may have brackets.
_FLAGS: Final = re.compile(r"\(\?[A-Za-z0-9]*(?:x|V1)")

# A group that is called inside itself takes memory for each character.
_CALLS: Final = re.compile(r"\(\?(?:R|[+-]?\d|&|P>)")

_ESCAPE: Final = re.compile(r"\\.", re.DOTALL)


def is_too_complex(expression: str) -> bool:
    """Return whether an expression may take more memory or stack than there is."""
    tokens = list(_TOKEN.finditer(expression))
    groups = [token.start() for token in tokens if token["sign"] == "("]
    if any(_FLAGS.match(expression, at) for at in groups) or any(map(_is_nested, tokens)):
        # Groups are not told apart: each repeat may be one of all others.
        size = len(expression) * prod(map(_times, _COUNT.finditer(expression)))
        return size > _MOST or _CALLS.search(expression) is not None
    is_call = any(_CALLS.match(expression, at) for at in groups)
    return is_call or _expanded_size(tokens) > _MOST


def _is_nested(token: re.Match[str]) -> bool:
    """Return whether a set has a class such as `[:alpha:]`, which may not be its end."""
    return token["set"] is not None and "[:" in _ESCAPE.sub("", token[0][1:])


def _expanded_size(tokens: Iterable[re.Match[str]]) -> int:
    """Return the number of elements after all repeats, or a larger number."""
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
