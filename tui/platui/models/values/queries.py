"""Queries of screens: frozen and hashable, used as cache keys."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from platui.core.dataclass import dataclass

ProjectRef = int | str  # A project's id or full path (not encoded)


class ProjectScope(StrEnum):
    OWNED = "owned"
    MEMBER = "member"
    VISIBLE = "visible"


@dataclass(frozen=True, slots=True)
class ProjectsQuery:
    """Projects of a scope; the platform applies `search`."""

    search: str = ""
    scope: ProjectScope = ProjectScope.MEMBER


@dataclass(frozen=True, slots=True)
class PipelinesQuery:
    """Pipelines of a project, newest first."""

    project: ProjectRef
    status: str = ""
    ref: str = ""
    source: str = ""  # `push`, `schedule`, `api`…
    sha: str = ""  # Full or abbreviated


@dataclass(frozen=True, slots=True)
class JobsQuery:
    """All jobs of one pipeline, or the jobs of a project, newest first."""

    project: ProjectRef
    pipeline: int | None = None
    with_retried: bool = False
    scope: tuple[str, ...] = ()  # Statuses, for the jobs of a project only; empty: all


class RecordKind(StrEnum):
    PROJECT = "project"
    NAMESPACE = "namespace"
    PIPELINE = "pipeline"
    JOB = "job"
    SCHEDULE = "schedule"
    BRIDGE = "bridge"  # A job that starts a child pipeline; only available in lists


@dataclass(frozen=True, slots=True)
class RecordRef:
    """One record, and the list that contained it."""

    kind: RecordKind
    id: int
    project: ProjectRef | None = None
    pipeline: int | None = None  # Of a job or bridge listed with its pipeline
    search: str = ""  # The search of the projects list


@dataclass(frozen=True, slots=True)
class RawRecord:
    """The raw response for a record."""

    body: bytes  # The response, or the record's part of a list; not decoded
    target: str  # Path and query below the API's base
    fetched_at: datetime  # Fetched or last confirmed (UTC)
    is_cached: bool = False  # Whether it comes from the cache
    is_from_list: bool = False  # Whether it comes from a list, often with fewer fields
    is_final: bool = False  # Whether it cannot change any more
