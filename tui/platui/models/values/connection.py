"""Connection state, request quota, and the results of sign-in and connection check."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from platui.core.dataclass import dataclass
from platui.core.named_tuple import NamedTuple

if TYPE_CHECKING:
    from platui.core.errors import PlatuiError
    from platui.models.wire import Project
    from platui.models.wire.jobs import Job


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

    def count(self, since: float, now: float) -> int:
        """Return the requests of all processes after `since` (Unix seconds)."""


@dataclass(frozen=True, slots=True)
class TokenInfo:
    """Properties of a token; not every platform provides them."""

    name: str = ""  # Given by its owner
    scopes: tuple[str, ...] = ()  # Empty: unknown
    expires_on: date | None = None  # Invalid from midnight UTC of this day

    @property
    def may_write(self) -> bool | None:
        """Return whether its scopes allow starting pipelines; None: unknown."""
        return "api" in self.scopes if self.scopes else None


@dataclass(frozen=True, slots=True)
class SignInInfo:
    """The platform's response to an accepted token."""

    name: str = ""  # Of the token's user; empty: unknown
    username: str = ""
    token: TokenInfo | None = None  # None: unknown
    version: str = ""  # Of the platform; empty: unknown
    projects: tuple[Project, ...] = ()  # The loaded projects of the user
    has_all_projects: bool = True


@dataclass(frozen=True, slots=True)
class ConnectionCheck:
    """The result of connecting to the platform."""

    milliseconds: tuple[int, ...]  # Of each round trip; the first includes connecting
    ahead: float | None  # Seconds by which the platform's clock is ahead; None: unknown
    host: str = ""  # First name of the certificate; empty over plain http
    issuer: str = ""
    ends_at: datetime | None = None  # Expiry of the certificate
    is_encrypted: bool = True
    wrong: PlatuiError | None = None
    """Why the server is not a working platform; None: it responds as specified."""


@dataclass(frozen=True, slots=True)
class PlatformFacts:
    """Properties of the platform and the credential."""

    info: SignInInfo
    budget: BudgetState
    others: int  # Requests of other processes on this machine in the last minute
    optional_endpoints: Mapping[str, bool | None]
    """Optional operations and whether the platform supports them; None: unknown."""
    requests: int  # Requests used by the check
    job: Job | None = None  # The running job of a job token, which gives access to little else
