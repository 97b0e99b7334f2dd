"""What a rule is that knows an error by its text."""

from __future__ import annotations

import re
from enum import Enum, IntEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from platui.config.error_patterns import needed_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from platui.config.settings import ErrorPattern


LONGEST: Final = 2_000  # Characters of a line that are looked at


class Rank(IntEnum):
    """How near a line is to the cause; of a failed job's errors the highest is shown first."""

    VERDICT = 10  # The job failed: what the runner says of every job that does
    SUMMARY = 20  # Something failed before: counts, exit statuses, names of failed tests
    NOTICE = 30  # Something did not work, said in passing; often nobody minds
    GENERIC = 40  # A line that calls itself an error, and nothing more is known of it
    TOOL = 60  # A tool says that it cannot go on
    CAUSE = 80  # An engine or an interpreter says what is wrong
    STOPPED = 90  # The runner itself was the reason: it stopped the job, or could not begin it


class Shape(Enum):
    """How an error goes on after its first line."""

    LINE = "line"  # Not at all
    FOLLOWED = "followed"
    """By the lines that match `goes_on`, after the clock that may stand before each."""
    TRACEBACK = "traceback"
    """As Python writes them: chained, grouped, with the last exception saying it."""
    STACK = "stack"  # As Java and Node write them: frames, with the last `Caused by` saying it
    GOROUTINES = "goroutines"  # As Go writes them


class Rule(NamedTuple):
    """One kind of error line."""

    name: str  # What the reader is told: mostly whose error it is
    rank: int
    hints: tuple[str, ...]
    """Words of which every such line holds one; only letters count, in any case."""
    pattern: str  # A regular expression that is found in the line
    unless: str = ""  # A regular expression that is not
    shape: Shape = Shape.LINE
    goes_on: str = ""
    """For `FOLLOWED`: a regular expression that the lines after the first begin with."""
    also: tuple[str, ...] = ()
    """Texts of which every such line holds one, too, as it stands here: a quick look first."""
    calm: bool = False
    """Whether a line that calls itself information or a warning can be one all the same."""


def entries(table: str, /, **parts: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the head of each entry of a table, and its fields by name.

    Heads begin at the margin, fields (`name: value`) with two blanks, and what continues either
    with four. `{name}` stands for the part of that name; lines with `#` are comments.
    """
    for name, text in parts.items():
        table = table.replace(f"{{{name}}}", text)
    for entry in re.split(r"\n(?=\S)", table.strip()):
        head, *fields = entry.replace("\n    ", "").split("\n")
        if not head.startswith("#"):
            named = (field[2:].partition(": ") for field in fields)
            yield head, {name: value for name, _, value in named}


def rules(table: str, /, **parts: str) -> tuple[Rule, ...]:
    """Return the rules of a table: `name RANK SHAPE calm: hint, hint`, and other fields below."""
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


PATIENCE: Final = 0.01
"""Seconds that a pattern may take for a line. One that takes longer is not tried again."""


class OwnError:
    """One rule of config.toml. It has one line, and is compiled when a line first calls for it."""

    def __init__(self, setting: ErrorPattern) -> None:
        self.name = setting.name
        self.rank = setting.rank
        self.hints = needed_words(setting.pattern)
        self.gave_up = False
        """Whether it took too long: no line is known by it any more."""
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
        import regex  # noqa: PLC0415  (only for who has own errors)

        return [regex.compile(one) for one in (self._setting.pattern, self._setting.unless) if one]


def _is_in(line: str, pattern: Any) -> bool:
    # Other threads run meanwhile: Python's own engine would hold all of them up.
    return pattern.search(line, timeout=PATIENCE, concurrent=True) is not None
