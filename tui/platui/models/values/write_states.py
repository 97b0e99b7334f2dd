"""States of a write task.

    Waiting ⇄ Sent ─┬─ Done
                    ├─ Refused                        nothing was changed
                    └─ Unknown ─ Probing ─┬─ Found    result unknown
                                          └─ NotFound

`Done`, `Refused`, `Found` and `NotFound` are final. A write that may have arrived is never sent
again automatically.
"""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from platui.core.dataclass import dataclass

if TYPE_CHECKING:
    from platui.core.errors import PlatuiError
    from platui.models.values.queries import ProjectRef
    from platui.models.wire.record import Record


@dataclass(frozen=True, slots=True)
class Outcome:
    """A pipeline, job, schedule or project that a write created or changed."""

    kind: str  # `pipeline`, `job`, `schedule` or `project`
    project: ProjectRef | None = None  # None for a project
    id: int | None = None  # None if the response does not contain it
    status: str = ""
    web_url: str = ""
    created_at: datetime | None = None
    record: Record | None = None  # The response: a `Pipeline`, `Job`, `Schedule` or `Project`


@dataclass(frozen=True, slots=True)
class Waiting:
    """Not sent yet; closing the iterator now sends nothing."""

    until: float  # Monotonic time of the next attempt
    reason: str  # One sentence: the quota is spent, or the platform requested a pause


@dataclass(frozen=True, slots=True)
class Sent:
    """Being sent; canceling now may leave the result unknown."""


@dataclass(frozen=True, slots=True)
class Done:
    """The platform has done it."""

    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Refused:
    """Nothing was changed: rejected by the guard or the platform, not sent, or nothing to do."""

    error: PlatuiError


@dataclass(frozen=True, slots=True)
class Unknown:
    """Sent, but no response confirms the result."""

    error: PlatuiError


@dataclass(frozen=True, slots=True)
class Probing:
    """The outcome probe runs; closing the iterator ends it."""

    until: float  # Monotonic time at which the probe ends


@dataclass(frozen=True, slots=True)
class Found:
    """The probe found records that were probably created by this write."""

    candidates: tuple[Outcome, ...]  # Newest first; at least one
    sentence: str  # `Found #4711, probably yours.`


@dataclass(frozen=True, slots=True)
class NotFound:
    """The probe found nothing; the record may still appear."""

    sentence: str  # `Nothing was found within 30 s.`, or why the probe was not possible


WriteState = Waiting | Sent | Done | Refused | Unknown | Probing | Found | NotFound

LAST_STATES = (Done, Refused, Found, NotFound)


@dataclass(frozen=True, slots=True)
class WriteProgress:
    """The progress of several writes in order."""

    states: tuple[WriteState | None, ...]  # One per intent, in order; None: not started
    stopped: PlatuiError | None = None
    """Why the rest is not sent: 401, 403, 429, no connection, or an unknown result."""

    @property
    def is_over(self) -> bool:
        ended = all(isinstance(state, LAST_STATES) for state in self.states)
        return ended or self.stopped is not None


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """The start or end of one write."""

    at: datetime
    profile: str
    operation: str  # Such as `start pipeline`
    target: str  # Path below the API's base, without query or body
    result: str  # `sent`, `done: #4711`, `refused: …`, `unknown: …`, `found: …` or `not found: …`
    mark: str = ""  # Id shared by all entries of one write

    def line(self) -> str:
        """Return the entry as one line of JSON, without the line end."""
        return json.dumps(
            {
                "at": self.at.isoformat(),
                "profile": self.profile,
                "operation": self.operation,
                "target": self.target,
                "result": self.result,
                "write": self.mark,
            },
            ensure_ascii=False,
        )


class AuditLog(Protocol):
    def append(self, entry: AuditEntry) -> None:
        """Store the entry; an OSError stops a write that is not yet sent."""
