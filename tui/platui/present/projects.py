"""Names, summary and namespaces of projects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from platui.core.text import clean
from platui.present.counts import plural

if TYPE_CHECKING:
    from platui.models.wire import Pipeline, Project
    from platui.present.chrome import Piece

STAR: Final = "★"

ALL_NAMESPACES = ""


def namespace_of(project: Project) -> str:
    if project.namespace is not None and project.namespace.full_path:
        return project.namespace.full_path
    return project.path_with_namespace.rpartition("/")[0]


def project_label(project: Project) -> str:
    """Return a project's path segment, else its name, else its id."""
    return clean(project.path or project.name or f"project {project.id}")


def projects_summary(
    count: int,
    total: int | None,
    latest: Mapping[int, Pipeline | None],
    *,
    by_status: bool = False,
) -> tuple[Piece, ...]:
    """Return the counts; under a filter by status, how many statuses are loaded comes first."""
    statuses = [pipeline.status for pipeline in latest.values() if pipeline is not None]
    total = max(count, total or 0)
    loaded = f"{count:,}" if total == count else f"{count:,} of {total:,}"
    counts = ((statuses.count(status), status) for status in ("failed", "running"))
    pieces = [(f"{loaded} {plural(count, 'project')}", "text")]
    pieces += [(f"{number} {status}", status) for number, status in counts if number]
    if 0 < len(latest) < total:
        known = (f"status loaded for {len(latest):,} of {total:,}", "muted")
        pieces.insert(0 if by_status else len(pieces), known)
    return tuple(pieces)


def are_flat(projects: Sequence[Project]) -> bool:
    """Return whether no project has a namespace; the spec promises only name and id (§2.7)."""
    return bool(projects) and not any(map(namespace_of, projects))


def in_namespace(project: Project, path: str) -> bool:
    where = namespace_of(project)
    return path in {ALL_NAMESPACES, where} or where.startswith(path + "/")
