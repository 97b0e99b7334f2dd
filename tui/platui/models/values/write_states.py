"""The states of a write task.

    Waiting ⇄ Sent ─┬─ Done
                    ├─ Refused                        nothing was changed
                    └─ Unknown ─ Looking ─┬─ Found    no answer tells: what there is
                                          └─ NotFound

`Done`, `Refused`, `Found` and `NotFound` are the last. A write is never sent again by itself
once it may have arrived.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from datetime import datetime

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
    record: Record | None = None
    """The response: a `Pipeline`, `Job`, `Schedule` or `Project`."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """Nothing was sent yet; closing the iterator now sends nothing."""

    until: float
    """Monotonic second of the next attempt."""
    reason: str
    """One sentence: the quota is spent, or the platform asked to wait."""


@dataclass(frozen=True, slots=True)
class Sent:
    """It is being sent. Canceling from here on may leave its outcome unknown."""


@dataclass(frozen=True, slots=True)
class Done:
    """The platform has done it."""

    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Refused:
    """Nothing was changed: refused by the guard or the platform, not sent, or nothing to do."""

    error: PlatuiError


@dataclass(frozen=True, slots=True)
class Unknown:
    """It was sent, and no response says whether the platform processed it."""

    error: PlatuiError


@dataclass(frozen=True, slots=True)
class Probing:
    """The outcome probe runs. Closing the iterator ends it."""

    until: float  # Monotonic second at which the probe ends


@dataclass(frozen=True, slots=True)
class Found:
    """The probe found what it probably created; others may have created the same."""

    candidates: tuple[Outcome, ...]  # Newest first; at least one
    sentence: str  # `Found #4711, probably yours.`


@dataclass(frozen=True, slots=True)
class NotFound:
    """The probe found nothing; the result may still appear."""

    sentence: str
    """`Nothing was found within 30 s.`, or why the probe was not possible."""


WriteState = Waiting | Sent | Done | Refused | Unknown | Probing | Found | NotFound

LAST_STATES = (Done, Refused, Found, NotFound)
"""The final states."""


@dataclass(frozen=True, slots=True)
class WriteProgress:
    """The progress of several writes in order."""

    states: tuple[WriteState | None, ...]
    """One for each intent, in their order; None: not started."""
    stopped: PlatuiError | None = None
    """Why the rest is not started: a 401, 403 or 429, no connection, or an unknown outcome."""

    @property
    def is_over(self) -> bool:
        ended = all(isinstance(state, LAST_STATES) for state in self.states)
        return ended or self.stopped is not None


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """The start or the end of one write."""

    at: datetime
    profile: str
    operation: str  # What was done, in words: `start pipeline`
    target: str  # Path below the API's base, without query or body
    result: str
    """`sent`, then `done: #4711`, `refused: …` or `unknown: …`; and for an unknown one, after
    the probe, `found: …` or `not found: …`."""
    mark: str = ""  # The same in all entries of one write

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
    """Keeps audit entries."""

    def append(self, entry: AuditEntry) -> None:
        """Keep the entry.

        Raises OSError: it cannot be written; a write that was not yet sent is then not sent.
        """
