"""An opened report: what it holds, and the answers to questions about it."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final

from platui.core.text import clean
from platui.models.values.access import PeopleAnswer
from platui.report.questions import facets
from platui.report.questions.holdings import Holdings
from platui.report.questions.level_tally import LevelTally
from platui.report.questions.orders import PeopleOrders
from platui.report.questions.people_columns import PeopleColumns
from platui.report.questions.people_search import PeopleSearch
from platui.report.questions.places_columns import PlacesColumns
from platui.report.questions.places_search import PlacesSearch
from platui.report.questions.rows import ReportRows
from platui.report.questions.slips import people_slips, place_slips

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from platui.models.values.access import (
        AccessPlace,
        Facet,
        Holding,
        PeopleOrder,
        Person,
        PlaceKind,
        ReportInfo,
    )
    from platui.report.arrays import ReportArrays
    from platui.report.questions.held_rows import HeldRows, Members
    from platui.report.questions.people_search import FoundPeople

_KEPT: Final = 8
"""Searches whose people are kept: to sort them otherwise, or to go back, finds nothing anew."""


class OpenedReport:
    """The access report over its arrays: `models.values.access.AccessReport`.

    Its answers are the same from any thread; what they need besides the arrays is made when it
    is first asked for, and made twice at worst.
    """

    def __init__(
        self,
        info: ReportInfo,
        arrays: ReportArrays,
        *,
        levels: Sequence[str],
        states: Sequence[str],
        domains: Sequence[str],
    ) -> None:
        """Open a report; some milliseconds a million memberships.

        Args:
            info: what it is; its first `info.people` people are those listed.
            arrays: of stage 1 (nobody has a level yet) or of stage 3.
            levels: what `member_level` counts, lowest first.
            states: what `person_state` counts.
            domains: what `person_domain` counts; the first is no domain.
        """
        self._info = replace(info, levels=tuple((clean(name), n) for name, n in info.levels))
        self.arrays = arrays
        self._levels = tuple(map(clean, levels))
        self._states = tuple(map(clean, states))
        self._domains = tuple(map(clean, domains))
        people = PeopleColumns(arrays, info.people, len(levels))
        places = PlacesColumns(arrays)
        names = {"levels": self._levels, "states": self._states}
        self._rows = ReportRows(arrays, people, places, listed=info.people, **names)
        self._holdings = Holdings(arrays, self._levels)
        self._search = PeopleSearch(arrays, people, places, domains=self._domains, **names)
        self._place_search = PlacesSearch(arrays, people, places, self._levels)
        self._orders = PeopleOrders(people, states=self._states, domains=self._domains)
        self._tally = LevelTally(arrays.member_level, len(levels))
        self._people = people
        self._found = lru_cache(maxsize=_KEPT)(self._find)

    @property
    def info(self) -> ReportInfo:
        """Return what it is; while it is being read, numbers of what was read so far."""
        return self._info

    @property
    def levels(self) -> tuple[str, ...]:
        """Return all levels that occur, lowest first; clean text."""
        return self._levels

    @property
    def states(self) -> tuple[str, ...]:
        """Return what `person_state` counts; clean text."""
        return self._states

    @property
    def is_whole(self) -> bool:
        """Return False for one that is still being read, in which nobody has a level."""
        return self.arrays.is_whole

    @property
    def person_count(self) -> int:
        """Return how many people have a row: those listed, then those only referred to."""
        return len(self.arrays.person_id)

    @property
    def place_count(self) -> int:
        """Return how many groups and projects have a row, each before what lies in it."""
        return len(self.arrays.place_id)

    @cached_property
    def most_held(self) -> int:
        """Return how many memberships one person has at most; some 10 ms when first asked."""
        return max(self._people.memberships, default=0)

    def person(self, row: int) -> Person:
        """Return one person."""
        return self._rows.person(row)

    def place(self, row: int) -> AccessPlace:
        """Return one group or project."""
        return self._rows.place(row)

    def children(self, place: int | None) -> Sequence[int]:
        """Return the rows directly in a group, groups first; of None those in no other."""
        return self._rows.children(place)

    def places_of(self, person: int) -> HeldRows:
        """Return all memberships of a person, in the order of places."""
        return self._holdings.of_person(person)

    def members_of(self, place: int) -> HeldRows:
        """Return the direct memberships of a place, highest level first."""
        return self._holdings.of_place(place)

    def members_above(self, place: int) -> Sequence[Holding]:
        """Return the members of the groups above a place whom it does not list itself."""
        return self._holdings.above_place(place)

    def everybody_in(self, place: int) -> Sequence[Holding]:
        """Return the direct members of a place and those of the groups above it."""
        return self._holdings.everybody_in(place)

    def level_counts(self, place: int | None) -> tuple[int, ...]:
        """Return memberships by level, as `levels`, in a place and all below; None: everywhere."""
        arrays = self.arrays
        if not arrays.is_whole:
            return (0,) * len(self._levels)
        if place is None:
            return self._tally.between(0, len(arrays.member_level))
        first, end = place, arrays.place_end[place]
        return self._tally.between(arrays.place_first[first], arrays.place_first[end])

    def person_row(self, id_: int) -> int | None:
        """Return the row of the person with an id; None: the report has none."""
        return self._rows.person_row(id_)

    def place_row(self, kind: PlaceKind, id_: int) -> int | None:
        """Return the row of the first group, or project, with an id; None: there is none."""
        return self._rows.place_row(kind, id_)

    def find_person(self, word: str) -> int | None:
        """Return the row of a user name, an e-mail address or an id; None: nobody, or several."""
        return self._rows.find_person(word)

    def find_place(self, word: str) -> int | None:
        """Return the row of a full path or an id; None: none, or several."""
        return self._rows.find_place(word)

    def people(self, query: str, order: PeopleOrder) -> PeopleAnswer:
        """Return the people that the terms of a query find.

        Raises:
            TermError: it cannot be read; nothing was searched.
        """
        found, (levels, states, domains, identities) = self._found(query)
        return PeopleAnswer(
            query=query,
            rows=self._orders.rows(found.people, order),
            memberships=found.memberships,
            levels=levels,
            states=states,
            domains=domains,
            identities=identities,
        )

    def places(self, query: str) -> Sequence[int]:
        """Return the groups and projects that the terms of a query find, in order of rows.

        Raises:
            TermError: it cannot be read; nothing was searched.
        """
        return self._place_search.find(query)

    def unmatched(self, query: str) -> tuple[str, ...]:
        """Return a sentence for each value in a query on people that nobody has.

        Raises:
            TermError: it cannot be read.
        """
        if not self.is_whole:
            return ()  # nobody is in any group yet
        return tuple(people_slips(query, self._finds_people, self._known))

    def _finds_people(self, query: str) -> bool:
        return bool(self._search.find(query).people)

    def _known(self) -> dict[str, tuple[Facet, ...]]:
        people = self._people
        return {
            "state": facets.state_facets(people, people.everybody, self._states),
            "domain": facets.domain_facets(people, people.everybody, self._domains),
        }

    def unmatched_places(self, query: str) -> tuple[str, ...]:
        """Return a sentence for each value in a query on places that leads to none.

        Raises:
            TermError: it cannot be read.
        """
        if not self.is_whole:
            return ()
        return tuple(place_slips(query, lambda one: bool(self._place_search.find(one))))

    def memberships(self, query: str) -> Iterator[Members]:
        """Yield the memberships that the terms of a query on people find, place by place.

        They are those of the people found, and where the query has `level:`, `group:` or
        `project:`, those of them that it names.

        Raises:
            TermError: it cannot be read; nothing was searched.
        """
        found, _ = self._found(query)
        return self._holdings.of_stretches(self._search.memberships(found))

    def _find(self, query: str) -> tuple[FoundPeople, tuple[tuple[Facet, ...], ...]]:
        found = self._search.find(query)
        people = self._people
        return found, (
            facets.level_facets(people, found.people, self._levels),
            facets.state_facets(people, found.people, self._states),
            facets.domain_facets(people, found.people, self._domains),
            facets.identity_facets(people, found.people),
        )
