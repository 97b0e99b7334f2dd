"""Changes between two access reports, as rows."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from enum import Enum
from itertools import accumulate
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from platui.core.named_tuple import NamedTuple
from platui.models.values.access_changes import (
    KINDS_BY_IMPORTANCE,
    ChangeKind,
    ChangesOfPerson,
    changes_of,
)
from platui.models.values.table import BLANK, Cell, Column, LazyRows, Row, cell_of
from platui.present.access.head_order import head_order
from platui.present.counts import counted
from platui.present.tables.access import person_name, place_name
from platui.present.tables.access_changes import CHANGES

if TYPE_CHECKING:
    from platui.models.values.access_changes import AccessChanges, Change, ChangesInPlace
    from platui.models.values.table import SortKey
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


# The number of each section that is shown, and the places of its shown changes.
_Kept = Sequence[tuple[int, Sequence[int]]]


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
        self,
        arranged: ChangeGrouping,
        words: str,
        goes_on: Callable[[], bool] = lambda: True,
        sort: SortKey | None = None,
    ) -> ChangeRows | None:
        """Return the matching rows, each section sorted; None: canceled by `goes_on`."""
        if arranged not in self._sections:
            self._sections[arranged] = _sections(self.changes, arranged)
        sections, wanted = self._sections[arranged], words.lower().split()
        if not wanted:
            whole = [(at, range(size)) for at, size in enumerate(sections.sizes) if size]
            return _laid_out(sections, arranged, _sorted(sections, whole, sort))
        texts = self._written(arranged, sections, goes_on)
        if texts is None:
            return None
        kept: list[tuple[int, Sequence[int]]] = []
        first = 0
        for section, size in enumerate(sections.sizes):
            found = [at for at in range(size) if all(word in texts[first + at] for word in wanted)]
            if found:
                kept.append((section, array("I", found)))
            first += size
        return _laid_out(sections, arranged, _sorted(sections, kept, sort))

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


def _sorted(sections: _Sections, kept: _Kept, sort: SortKey | None) -> _Kept:
    if sort is None:
        return kept

    def ordered(section: int, places: Sequence[int]) -> Sequence[int]:
        changes = sections.read(section).changes
        order = head_order(CHANGES, sort, (changes[at] for at in places))
        return array("I", (places[at] for at in order))

    return [(section, ordered(section, places)) for section, places in kept]


def _laid_out(sections: _Sections, arranged: ChangeGrouping, kept: _Kept) -> ChangeRows:
    starts = array("I", accumulate((len(places) + 1 for _, places in kept), initial=0))
    count, table = starts.pop(), _TABLES[arranged]

    def make(at: int) -> Row:
        block = bisect_right(starts, at) - 1
        number, places = kept[block]
        section = sections.read(number)
        if at == starts[block]:
            return _heading(f"{number} -1", section, len(places))
        inside = places[at - starts[block] - 1]
        first, *others = table.cells(section.changes[inside])
        return Row(f"{number} {inside}", (Cell(f"{_INDENT}{first.text}", first.role), *others))

    def index_of(key: str) -> int | None:
        number, inside = _place(key)
        block = bisect_left(kept, number, key=itemgetter(0))
        if block == len(kept) or kept[block][0] != number:
            return None
        if inside < 0:
            return starts[block]
        try:
            return starts[block] + 1 + kept[block][1].index(inside)
        except ValueError:
            return None

    rows = LazyRows(count, make, index_of)
    return ChangeRows(rows, count - len(kept), sections.read, arranged)


def _heading(key: str, section: _Section, size: int) -> Row:
    many = f"{size:,}" if not section.beside else f"{section.beside}  {counted(size, 'change')}"
    parts = ((section.heading, section.role), (f"  {many}", "muted"))
    cells = (Cell(section.heading, section.role), BLANK, Cell(f"{size:,}"))
    return Row(key, cells, heading=cell_of(parts, section.role))


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
    wanted = words.lower().split()

    def holds(change: Change) -> bool:
        text = _text(change)
        return all(word in text for word in wanted)

    return holds


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
    """Return who joined and left; else how much changed."""
    counts = changes.counts
    joined, left, every = counts[ChangeKind.JOINED], counts[ChangeKind.LEFT], sum(counts.values())
    return f"+{joined:,} −{left:,}" if joined or left or not every else counted(every, "change")
