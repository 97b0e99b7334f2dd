"""Problems of a config.toml: all at once, each with its line and its remedy."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from platui.core.errors import ConfigError
from platui.core.text import clean, with_full_stop

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

# Patterns are compiled on first use: a start without a mistake does without.
_NAME: Final = r"""(?:[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|'[^']*')"""
_DOTTED: Final = rf"{_NAME}(?:[ \t]*\.[ \t]*{_NAME})*"
_TABLE: Final = rf"[ \t]*(\[\[?)[ \t]*({_DOTTED})[ \t]*\]"
_KEY: Final = rf"[ \t]*({_DOTTED})[ \t]*="
# What opens, closes or hides: a multi-line string, a string, a comment, a bracket.
_MARK: Final = r'''"""|\'\'\'|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|[\[\]{}]'''


class Severity(StrEnum):
    """The effect of a problem on a start."""

    REFUSED = "refused"
    """The start is refused: it could write, send or lose data that the user protects."""
    IGNORED = "ignored"
    """The start ignores the key, with a warning."""
    NOTED = "noted"
    """The file itself is valid; only `platui config check` reports it."""


class Problem(NamedTuple):
    """One fault."""

    key: str  # Dotted, as `profiles.prod.url`; empty for the whole file
    what: str  # The rest of a sentence that begins with the key
    remedy: str = ""  # A separate sentence
    severity: Severity = Severity.REFUSED
    line: int | None = None  # Of the file, from 1 on; None where it is unknown

    def __str__(self) -> str:
        sentence = with_full_stop(f"{self.key} {self.what}".strip())
        return clean(f"{sentence} {self.remedy}".strip())


class InvalidConfigError(ConfigError):
    """A config.toml with problems that prevent a start; the message has them all."""

    default_hint = "platui config check looks at the file again."

    def __init__(self, file: Path, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        if len(self.problems) == 1:
            super().__init__(told(file, self.problems[0]))
        else:
            lines = [at_line(one) + str(one) for one in self.problems]
            super().__init__("\n".join([clean(f"{file}: {len(self.problems)} problems"), *lines]))


def told(file: Path, problem: Problem) -> str:
    """Return a problem as one line with file, line, key and remedy."""
    return clean(f"{file}: {at_line(problem)}{problem}")


def at_line(problem: Problem) -> str:
    return "" if problem.line is None else f"line {problem.line}: "


def ignored(file: Path, problems: Sequence[Problem]) -> ConfigError:
    if len(problems) == 1:
        return ConfigError(told(file, problems[0]), hint="It is as if it were not there.")
    keys = ", ".join(one.key for one in problems[:3])
    more = "" if len(problems) <= 3 else f" and {len(problems) - 3} more"  # noqa: PLR2004  (above)
    return ConfigError(
        clean(f"{file}: {len(problems)} keys are not used: {keys}{more}."),
        hint="platui config check says what is wrong with each.",
    )


def nearest(name: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    from difflib import get_close_matches  # noqa: PLC0415  (only a mistake pays for it)

    matches = get_close_matches(name.lower(), sorted(known), n=1, cutoff=cutoff)
    return matches[0] if matches else ""


def meant(near: str) -> str:
    return f"Did you mean {near}?" if near else ""


def with_lines(problems: Iterable[Problem], text: str) -> list[Problem]:
    """Return problems in the order of the text, each with its line."""
    lines = lines_of(text)
    found = [one._replace(line=line_of(one.key, lines)) for one in problems]
    # Those without a line are about the whole file, or about something missing in it.
    return sorted(found, key=lambda one: one.line or 0)


def lines_of(text: str) -> dict[str, int]:
    """Return the line of each table and key of a TOML text, by its dotted name; from 1 on.

    tomllib has no positions. This finds where tables and keys begin, and nothing else of
    TOML; tables of a list are numbered: `errors[1].pattern`.
    """
    found: dict[str, int] = {}
    counts: dict[str, int] = {}
    prefix, closes, depth = "", "", 0
    for number, line in enumerate(text.split("\n"), 1):
        if not closes and depth == 0:
            if table := re.match(_TABLE, line):
                prefix = _dotted(table[2])
                if table[1] == "[[":
                    counts[prefix] = counts.get(prefix, 0) + 1
                    prefix = f"{prefix}[{counts[prefix]}]"
                found.setdefault(prefix, number)
                prefix += "."
                continue
            if key := re.match(_KEY, line):
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
    names = (part.group() for part in re.finditer(_NAME, written))
    return ".".join(name[1:-1] if name[0] in "\"'" else name for name in names)


def _after(line: str, closes: str, depth: int) -> tuple[str, int]:
    search, at = re.compile(_MARK, re.DOTALL).search, 0
    while True:
        if closes:
            end = line.find(closes, at)
            if end < 0:
                return closes, depth
            closes, at = "", end + len(closes)
        token = search(line, at)
        if token is None:
            return "", depth
        at = token.end()
        if token[0] in {'"""', "'''"}:
            closes = token[0]
        elif token[0] in "[{":
            depth += 1
        elif token[0] in "]}":
            depth = max(0, depth - 1)
