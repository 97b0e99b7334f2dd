"""Which groups and projects the terms of a query find."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.models.values.access_terms import PLACE_TERMS
from platui.report.questions import masks
from platui.report.questions.levels import levels_meant
from platui.report.questions.matching import (
    number_test,
    one_of,
    text_test,
    whole_number,
    word_test,
)
from platui.report.questions.memberships import Memberships
from platui.report.questions.people_columns import USERNAME
from platui.report.questions.places_columns import GROUP, NAME, PATH, PROJECT
from platui.report.questions.query import read_terms

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from platui.report.arrays import ReportArrays
    from platui.report.questions.people_columns import PeopleColumns
    from platui.report.questions.places_columns import PlacesColumns
    from platui.report.questions.query import Term

_FIELDS: Final = {"name": NAME, "path": PATH}
_KINDS: Final = ("group", "project")
_SORTS: Final = ("empty", "top")


class PlacesSearch:
    """Finds groups and projects."""

    def __init__(
        self,
        arrays: ReportArrays,
        people: PeopleColumns,
        places: PlacesColumns,
        levels: Sequence[str],
    ) -> None:
        """Search the places of a report, whose levels are named in order."""
        self._arrays = arrays
        self._people = people
        self._places = places
        self._members = Memberships(arrays, people)
        self._levels = levels
        self._finders: dict[str, Callable[[Term], int]] = {
            "": self._having_word,
            "kind": self._of_kind,
            "group": self._below,
            "id": self._with_id,
            "members": self._with_members,
            "depth": self._at_depth,
            "is": self._being,
            "level": lambda term: self._held(self._people.everybody, self._meant([term])),
            "user": lambda term: self._held(self._users(term), self._meant([])),
        }

    def find(self, query: str) -> Sequence[int]:
        """Return the rows that a query finds, ascending.

        Raises:
            TermError: it cannot be read.
        """
        terms = read_terms(query, (term.field for term in PLACE_TERMS))
        bound = [one for one in terms if one.field in ("level", "user") and not one.is_negated]
        found = self._places.everything
        for term in terms:
            if term not in bound:
                fitting = self._finders.get(term.field, self._having_text)(term)
                found &= self._places.everything & ~fitting if term.is_negated else fitting
        levels = self._meant([term for term in bound if term.field == "level"])
        users = [self._users(term) for term in bound if term.field == "user"]
        if bound:
            for people in users or [self._people.everybody]:
                found &= self._held(people, levels)
        return masks.rows_of(found, self._places.count)

    def _meant(self, terms: Iterable[Term]) -> frozenset[int]:
        levels = frozenset(range(len(self._levels)))
        for term in terms:
            levels &= levels_meant(term.choices, self._levels)
        return levels

    def _users(self, term: Term) -> int:
        lines = self._people.field(USERNAME)
        return masks.union(lines.having(text_test(choice)) for choice in term.choices)

    def _held(self, people: int, levels: frozenset[int]) -> int:
        """Return the places where one of some people holds one of some levels."""
        if not self._arrays.is_whole:
            return 0
        return masks.from_flags(self._members.places(levels, people))

    def _having_word(self, term: Term) -> int:
        test = word_test(term.choices[0])
        if test.pattern is None:
            return self._places.text.having(test)
        return self._places.text.fields_having(test)

    def _having_text(self, term: Term) -> int:
        lines = self._places.field(_FIELDS[term.field])
        return masks.union(lines.having(text_test(choice)) for choice in term.choices)

    def _of_kind(self, term: Term) -> int:
        wanted = {one_of(choice, _KINDS) for choice in term.choices}
        numbers = {"group": GROUP, "project": PROJECT}
        return self._places.kinds.where({numbers[word] for word in wanted})

    def _below(self, term: Term) -> int:
        return self._places.within(self._places.called(GROUP, term.choices))

    def _with_id(self, term: Term) -> int:
        wanted = frozenset(whole_number(choice) for choice in term.choices)
        return masks.where(self._arrays.place_id, wanted)

    def _with_members(self, term: Term) -> int:
        tests = [number_test(choice) for choice in term.choices]
        return self._where(
            self._places.members, lambda count: any(test.holds(count) for test in tests)
        )

    def _at_depth(self, term: Term) -> int:
        tests = [number_test(choice) for choice in term.choices]
        return self._where(
            self._arrays.place_depth, lambda depth: any(test.holds(depth) for test in tests)
        )

    def _being(self, term: Term) -> int:
        words = {one_of(choice, _SORTS) for choice in term.choices}
        found = 0
        if "empty" in words and self._arrays.is_whole:
            found |= self._where(self._places.members, lambda count: not count)
        if "top" in words:
            found |= self._where(self._arrays.place_depth, lambda depth: not depth)
        return found

    def _where(self, numbers: Iterable[int], test: Callable[[int], bool]) -> int:
        return masks.from_truths(map(test, iter(numbers)), self._places.count)
