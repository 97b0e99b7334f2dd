"""The rows of the triage board, their causes, what is said of them, and how many they are."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from datetime import datetime

    from platui.models.values.triage import Incident, Lane, Ran, Recovery
    from platui.models.values.triage_causes import FailurePoint, Signature
    from platui.models.values.triage_lateness import Late, Usual


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


class Standing(StrEnum):
    """How something on the board stands, in the order of the board."""

    BROKEN = "broken"
    LATE = "late"
    RUNNING = "running"
    RECOVERED = "recovered"


@dataclass(frozen=True, slots=True)
class BoardItem:
    """One row of the board."""

    standing: Standing
    lane: Lane
    incident: Incident | None = None
    late: Late | None = None
    recovery: Recovery | None = None
    newest: Ran | None = None
    """Of what is late or running: the pipeline."""
    usual: Usual | None = None
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
        """Return in how many projects it is."""
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
