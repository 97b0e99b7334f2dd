"""Patterns of the user's own errors: whether one is valid, and the words that it needs.

A log is looked through for words before any pattern is tried on a line of it. So every
pattern must have a word that no match is without.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from platui.config.value_kinds import Kind, Text, WrongValueError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from platui.config.value_kinds import ReadContext

LEAST: Final = 3
"""Fewest letters of a word to search a log for."""

_LONGEST: Final = 500

_RUN: Final = 80
"""Characters of a test line; a pattern with exponential time fails at thirty."""
_A_WHILE: Final = 0.05
"""Seconds in which any other pattern matches a thousand times."""

# Escapes for characters that are not visible, and a flag that changes what letters mean.
_ODD_ESCAPES: Final = r"\\[^\WdDsSwWbBAZtnrfv_]"
_VERBOSE: Final = r"\(\?[a-zA-Z]*x"


class Pattern(Kind):
    """A regular expression that lines of logs are searched for."""

    words = "a regular expression"
    examples = ("'Quota (spent|used up)'",)
    schema = {**Text.schema, "maxLength": _LONGEST}

    def __init__(self, *, needs_word: bool) -> None:
        self._needs_word = needs_word

    def read(self, value: Any, around: ReadContext) -> str:  # noqa: ARG002  (see Flag)
        import regex  # noqa: PLC0415  (for own errors only)

        if not isinstance(value, str) or not value.strip() or not value.isprintable():
            raise WrongValueError(f"must be {self.words} on one line")
        apart = "Write alternatives as errors of their own."
        if len(value) > _LONGEST:
            raise WrongValueError(f"must have at most {_LONGEST} characters", apart)
        try:
            regex.compile(value)
        except (regex.error, RecursionError, OverflowError) as error:
            raise WrongValueError(
                f"is no regular expression: {error}",
                "A bracket, `.` or `*` that is meant as such has a backslash before it.",
            ) from error
        if self._needs_word and not needed_words(value):
            what = f"must hold a word of {LEAST} letters or more that every match has, outside"
            raise WrongValueError(f"{what} of brackets", apart)
        return value


def needed_words(pattern: str) -> tuple[str, ...]:
    """Return words of which every match of a regular expression holds one, in small letters.

    Each alternative gives its longest run of plain letters; where one has none that is long
    enough there are no such words.
    """
    if re.search(_ODD_ESCAPES, pattern.replace("\\\\", "")) or re.search(_VERBOSE, pattern):
        return ()
    longest = [""]
    for run in _runs(pattern):
        if run == "|":
            longest.append("")
        elif len(run) > len(longest[-1]):
            longest[-1] = run
    if min(map(len, longest)) < LEAST:
        return ()
    return tuple(word.lower() for word in longest)


def _runs(pattern: str) -> Iterator[str]:
    run, at = "", 0
    while at < len(pattern):
        sign = pattern[at]
        if sign.isascii() and sign.isalpha():
            run, at = run + sign, at + 1
            continue
        if sign in "?*{" and run:
            run = run[:-1]  # optional, or repeated another number of times
        yield run
        run = ""
        if sign == "|":
            yield sign
        at = _after(pattern, at)
    yield run


def _after(pattern: str, at: int) -> int:
    match pattern[at]:
        case "\\":
            return at + 2
        case "[":
            return _after_class(pattern, at)
        case "(":
            return _after_group(pattern, at)
        case "{":
            end = pattern.find("}", at)
            return len(pattern) if end < 0 else end + 1
        case _:
            return at + 1


def _after_class(pattern: str, at: int) -> int:
    at += 1 + pattern.startswith("[^", at)
    first = at
    while at < len(pattern) and (pattern[at] != "]" or at == first):
        at += 2 if pattern[at] == "\\" else 1
    return at + 1


def _after_group(pattern: str, at: int) -> int:
    at += 1
    while at < len(pattern) and pattern[at] != ")":
        at = _after(pattern, at)
    return at + 1


def takes_long(pattern: str) -> bool:
    """Return whether a regular expression takes exponential time on some line.

    Lines of the pattern's own signs, over and over, with a word that it needs: that is where
    those go astray that can match the same text in many ways. A search is given up after a
    while, so this costs a moment at most, but no start can afford it.
    """
    import regex  # noqa: PLC0415  (only for who has own errors)

    compiled = regex.compile(pattern)
    signs = {sign for sign in pattern if sign.isprintable()} | set("a0 _")
    runs = [sign * _RUN for sign in sorted(signs)] + [f"{sign} " * (_RUN // 2) for sign in "a0"]
    for word in ("", *needed_words(pattern)):
        for run in runs:
            # Twice: a busy machine holds up whatever it likes.
            if all(_times_out(compiled, f"{word} {run}\N{SNOWMAN}") for _ in range(2)) or all(
                _times_out(compiled, f"{word}{run}\N{SNOWMAN}") for _ in range(2)
            ):
                return True
    return False


def _times_out(compiled: Any, line: str) -> bool:
    try:
        compiled.search(line, timeout=_A_WHILE, concurrent=True)
    except TimeoutError:
        return True
    return False
