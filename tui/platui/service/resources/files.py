"""Files of a repository."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from platui.service.resources.resource import Poll, Resource, endpoints

if TYPE_CHECKING:
    from platui.models.values.queries import ProjectRef
    from platui.models.wire import Comparison, RepositoryFile

# full commit hash: never a branch or tag name
_COMMIT: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


def file(project: ProjectRef, path: str, ref: str) -> Resource[RepositoryFile]:
    """Return a file at a branch, tag or commit; final at a commit."""
    return Resource(
        lambda: endpoints.files.file(project, path, ref),
        poll=Poll.SLOW,
        is_final=lambda _: _COMMIT.fullmatch(ref) is not None,
    )


def comparison(project: ProjectRef, before: str, after: str) -> Resource[Comparison]:
    """Return what changed between two commits, branches or tags; final between two commits."""
    return Resource(
        lambda: endpoints.files.compare(project, before, after),
        poll=Poll.SLOW,
        is_final=lambda _: all(_COMMIT.fullmatch(ref) for ref in (before, after)),
    )
