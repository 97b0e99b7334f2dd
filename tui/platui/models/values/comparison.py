"""Two logs held against each other, as the ui sees it: numbers of lines, no line copied."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from platui.core.errors import PlatuiError
    from platui.models.values.log import LogDocument

    Spans = Sequence[tuple[int, int]]
    WordFinder = Callable[[str, str], tuple[Spans, Spans]]
    """Where two lines differ: first character, and one after, in either of them."""


class BlockKind(StrEnum):
    """What the two logs have at one stretch."""

    EQUAL = "equal"  # The same lines, but for what differs in every run
    CHANGED = "changed"  # Pairs of lines that say the same of something else
    LEFT = "left"  # Lines of the left log only
    RIGHT = "right"  # Lines of the right log only


class DiffBlock(NamedTuple):
    """A stretch of one kind. Lines are displayed ones, from 0; an end is the line after the last.

    Where both logs have lines (EQUAL, CHANGED) they have as many, and pair off in order.
    Blocks in their order cover every compared line of either log once.
    """

    kind: BlockKind
    left: int
    left_end: int
    right: int
    right_end: int
    is_routine: bool = False
    """Whether these lines are nothing new: the other log has them elsewhere in the same
    section, or has many that differ in their numbers only."""

    @property
    def is_difference(self) -> bool:
        """Return whether this is worth a look."""
        return self.kind is not BlockKind.EQUAL and not self.is_routine

    @property
    def height(self) -> int:
        """Return how many rows it takes: a pair is one."""
        return max(self.left_end - self.left, self.right_end - self.right)


class Extent(NamedTuple):
    """Lines of one log that were compared, of so many."""

    first: int
    end: int
    total: int

    @property
    def is_whole(self) -> bool:
        """Return whether that is all of them."""
        return self.end - self.first == self.total


@dataclass(frozen=True, slots=True)
class Comparison:
    """What two logs have in common and what not, in the order of their lines."""

    blocks: Sequence[DiffBlock]
    left: Extent
    right: Extent
    left_sections: tuple[str, ...] = ()
    """Names of sections that only the left log has; a name stands for each time it is missing."""
    right_sections: tuple[str, ...] = ()
    """Names of sections that only the right log has."""
    is_coarse: bool = False
    """Whether the logs differ so much that some stretches were not looked at line by line."""

    @property
    def is_whole(self) -> bool:
        """Return whether every line of both was compared."""
        return self.left.is_whole and self.right.is_whole


class JobRun(NamedTuple):
    """One run of a job, as far as a comparison speaks of it. Texts are the platform's."""

    pipeline: int | None
    job: int
    name: str
    ref: str
    status: str
    web_url: str = ""
    finished_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class LastSuccessSearch:
    """How the search for the last green run of a job stands, or ended."""

    ref: str  # The branch or tag that the job ran for
    checking: int | None = None  # The green pipeline whose jobs are asked for
    run: JobRun | None = None  # What was found
    without: tuple[int, ...] = ()
    """Green pipelines, newest first, in which the job was not, or was not green."""
    has_no_success: bool = False
    """Whether no pipeline of that ref was green before; other refs were looked at then."""
    is_whole: bool = True  # Whether all pipelines before were looked at, not only the newer ones


class CompareStep(StrEnum):
    """What is done for a comparison, in this order."""

    ASKING = "asking"
    LOOKING = "looking"
    READING = "reading"
    COMPARING = "comparing"
    DONE = "done"
    NOTHING = "nothing"  # There is no run to compare with


@dataclass(frozen=True, slots=True)
class CompareUpdate:
    """One step of comparing a job's log with that of its last green run."""

    step: CompareStep = CompareStep.ASKING
    this: JobRun | None = None
    search: LastSuccessSearch | None = None
    left: LogDocument | None = None  # The log of the green run
    right: LogDocument | None = None  # The log of the job that is asked about
    comparison: Comparison | None = None
    """What the last whole comparison found; stays while another one is made."""
    opening: int | None = None
    """The line of the right log to begin with: the error that is new, else the first difference
    of the section that failed, else the first; None where there is no difference."""
    words: WordFinder | None = None
    masks: bool = True  # Whether what differs in every run was left out of account
    progress: float = 0.0  # Of comparing, 0 to 1
    is_growing: bool = False  # Whether the log went on after it was compared, or may have
    error: PlatuiError | None = None
