"""What a screen asks for: frozen, hashable, and the key of the cache."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

ProjectRef = int | str
"""A project's id, or its full path (not encoded)."""


class Belonging(StrEnum):
    """Which projects: one's own, those one is a member of, or all that one may see."""

    OWNED = "owned"
    MEMBER = "member"
    VISIBLE = "visible"


@dataclass(frozen=True, slots=True)
class ProjectsQuery:
    """Projects one is a member of, or others; `search` is answered by the platform."""

    search: str = ""
    belonging: Belonging = Belonging.MEMBER


@dataclass(frozen=True, slots=True)
class PipelinesQuery:
    """Pipelines of a project, newest first."""

    project: ProjectRef
    status: str = ""
    ref: str = ""
    source: str = ""
    """What started it: `push`, `schedule`, `api`…"""
    sha: str = ""
    """Of the commit, in full or its beginning."""


@dataclass(frozen=True, slots=True)
class JobsQuery:
    """Jobs of one pipeline (all of them), or of a project (newest first)."""

    project: ProjectRef
    pipeline: int | None = None
    with_retried: bool = False
    scope: tuple[str, ...] = ()
    """Statuses, of the jobs of a project only; empty: whatever they have."""
