"""The triage board at one moment, as its feed yields it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from platui.models.values.triage_items import Counts

if TYPE_CHECKING:
    from datetime import datetime

    from platui.core.errors import PlatuiError
    from platui.models.values.queries import ProjectRef
    from platui.models.values.triage import LastRun, Ran
    from platui.models.values.triage_items import BoardItem, CauseGroup

NOTHING_COUNTED = Counts()


@dataclass(frozen=True, slots=True)
class Board:
    """What is broken, late, running and recovered in all that is watched."""

    items: tuple[BoardItem, ...] = ()
    """In the order of the board."""
    groups: tuple[CauseGroup, ...] = ()
    """What is broken by its cause, in the same order."""
    counts: Counts = NOTHING_COUNTED
    names: tuple[tuple[int, str], ...] = ()
    """Id and full path of each watched project whose path is known."""
    watched: int = 0
    """How many projects are watched, those of watched groups with them, as far as known."""
    known: int = 0
    """Of how many of them it is known how they stand, from the platform or a cache."""
    live: tuple[int, ...] = ()
    """Projects of which the platform itself has told since the feed began."""
    planned: tuple[int, ...] = ()
    """Projects of whose schedules the platform itself has told since then."""
    unplanned: int = 0
    """Projects of whose schedules nothing is known yet, or only what is old."""
    looked: tuple[int, ...] = ()
    """Pipelines of whose jobs the platform has told, so that it is known what is stuck in them."""
    unlooked: int = 0
    """Pipelines in which something may be stuck, and whose jobs are still to be asked for."""
    ended: tuple[tuple[ProjectRef, Ran], ...] = ()
    """Pipelines that ran since the feed began and do so no more, as they ended; and their projects.
    Of what is green, and was before, there is no row that would tell."""
    refused: tuple[int, ...] = ()
    """Projects that this credential may not see, or that are gone."""
    last_run: LastRun | None = None
    """None while no pipeline is known."""
    awaited: int = 0
    """Incidents whose cause is still to be read."""
    untold: int = 0
    """Incidents of which it is still to be found out when they began, or with which commit."""
    is_recalled: bool = False
    """Whether every cause that caches have is there."""
    fetched_at: datetime | None = None
    """When the platform told what is oldest on the board; None while nothing is known."""
    is_live: bool = False
    """Whether the platform has told of each of them since the feed began."""
    is_named: bool = False
    """Whether the list of projects is known: their paths, and what lies in watched groups."""
    spent: int = 0
    """Requests that the board took in the last minute."""
    interval: float = 0.0
    """Seconds in which every project is asked for once, as it stands with the quota."""
    problem: str = ""
    """Why what is said of incidents is not kept; empty while it is."""
    error: PlatuiError | None = None
    """Why the last request failed; None after one that did not."""

    @property
    def told(self) -> int:
        """Return how many projects the platform has told of, be it that they may not be seen."""
        return len(self.live) + len(self.refused)

    @property
    def kept(self) -> int:
        """Return of how many of them only a cache tells how they stand."""
        return self.known - len(self.live)


@dataclass(frozen=True, slots=True)
class KeptBoard:
    """A board as it was left: enough to go on with its rows before there is a new one."""

    items: tuple[BoardItem, ...] = ()
    """In the order of the board."""
    names: tuple[tuple[int, str], ...] = ()
    watched: int = 0
    refused: tuple[int, ...] = ()
    told_at: float = 0.0
    """When the platform told what is oldest on it, in Unix seconds."""


def kept_of(board: Board, told_at: float) -> KeptBoard:
    """Return what is kept of a board.

    Args:
        board: as it is shown.
        told_at: when the platform told what is oldest on it, in Unix seconds.
    """
    return KeptBoard(board.items, board.names, board.watched, board.refused, told_at)
