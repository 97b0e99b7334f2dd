"""With which commit a cause came that several incidents have, where one of them tells it."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from platui.models.values.triage import Incident
    from platui.models.values.triage_items import BoardItem, CauseGroup

OUTSIDE: Final = frozenset({
    "no runner for", "no pod was started", "disk is full", "password has expired",
    "token has expired", "login is refused", "quota is used up", "no connections left",
    "state is locked", "certificate has expired", "certificate is not trusted", "name is unknown",
    "connection was lost", "connection is refused", "no answer", "out of reach",
    "requests are rationed", "pulls of images are rationed", "401 unauthorized", "server error",
})  # fmt: skip
"""What several projects have at once because of something that none of their commits holds."""
# Not beside the kinds themselves: their patterns are not there in a first frame.

SOON: Final = timedelta(minutes=30)
"""After the first of a cause; what broke later than that did not bring it."""


def began_with(group: CauseGroup) -> BoardItem | None:
    """Return the incident of a cause whose commit may have brought it; None where none does.

    A password that has expired breaks projects of which some have a new commit and some have not,
    and none of the new ones is to blame. A model that one commit renamed breaks those that build on
    it as well, at a commit that was green or, later, at any: then the only new commit with which
    it began is told. Branches of people count only where no default branch is broken.
    """
    if group.signature is not None and group.signature.kind in OUTSIDE and len(group.items) > 1:
        return None
    items = [item for item in group.items if item.is_main] or list(group.items)
    until = min(map(_since, items)) + SOON.total_seconds()
    changed = [item for item in items if _since(item) <= until and _is_changed(item.incident)]
    suspects = {(one.lane.project, one.incident.first_red.sha) for one in changed if one.incident}
    return min(changed, key=_since) if len(suspects) == 1 else None


def same_commit(group: CauseGroup) -> int:
    """Return how many incidents of a cause began at a commit that was green before."""
    found = (item.incident.commits for item in group.items if item.incident is not None)
    return sum(commits is not None and commits.is_empty for commits in found)


def _is_changed(incident: Incident | None) -> bool:
    commits = incident.commits if incident is not None else None
    return commits is not None and not commits.is_empty


def _since(item: BoardItem) -> float:
    """Return when an incident began, in seconds; infinite where that is not known."""
    at = item.incident.since if item.incident is not None else None
    return at.timestamp() if at is not None else float("inf")
