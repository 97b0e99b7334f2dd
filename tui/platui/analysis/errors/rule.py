"""What a rule is that knows an error by its text."""

from __future__ import annotations

from enum import Enum, IntEnum
from typing import Final, NamedTuple

LONGEST: Final = 2_000
"""Characters of a line that are looked at."""


class Rank(IntEnum):
    """How near a line is to the cause; of a failed job's errors the highest is shown first."""

    VERDICT = 10
    """The job failed: what the runner says of every job that does."""
    SUMMARY = 20
    """Something failed before: counts, exit statuses, names of failed tests."""
    NOTICE = 30
    """Something did not work, said in passing; often nobody minds."""
    GENERIC = 40
    """A line that calls itself an error, and nothing more is known of it."""
    TOOL = 60
    """A tool says that it cannot go on."""
    CAUSE = 80
    """An engine or an interpreter says what is wrong."""
    STOPPED = 90
    """The runner itself was the reason: it stopped the job, or could not begin it."""


class Shape(Enum):
    """How an error goes on after its first line."""

    LINE = "line"
    """Not at all."""
    FOLLOWED = "followed"
    """By the lines that match `goes_on`, after the clock that may stand before each."""
    TRACEBACK = "traceback"
    """As Python writes them: chained, grouped, with the last exception saying it."""
    STACK = "stack"
    """As Java and Node write them: frames, with the last `Caused by` saying it."""
    GOROUTINES = "goroutines"
    """As Go writes them."""


class Rule(NamedTuple):
    """One kind of error line."""

    name: str
    """What the reader is told: mostly whose error it is."""
    rank: int
    hints: tuple[str, ...]
    """Words of which every such line holds one; only letters count, in any case."""
    pattern: str
    """A regular expression that is found in the line."""
    unless: str = ""
    """A regular expression that is not."""
    shape: Shape = Shape.LINE
    goes_on: str = ""
    """For `FOLLOWED`: a regular expression that the lines after the first begin with."""
    also: tuple[str, ...] = ()
    """Texts of which every such line holds one, too, as it stands here: a quick look first."""
    calm: bool = False
    """Whether a line that calls itself information or a warning can be one all the same."""
