"""Connection state and request quota."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from datetime import datetime


class Urgency(StrEnum):
    """Priority of a request; lower classes yield and leave a reserve of the quota."""

    USER = "user"
    VISIBLE = "visible"
    BACKGROUND = "background"


class ConnectionState(StrEnum):
    UNKNOWN = "unknown"
    ONLINE = "online"
    OFFLINE = "offline"
    UNAUTHORIZED = "unauthorized"


class Connection(NamedTuple):
    state: ConnectionState
    since: datetime | None = None  # Start of this state (UTC)
    reason: str = ""  # One sentence unless ONLINE
    is_known: bool = True  # Whether the platform has responded since the start


@dataclass(frozen=True, slots=True)
class BudgetState:
    """Requests of the last 60 s against the quota (spec §8)."""

    used: int
    limit: int
    from_server: bool = False  # Whether the count comes from the platform's headers
    paused_until: float | None = None
    """Monotonic time at which requests resume after a 429 or a spent quota."""


@dataclass(frozen=True, slots=True)
class RequestRecord:
    """One row of the Requests screen, without secrets: no header, no body."""

    number: int
    at: datetime
    method: str
    path: str  # Path and query below the API's base, as sent
    status: int | None  # None without a response
    milliseconds: int
    source: str  # `live`, `304`, `cache`, or a short error
    received: int  # Bytes of the body
    urgency: Urgency


class RequestCounter(Protocol):
    """Counts requests of all processes to one platform with one credential."""

    def add(self, at: float) -> None:
        """Count a request sent at `at` (Unix seconds)."""

    def count(self, since: float) -> int:
        """Return the requests of all processes after `since` (Unix seconds)."""
