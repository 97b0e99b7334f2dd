"""Find and rank known objects by parts of their names, paths and numbers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import islice
from typing import Final

from platui.core.named_tuple import NamedTuple
from platui.models.values.known import PLACES, Kind, Known

MOST: Final = 8  # Hits that are listed
_FUZZY: Final = 3  # Least letters of words whose letters may be apart
NEAR: Final = 10_000  # Objects among which such words are searched
_RANKED: Final = 1_000  # Matches that are ranked: more match only one or two letters
_TIERS: Final = 8
_ORDER: Final = {kind: at for at, kind in enumerate(Kind)}


class Index(NamedTuple):
    """Known objects in the order of equal matches: used, watched, then by kind and name."""

    entries: Sequence[Known] = ()
    preferred: int = 0  # Number of used and watched ones, which come first


def indexed(
    found: Iterable[Known],
    uses: Mapping[object, int],
    is_watched: Callable[[Known], bool],
) -> Index:
    """Return the index; `uses` has the rank of used objects, by key, the last used lowest."""
    never = max(uses.values(), default=0) + 1
    preferred, others = [], []
    for one in found:
        use = min(uses.get(one.key, never), uses.get((one.kind, one.path), never))
        if use < never or is_watched(one):
            preferred.append((use, *_order(one), one))
        else:
            others.append((*_order(one), one))
    preferred.sort(key=lambda each: each[:-1])
    others.sort(key=lambda each: each[:-1])
    entries = (*(each[-1] for each in preferred), *(each[-1] for each in others))
    return Index(entries, len(preferred))


def _order(one: Known) -> tuple[int, int, str]:
    """Return the sort key of equal matches: kind, the newest runs, short paths."""
    is_run = one.kind in {Kind.PIPELINE, Kind.JOB} and isinstance(one.id, int)
    return _ORDER[one.kind], -int(one.id) if is_run else len(one.text), one.text


def matching(
    index: Index, typed: str, kinds: Collection[Kind] = tuple(Kind), most: int = MOST
) -> list[Known]:
    """Return the best matches of all words, those whose letters are apart last."""
    words = typed.lower().split()
    if not words:
        return [one for one in index.entries[: index.preferred] if one.kind in kinds][:most]
    tiers: list[list[Known]] = [[] for _ in range(_TIERS)]
    first, others = words[0], words[1:]
    every = ((at, one) for at, one in enumerate(index.entries) if first in one.text)
    listed = (
        (at, one)
        for at, one in every
        if one.kind in kinds and all(word in one.text for word in others)
    )
    # A letter or two match most objects, and none exactly.
    found = list(islice(listed, _RANKED if len(first) < _FUZZY else NEAR))
    for at, one in found[:_RANKED]:
        tier = tiers[_tier(one, words, preferred=at < index.preferred)]
        if len(tier) < most and (tier is tiers[0] or not _repeats(one, tier)):
            tier.append(one)
    tiers[0] += [one for _, one in found[_RANKED:] if first in {one.label, str(one.id)}][:most]
    if first.lstrip("#").isdecimal():
        tiers[0].sort(key=lambda one: (one.kind in PLACES, _ORDER[one.kind]))
    best = [one for tier in tiers for one in tier][:most]
    if len(best) < most and min(map(len, words)) >= _FUZZY:
        among = (one for one in index.entries[:NEAR] if one.kind in kinds)
        near = (one for one in among if _is_near(one.label, words) and not _repeats(one, best))
        best += islice(near, most - len(best))
    return best


def _repeats(one: Known, found: Iterable[Known]) -> bool:
    """Return whether an object, or a newer job of the same name and project, is listed."""
    if one.kind is not Kind.JOB:
        return any(each.key == one.key for each in found)
    same = (one.kind, one.name, one.path)
    return any((each.kind, each.name, each.path) == same for each in found)


def _tier(one: Known, words: Sequence[str], *, preferred: bool) -> int:
    """Return the quality of a match, best first: exact, in the name, elsewhere."""
    label, first = one.label, words[0]
    if len(words) == 1 and _is_exact(one, first):
        return 0
    if not all(word in label for word in words):
        return 6 if preferred else 7
    if preferred:
        return 1
    if one.kind not in PLACES:
        return 5
    at = label.find(first)
    if at == 0:
        return 2
    return 4 if label[at - 1].isalnum() else 3


def _is_exact(one: Known, word: str) -> bool:
    """Return whether a word is the name, the number, or the path or its end."""
    if word in {one.label, str(one.id), f"#{one.id}"}:
        return True
    return one.kind in PLACES and "/" in word and f"/{one.path.lower()}".endswith(f"/{word}")


def _is_near(label: str, words: Iterable[str]) -> bool:
    """Return whether the letters of each word occur in order."""
    for word in words:
        at = 0
        for letter in word:
            at = label.find(letter, at) + 1
            if not at:
                return False
    return True
