"""What becomes of a write, as it happens: the states of a write task.

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
    """A pipeline, job, schedule or project that a write made or changed."""

    kind: str  # `pipeline`, `job`, `schedule` or `project`
    project: ProjectRef | None = None  # None for a project
    id: int | None = None  # None where the platform's answer does not say
    status: str = ""
    web_url: str = ""
    created_at: datetime | None = None
    record: Record | None = None
    """The platform's answer: a `Pipeline`, `Job`, `Schedule` or `Project`."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """Nothing was sent yet; closing the iterator now sends nothing."""

    until: float
    """Monotonic second at which it is sent, or looked at again."""
    reason: str
    """One sentence: the quota is spent, or the platform asked to wait."""


@dataclass(frozen=True, slots=True)
class Sent:
    """It goes out now. Who stops waiting from here on may leave its outcome unknown."""


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
    """It was sent, and no answer of the platform's tells whether it happened."""

    error: PlatuiError


@dataclass(frozen=True, slots=True)
class Looking:
    """What it may have made is looked for. Closing the iterator ends that."""

    until: float  # Monotonic second at which looking ends


@dataclass(frozen=True, slots=True)
class Found:
    """There is what it may have made. Probably, never surely: others write here, too."""

    candidates: tuple[Outcome, ...]  # Newest first; at least one
    sentence: str  # `Found #4711, probably yours.`


@dataclass(frozen=True, slots=True)
class NotFound:
    """Nothing was found that it made; it may still come."""

    sentence: str
    """`Nothing was found within 30 s.`, or why nobody could look."""


WriteState = Waiting | Sent | Done | Refused | Unknown | Looking | Found | NotFound

LAST_STATES = (Done, Refused, Found, NotFound)
"""The kinds of states after which there is none."""


@dataclass(frozen=True, slots=True)
class WriteProgress:
    """Several writes, one after the other."""

    states: tuple[WriteState | None, ...]
    """One for each intent, in their order; None: not begun."""
    stopped: PlatuiError | None = None
    """Why the rest is not begun: a 401, 403 or 429, no connection, or an unknown outcome."""

    @property
    def is_over(self) -> bool:
        ended = all(isinstance(state, LAST_STATES) for state in self.states)
        return ended or self.stopped is not None


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One write, as it was sent or as it ended."""

    at: datetime
    profile: str
    operation: str  # What was done, in words: `start pipeline`
    target: str  # Path below the API's base, without query or body
    result: str
    """`sent`, then `done: #4711`, `refused: …` or `unknown: …`; and of an unknown one, after it
    was looked for, `found: …` or `not found: …`."""
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
    """Where entries go."""

    def append(self, entry: AuditEntry) -> None:
        """Keep the entry.

        Raises OSError: it cannot be written; a write that was not yet sent is then not sent.
        """
