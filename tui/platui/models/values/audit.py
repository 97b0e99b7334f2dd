"""What is remembered of every write, in a local file; never a secret, never a value."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from datetime import datetime


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One write, as it was sent or as it ended."""

    at: datetime
    profile: str
    operation: str
    """What was done, in words: `start pipeline`."""
    target: str
    """Path below the API's base, without query or body."""
    result: str
    """`sent`, then `done: #4711`, `refused: …` or `unknown: …`; and of an unknown one, after it
    was looked for, `found: …` or `not found: …`."""
    mark: str = ""
    """The same in all entries of one write."""

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

        Raises:
            OSError: it cannot be written; a write that was not yet sent is then not sent.
        """
        ...
