"""The triage board and its rows."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from platui.core.dataclass import dataclass
from platui.core.named_tuple import NamedTuple
from platui.models.values.statuses import ACTIVE

if TYPE_CHECKING:
    from platui.core.errors import PlatuiError
    from platui.models.values.queries import ProjectRef
    from platui.models.values.triage import (
        FailedStep,
        FailurePoint,
        Incident,
        Lane,
        PipelineRun,
        Recovery,
        Signature,
    )


@dataclass(frozen=True, slots=True)
class Mark:
    """A user's acknowledgment, snooze, note and owner of an incident."""

    acked: str | None = None  # The acknowledged signature; empty: it was unknown
    snoozed_until: datetime | None = None
    note: str = ""
    owner: str = ""
    spreads: bool = False
    """Whether the whole cause is acknowledged, including incidents that join it later."""

    def is_snoozed(self, now: datetime) -> bool:
        return self.snoozed_until is not None and now < self.snoozed_until


class BoardState(StrEnum):
    BROKEN = "broken"
    LATE = "late"
    RUNNING = "running"
    RECOVERED = "recovered"


@dataclass(frozen=True, slots=True)
class BoardItem:
    """One row of the board."""

    state: BoardState
    lane: Lane
    incident: Incident | None = None
    late: Late | None = None
    recovery: Recovery | None = None
    newest: PipelineRun | None = None  # The late or running pipeline
    typical: TypicalDuration | None = None  # Typical duration of the running pipeline
    point: FailurePoint | None = None
    signature: Signature | None = None
    mark: Mark = Mark()
    is_main: bool = False

    @property
    def key(self) -> str:
        """Return a key that an incident keeps from its first run to its recovery."""
        project = self.lane.project
        if self.incident is not None:
            return f"{project}:{self.incident.first_red.id}"
        if self.recovery is not None:
            return f"{project}:{self.recovery.first_red.id}"
        if self.newest is not None:
            return f"{project}:{self.newest.id}"
        if self.late is not None and self.late.schedule is not None:
            return f"{project}:schedule:{self.late.schedule}"
        return f"{project}:{self.lane.ref}"

    @property
    def pipeline(self) -> PipelineRun | None:
        """Return the pipeline this is about: newest failed, recovering, or running."""
        if self.incident is not None:
            return self.incident.newest_red
        return self.newest if self.recovery is None else self.recovery.green

    @property
    def moving(self) -> PipelineRun | None:
        """Return the pipeline that has not ended."""
        ran = self.incident.on_top if self.incident is not None else self.newest
        return ran if ran is not None and ran.status in ACTIVE else None

    @property
    def step(self) -> FailedStep | None:
        """Return the failed job."""
        return self.point.step if self.point is not None else None

    @property
    def is_acknowledged(self) -> bool:
        """Return whether the current cause is acknowledged, or an unknown one was."""
        acked, signature = self.mark.acked, self.signature
        return acked is not None and (signature is None or acked in {"", signature.key})

    def is_quiet(self, now: datetime) -> bool:
        return self.mark.is_snoozed(now) or self.is_acknowledged


class CauseGroup(NamedTuple):
    signature: Signature | None  # None: unknown; the group has one incident then
    items: tuple[BoardItem, ...]

    @property
    def projects(self) -> int:
        return len({item.lane.project for item in self.items})

    @property
    def first(self) -> BoardItem:
        """Return the earliest incident, preferably on a default branch."""
        main = [item for item in self._dated if item.is_main]
        return min(main or self._dated, key=_began, default=self.items[0])

    @property
    def older_branch(self) -> BoardItem | None:
        """Return the oldest incident of a branch, if it is older than that of the default one."""
        oldest = min(self._dated, key=_began, default=self.first)
        return oldest if _began(oldest) < _began(self.first) else None

    @property
    def _dated(self) -> list[BoardItem]:
        return [one for one in self.items if one.incident is not None and one.incident.since]

    @property
    def onset(self) -> Incident | None:
        """Return the incident that determines the start of the cause."""
        return self.first.incident

    @property
    def streak(self) -> int:
        """Return the failed pipelines of all incidents."""
        return sum(item.incident.streak for item in self.items if item.incident is not None)

    @property
    def is_at_least(self) -> bool:
        """Return whether the streak may be longer than known."""
        return any(item.incident is not None and item.incident.is_at_least for item in self.items)


def _began(item: BoardItem) -> float:
    moment = item.incident.since if item.incident is not None else None
    return moment.timestamp() if moment is not None else 0.0


class Counts(NamedTuple):
    broken: int = 0
    causes: int = 0  # Causes of broken rows; unknown causes count one by one
    late: int = 0
    running: int = 0
    recovered: int = 0
    quiet: int = 0  # Acknowledged or snoozed incidents, not counted as broken

    @property
    def rows(self) -> int:
        """Return the number of items, each counted once."""
        return self.broken + self.late + self.running + self.recovered + self.quiet


@dataclass(frozen=True, slots=True)
class TypicalDuration:
    """Typical duration in seconds."""

    median: float
    p95: float
    samples: int


class LateKind(StrEnum):
    SLOW = "slow"  # Runs longer than usual
    WAITING = "waiting"  # Waits for a runner longer than usual
    SILENT = "silent"  # Runs without new log output
    MISSED = "missed"  # A schedule did not start


@dataclass(frozen=True, slots=True)
class Late:
    """A late job, pipeline or schedule."""

    kind: LateKind
    seconds: float  # Duration of the run, wait, silence or delay
    typical: TypicalDuration | None = None
    what: str = ""  # Job name or schedule description; empty: the pipeline
    job: int | None = None
    due_at: datetime | None = None  # Due time of a schedule
    schedule: int | None = None
    tags: tuple[str, ...] = ()  # Required runner tags of a waiting job


NOTHING_COUNTED = Counts()


@dataclass(frozen=True, slots=True)
class Board:
    """Broken, late, running and recovered pipelines of all watched projects."""

    items: tuple[BoardItem, ...] = ()  # In the order of the board
    groups: tuple[CauseGroup, ...] = ()  # Broken rows by cause, in the same order
    counts: Counts = NOTHING_COUNTED
    names: tuple[tuple[int, str], ...] = ()
    """Id and full path of watched projects with a known path."""
    watched: int = 0  # Watched projects, including those of known watched groups
    known: int = 0  # Watched projects with a known state, live or cached
    live: tuple[int, ...] = ()  # Projects refreshed since the feed began
    with_schedules: tuple[int, ...] = ()  # Projects whose schedules were refreshed since then
    without_schedules: int = 0  # Projects without fresh schedules
    with_jobs: tuple[int, ...] = ()  # Pipelines whose jobs are known, so that stuck jobs are known
    without_jobs: int = 0  # Pipelines that may have stuck jobs, not loaded yet
    ended: tuple[tuple[ProjectRef, PipelineRun], ...] = ()
    """Pipelines that ended since the feed began, with their projects; successes have no row."""
    deleted: tuple[tuple[ProjectRef, int], ...] = ()
    """Keys of incidents that ended since the feed began without a success: they were deleted."""
    inaccessible: tuple[int, ...] = ()  # Projects that are not found or not allowed
    last_run: tuple[Lane, PipelineRun] | None = None  # Of all projects; None: none known
    pending_causes: int = 0  # Incidents with a cause still to be read
    pending_starts: int = 0  # Incidents whose start or first commit is still to be determined
    is_cache_read: bool = False  # Whether all cached causes are loaded
    fetched_at: datetime | None = None  # The oldest refresh on the board; None: nothing is loaded
    is_live: bool = False  # Whether all projects were refreshed since the feed began
    is_named: bool = False
    """Whether the project list is loaded: paths and projects of watched groups."""
    is_listed: bool = True  # Whether the projects of all watched groups are known
    empty_groups: tuple[str, ...] = ()  # Watched groups without a visible project, as `a/b/`
    requests: int = 0  # Requests of the board in the last minute
    interval: float = 0.0  # Seconds between two refreshes of a project at the current quota
    problem: str = ""  # Why local changes cannot be saved; empty: they can
    error: PlatuiError | None = None  # Why the last request failed

    @property
    def answered(self) -> int:
        """Return the number of projects with a known state, or known to be inaccessible."""
        return self.known + len(self.inaccessible)

    @property
    def has_answered(self) -> bool:
        """Return whether all watched projects, also those of groups, have answered."""
        return self.is_listed and self.answered >= self.watched

    @property
    def loaded(self) -> int:
        """Return the number of projects with a response, including inaccessible ones."""
        return len(self.live) + len(self.inaccessible)

    @property
    def cached(self) -> int:
        """Return the number of projects whose state comes from the cache."""
        return self.known - len(self.live)


@dataclass(frozen=True, slots=True)
class SavedBoard:
    """A saved board, for the rows of the next start."""

    items: tuple[BoardItem, ...] = ()  # In the order of the board
    names: tuple[tuple[int, str], ...] = ()
    watched: int = 0
    inaccessible: tuple[int, ...] = ()
    as_of: float = 0.0  # Oldest refresh (Unix seconds)


def saved_board(board: Board, as_of: float) -> SavedBoard:
    return SavedBoard(board.items, board.names, board.watched, board.inaccessible, as_of)


class BoardEventKind(StrEnum):
    OPENED = "opened"  # New incident
    SIGNATURE = "new_signature"  # The cause changed; an acknowledgment no longer applies
    RETURNED = "returned"  # The acknowledgment or snooze of the same cause ended
    CAUSE = "cause"  # Cause found
    LATE = "late"  # Late
    RECOVERED = "recovered"  # Recovered
    ENDED = "ended"
    """A running pipeline ended without a failure, or an incident is no longer followed."""
    ACKED = "acked"  # Acknowledged
    SNOOZED = "snoozed"  # Snoozed


@dataclass(frozen=True, slots=True)
class BoardEvent:
    """One event on the board."""

    kind: BoardEventKind
    item: BoardItem  # The current row; if it left the board, the last row with the ended pipeline
    was: BoardItem | None = None  # The previous row; None: new


class BoardUpdate(NamedTuple):
    board: Board
    news: tuple[BoardEvent, ...]
