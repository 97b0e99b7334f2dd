"""The line to the platform: whether it answers, and what of the quota is spent."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from datetime import datetime


class Urgency(StrEnum):
    """Who waits for a request. Lower classes give way, and stop at a reserve."""

    USER = "user"
    VISIBLE = "visible"
    BACKGROUND = "background"


class ConnectionState(StrEnum):
    """Whether the platform answers."""

    UNKNOWN = "unknown"
    ONLINE = "online"
    OFFLINE = "offline"
    UNAUTHORIZED = "unauthorized"


@dataclass(frozen=True, slots=True)
class Connection:
    """The connection as the header shows it."""

    state: ConnectionState
    since: datetime | None = None  # When this state began (UTC)
    reason: str = ""  # One sentence, where the state is not ONLINE
    is_known: bool = True  # Whether the platform has answered at all since this began


@dataclass(frozen=True, slots=True)
class BudgetState:
    """Requests of the last 60 s against the quota (spec §8)."""

    used: int
    limit: int
    from_server: bool = False
    """Whether the platform's own headers corrected the count."""
    paused_until: float | None = None
    """Monotonic second at which requests go on: after a 429, or with the quota spent by count."""


@dataclass(frozen=True, slots=True)
class RequestRecord:
    """One line of the Requests screen. Holds no secret: the query only, no header, no body."""

    number: int
    at: datetime
    method: str
    path: str  # Path and query below the API's base, as sent
    status: int | None  # None when no answer came
    milliseconds: int
    source: str  # `live`, `304`, `cache`, or the short reason why no answer came
    received: int  # Bytes of the body
    urgency: Urgency


class RequestCounter(Protocol):
    """Where each process notes its requests, one line to the platform and one credential."""

    def add(self, at: float) -> None:
        """Note a request sent at `at` (Unix seconds)."""

    def count(self, since: float) -> int:
        """Return how many requests all processes sent after `since` (Unix seconds)."""
