"""Read groups and projects depth-first, and write their arrays."""

from __future__ import annotations

from array import array
from collections import deque
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from platui.report.arrays import GROUP, PROJECT
from platui.report.reading.faults import NAMELESS_PLACES, REPEATED_PLACES, dotted, invalid_id
from platui.report.reading.texts import Texts, text_or_empty

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from msgspec import Raw

    from platui.report.reading.draft import Draft
    from platui.report.reading.faults import DataWarnings
    from platui.report.reading.schema import Group, Key, Project

_NOWHERE: Final = -1
_BATCH: Final = 4096


@dataclass
class Places:
    """All places by row; their memberships are read later."""

    ids: array[int] = field(default_factory=lambda: array("q"))
    kinds: bytearray = field(default_factory=bytearray)
    parents: array[int] = field(default_factory=lambda: array("i"))
    depths: array[int] = field(default_factory=lambda: array("H"))
    members: deque[Raw] = field(default_factory=deque)

    def path(self, row: int) -> list[str]:
        keys: list[str] = []
        while row != _NOWHERE:
            inner = "projects" if self.kinds[row] == PROJECT else "subgroups"
            keys += [str(self.ids[row]), inner]
            row = self.parents[row]
        return ["platform", "groups", *reversed(keys[:-1])]

    def ends(self) -> array[int]:
        """Return the row after the last descendant of each place."""
        ends = array("I", range(1, len(self.ids) + 1))
        for row in range(len(ends) - 1, -1, -1):
            parent = self.parents[row]
            if parent != _NOWHERE and ends[parent] < ends[row]:
                ends[parent] = ends[row]
        return ends


def write_places(groups: Mapping[Key, Group], draft: Draft, warnings: DataWarnings) -> Places:
    """Write all about places except memberships. Raises ReportError: a key is no id; OSError."""
    places = Places()
    with closing(Texts(draft, "place")) as texts:
        batch: list[Sequence[str]] = []
        for key, entry, kind, parent in _walk(groups, places):
            row = len(places.ids)
            number = whole_number(key)
            if number is None:
                inner = "projects" if kind == PROJECT else "subgroups"
                above = places.path(parent) if parent == _NOWHERE else [*places.path(parent), inner]
                raise invalid_id([*above, key])
            places.ids.append(number)
            places.kinds.append(kind)
            places.parents.append(parent)
            places.depths.append(0 if parent == _NOWHERE else places.depths[parent] + 1)
            places.members.append(entry.members)
            if entry.name is None or entry.path is None:
                warnings.add(NAMELESS_PLACES, dotted(places.path(row)))
            batch.append((text_or_empty(entry.name), text_or_empty(entry.path)))
            if len(batch) == _BATCH:
                texts.add(batch)
                batch.clear()
        texts.add(batch)
        texts.flush()
    _note_repeated(places, warnings)
    draft.put("place_id", places.ids)
    draft.put("place_kind", places.kinds)
    draft.put("place_parent", places.parents)
    draft.put("place_depth", places.depths)
    draft.put("place_end", places.ends())
    return places


def whole_number(key: str) -> int | None:
    """Return the id of a key; None: not an integer of 64 bits."""
    try:
        number = int(key)
    except ValueError:
        return None
    # `int` also accepts spaces, underscores, a plus, leading zeros and other digits.
    return number if str(number) == key and -(2**63) <= number < 2**63 else None


def _walk(
    groups: Mapping[Key, Group], places: Places
) -> Iterator[tuple[Key, Group | Project, int, int]]:
    """Yield key, entry, kind and parent row; the caller appends each place before the next."""
    waiting = [(key, group, _NOWHERE) for key, group in list(groups.items())[::-1]]
    while waiting:
        key, group, parent = waiting.pop()
        row = len(places.ids)
        yield key, group, GROUP, parent
        for inner, project in (group.projects or {}).items():
            yield inner, project, PROJECT, row
        below = list((group.subgroups or {}).items())
        waiting += [(inner, subgroup, row) for inner, subgroup in below[::-1]]


def _note_repeated(places: Places, warnings: DataWarnings) -> None:
    """Add a warning for ids in several groups; each place has its own row."""
    named = list(zip(places.kinds, places.ids, strict=True))
    if len(set(named)) == len(named):
        return
    met: set[tuple[int, int]] = set()
    for row, name in enumerate(named):
        if name in met:
            warnings.add(REPEATED_PLACES, dotted(places.path(row)))
        met.add(name)
