"""Compile search patterns for lines of clean text."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from platui.core.errors import PatternError
from platui.core.expressions import is_too_complex
from platui.core.text import clean

if TYPE_CHECKING:
    from platui.models.values.search import SearchQuery


MAX_LENGTH: Final = 1000  # Characters of a query

PATIENCE: Final = 0.5  # Seconds per line before a pattern counts as too slow
_PAINTING: Final = 0.01  # The same while a line is painted

_REACH: Final = 64 * 1024  # Characters by which stretches of a very long line overlap

# Shorter stretches and their overlap, for a pattern that is too slow on longer ones.
_STRETCH: Final = 16 * 1024
_STRETCH_REACH: Final = 4 * 1024

# CPU seconds for all stretches of a line: a busy machine must not count against the pattern.
_LONG_PATIENCE: Final = 5.0

TOO_SLOW: Final = "This pattern takes too long on a line of this text."
_TOO_COMPLEX: Final = "This pattern is too complex."
_AS_PLAIN: Final = "Press Tab to search for plain text."

# The two letters whose lower case has another length, or is ASCII.
_KEPT: Final = re.compile("([\u0130\u212a])")

# Capitals in a regular expression that are no text to match.
_NO_LETTERS: Final = re.compile(r"\\[pPN]\{[^}]*\}|\\.|\(\?(?:P?[<=>&'][^)>']*|[^):]*)")

# Constructs that may match beyond a line: an expression with one cannot be tried on many
# lines at once.
_BEYOND_A_LINE: Final = re.compile(r"\(\?(?!:)|\(\*|[*+?}]\+|\\[^bBdDsSwW.()\[\]{}*+?|^$\\/\"' -]")


def fold(text: str) -> str:
    """Convert text to lower case by character; no character outside ASCII becomes ASCII."""
    if text.isascii():
        return text.lower()
    if _KEPT.search(text):
        pieces = _KEPT.split(text)
        pieces[::2] = (piece.lower() for piece in pieces[::2])
        text = "".join(pieces)
    else:
        text = text.lower()
    return text.replace("ς", "σ")


def make_pattern(query: SearchQuery) -> LinePattern:
    """Compile a query. Raises PatternError: empty, too long, or no regular expression."""
    if not query.text:
        raise PatternError("Enter a text to search for.")
    if len(query.text) > MAX_LENGTH:
        raise PatternError(f"A pattern has at most {MAX_LENGTH:,} characters.")
    if "\n" in query.text:
        raise PatternError("A pattern is searched in single lines: it has no line break.")
    return RegexPattern(query) if query.is_regex else PlainPattern(query)


def _has_capitals(text: str) -> bool:
    return any(character.isupper() or character.istitle() for character in text)


class PlainPattern:
    """Literal text; `needle` is folded if case does not matter."""

    def __init__(self, query: SearchQuery) -> None:
        self.query = query
        self.ignores_case = not _has_capitals(query.text)
        self.needle = fold(query.text) if self.ignores_case else query.text
        self.words = self.needle
        """Text in every match, folded if case does not matter; "" if unknown."""
        self.reach = len(self.needle)
        """Maximum length of a match in a line that is searched in stretches."""

    def found_in(self, line: str, *, goes_on: bool = False) -> bool:
        """Return whether a line matches; `goes_on`: not its beginning. Raises PatternError."""
        del goes_on
        return self.needle in (fold(line) if self.ignores_case else line)

    def ranges(self, line: str) -> Sequence[tuple[int, int]]:
        if self.ignores_case:
            line = fold(line)
        found: list[tuple[int, int]] = []
        length = len(self.needle)
        at = line.find(self.needle)
        while at >= 0:
            found.append((at, at + length))
            at = line.find(self.needle, at + length)
        return found


class RegexPattern:
    """A regular expression with a time limit; other threads run meanwhile."""

    def __init__(self, query: SearchQuery) -> None:
        import regex  # noqa: PLC0415  (slow to import, and plain searches do not need it)

        if is_too_complex(query.text):
            raise PatternError(_TOO_COMPLEX, hint=_AS_PLAIN)
        self.query = query
        self.ignores_case = not _has_capitals(_NO_LETTERS.sub("", query.text))
        flags = regex.IGNORECASE if self.ignores_case else 0
        self.words = required_words(query.text)
        self._pattern = self._compiled(flags)
        self._many: Any = None
        if not _BEYOND_A_LINE.search(query.text):
            self._many = self._compiled(flags | regex.MULTILINE)
        self.reach = _REACH
        self._is_disabled = False
        self._is_slow = False

    def found_in(self, line: str, *, goes_on: bool = False) -> bool:
        if len(line) <= _STRETCH:
            return self._has(line, goes_on=goes_on)
        if not self._is_slow:
            try:
                return self._has(line, goes_on=goes_on)
            except PatternError:
                # What is too slow on the whole line is usually fast on a tenth of it.
                self._is_slow = True
        until = time.thread_time() + _LONG_PATIENCE
        for at in range(0, len(line), _STRETCH - _STRETCH_REACH):
            if self._has(line[at : at + _STRETCH], goes_on=goes_on or at > 0):
                return True
            if time.thread_time() > until:
                raise PatternError(TOO_SLOW, hint="Use a simpler pattern.")
        return False

    def _has(self, line: str, *, goes_on: bool) -> bool:
        # Behind the first character, `^` does not match.
        start = int(goes_on)
        try:
            found = self._pattern.search(line, start, timeout=PATIENCE, concurrent=True)
        except TimeoutError:
            raise PatternError(TOO_SLOW, hint="Use a simpler pattern.") from None
        return found is not None

    def may_match(self, lines: str) -> bool:
        """Return False if certainly no line matches: faster than line by line."""
        if self._many is None:
            return True
        try:
            return bool(self._many.search(lines, timeout=PATIENCE, concurrent=True))
        except TimeoutError:
            # Many lines together may take longer than any single line.
            self._many = None
            return True

    def ranges(self, line: str) -> Sequence[tuple[int, int]]:
        if self._is_disabled:
            return ()
        try:
            found = list(self._pattern.finditer(line, timeout=_PAINTING, concurrent=True))
        except TimeoutError:
            self._is_disabled = True
            return ()
        return sorted(match.span() for match in found if match.end() > match.start())

    def _compiled(self, flags: int) -> Any:
        import regex  # noqa: PLC0415

        try:
            return regex.compile(self.query.text, flags)
        except regex.error as error:
            place = "" if error.pos is None else f" at character {error.pos + 1}"
            raise PatternError(f"{clean(error.msg)}{place}", hint=_AS_PLAIN) from error
        except (OverflowError, RecursionError, ValueError) as error:
            raise PatternError(_TOO_COMPLEX, hint=_AS_PLAIN) from error


LinePattern = PlainPattern | RegexPattern


_LEAST: Final = 2  # Shortest text worth searching for

# One element of an expression and its quantifier. Everything else, such as `(?i)`, `\x41` or
# a nested class, makes the text unknown.
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


def required_words(expression: str) -> str:
    """Return the longest text outside groups that every match contains; "" if unknown."""
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
