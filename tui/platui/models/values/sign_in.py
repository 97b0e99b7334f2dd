"""Sign-in and connection check results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date, datetime

    from platui.core.errors import PlatuiError
    from platui.models.values.connection import BudgetState
    from platui.models.wire import Project
    from platui.models.wire.jobs import Job


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
