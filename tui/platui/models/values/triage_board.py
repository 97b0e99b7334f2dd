"""The rows of the triage board and the board at one moment, as its feed yields it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from datetime import datetime

    from platui.core.errors import PlatuiError
    from platui.models.values.queries import ProjectRef
    from platui.models.values.triage import (
        FailurePoint,
        Incident,
        Lane,
        LastRun,
        PipelineRun,
        Recovery,
        Signature,
    )


@dataclass(frozen=True, slots=True)
class Mark:
    """What a person said of an incident, as it is remembered."""

    acked: str | None = None
    """The signature that was acknowledged; empty for one that was not known then."""
    snoozed_until: datetime | None = None
    note: str = ""
    owner: str = ""
    spreads: bool = False
    """Whether it was acknowledged as a cause: what joins that while this is red is known, too."""


class BoardState(StrEnum):
    """How something on the board stands, in the order of the board."""

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
    newest: PipelineRun | None = None
    """Of what is late or running: the pipeline."""
    typical: TypicalDuration | None = None
    """Of what is running: how long it usually takes."""
    point: FailurePoint | None = None
    signature: Signature | None = None
    mark: Mark = Mark()
    is_main: bool = False


class CauseGroup(NamedTuple):
    """Incidents of one cause."""

    signature: Signature | None
    """None where it is not known: such a group holds one incident."""
    items: tuple[BoardItem, ...]

    @property
    def projects(self) -> int:
        return len({item.lane.project for item in self.items})

    @property
    def first(self) -> BoardItem:
        """Return the incident that began first: on a default branch, where one is there."""
        known = [
            item
            for item in self.items
            if item.incident is not None and item.incident.since is not None
        ]
        main = [item for item in known if item.is_main]
        return min(main or known, key=_began, default=self.items[0])

    @property
    def onset(self) -> Incident | None:
        """Return what the cause began with, which says since when it is there."""
        return self.first.incident

    @property
    def streak(self) -> int:
        """Return how many red pipelines all of its incidents have."""
        return sum(item.incident.streak for item in self.items if item.incident is not None)

    @property
    def is_at_least(self) -> bool:
        """Return whether there may be more red ones: some list ends before its green."""
        return any(item.incident is not None and item.incident.is_at_least for item in self.items)


def _began(item: BoardItem) -> float:
    moment = item.incident.since if item.incident is not None else None
    return moment.timestamp() if moment is not None else 0.0


class Counts(NamedTuple):
    """The board in numbers."""

    broken: int = 0
    causes: int = 0
    """Of what is broken, those whose cause is not known counted one by one."""
    late: int = 0
    running: int = 0
    recovered: int = 0
    quiet: int = 0
    """Broken ones that were acknowledged or snoozed; they are not counted as broken."""


@dataclass(frozen=True, slots=True)
class TypicalDuration:
    """How long something usually takes, in seconds."""

    median: float
    p95: float
    samples: int


class LateKind(StrEnum):
    """How something is behind its time."""

    SLOW = "slow"  # It runs longer than it usually does
    WAITING = "waiting"  # It waits for a runner longer than it usually does
    SILENT = "silent"  # It runs, and its log has not grown for long
    MISSED = "missed"  # A schedule was due, and nothing ran


@dataclass(frozen=True, slots=True)
class Late:
    """Something that is behind its time."""

    kind: LateKind
    seconds: float  # For how long it runs, waits, is silent or is missing
    typical: TypicalDuration | None = None
    what: str = ""  # The job's name, or the schedule's description; empty where it is the pipeline
    job: int | None = None
    due_at: datetime | None = None  # Of a schedule: when it should have run
    schedule: int | None = None
    tags: tuple[str, ...] = ()  # Of a job that waits: what it asks of a runner


NOTHING_COUNTED = Counts()
QUIET: Final = "quiet"
"""Key of the row above what was acknowledged or snoozed."""
REST: Final = "rest"
"""Key of the row above what is late, running or recovered."""


@dataclass(frozen=True, slots=True)
class Board:
    """What is broken, late, running and recovered in all that is watched."""

    items: tuple[BoardItem, ...] = ()  # In the order of the board
    groups: tuple[CauseGroup, ...] = ()  # What is broken by its cause, in the same order
    counts: Counts = NOTHING_COUNTED
    names: tuple[tuple[int, str], ...] = ()
    """Id and full path of each watched project whose path is known."""
    watched: int = 0
    """How many projects are watched, those of watched groups with them, as far as known."""
    known: int = 0  # Of how many of them it is known how they stand, from the platform or a cache
    live: tuple[int, ...] = ()
    """Projects of which the platform itself has told since the feed began."""
    with_schedules: tuple[int, ...] = ()
    """Projects of whose schedules the platform itself has told since then."""
    without_schedules: int = (
        0  # Projects of whose schedules nothing is known yet, or only what is old
    )
    with_jobs: tuple[int, ...] = ()
    """Pipelines of whose jobs the platform has told, so that it is known what is stuck in them."""
    without_jobs: int = 0
    """Pipelines in which something may be stuck, and whose jobs are still to be asked for."""
    ended: tuple[tuple[ProjectRef, PipelineRun], ...] = ()
    """Pipelines that ran since the feed began and do so no more, as they ended; and their projects.
    Of what is green, and was before, there is no row that would tell."""
    inaccessible: tuple[
        int, ...
    ] = ()  # Projects that this credential may not see, or that are gone
    last_run: LastRun | None = None  # None while no pipeline is known
    pending_causes: int = 0  # Incidents whose cause is still to be read
    pending_starts: int = 0
    """Incidents of which it is still to be found out when they began, or with which commit."""
    is_cache_read: bool = False  # Whether every cause that caches have is there
    fetched_at: datetime | None = None
    """When the platform told what is oldest on the board; None while nothing is known."""
    is_live: bool = False  # Whether the platform has told of each of them since the feed began
    is_named: bool = False
    """Whether the list of projects is known: their paths, and what lies in watched groups."""
    requests: int = 0  # Requests that the board took in the last minute
    interval: float = 0.0
    """Seconds in which every project is asked for once, as it stands with the quota."""
    problem: str = ""  # Why what is said of incidents is not kept; empty while it is
    error: PlatuiError | None = None  # Why the last request failed; None after one that did not

    @property
    def loaded(self) -> int:
        """Return how many projects the platform has told of, be it that they may not be seen."""
        return len(self.live) + len(self.inaccessible)

    @property
    def cached(self) -> int:
        """Return of how many of them only a cache tells how they stand."""
        return self.known - len(self.live)


@dataclass(frozen=True, slots=True)
class SavedBoard:
    """A board as it was left: enough to go on with its rows before there is a new one."""

    items: tuple[BoardItem, ...] = ()  # In the order of the board
    names: tuple[tuple[int, str], ...] = ()
    watched: int = 0
    inaccessible: tuple[int, ...] = ()
    as_of: float = 0.0  # When the platform told what is oldest on it, in Unix seconds


def saved_board(board: Board, as_of: float) -> SavedBoard:
    """Return what is kept of a board. `as_of` is in Unix seconds."""
    return SavedBoard(board.items, board.names, board.watched, board.inaccessible, as_of)


class BoardEventKind(StrEnum):
    """What has happened, in the order in which it matters."""

    OPENED = "opened"  # Something is broken that was not
    SIGNATURE = "new_signature"
    """It fails for another cause than before; what was acknowledged counts again."""
    RETURNED = "returned"  # It is no longer acknowledged or snoozed, for the cause it had
    CAUSE = "cause"  # The cause was read
    LATE = "late"  # Something is behind its time
    RECOVERED = "recovered"  # Something that was broken is not any more
    ENDED = "ended"
    """What ran has ended, and nothing is broken; or what is broken is followed no more."""
    ACKED = "acked"  # Somebody has acknowledged it
    SNOOZED = "snoozed"  # Somebody has put it off


@dataclass(frozen=True, slots=True)
class BoardEvent:
    """One thing that has happened."""

    kind: BoardEventKind
    item: BoardItem
    """As it stands now; of what left the board, as it stood last, with its pipeline as that ended,
    where the platform has told."""
    was: BoardItem | None = None
    """How it stood before; None: it was not there."""


class BoardUpdate(NamedTuple):
    """A board, and what has happened since the one before."""

    board: Board
    news: tuple[BoardEvent, ...]
