"""What a platform says to who signs in, and what a close look at it shows."""

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
    """What a platform says of a token; not every one tells."""

    name: str = ""  # As its owner called it
    scopes: tuple[str, ...] = ()  # Empty: not told
    expires_on: date | None = None  # The day on which, at midnight UTC, it is no longer good

    @property
    def may_write(self) -> bool | None:
        """Return whether it may start pipelines, as far as its scopes tell."""
        return "api" in self.scopes if self.scopes else None


@dataclass(frozen=True, slots=True)
class SignInInfo:
    """What a platform says to a token that it accepts."""

    name: str = ""  # Of the person or bot whose token it is; empty where the platform does not tell
    username: str = ""
    token: TokenInfo | None = None  # None: not told
    version: str = ""  # Of the platform; empty: not told
    projects: tuple[Project, ...] = ()
    """Those that one is a member of, as far as they were asked for."""
    has_all_projects: bool = True


@dataclass(frozen=True, slots=True)
class ConnectionCheck:
    """How the platform answers."""

    milliseconds: tuple[int, ...]  # Of each round trip, the first with all that it takes to connect
    ahead: float | None
    """Seconds by which the platform's clock is ahead of ours; None where it does not tell."""
    host: str = ""  # The first name of its certificate; empty over plain http
    issuer: str = ""
    ends_at: datetime | None = None  # When its certificate ends
    is_encrypted: bool = True
    wrong: PlatuiError | None = None
    """Why whoever answers is no platform, or not at work; None: it answers as the spec says."""


@dataclass(frozen=True, slots=True)
class PlatformFacts:
    """What it says of us and of itself."""

    info: SignInInfo
    budget: BudgetState
    others: int  # Requests that other processes of this machine sent in the last minute
    optional_endpoints: Mapping[str, bool | None]
    """Operations that the spec does not promise -> whether they are there; None: not known."""
    requests: int  # How many requests looking took
    job: Job | None = None  # The running job whose token this is: it opens that, and little besides
