"""Changes between two access reports, as rows."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from enum import Enum
from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple

from platui.models.values.access_changes import (
    KINDS_BY_IMPORTANCE,
    ChangeKind,
    ChangesOfPerson,
    changes_of,
)
from platui.models.values.table import BLANK, Cell, LazyRows, Row
from platui.present.counts import counted
from platui.present.tables.access import person_name, place_name
from platui.present.tables.access_changes import CHANGES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from platui.models.values.access_changes import AccessChanges, Change, ChangesInPlace
    from platui.models.values.table import Column
    from platui.present.chrome import Pieces


class ChangeGrouping(Enum):
    """How changes are grouped; the value is the label."""

    KIND = "by kind of change"
    PERSON = "by person"
    PLACE = "by group and project"


_LOOKS: Final = 256  # Changes between two checks for cancellation
_OPPOSITES: Final = {
    "memberships": (ChangeKind.ADDED, ChangeKind.DROPPED),
    "with a place": (ChangeKind.ADDED_WITH_PLACE, ChangeKind.DROPPED_WITH_PLACE),
    "with a person": (ChangeKind.ADDED_WITH_PERSON, ChangeKind.DROPPED_WITH_PERSON),
    "places": (ChangeKind.PLACE_ADDED, ChangeKind.PLACE_REMOVED),
}
_CAME_AND_WENT: Final = (
    ChangeKind.JOINED,
    ChangeKind.LEFT,
    ChangeKind.BLOCKED,
    ChangeKind.UNBLOCKED,
)
_TABLES: Final = {
    ChangeGrouping.KIND: CHANGES.less("what"),
    ChangeGrouping.PERSON: CHANGES.less("who"),
    ChangeGrouping.PLACE: CHANGES.less("where"),
}
_INDENT: Final = "  "


def change_columns(arranged: ChangeGrouping) -> tuple[Column, ...]:
    return _TABLES[arranged].layout


class _Section(NamedTuple):
    heading: str
    beside: str
    changes: Sequence[Change]
    role: str = "strong"


class _Sections(NamedTuple):
    """Grouped changes; sections are read lazily."""

    sizes: array[int]
    read: Callable[[int], _Section]


class ChangeRows(NamedTuple):
    """Changes as rows under headings; a key is the section's and the change's number."""

    rows: LazyRows
    found: int
    read: Callable[[int], _Section]
    arranged: ChangeGrouping

    def change(self, key: str) -> Change | None:
        """Return the change of a row; None: a heading."""
        section, at = _place(key)
        return None if at < 0 else self.read(section).changes[at]


class ChangeSearch:
    """Groups and searches the changes between two reports; run in a thread."""

    def __init__(self, changes: AccessChanges) -> None:
        self.changes = changes
        self._sections: dict[ChangeGrouping, _Sections] = {}
        self._texts: dict[ChangeGrouping, list[str]] = {}

    def rows(
        self, arranged: ChangeGrouping, words: str, goes_on: Callable[[], bool] = lambda: True
    ) -> ChangeRows | None:
        """Return the matching rows; None: canceled by `goes_on`."""
        sections = self._sections.get(arranged) or _sections(self.changes, arranged)
        self._sections[arranged] = sections
        wanted = _wanted(words)
        if not wanted:
            return _laid_out(sections, arranged, _Kept.all_of(sections.sizes))
        texts = self._written(arranged, sections, goes_on)
        if texts is None:
            return None
        kept, first = _Kept(array("I"), array("I"), array("I")), 0
        for section, size in enumerate(sections.sizes):
            end = first + size
            found = [at for at in range(first, end) if all(word in texts[at] for word in wanted)]
            kept.add(section, [at - first for at in found])
            first = end
        return _laid_out(sections, arranged, kept)

    def _written(
        self, arranged: ChangeGrouping, sections: _Sections, goes_on: Callable[[], bool]
    ) -> list[str] | None:
        if arranged not in self._texts:
            texts: list[str] = []
            for section in range(len(sections.sizes)):
                for change in sections.read(section).changes:
                    texts.append(_text(change))
                    if not len(texts) % _LOOKS and not goes_on():
                        return None
            self._texts[arranged] = texts
        return self._texts[arranged]


class _Kept(NamedTuple):
    """The shown changes, by section, without empty sections."""

    sections: array[int]
    sizes: array[int]
    places: array[int] | None  # Indexes within each section, in a row; None: all

    @classmethod
    def all_of(cls, sizes: array[int]) -> _Kept:
        numbers = array("I", (at for at, size in enumerate(sizes) if size))
        return cls(numbers, array("I", (size for size in sizes if size)), None)

    def add(self, section: int, places: Sequence[int]) -> None:
        if places and self.places is not None:
            self.sections.append(section)
            self.sizes.append(len(places))
            self.places.extend(places)


def _laid_out(sections: _Sections, arranged: ChangeGrouping, kept: _Kept) -> ChangeRows:
    ends = array("I", accumulate(size + 1 for size in kept.sizes))
    starts = array("I", (end - size - 1 for end, size in zip(ends, kept.sizes, strict=True)))
    table = _TABLES[arranged]

    def make(at: int) -> Row:
        block = bisect_right(starts, at) - 1
        number, inside = kept.sections[block], at - starts[block] - 1
        section = sections.read(number)
        if inside < 0:
            return _heading(f"{number} -1", section, kept.sizes[block])
        if kept.places is not None:
            inside = kept.places[starts[block] - block + inside]
        first, *others = table.cells(section.changes[inside])
        return Row(f"{number} {inside}", (Cell(f"{_INDENT}{first.text}", first.role), *others))

    def index_of(key: str) -> int | None:
        number, inside = _place(key)
        block = bisect_left(kept.sections, number)
        if block == len(kept.sections) or kept.sections[block] != number:
            return None
        if inside >= 0 and kept.places is not None:
            first = starts[block] - block
            end = first + kept.sizes[block]
            at = bisect_left(kept.places, inside, first, end)
            if at == end or kept.places[at] != inside:
                return None
            inside = at - first
        return starts[block] + 1 + inside if inside < kept.sizes[block] else None

    count = ends[-1] if ends else 0
    return ChangeRows(LazyRows(count, make, index_of), count - len(ends), sections.read, arranged)


def _heading(key: str, section: _Section, size: int) -> Row:
    many = f"{size:,}" if not section.beside else f"{section.beside}  {counted(size, 'change')}"
    parts = ((section.heading, section.role), (f"  {many}", "muted"))
    cell = Cell("".join(text for text, _ in parts), section.role, parts)
    return Row(key, (Cell(section.heading, section.role), BLANK, Cell(f"{size:,}")), heading=cell)


def _place(key: str) -> tuple[int, int]:
    section, _, at = key.partition(" ")
    return int(section), int(at)


def _sections(changes: AccessChanges, arranged: ChangeGrouping) -> _Sections:
    if arranged is ChangeGrouping.KIND:
        kinds = [
            _Section(
                kind.value.upper(),
                "",
                changes_of(changes, kind),
                "warning" if kind.role == "warning" else "strong",
            )
            for kind in KINDS_BY_IMPORTANCE
        ]
        return _Sections(array("I", (len(one.changes) for one in kinds)), kinds.__getitem__)
    every: Sequence[ChangesOfPerson | ChangesInPlace] = (
        changes.by_person() if arranged is ChangeGrouping.PERSON else changes.by_place()
    )

    def read(at: int) -> _Section:
        one = every[at]
        if isinstance(one, ChangesOfPerson):
            return _Section(person_name(one.person), one.person.username, one.changes)
        return _Section(place_name(one.place), one.place.kind, one.changes)

    return _Sections(array("I", (len(one.changes) for one in every)), read)


def change_test(words: str) -> Callable[[Change], bool]:
    wanted = _wanted(words)

    def holds(change: Change) -> bool:
        text = _text(change)
        return all(word in text for word in wanted)

    return holds


def _wanted(words: str) -> list[str]:
    return words.lower().split()


def _text(change: Change) -> str:
    cells = (cell.text for cell in CHANGES.cells(change))
    return " ".join((*cells, *CHANGES.search(change))).lower()


def change_pieces(changes: AccessChanges) -> Pieces:
    counts = changes.counts
    found = [
        (f"{kind.value} {counts[kind]:,}", "warning" if kind is ChangeKind.NEW_OWNER else "text")
        for kind in KINDS_BY_IMPORTANCE
        if counts[kind] and not any(kind in pair for pair in _OPPOSITES.values())
    ]
    for word, (more, less) in _OPPOSITES.items():
        if counts[more] or counts[less]:
            found.append((f"{word} +{counts[more]:,} −{counts[less]:,}", "text"))
    return tuple(found) or (("nothing changed", "muted"),)


def changes_summary(changes: AccessChanges, since: str) -> str:
    counts = changes.counts
    people = [f"{counts[kind]:,} {kind.value}" for kind in _CAME_AND_WENT if counts[kind]]
    every = sum(counts.values())
    if not every:
        return f"Nothing changed since {since}."
    return f"{', '.join(people) or counted(every, 'change')} since {since} · c: show"


def member_delta(changes: AccessChanges) -> str:
    counts = changes.counts
    return f"+{counts[ChangeKind.JOINED]:,} −{counts[ChangeKind.LEFT]:,}"
