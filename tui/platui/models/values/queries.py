"""What a screen asks for: frozen, hashable, and the key of the cache."""

from __future__ import annotations

from dataclasses import dataclass

ProjectRef = int | str
"""A project's id, or its full path (not encoded)."""


@dataclass(frozen=True, slots=True)
class ProjectsQuery:
    """Projects one is a member of; `search` is answered by the platform."""

    search: str = ""


@dataclass(frozen=True, slots=True)
class PipelinesQuery:
    """Pipelines of a project, newest first."""

    project: ProjectRef
    status: str = ""
    ref: str = ""


@dataclass(frozen=True, slots=True)
class JobsQuery:
    """Jobs of one pipeline (all of them), or of a project (newest first)."""

    project: ProjectRef
    pipeline: int | None = None
    with_retried: bool = False
