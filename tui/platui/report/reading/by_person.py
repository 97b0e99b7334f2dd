"""Memberships by person, and how many of each level a person has."""

from __future__ import annotations

from array import array
from collections import deque
from itertools import accumulate, chain, islice, pairwise, repeat
from operator import call, mod
from typing import TYPE_CHECKING, Final

from platui.core.errors import ReportError
from platui.report.arrays import NO_LEVEL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from platui.report.reading.draft import Draft
    from platui.report.reading.memberships import Memberships

_SLICE: Final = 1 << 18
"""Memberships after which it is told how far the work is."""
_CODES: Final = 1 << 32
"""Pairs of a place and a level that `person_held` tells apart."""


def write_by_person(
    found: Memberships, people: int, draft: Draft, told: Callable[[float], None]
) -> None:
    """Write the arrays that are in the order of people.

    Args:
        found: all memberships.
        people: how many there are.
        draft: where to.
        told: is told the share done, now and then.

    Raises:
        ReportError: there are more places and levels than a number tells apart.
        OSError: something cannot be written.
    """
    kinds = len(found.levels)
    if (len(found.first) - 1) * kinds > _CODES:
        raise ReportError(f"It has more than {_CODES // kinds:,} groups and projects.")
    own = [array("I") for _ in range(people)]
    appenders = [one.append for one in own]
    total = len(found.person)
    held = _held(found)
    # No loop: of all ways without a package of its own this is the fastest for millions, a
    # fifth of a microsecond each, and it makes nothing that has to be sorted.
    for start in range(0, total, _SLICE):
        end = min(start + _SLICE, total)
        rows = memoryview(found.person)[start:end]
        deque(map(call, map(appenders.__getitem__, rows), islice(held, end - start)), maxlen=0)
        told(end / total / 2)
    del appenders
    first = array("Q", accumulate(map(len, own), initial=0))
    codes = array("I", b"".join(own))
    del own
    draft.put("person_first", first)
    draft.put("person_held", codes)
    told(0.6)
    levels = bytes(map(mod, codes, repeat(kinds)))
    told(0.8)
    _write_counts(levels, first, kinds, draft)


def _held(found: Memberships) -> Iterator[int]:
    """Yield the place and the level of each membership as one number (`person_held`)."""
    kinds, levels, edges = len(found.levels), memoryview(found.level), found.first
    return chain.from_iterable(
        map((place * kinds).__add__, levels[first:end])
        for place, (first, end) in enumerate(pairwise(edges))
    )


def _write_counts(levels: bytes, first: array[int], kinds: int, draft: Draft) -> None:
    """Write how often each person has each level, and the highest of them.

    Args:
        levels: of memberships in the order of people.
        first: where those of each person begin.
        kinds: how many levels there are.
        draft: where to.
    """
    counts = array("I")
    highest = bytearray()
    codes = range(kinds)
    for start, end in zip(first, memoryview(first)[1:], strict=False):
        held = levels[start:end]
        counts.extend(map(held.count, codes))
        highest.append(max(held, default=NO_LEVEL))
    draft.put("person_counts", counts)
    draft.put("person_highest", highest)
