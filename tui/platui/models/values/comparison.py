"""Comparison of two logs: line numbers only, no line is copied."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from platui.core.dataclass import dataclass
from platui.core.named_tuple import NamedTuple

if TYPE_CHECKING:
    from platui.core.errors import PlatuiError
    from platui.models.values.log import LogDocument

    Spans = Sequence[tuple[int, int]]
    WordFinder = Callable[[str, str], tuple[Spans, Spans]]


class BlockKind(StrEnum):
    EQUAL = "equal"  # Equal apart from values that differ in every run
    CHANGED = "changed"  # Pairs of similar lines
    LEFT = "left"  # Lines of the left log only
    RIGHT = "right"  # Lines of the right log only


class DiffBlock(NamedTuple):
    """A block of one kind; lines count from 0, ends are exclusive, all lines are in a block."""

    kind: BlockKind
    left: int
    left_end: int
    right: int
    right_end: int
    is_routine: bool = False
    """Whether the other log has these, or similar lines, elsewhere in the section."""

    @property
    def is_difference(self) -> bool:
        return self.kind is not BlockKind.EQUAL and not self.is_routine

    @property
    def height(self) -> int:
        """Return the number of rows; a pair of lines is one."""
        return max(self.left_end - self.left, self.right_end - self.right)


class Extent(NamedTuple):
    first: int
    end: int
    total: int

    @property
    def is_whole(self) -> bool:
        return self.end - self.first == self.total


@dataclass(frozen=True, slots=True)
class Comparison:
    """The differences between two logs."""

    blocks: Sequence[DiffBlock]
    left: Extent
    right: Extent
    left_sections: tuple[str, ...] = ()
    """Sections that only the left log has; repeated for each missing occurrence."""
    right_sections: tuple[str, ...] = ()
    is_coarse: bool = False  # Whether some blocks were too different to compare line by line

    @property
    def is_whole(self) -> bool:
        return self.left.is_whole and self.right.is_whole


class JobRun(NamedTuple):
    """One run of a job, for display; texts are the platform's."""

    pipeline: int | None
    job: int
    name: str
    ref: str
    status: str
    web_url: str = ""
    finished_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class LastSuccessSearch:
    """Progress or result of the search for the last successful run of a job."""

    ref: str  # Branch or tag of the job
    checking: int | None = None  # The successful pipeline whose jobs are being requested
    run: JobRun | None = None  # The result
    without: tuple[int, ...] = ()
    """Successful pipelines in which the job is missing or not successful, newest first."""
    has_no_success: bool = False
    """Whether no earlier success of the ref was found; other refs were searched then."""
    is_whole: bool = True  # Whether all earlier pipelines were searched


class CompareStep(StrEnum):
    ASKING = "asking"
    LOOKING = "looking"
    READING = "reading"
    COMPARING = "comparing"
    DONE = "done"
    NOTHING = "nothing"  # No run to compare with


@dataclass(frozen=True, slots=True)
class CompareUpdate:
    """One update while a job's log is compared with the last successful run."""

    step: CompareStep = CompareStep.ASKING
    this: JobRun | None = None
    search: LastSuccessSearch | None = None
    left: LogDocument | None = None  # The log of the successful run
    right: LogDocument | None = None  # The log of the selected job
    comparison: Comparison | None = None  # The last complete comparison; kept while a new one runs
    opening: int | None = None
    """The line to show: new error, else difference in the failed section, else the first one."""
    words: WordFinder | None = None
    masks: bool = True  # Whether values that differ in every run are ignored
    progress: float = 0.0  # 0 to 1
    is_growing: bool = False  # Whether the log may have grown since
    read_at: datetime | None = None
    """When the log was read, or the search for a run to compare with ended (UTC)."""
    error: PlatuiError | None = None
