"""Repository: files, folders, branches and tags."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.api.endpoint import Endpoint, ListEndpoint, record, segment
from platui.api.endpoints import paths
from platui.models.wire.files import (
    Branch,
    Comparison,
    MergeRequest,
    RepositoryFile,
    Tag,
    TreeEntry,
)

if TYPE_CHECKING:
    from platui.models.values.queries import ProjectRef


def _repository(ref: ProjectRef) -> str:
    return f"{paths.project(ref)}/repository"


def file(ref: ProjectRef, path: str, at: str) -> Endpoint[RepositoryFile]:
    """Get a file at a branch, tag or commit (spec §4.3)."""
    return record(f"{_repository(ref)}/files/{segment(path)}", RepositoryFile, (("ref", at),))


def compare(ref: ProjectRef, before: str, after: str) -> Endpoint[Comparison]:
    query = (("from", before), ("to", after))
    return record(f"{_repository(ref)}/compare", Comparison, query, optional=True)


def merge_requests(ref: ProjectRef, commit: str) -> ListEndpoint[MergeRequest]:
    """List the merge requests that brought a commit to its branch (optional)."""
    path = f"{_repository(ref)}/commits/{segment(commit)}/merge_requests"
    return ListEndpoint(path, MergeRequest, optional=True)


def tree(ref: ProjectRef, at: str, path: str = "") -> ListEndpoint[TreeEntry]:
    filters = (("path", path), ("ref", at))
    return ListEndpoint(f"{_repository(ref)}/tree", TreeEntry, filters, optional=True)


def branches(ref: ProjectRef, search: str = "") -> ListEndpoint[Branch]:
    filters = (("search", search),)
    return ListEndpoint(f"{_repository(ref)}/branches", Branch, filters, optional=True)


def tags(ref: ProjectRef, search: str = "") -> ListEndpoint[Tag]:
    return ListEndpoint(f"{_repository(ref)}/tags", Tag, (("search", search),), optional=True)
