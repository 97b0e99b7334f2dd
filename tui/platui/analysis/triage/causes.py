"""Keys of causes, and the commit that may have caused them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from hashlib import blake2s
from itertools import pairwise
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from platui.models.values.triage import Incident
    from platui.models.values.triage_board import BoardItem, CauseGroup


SHORTEST: Final = 4  # Shortest abbreviation of a key
_SHOWN: Final = 5  # Letters shown, or more if keys begin alike
_KEY_BYTES: Final = 6
_LETTERS: Final = str.maketrans("0123456789abcdef", "zyxwvutsrqponmlk")


def key_of(group: CauseGroup) -> str:
    return _key(group.first)


def keys_of(group: CauseGroup) -> frozenset[str]:
    """Return all keys of a cause: a symptom has one per incident."""
    return frozenset(map(_key, group.items))


def abbreviated_keys(groups: Sequence[CauseGroup]) -> list[str]:
    """Return the keys of causes, abbreviated so that they stay unique."""
    keys = [key_of(group) for group in groups]
    every = sorted(frozenset[str]().union(*map(keys_of, groups)))
    alike: dict[str, int] = dict.fromkeys(every, 0)
    for one, two in pairwise(every):
        same = next(at for at, (a, b) in enumerate(zip(one, two, strict=True)) if a != b)
        alike[one], alike[two] = max(alike[one], same), same
    return [key[: max(_SHOWN, alike[key] + 1)] for key in keys]


def _key(item: BoardItem) -> str:
    signature, incident = item.signature, item.incident
    parts = [signature.key if signature is not None else ""]
    if signature is not None and signature.is_local:
        parts.append(f"project {item.lane.project}")
    if incident is not None and (signature is None or signature.is_symptom):
        parts.append("incident {} {}".format(*incident.key))
    digest = blake2s("\n".join(parts).encode("utf-8", "replace"), digest_size=_KEY_BYTES)
    return digest.hexdigest().translate(_LETTERS)


# External causes, which no commit of the projects explains. Not defined with the kinds, whose
# patterns are loaded later than the first frame.
EXTERNAL_KINDS: Final = frozenset({
    "no runner for", "no pod was started", "disk is full", "password has expired",
    "token has expired", "authentication failed", "quota exceeded", "no connections left",
    "state is locked", "certificate has expired", "certificate is not trusted",
    "host name not found", "connection was lost", "connection is refused", "read timed out",
    "host unreachable", "rate limit exceeded", "image pull limit exceeded", "401 unauthorized",
    "server error",
})  # fmt: skip
SOON: Final = timedelta(minutes=30)  # After the first incident; later ones are not its cause


def suspect_incident(group: CauseGroup) -> BoardItem | None:
    """Return the incident whose commit may have caused a group, if exactly one can have."""
    if (
        group.signature is not None
        and group.signature.kind in EXTERNAL_KINDS
        and len(group.items) > 1
    ):
        return None
    items = [item for item in group.items if item.is_main] or list(group.items)
    until = min(map(_since, items)) + SOON.total_seconds()
    changed = [item for item in items if _since(item) <= until and _is_changed(item.incident)]
    suspects = {(one.lane.project, one.incident.first_red.sha) for one in changed if one.incident}
    return min(changed, key=_since) if len(suspects) == 1 else None


def count_same_commit(group: CauseGroup) -> int:
    """Return how many incidents began at a commit that had succeeded before."""
    found = (item.incident.commits for item in group.items if item.incident is not None)
    return sum(commits is not None and commits.is_empty for commits in found)


def _is_changed(incident: Incident | None) -> bool:
    commits = incident.commits if incident is not None else None
    return commits is not None and not commits.is_empty


def _since(item: BoardItem) -> float:
    at = item.incident.since if item.incident is not None else None
    return at.timestamp() if at is not None else float("inf")
