"""The words that stand in whatever a regular expression finds, where it can be seen which."""

from __future__ import annotations

import re
from typing import Final

_LEAST: Final = 2
"""Characters of words that are worth looking for."""

# One thing that an expression is made of, and how often it is there. What is not among these,
# as `(?i)`, `\x41` or a class in a class, is out of the ordinary.
_TOKEN: Final = re.compile(
    r"""
    (?:
        (?P<letter>[^\\\[\](){}|.^$*+?])
        | \\(?P<escaped>[^A-Za-z0-9])
        | (?P<open>\((?:\?:|\?P<\w+>|(?![?*])))
        | (?P<close>\))
        | (?P<either>\|)
        | \\[bBdDsSwW]
        | [.^$]
        | \[\^?\]?(?:\\.|[^\]\[\\])*\]
    )
    (?P<times>(?:[*+?]|\{[^{}]*\})?[?+]?)
    """,
    re.VERBOSE,
)


def certain_words(expression: str) -> str:
    """Return the longest words that each hit has in it as they stand; "" where that is unknown.

    What stands in brackets is passed over, and an expression with anything out of the ordinary
    has none: it is only about being fast.
    """
    runs = [""]
    depth = at = 0
    while at < len(expression):
        token = _TOKEN.match(expression, at)
        if token is None or (token["either"] and not depth):
            return ""
        depth += (token["open"] is not None) - (token["close"] is not None)
        letter = "" if depth else token["letter"] or token["escaped"] or ""
        if token["times"] in {"", "+"}:
            runs[-1] += letter
        if not letter or token["times"]:
            runs.append("")
        at = token.end()
    longest = max(runs, key=len)
    return longest if len(longest) >= _LEAST else ""
