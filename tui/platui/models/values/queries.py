"""What a screen asks for: frozen, hashable, and the key of the cache."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime


ProjectRef = int | str
"""A project's id, or its full path (not encoded)."""


class ProjectScope(StrEnum):
    """Which projects: one's own, those one is a member of, or all that one may see."""

    OWNED = "owned"
    MEMBER = "member"
    VISIBLE = "visible"


@dataclass(frozen=True, slots=True)
class ProjectsQuery:
    """Projects one is a member of, or others; `search` is answered by the platform."""

    search: str = ""
    scope: ProjectScope = ProjectScope.MEMBER


@dataclass(frozen=True, slots=True)
class PipelinesQuery:
    """Pipelines of a project, newest first."""

    project: ProjectRef
    status: str = ""
    ref: str = ""
    source: str = ""  # What started it: `push`, `schedule`, `api`…
    sha: str = ""  # Of the commit, in full or its beginning


@dataclass(frozen=True, slots=True)
class JobsQuery:
    """Jobs of one pipeline (all of them), or of a project (newest first)."""

    project: ProjectRef
    pipeline: int | None = None
    with_retried: bool = False
    scope: tuple[str, ...] = ()
    """Statuses, of the jobs of a project only; empty: whatever they have."""


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

    body: bytes  # The answer, or the record's own part of a list's answer; not changed, not decoded
    target: str  # What was asked: path and query below the API's base
    fetched_at: datetime  # When the platform said so, or last said that it still holds (UTC)
    is_cached: bool = False  # Whether it was not asked for now
    is_from_list: bool = False  # Whether it is what a list says: often less than the record itself
    is_final: bool = False  # Whether it cannot have changed since
