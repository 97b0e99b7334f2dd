"""Evaluate queries on people, groups and projects."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Final

from platui.core.named_tuple import NamedTuple
from platui.models.values.access import PEOPLE_TERMS, PLACE_TERMS
from platui.report.arrays import GROUP, NO_LEVEL, PROJECT
from platui.report.queries import row_masks as masks
from platui.report.queries.columns import EMAIL, IDENTITY, NAME, PATH, USERNAME, ReportColumns
from platui.report.queries.matching import (
    is_word,
    match_levels,
    matching_indexes,
    number_test,
    one_of,
    text_test,
)
from platui.report.queries.memberships import Memberships, Ranges, Selection
from platui.report.queries.query import Term, read_terms

_FIELDS: Final = {"name": NAME, "user": USERNAME, "email": EMAIL}
_KINDS: Final = ("listed", "unlisted")
_PLACES: Final = {"group": GROUP, "project": PROJECT}
_JOINED: Final = ("level", *_PLACES)  # Terms that apply to the same memberships


class FoundPeople(NamedTuple):
    people: int  # A mask
    memberships: int  # Selected memberships of these people, or all
    selection: Selection


class PeopleSearch:
    """Finds people; intermediate results are cached in the columns."""

    def __init__(self, report: ReportColumns) -> None:
        people = report.people
        self._report = report
        self._people = people
        self._places = report.places
        self._members = Memberships(report.arrays, people)
        self._finders: dict[str, Callable[[Term], int]] = {
            "": people.having_word,
            **{name: partial(people.having_text, field) for name, field in _FIELDS.items()},
            "state": self._in_state,
            "domain": self._in_domain,
            "identity": self._with_identity,
            "highest": self._with_highest,
            "id": people.with_id,
            "is": self._being,
            "memberships": lambda term: people.sizes.fitting(_number_check(term)),
            "level": self._with_level,
            "group": self._in_places,
            "project": self._in_places,
        }

    def find(self, query: str) -> FoundPeople:
        terms = read_terms(query, (term.field for term in PEOPLE_TERMS))
        people = self._people.all_rows
        for term in terms:
            if term.is_negated or term.field not in _JOINED:
                found = self._finders[term.field](term)
                people &= self._people.all_rows & ~found if term.is_negated else found
        joined = [term for term in terms if not term.is_negated and term.field in _JOINED]
        if not joined:
            total = self._people.membership_total(people)
            return FoundPeople(people, total, self._members.everything)
        levels = _levels([term for term in joined if term.field == "level"], self._report.levels)
        ranges = [
            self._places.memberships(self._called(term)) for term in joined if term.field in _PLACES
        ] or [self._members.everything.ranges]
        for one in ranges:
            people &= self._members.holders(Selection(one, levels), people)
        every = Selection(Ranges.of(edges for one in ranges for edges in one.pairs()), levels)
        return FoundPeople(people, self._members.count(every, people), every)

    def memberships(self, found: FoundPeople) -> Iterator[tuple[int, int, bytes]]:
        """Yield slices with first and end, ascending, and a byte per membership: 1 or 0."""
        return self._members.flagged_slices(found.selection, found.people)

    def _in_state(self, term: Term) -> int:
        wanted = matching_indexes(term.choices, self._report.states)
        if any(is_word(choice, "none") for choice in term.choices):
            wanted |= {at for at, state in enumerate(self._report.states) if not state}
        return self._people.states.where(wanted) & self._people.listed

    def _in_domain(self, term: Term) -> int:
        wanted: set[int] = set()
        for choice in term.choices:
            if is_word(choice, "none"):
                wanted.add(0)
            else:
                bare = choice._replace(text=choice.text.removeprefix("@"))
                wanted |= matching_indexes((bare,), self._report.domains) - {0}
        return self._people.domains.where(wanted) & self._people.listed

    def _with_identity(self, term: Term) -> int:
        found = 0
        for choice in term.choices:
            if is_word(choice, "any"):
                found |= self._people.with_identity
            elif is_word(choice, "none"):
                found |= self._people.listed & ~self._people.with_identity
            else:
                lines = self._people.field(IDENTITY)
                found |= lines.having(text_test(choice)) & self._people.with_identity
        return found

    def _with_highest(self, term: Term) -> int:
        others = [choice for choice in term.choices if not is_word(choice, "none")]
        wanted = set(match_levels(others, self._report.levels))
        if len(others) < len(term.choices):
            wanted.add(NO_LEVEL)
        return self._people.highest.where(wanted)

    def _being(self, term: Term) -> int:
        words = {one_of(choice, _KINDS) for choice in term.choices}
        found = self._people.listed if "listed" in words else 0
        return found | (self._people.all_rows & ~self._people.listed if "unlisted" in words else 0)

    def _with_level(self, term: Term) -> int:
        levels = match_levels(term.choices, self._report.levels)
        return masks.union(self._people.holding(level) for level in levels)

    def _in_places(self, term: Term) -> int:
        ranges = self._places.memberships(self._called(term))
        every = self._members.everything._replace(ranges=ranges)
        return self._members.holders(every, self._people.all_rows)

    def _called(self, term: Term) -> int:
        return self._places.called(_PLACES[term.field], term.choices)


def _number_check(term: Term) -> Callable[[int], bool]:
    tests = [number_test(choice) for choice in term.choices]
    return lambda number: any(test(number) for test in tests)


def _levels(terms: Iterable[Term], known: Sequence[str]) -> frozenset[int]:
    levels = frozenset(range(len(known)))
    for term in terms:
        levels &= match_levels(term.choices, known)
    return levels


_PLACE_FIELDS: Final = {"name": NAME, "path": PATH}
_PLACE_SORTS: Final = ("empty", "top")


class PlacesSearch:
    def __init__(self, report: ReportColumns) -> None:
        places = report.places
        self._report = report
        self._people = report.people
        self._places = places
        self._members = Memberships(report.arrays, report.people)
        self._finders: dict[str, Callable[[Term], int]] = {
            "": places.having_word,
            **{name: partial(places.having_text, field) for name, field in _PLACE_FIELDS.items()},
            "kind": self._of_kind,
            "group": self._below,
            "id": places.with_id,
            "members": lambda term: self._where(places.members, _number_check(term)),
            "depth": lambda term: self._where(report.arrays.place_depth, _number_check(term)),
            "is": self._being,
            "level": lambda term: self._held(self._people.all_rows, [term]),
            "user": lambda term: self._held(self._people.having_text(USERNAME, term), []),
        }

    def find(self, query: str) -> Sequence[int]:
        terms = read_terms(query, (term.field for term in PLACE_TERMS))
        bound = [one for one in terms if one.field in ("level", "user") and not one.is_negated]
        found = self._places.all_rows
        for term in terms:
            if term not in bound:
                fitting = self._finders[term.field](term)
                found &= self._places.all_rows & ~fitting if term.is_negated else fitting
        levels = [term for term in bound if term.field == "level"]
        users = [self._people.having_text(USERNAME, term) for term in bound if term.field == "user"]
        if bound:
            for people in users or [self._people.all_rows]:
                found &= self._held(people, levels)
        return masks.rows_of(found, self._places.count)

    def _held(self, people: int, terms: Iterable[Term]) -> int:
        """Return the places where people of a mask have levels that match all terms."""
        levels = _levels(terms, self._report.levels)
        if not self._report.arrays.is_whole:
            return 0
        return masks.from_flags(self._members.places(levels, people))

    def _of_kind(self, term: Term) -> int:
        return self._places.kinds.where({_PLACES[one_of(one, _PLACES)] for one in term.choices})

    def _below(self, term: Term) -> int:
        return self._places.within(self._places.called(GROUP, term.choices))

    def _being(self, term: Term) -> int:
        words = {one_of(choice, _PLACE_SORTS) for choice in term.choices}
        found = 0
        if "empty" in words and self._report.arrays.is_whole:
            found |= self._where(self._places.members, lambda count: not count)
        if "top" in words:
            found |= self._where(self._report.arrays.place_depth, lambda depth: not depth)
        return found

    def _where(self, numbers: Iterable[int], test: Callable[[int], bool]) -> int:
        return masks.from_booleans(map(test, iter(numbers)), self._places.count)
