"""How long something usually takes, and what is behind its time."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime


@dataclass(frozen=True, slots=True)
class Usual:
    """How long something usually takes, in seconds."""

    median: float
    p95: float
    samples: int


class LateKind(StrEnum):
    """How something is behind its time."""

    SLOW = "slow"
    """It runs longer than it usually does."""
    WAITING = "waiting"
    """It waits for a runner longer than it usually does."""
    SILENT = "silent"
    """It runs, and its log has not grown for long."""
    MISSED = "missed"
    """A schedule was due, and nothing ran."""


@dataclass(frozen=True, slots=True)
class Late:
    """Something that is behind its time."""

    kind: LateKind
    seconds: float
    """For how long it runs, waits, is silent or is missing."""
    usual: Usual | None = None
    what: str = ""
    """The job's name, or the schedule's description; empty where it is the pipeline."""
    job: int | None = None
    due_at: datetime | None = None
    """Of a schedule: when it should have run."""
    schedule: int | None = None
    tags: tuple[str, ...] = ()
    """Of a job that waits: what it asks of a runner."""
