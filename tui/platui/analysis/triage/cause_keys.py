"""What a cause of the board is called: the same in every listing, whatever else is in it.

A key is made of the cause alone, never of its place. It has letters from k to z only, so that it
is neither a number nor the key of a signature, which has digits and letters to f.
"""

from __future__ import annotations

from hashlib import blake2s
from itertools import pairwise
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.models.values.triage_items import BoardItem, CauseGroup

SHORTEST: Final = 4
"""Letters by which a cause may be named."""
_SHOWN: Final = 5
"""Letters that are shown, or more where two causes begin alike."""
_KEY_BYTES: Final = 6
_LETTERS: Final = str.maketrans("0123456789abcdef", "zyxwvutsrqponmlk")


def key_of(group: CauseGroup) -> str:
    """Return the whole key of a cause: 12 letters."""
    return _key(group.first)


def keys_of(group: CauseGroup) -> frozenset[str]:
    """Return every key that means a cause.

    Where what became of a job is all that is known, its incidents are one cause by their times.
    Such a cause is called by the first of them, and which that is depends on what is looked at:
    the key of any of them means it.
    """
    return frozenset(map(_key, group.items))


def shown_keys(groups: Sequence[CauseGroup]) -> list[str]:
    """Return the keys of causes as short as they are shown, each of them of one cause only."""
    keys = [key_of(group) for group in groups]
    every = sorted(frozenset[str]().union(*map(keys_of, groups)))
    alike: dict[str, int] = dict.fromkeys(every, 0)
    for one, two in pairwise(every):
        same = next(at for at, (a, b) in enumerate(zip(one, two, strict=True)) if a != b)
        alike[one], alike[two] = max(alike[one], same), same
    return [key[: max(_SHOWN, alike[key] + 1)] for key in keys]


def _key(item: BoardItem) -> str:
    signature, incident = item.signature, item.incident
    said = [signature.key if signature is not None else ""]
    if signature is not None and signature.is_local:
        said.append(f"project {item.lane.project}")
    if incident is not None and (signature is None or signature.is_symptom):
        said.append("incident {} {}".format(*incident.key))
    digest = blake2s("\n".join(said).encode("utf-8", "replace"), digest_size=_KEY_BYTES)
    return digest.hexdigest().translate(_LETTERS)
