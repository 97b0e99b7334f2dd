"""An open report: its contents and queries."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final

from platui.core.text import clean
from platui.models.values.access import Facet, PeopleResult
from platui.report.arrays import NO_LEVEL
from platui.report.queries import row_masks as masks
from platui.report.queries.columns import PeopleColumns, PlacesColumns, ReportColumns
from platui.report.queries.matching import fold
from platui.report.queries.membership_rows import MembershipReader
from platui.report.queries.orders import PeopleOrders
from platui.report.queries.query import unmatched_people_values, unmatched_place_values
from platui.report.queries.rows import ReportRows
from platui.report.queries.search import PeopleSearch, PlacesSearch

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from platui.models.values.access import PeopleOrder, ReportInfo
    from platui.report.arrays import ReportArrays
    from platui.report.queries.membership_rows import Members
    from platui.report.queries.search import FoundPeople


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
            before = self._until[-1]
            self._until.append(tuple(map(sum, zip(before, counted, strict=True))))

    def between(self, first: int, end: int) -> tuple[int, ...]:
        upper, lower = self._before(end), self._before(first)
        return tuple(high - low for high, low in zip(upper, lower, strict=True))

    def _before(self, end: int) -> Sequence[int]:
        block = min(end // _BLOCK, len(self._until) - 1)
        rest = self._counted(block * _BLOCK, end)
        return [sum(pair) for pair in zip(self._until[block], rest, strict=True)]

    def _counted(self, first: int, end: int) -> list[int]:
        data = bytes(self._levels[first:end])
        return [data.count(level) for level in self._kinds]


_KEPT: Final = 8  # Cached searches, for other sort orders and going back


class OpenedReport:
    """Implementation of `models.values.access.AccessReport` on arrays; thread-safe."""

    def __init__(
        self,
        info: ReportInfo,
        arrays: ReportArrays,
        *,
        levels: Sequence[str],
        states: Sequence[str],
        domains: Sequence[str],
    ) -> None:
        """Open a report; `levels` are lowest first, and the first of `domains` is none."""
        self.info = replace(info, levels=tuple((clean(name), n) for name, n in info.levels))
        self.arrays = arrays
        self.levels = tuple(map(clean, levels))
        self.states = tuple(map(clean, states))
        self._domains = tuple(map(clean, domains))
        people = PeopleColumns(arrays, info.people, len(levels))
        places = PlacesColumns(arrays)
        columns = ReportColumns(
            arrays, people, places, self.levels, self.states, self._domains, info.people
        )
        # Rows are read one by one: direct attributes avoid a call in between.
        rows = ReportRows(columns)
        self.person, self.place, self.children = rows.person, rows.place, rows.children
        self.person_row, self.place_row = rows.person_row, rows.place_row
        self.find_person, self.find_place = rows.find_person, rows.find_place
        self._holdings = MembershipReader(arrays, self.levels)
        self.memberships_of, self.members_of = self._holdings.of_person, self._holdings.of_place
        self.inherited_members = self._holdings.inherited_of
        self.all_members = self._holdings.all_members
        self._search = PeopleSearch(columns)
        self.places = PlacesSearch(columns).find
        self._orders = PeopleOrders(columns)
        self._tally = LevelTally(arrays.member_level, len(levels))
        self._people = people
        self._found = lru_cache(maxsize=_KEPT)(self._find)

    @property
    def is_whole(self) -> bool:
        return self.arrays.is_whole

    @property
    def person_count(self) -> int:
        return len(self.arrays.person_id)

    @property
    def place_count(self) -> int:
        return len(self.arrays.place_id)

    @cached_property
    def max_memberships(self) -> int:
        return max(self._people.memberships, default=0)

    def level_counts(self, place: int | None) -> tuple[int, ...]:
        arrays = self.arrays
        if not arrays.is_whole:
            return (0,) * len(self.levels)
        if place is None:
            return self._tally.between(0, len(arrays.member_level))
        first, end = place, arrays.place_end[place]
        return self._tally.between(arrays.place_first[first], arrays.place_first[end])

    def people(self, query: str, order: PeopleOrder) -> PeopleResult:
        found, (levels, states, domains, identities) = self._found(query)
        return PeopleResult(
            query=query,
            rows=self._orders.rows(found.people, order),
            memberships=found.memberships,
            levels=levels,
            states=states,
            domains=domains,
            identities=identities,
        )

    def unmatched(self, query: str) -> tuple[str, ...]:
        if not self.is_whole:
            return ()  # memberships are not read yet
        finds = self._search.find
        return tuple(
            unmatched_people_values(query, lambda one: bool(finds(one).people), self._known)
        )

    def _known(self) -> dict[str, tuple[Facet, ...]]:
        people = self._people
        return {
            "state": _state_facets(people, people.all_rows, self.states),
            "domain": _domain_facets(people, people.all_rows, self._domains),
        }

    def unmatched_places(self, query: str) -> tuple[str, ...]:
        if not self.is_whole:
            return ()
        return tuple(unmatched_place_values(query, lambda one: bool(self.places(one))))

    def memberships(self, query: str) -> Iterator[Members]:
        """Yield the memberships that a people query selects, by place. Raises TermError."""
        found, _ = self._found(query)
        return self._holdings.by_place(self._search.memberships(found))

    def _find(self, query: str) -> tuple[FoundPeople, tuple[tuple[Facet, ...], ...]]:
        found = self._search.find(query)
        people = self._people
        return found, (
            _level_facets(people, found.people, self.levels),
            _state_facets(people, found.people, self.states),
            _domain_facets(people, found.people, self._domains),
            _identity_facets(people, found.people),
        )


_MOST_FACETS: Final = 20
_NONE: Final = "none"


def _level_facets(people: PeopleColumns, found: int, levels: Sequence[str]) -> tuple[Facet, ...]:
    tally = people.highest.tally(found)
    ranked = sorted((level for level in tally if level != NO_LEVEL), reverse=True)
    facets = [Facet(clean(levels[level]), tally[level]) for level in ranked]
    if NO_LEVEL in tally:
        facets.append(Facet(_NONE, tally[NO_LEVEL]))
    return tuple(facets)


def _state_facets(people: PeopleColumns, found: int, states: Sequence[str]) -> tuple[Facet, ...]:
    tally = people.states.tally(found & people.listed)
    names: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for state, count in tally.items():
        name = clean(states[state]) or _NONE
        counts[names.setdefault(fold(name), name)] += count
    return _ranked(counts.items())


def _domain_facets(people: PeopleColumns, found: int, domains: Sequence[str]) -> tuple[Facet, ...]:
    tally = people.domains.tally(found & people.listed)
    named = ((clean(domains[at]) if at else _NONE, count) for at, count in tally.items())
    return _ranked(named)[:_MOST_FACETS]


def _identity_facets(people: PeopleColumns, found: int) -> tuple[Facet, ...]:
    with_one = masks.size(found & people.with_identity)
    without = masks.size(found & people.listed) - with_one
    return tuple(
        Facet(word, count) for word, count in (("any", with_one), (_NONE, without)) if count
    )


def _ranked(counts: Iterable[tuple[str, int]]) -> tuple[Facet, ...]:
    return tuple(Facet(*one) for one in sorted(counts, key=lambda one: (-one[1], one[0])))
