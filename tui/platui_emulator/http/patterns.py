"""Regular expressions of callers, with a time limit and GitLab's syntax only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import regex

LONGEST: Final = 100

_LIMIT: Final = 0.25
"""Seconds; a text that takes longer counts as not found."""

_MOST_REPEATED: Final = 1000
_LITERAL: Final = {"{": "\\{"}
"""A literal brace, which `regex` would read as its own syntax."""
_TOKEN: Final = regex.compile(
    r"""
    \\x[0-9A-Fa-f]{2} | \\[AbBdDsSwWZafnrtv] | \\[^A-Za-z0-9]
    | \[\^?\]?(?:\\.|[^\]\\])*\]
    | \((?:\?(?:P?<[A-Za-z_]\w*>|:))? | [)|]
    | (?P<times>[*+?]\??|\{(?P<least>[0-9]+)(?:,(?P<most>[0-9]*))?\}\??)
    | [^()|*+?\\\[]
    """,
    regex.VERBOSE | regex.DOTALL,
)


class PatternError(ValueError):
    """Raised for an invalid or unsupported pattern."""


class Pattern:
    """A pattern that has been read."""

    def __init__(self, text: str) -> None:
        """Read a pattern. Raises PatternError: it is none, or longer than any."""
        if len(text) > LONGEST:
            raise PatternError("the pattern is too long")
        flags = regex.IGNORECASE if text.startswith("(?i)") else 0
        try:
            self._compiled = regex.compile("".join(_tokens(text.removeprefix("(?i)"))), flags)
        except regex.error as error:
            raise PatternError(str(error)) from error

    def found_in(self, text: str) -> bool:
        """Return whether the pattern matches any part of a text."""
        try:
            return self._compiled.search(text, timeout=_LIMIT) is not None
        except TimeoutError:
            return False


def _tokens(text: str) -> Iterator[str]:
    at, before = 0, "("
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise PatternError("not a pattern")
        part: str = token[0]
        if token["times"] and not (part[0] == "{" and before[0] in "(|"):
            least = int(token["least"] or 0)
            most = int(token["most"] or least)
            if before[0] in "(|*+?{" or most < least or most > _MOST_REPEATED:
                raise PatternError("bad repeat")
        else:
            part = _LITERAL.get(part[0], part[:1]) + part[1:]
        yield part
        at, before = token.end(), part
