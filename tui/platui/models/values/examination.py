"""What a close look at a platform through one profile shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from platui.core.errors import PlatuiError
    from platui.models.values.connection import BudgetState
    from platui.models.values.sign_in import Introduction
    from platui.models.wire.jobs import Job


@dataclass(frozen=True, slots=True)
class Reached:
    """How the platform answers."""

    milliseconds: tuple[int, ...]
    """Of each round trip, the first with all that it takes to connect."""
    ahead: float | None
    """Seconds by which the platform's clock is ahead of ours; None where it does not tell."""
    host: str = ""
    """The first name of its certificate; empty over plain http."""
    issuer: str = ""
    ends_at: datetime | None = None
    """When its certificate ends."""
    is_encrypted: bool = True
    wrong: PlatuiError | None = None
    """Why whoever answers is no platform, or not at work; None: it answers as the spec says."""


@dataclass(frozen=True, slots=True)
class Examined:
    """What it says of us and of itself."""

    said: Introduction
    budget: BudgetState
    others: int
    """Requests that other processes of this machine sent in the last minute."""
    neighbours: Mapping[str, bool | None]
    """Operations that the spec does not promise -> whether they are there; None: not known."""
    requests: int
    """How many requests looking took."""
    job: Job | None = None
    """The running job whose token this is: it opens that, and little besides."""
