"""Definition and parsing of error rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum, IntEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from platui.config.error_patterns import needed_words
from platui.core.named_tuple import NamedTuple

if TYPE_CHECKING:
    from platui.config.settings import ErrorPattern


LONGEST: Final = 2_000  # Characters of a line that are matched
VERDICT: Final = "(?:ERROR|FATAL): Job failed"  # The runner's line at the end of a failed job


class Rank(IntEnum):
    """Closeness of an error to the cause; the highest of a failed job is shown first."""

    VERDICT = 10  # The runner's final line of a failed job
    END = 15  # The exit status of a program that failed before
    SUMMARY = 20  # A previous failure: counts, names of failed tests
    NOTICE = 30  # A failure mentioned in passing, often harmless
    GENERIC = 40  # A line marked as an error, of unknown origin
    TOOL = 60  # A tool that gave up
    CAUSE = 80  # The error of an engine or interpreter
    STOPPED = 90  # The runner stopped the job, or could not start it


class Shape(Enum):
    """Which lines follow the first line of an error."""

    LINE = "line"  # None
    FOLLOWED = "followed"  # Lines that match `goes_on`, after an optional time
    RUN = "run"  # The same, also where they could begin another error
    TRACEBACK = "traceback"  # A Python traceback; the last exception is the message
    STACK = "stack"  # Java or Node frames; the last `Caused by` is the message
    GOROUTINES = "goroutines"  # A Go panic


class Rule(NamedTuple):
    name: str  # Shown to users, mostly the tool
    rank: int
    hints: tuple[str, ...]  # Every such line contains one; letters only, case-insensitive
    pattern: str  # Regular expression searched in the line
    unless: str = ""  # Regular expression that must not match
    shape: Shape = Shape.LINE
    goes_on: str = ""  # For `FOLLOWED`: regular expression for the beginning of further lines
    also: tuple[str, ...] = ()  # Every such line contains one, case-sensitive
    calm: bool = False  # Whether a line marked as information or warning may match


def entries(table: str, /, **parts: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield head and `name: value` fields of each entry of a table; `{name}` becomes that part."""
    for name, text in parts.items():
        table = table.replace(f"{{{name}}}", text)
    for entry in re.split(r"\n(?=\S)", table.strip()):
        head, *fields = entry.replace("\n    ", "").split("\n")
        if not head.startswith("#"):
            named = (field[2:].partition(": ") for field in fields)
            yield head, {name: value for name, _, value in named}


def rules(table: str, /, **parts: str) -> tuple[Rule, ...]:
    """Parse a table of `name RANK SHAPE calm: hint, hint` entries with fields below."""
    return tuple(_rule(head, **fields) for head, fields in entries(table, **parts))


def _rule(head: str, pattern: str, unless: str = "", goes_on: str = "", also: str = "") -> Rule:
    known, _, hints = head.partition(": ")
    name, rank, *others = known.split()
    return Rule(
        name,
        Rank[rank],
        tuple(hint.strip() for hint in hints.split(",")),
        pattern,
        unless,
        next((Shape[word] for word in others if word.isupper()), Shape.LINE),
        goes_on,
        tuple(re.findall('"([^"]*)"', also)),
        calm="calm" in others,
    )


PATIENCE: Final = 0.01  # Seconds per line; a slower pattern is disabled


class CustomRule:
    """A rule of config.toml for single lines, compiled on first use."""

    def __init__(self, setting: ErrorPattern) -> None:
        self.name = setting.name
        self.rank = setting.rank
        self.hints = needed_words(setting.pattern)
        self.gave_up = False  # too slow, and therefore disabled
        self._setting = setting

    def knows(self, line: str) -> bool:
        if self.gave_up:
            return False
        try:
            wanted, *unwanted = self._patterns
            return _is_in(line, wanted) and not any(_is_in(line, one) for one in unwanted)
        except TimeoutError:
            self.gave_up = True
            return False

    @cached_property
    def _patterns(self) -> list[Any]:
        import regex  # noqa: PLC0415  (only custom rules need it)

        return [regex.compile(one) for one in (self._setting.pattern, self._setting.unless) if one]


def _is_in(line: str, pattern: Any) -> bool:
    # `concurrent` lets other threads run, unlike `re`.
    return pattern.search(line, timeout=PATIENCE, concurrent=True) is not None
