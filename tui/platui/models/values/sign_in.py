"""What a platform says to who signs in: who they are, what the token is like, what it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date

    from platui.models import Project


@dataclass(frozen=True, slots=True)
class TokenFacts:
    """What a platform says of a token; not every one tells."""

    name: str = ""
    """As its owner called it."""
    scopes: tuple[str, ...] = ()
    """Empty: not told."""
    expires_on: date | None = None
    """The day on which, at midnight UTC, it is no longer good."""

    @property
    def may_write(self) -> bool | None:
        """Return whether it may start pipelines, as far as its scopes tell."""
        return "api" in self.scopes if self.scopes else None


@dataclass(frozen=True, slots=True)
class Introduction:
    """What a platform says to a token that it accepts."""

    name: str = ""
    """Of the person or bot whose token it is; empty where the platform does not tell."""
    username: str = ""
    token: TokenFacts | None = None
    """None: not told."""
    version: str = ""
    """Of the platform; empty: not told."""
    projects: tuple[Project, ...] = ()
    """Those that one is a member of, as far as they were asked for."""
    has_all_projects: bool = True
