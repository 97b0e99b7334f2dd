"""Problems in config.toml, each with line and remedy."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Final

from platui.core.errors import ConfigError
from platui.core.named_tuple import NamedTuple
from platui.core.text import clean, shorten, with_full_stop

SHOWN_KEY: Final = 60  # Characters of a key in a message
# Compiled on first use: only a mistake needs them.
_NAME: Final = r"""(?:[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|'[^']*')"""
_DOTTED: Final = rf"{_NAME}(?:[ \t]*\.[ \t]*{_NAME})*"
_TABLE: Final = rf"[ \t]*(\[\[?)[ \t]*({_DOTTED})[ \t]*\]"
_KEY: Final = rf"[ \t]*({_DOTTED})[ \t]*="
# Multi-line strings, strings, comments, line ends and brackets.
_MARK: Final = r'''""".*?"""|\'\'\'.*?\'\'\'|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|\n|[\[\]{}]'''
_MOST_LISTED: Final = 50  # Problems in the message of a failed start
_DEPTH: Final = {"[": 1, "{": 1, "]": -1, "}": -1}


class Severity(StrEnum):
    """The effect of a problem on a start."""

    REFUSED = "refused"  # platui does not start: user data could be written, sent or lost
    IGNORED = "ignored"  # platui ignores the key, with a warning
    NOTED = "noted"  # The file is valid; only `platui config check` reports it


class Problem(NamedTuple):
    key: str  # Dotted, such as `profiles.prod.url`; empty: the whole file
    what: str  # Follows the key in the message
    remedy: str = ""
    severity: Severity = Severity.REFUSED
    line: int | None = None  # From 1; None: unknown
    is_used: bool = False  # Whether platui uses the key despite the warning

    def __str__(self) -> str:
        sentence = with_full_stop(f"{shorten(self.key, SHOWN_KEY)} {self.what}".strip())
        return clean(f"{sentence} {self.remedy}".strip())

    def with_line(self) -> str:
        return str(self) if self.line is None else f"line {self.line}: {self}"


class InvalidConfigError(ConfigError):
    """A config.toml with problems that prevent the start; the message lists the first ones."""

    default_hint = "Run platui config check after fixing it."

    def __init__(self, file: Path, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        if len(self.problems) == 1:
            super().__init__(describe(file, self.problems[0]))
        else:
            lines = [one.with_line() for one in self.problems[:_MOST_LISTED]]
            if more := len(self.problems) - len(lines):
                lines.append(f"and {more:,} more")
            super().__init__("\n".join([clean(f"{file}: {len(self.problems)} problems"), *lines]))


def describe(file: Path, problem: Problem) -> str:
    """Format a problem on one line: file, line, key and remedy."""
    return clean(f"{file}: {problem.with_line()}")


def ignored(file: Path, problems: Sequence[Problem]) -> ConfigError:
    if len(problems) == 1:
        return ConfigError(describe(file, problems[0]), hint="The key is ignored.")
    keys = ", ".join(shorten(one.key, SHOWN_KEY) for one in problems[:3])
    more = "" if len(problems) <= 3 else f" and {len(problems) - 3} more"  # noqa: PLR2004  (above)
    return ConfigError(
        clean(f"{file}: {len(problems)} keys are ignored: {keys}{more}."),
        hint="Run platui config check for details.",
    )


def with_lines(problems: Iterable[Problem], text: str) -> list[Problem]:
    """Add line numbers to problems and sort by them."""
    lines = lines_of(text)
    found = [one._replace(line=line_of(one.key, lines)) for one in problems]
    # Problems of the whole file have no line.
    return sorted(found, key=lambda one: one.line or 0)


def lines_of(text: str) -> dict[str, int]:
    """Return the line (from 1) of each table and key by dotted name, as `errors[1].pattern`."""
    number, depth = 1, 0
    starts = {number: 0}  # Offsets of the lines that begin outside of strings and brackets
    for mark in re.finditer(_MARK, text, re.DOTALL):
        number += mark[0].count("\n")
        depth = max(0, depth + _DEPTH.get(mark[0], 0))
        if mark[0] == "\n" and depth == 0:
            starts[number] = mark.end()
    found: dict[str, int] = {}
    counts: dict[str, int] = {}
    prefix = ""
    for number, at in starts.items():
        if table := re.compile(_TABLE).match(text, at):
            prefix = _dotted(table[2])
            if table[1] == "[[":
                counts[prefix] = counts.get(prefix, 0) + 1
                prefix = f"{prefix}[{counts[prefix]}]"
            found.setdefault(prefix, number)
            prefix += "."
        elif key := re.compile(_KEY).match(text, at):
            found.setdefault(prefix + _dotted(key[1]), number)
    return found


def line_of(key: str, lines: dict[str, int]) -> int | None:
    """Return the line of a key, else of the table that lacks it; None: unknown."""
    while key not in lines:
        key, dot, _ = key.rpartition(".")
        if not dot:
            return None
    return lines[key]


def _dotted(written: str) -> str:
    names = (part.group() for part in re.finditer(_NAME, written))
    return ".".join(name[1:-1] if name[0] in "\"'" else name for name in names)
