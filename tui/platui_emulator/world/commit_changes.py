"""What changed between two commits of a project: the commits between them, and their files."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping
from difflib import unified_diff
from typing import TYPE_CHECKING, Final

from platui_emulator.records import Commit, FileChange

if TYPE_CHECKING:
    from platui_emulator.world.history import History

_BINARY: Final = "Binary files a/{old} and b/{new} differ\n"
_LARGEST: Final = 100_000
"""Characters of a diff; a longer one is left out."""


def commits_between(history: History, before: Commit, after: Commit) -> list[Commit]:
    """Return the commits that `after` contains and `before` does not, the oldest first."""
    waiting = [(-one.authored_at.timestamp(), one.sha, one) for one in (before, after)]
    heapq.heapify(waiting)
    seen, known = {before.sha, after.sha}, {before.sha}
    found = []
    while any(sha not in known for _, sha, _ in waiting):
        commit = heapq.heappop(waiting)[2]
        found.append(commit)
        for sha in commit.parents:
            if commit.sha in known:
                known.add(sha)
            if sha not in seen:
                seen.add(sha)
                parent = history.commit(history.number(sha))
                heapq.heappush(waiting, (-parent.authored_at.timestamp(), sha, parent))
    return [one for one in reversed(found) if one.sha not in known]


def of_this_month(history: History, commit: Commit) -> Iterator[Commit]:
    """Yield a commit and its first parents back to the begin of its month, the newest first."""
    month = commit.authored_at.month
    while commit.parents and commit.authored_at.month == month:
        yield commit
        commit = history.commit(history.number(commit.parents[0]))


def changes(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> Iterator[FileChange]:
    """Yield the files that differ, by path; a file that moved is renamed."""
    gone = {content: path for path, content in before.items() if path not in after}
    origins = {
        path: gone[content]
        for path, content in after.items()
        if path not in before and content and content in gone
    }
    for path in sorted({*before, *after} - set(origins.values())):
        old_path = origins.get(path, path)
        old, new = before.get(old_path), after.get(path)
        if old == new and old_path == path:
            continue
        diff = _diff(old or b"", new or b"", old_path, path)
        yield FileChange(
            old_path=old_path,
            new_path=path,
            diff=diff if len(diff) <= _LARGEST else "",
            new=old is None,
            renamed=old_path != path,
            deleted=new is None,
            too_large=len(diff) > _LARGEST,
        )


def _diff(old: bytes, new: bytes, old_path: str, new_path: str) -> str:
    if old == new:
        return ""
    if b"\0" in old or b"\0" in new:
        return _BINARY.format(old=old_path, new=new_path)
    before, after = (content.decode().splitlines(keepends=True) for content in (old, new))
    # Without the two lines that name the files.
    return "".join([*unified_diff(before, after)][2:])
