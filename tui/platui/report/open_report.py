"""An open report: its contents and queries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from operator import add, sub
from typing import TYPE_CHECKING, Final

from platui.core.text import clean
from platui.models.values.access import Facet, PeopleOrder, PeopleResult
from platui.report.arrays import NO_LEVEL
from platui.report.queries import row_masks as masks
from platui.report.queries.columns import PeopleColumns, PlacesColumns, ReportColumns
from platui.report.queries.matching import fold
from platui.report.queries.membership_rows import Members, MembershipReader
from platui.report.queries.orders import PeopleOrders
from platui.report.queries.query import unmatched_people_values, unmatched_place_values
from platui.report.queries.rows import ReportRows
from platui.report.queries.search import FoundPeople, PeopleSearch, PlacesSearch

if TYPE_CHECKING:
    from platui.report.saved_report import SavedReport


_BLOCK: Final = 8192


class LevelTally:
    """Counts levels in a range of memberships, with precomputed block sums."""

    def __init__(self, levels: memoryview, level_count: int) -> None:
        self._levels = levels
        self._kinds = range(level_count)
        self._until: list[Sequence[int]] = [(0,) * level_count]
        """Counts of all memberships before each block."""
        for start in range(0, len(levels) - _BLOCK + 1, _BLOCK):
            counted = self._counted(start, start + _BLOCK)
            self._until.append([*map(add, self._until[-1], counted)])

    def between(self, first: int, end: int) -> tuple[int, ...]:
        return tuple(map(sub, self._before(end), self._before(first)))

    def _before(self, end: int) -> Iterable[int]:
        block = min(end // _BLOCK, len(self._until) - 1)
        return map(add, self._until[block], self._counted(block * _BLOCK, end))

    def _counted(self, first: int, end: int) -> list[int]:
        data = bytes(self._levels[first:end])
        return [data.count(level) for level in self._kinds]


_KEPT: Final = 8  # Cached searches, for other sort orders and going back


class OpenedReport:
    """Implementation of `models.values.access.AccessReport` on arrays; thread-safe."""

    def __init__(self, saved: SavedReport) -> None:
        self.arrays = saved.arrays
        self.is_whole = saved.arrays.is_whole
        self.person_count = len(saved.arrays.person_id)
        self.place_count = len(saved.arrays.place_id)
        levels = tuple((clean(name), count) for name, count in saved.info.levels)
        self.info = replace(saved.info, levels=levels)
        self.levels = tuple(name for name, _ in levels)
        self.states = tuple(map(clean, saved.states))
        people = PeopleColumns(self.arrays, self.info.people, len(levels))
        domains = tuple(map(clean, saved.domains))
        columns = ReportColumns(
            self.arrays, people, PlacesColumns(self.arrays), self.levels, self.states, domains
        )
        # Rows are read one by one: direct attributes avoid a call in between.
        rows = ReportRows(columns)
        self.person, self.place, self.children = rows.person, rows.place, rows.children
        self.person_row, self.place_row = rows.person_row, rows.place_row
        self.find_person, self.find_place = rows.find_person, rows.find_place
        self._holdings = MembershipReader(self.arrays, self.levels)
        self.memberships_of, self.members_of = self._holdings.of_person, self._holdings.of_place
        self.inherited_members = self._holdings.inherited_of
        self.all_members = self._holdings.all_members
        self._search = PeopleSearch(columns)
        self.places = PlacesSearch(columns).find
        self._orders = PeopleOrders(columns)
        self._tally = LevelTally(self.arrays.member_level, len(levels))
        self._columns = columns
        self._found = lru_cache(maxsize=_KEPT)(self._find)

    @cached_property
    def max_memberships(self) -> int:
        return max(self._columns.people.memberships, default=0)

    def level_counts(self, place: int | None) -> tuple[int, ...]:
        arrays = self.arrays
        if not self.is_whole:
            return (0,) * len(self.levels)
        if place is None:
            return self._tally.between(0, len(arrays.member_level))
        end = arrays.place_end[place]
        return self._tally.between(arrays.place_first[place], arrays.place_first[end])

    def people(self, query: str, order: PeopleOrder) -> PeopleResult:
        found, result = self._found(query)
        return replace(result, rows=self._orders.rows(found.people, order))

    def unmatched(self, query: str) -> tuple[str, ...]:
        if not self.is_whole:
            return ()  # memberships are not read yet
        finds = self._search.find
        return tuple(
            unmatched_people_values(query, lambda one: bool(finds(one).people), self._known)
        )

    def _known(self, field: str) -> tuple[Facet, ...]:
        facets = _state_facets if field == "state" else _domain_facets
        return facets(self._columns, self._columns.people.all_rows)

    def unmatched_places(self, query: str) -> tuple[str, ...]:
        if not self.is_whole:
            return ()
        return tuple(unmatched_place_values(query, lambda one: bool(self.places(one))))

    def memberships(self, query: str) -> Iterator[Members]:
        """Yield the memberships that a people query selects, by place. Raises TermError."""
        found, _ = self._found(query)
        return self._holdings.by_place(self._search.memberships(found))

    def _find(self, query: str) -> tuple[FoundPeople, PeopleResult]:
        """Search; the result is without rows."""
        found = self._search.find(query)
        return found, PeopleResult(
            query=query,
            rows=(),
            memberships=found.memberships,
            levels=_level_facets(self._columns, found.people),
            states=_state_facets(self._columns, found.people),
            domains=_domain_facets(self._columns, found.people),
            identities=_identity_facets(self._columns, found.people),
        )


_MOST_FACETS: Final = 20
_NONE: Final = "none"


def _level_facets(report: ReportColumns, found: int) -> tuple[Facet, ...]:
    tally = report.people.highest.tally(found)
    without = tally.pop(NO_LEVEL, 0)
    facets = [Facet(report.levels[level], tally[level]) for level in sorted(tally, reverse=True)]
    return (*facets, Facet(_NONE, without)) if without else tuple(facets)


def _state_facets(report: ReportColumns, found: int) -> tuple[Facet, ...]:
    names: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for state, count in report.people.states.tally(found & report.people.listed).items():
        name = report.states[state] or _NONE
        counts[names.setdefault(fold(name), name)] += count
    return _ranked(counts.items())


def _domain_facets(report: ReportColumns, found: int) -> tuple[Facet, ...]:
    tally = report.people.domains.tally(found & report.people.listed)
    named = ((report.domains[at] if at else _NONE, count) for at, count in tally.items())
    return _ranked(named)[:_MOST_FACETS]


def _identity_facets(report: ReportColumns, found: int) -> tuple[Facet, ...]:
    with_one = masks.size(found & report.people.with_identity)
    without = masks.size(found & report.people.listed) - with_one
    return tuple(
        Facet(word, count) for word, count in (("any", with_one), (_NONE, without)) if count
    )


def _ranked(counts: Iterable[tuple[str, int]]) -> tuple[Facet, ...]:
    return tuple(Facet(*one) for one in sorted(counts, key=lambda one: (-one[1], one[0])))
