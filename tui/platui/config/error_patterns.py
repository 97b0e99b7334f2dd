"""Validate the user's error patterns, and find the words that every match contains."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from platui.config.value_kinds import Kind, ReadContext, Text, WrongValueError
from platui.core.expressions import is_too_complex

LEAST: Final = 3  # Minimum length of a required word

_LONGEST: Final = 500

_RUN: Final = 80  # Characters of a test line; exponential patterns time out at 30
_TIME_LIMIT: Final = 0.05  # Seconds; other patterns match a thousand times meanwhile

# Escapes of invisible characters, and the verbose flag, which changes the meaning of letters.
_INVISIBLE_ESCAPES: Final = r"\\[^\WdDsSwWbBAZtnrfv_]"
_VERBOSE: Final = r"\(\?[a-zA-Z]*x"


class Pattern(Kind):
    words = "a regular expression"
    examples = ("'Quota (spent|used up)'",)
    schema = {**Text.schema, "maxLength": _LONGEST}

    def __init__(self, *, needs_word: bool) -> None:
        self._needs_word = needs_word

    def read(self, value: Any, context: ReadContext) -> str:  # noqa: ARG002  (see Flag)
        import regex  # noqa: PLC0415  (only for custom patterns)

        if not isinstance(value, str) or not value.strip() or not value.isprintable():
            raise WrongValueError(f"must be {self.words} on one line")
        apart = "Write each alternative as its own [[errors]]."
        if len(value) > _LONGEST:
            raise WrongValueError(f"must have at most {_LONGEST} characters", apart)
        if is_too_complex(value):
            raise WrongValueError("is too complex", "Use smaller counts in braces.")
        try:
            regex.compile(value)
        except (regex.error, RecursionError, OverflowError, ValueError) as error:
            raise WrongValueError(
                f"is not a regular expression: {error}",
                "Escape a literal bracket, `.` or `*` with a backslash.",
            ) from error
        if self._needs_word and not needed_words(value):
            what = f"must contain a word of at least {LEAST} letters, in every alternative, outside"
            raise WrongValueError(f"{what} of brackets", apart)
        return value


def needed_words(pattern: str) -> tuple[str, ...]:
    """Return lower-case words of which every match contains at least one; empty if none."""
    if re.search(_INVISIBLE_ESCAPES, pattern.replace("\\\\", "")) or re.search(_VERBOSE, pattern):
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
        character = pattern[at]
        if character.isascii() and character.isalpha():
            run, at = run + character, at + 1
            continue
        if character in "?*{" and run:
            run = run[:-1]  # the last letter is optional or repeated
        yield run
        run = ""
        if character == "|":
            yield character
        at = _after(pattern, at)
    yield run


def _after(pattern: str, at: int) -> int:
    match pattern[at]:
        case "\\":
            return at + 2
        case "[":
            at += 2 if pattern.startswith("[^", at) else 1
            first = at
            while at < len(pattern) and (pattern[at] != "]" or at == first):
                at += 2 if pattern[at] == "\\" else 1
            return at + 1
        case "(":
            at += 1
            while at < len(pattern) and pattern[at] != ")":
                at = _after(pattern, at)
            return at + 1
        case "{":
            end = pattern.find("}", at)
            return len(pattern) if end < 0 else end + 1
        case _:
            return at + 1


def takes_long(pattern: str) -> bool:
    """Return whether a regular expression takes exponential time; too slow for the start."""
    import regex  # noqa: PLC0415  (only for custom patterns)

    compiled = regex.compile(pattern)
    characters = {character for character in pattern if character.isprintable()} | set("a0 _")
    runs = [character * _RUN for character in sorted(characters)] + [
        f"{character} " * (_RUN // 2) for character in "a0"
    ]
    lines = (
        f"{word}{space}{run}\N{SNOWMAN}"
        for word in ("", *needed_words(pattern))
        for run in runs
        for space in (" ", "")
    )
    # Twice: a busy machine may delay a search.
    return any(_times_out(compiled, line) and _times_out(compiled, line) for line in lines)


def _times_out(compiled: Any, line: str) -> bool:
    try:
        compiled.search(line, timeout=_TIME_LIMIT, concurrent=True)
    except TimeoutError:
        return True
    return False
