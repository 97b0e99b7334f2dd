"""The repositories of a company's projects as callers read them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from platui_emulator.world.commit_changes import commits_between
from platui_emulator.world.files import Files

if TYPE_CHECKING:
    from platui_emulator.records import (
        Branch,
        Commit,
        File,
        FileChange,
        MergeRequest,
        Tag,
        TreeEntry,
    )
    from platui_emulator.world.project_pool import ProjectPool


class Repositories:
    """Branches, tags, commits and files; an added project has none of them."""

    def __init__(self, sites: ProjectPool) -> None:
        self._sites = sites
        self._files = Files()

    def branches(self, project_id: int, now: datetime) -> Sequence[Branch]:
        site = self._sites.get(project_id)
        return site.history.branches(now.timestamp()) if site else ()

    def tags(self, project_id: int, now: datetime) -> Sequence[Tag]:
        """Return the newest tags, the newest first."""
        site = self._sites.get(project_id)
        return site.history.tags(now.timestamp()) if site else ()

    def commit(self, project_id: int, ref: str, now: datetime) -> Commit | None:
        """Return the commit a branch, tag, sha or `HEAD` names."""
        site = self._sites.get(project_id)
        return site.history.find(ref, now.timestamp()) if site else None

    def tree(self, project_id: int, ref: str, path: str, now: datetime) -> Sequence[TreeEntry]:
        """Return a folder of the repository; empty when there is none."""
        site = self._sites.get(project_id)
        return self._files.tree(site, ref, path, now.timestamp()) if site else ()

    def file(self, project_id: int, ref: str, path: str, now: datetime) -> File | None:
        site = self._sites.get(project_id)
        return self._files.file(site, ref, path, now.timestamp()) if site else None

    def commits_between(self, project_id: int, before: Commit, after: Commit) -> Sequence[Commit]:
        """Return the commits that `after` contains and `before` does not, the oldest first."""
        site = self._sites.get(project_id)
        return commits_between(site.history, before, after) if site else ()

    def changes(self, project_id: int, before: Commit, after: Commit) -> Sequence[FileChange]:
        """Return the files that differ between two commits."""
        site = self._sites.get(project_id)
        return self._files.changes(site, before, after) if site else ()

    def merge_request(self, project_id: int, commit: Commit, now: datetime) -> MergeRequest | None:
        """Return the request that brought a commit to the default branch, or is to bring it."""
        site = self._sites.get(project_id)
        number = site.history.number(commit.sha) if site else 0
        return site.history.merge_request(number, now.timestamp()) if site else None
