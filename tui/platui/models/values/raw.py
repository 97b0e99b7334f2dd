"""A record as bytes: which one, and what the platform said of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from platui.models.values.queries import ProjectRef


class RecordKind(StrEnum):
    """What can be asked for by its id."""

    PROJECT = "project"
    NAMESPACE = "namespace"
    PIPELINE = "pipeline"
    JOB = "job"
    SCHEDULE = "schedule"
    BRIDGE = "bridge"
    """A job that starts a child pipeline; only lists have it."""


@dataclass(frozen=True, slots=True)
class RecordRef:
    """One record, and the list in which it was seen."""

    kind: RecordKind
    id: int
    project: ProjectRef | None = None
    """Of a pipeline, a job, a bridge or a schedule."""
    pipeline: int | None = None
    """Of a job or a bridge that was listed with its pipeline."""
    search: str = ""
    """The words with which the list of projects was asked for."""


@dataclass(frozen=True, slots=True)
class RawRecord:
    """What was said of a record."""

    body: bytes
    """The answer, or the record's own part of a list's answer; not changed, not decoded."""
    target: str
    """What was asked: path and query below the API's base."""
    fetched_at: datetime
    """When the platform said so, or last said that it still holds (UTC)."""
    kept: bool = False
    """Whether it was not asked for now."""
    listed: bool = False
    """Whether it is what a list says: often less than the record itself."""
    settled: bool = False
    """Whether it cannot have changed since."""
