"""Terms are read whatever is typed, and globs end whatever they are tried on."""

from __future__ import annotations

from contextlib import suppress
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st
from tests.support.report_company import COMPANY

from platui.core.errors import TermError
from platui.models.values.access import PEOPLE_TERMS, PeopleOrder, term_of
from platui.report.queries.matching import compiled_glob, fold, value_test
from platui.report.queries.query import Choice, Term, read_terms

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

REPORT = COMPANY.opened()
_FIELDS = [term.field for term in PEOPLE_TERMS]
_PIECES = st.sampled_from(
    [*(f"{field}:" for field in _FIELDS), *'"-!*?,<>= \t\x1f\u2028', "owner", "jane", "none", "1"]
)


def test_a_query_is_taken_apart_with_the_place_of_each_part() -> None:
    """Quotes, commas, signs: what an error points at later."""
    assert read_terms('jane  -name:"Doe, J",x !state:a"b c', ["name", "state"]) == [
        Term("", (Choice("jane", False, 0, 4),), False, 0, 4),
        Term(
            "name", (Choice("Doe, J", True, 12, 20), Choice("x", False, 21, 22)), True, 6, 22
        ),
        Term("state", (Choice("ab c", True, 30, 35),), True, 23, 35),
    ]  # fmt: skip


@given(st.lists(_PIECES | st.text(max_size=3), max_size=6).map("".join))
def test_whatever_is_typed_is_searched_for_or_said_to_be_wrong(query: str) -> None:
    """With the place of what is wrong inside the query."""
    wrong = [*_wrong(lambda: REPORT.people(query, PeopleOrder.NAME))]
    wrong += _wrong(lambda: REPORT.places(query))
    assert all(0 <= error.start <= error.end <= len(query) for error in wrong)


def _wrong(ask: Callable[[], object]) -> Iterator[TermError]:
    try:
        ask()
    except TermError as error:
        yield error


_LETTERS = st.text("ab*?", max_size=8)


@given(_LETTERS, st.text("ab", max_size=10))
def test_a_glob_matches_what_a_shell_would(glob: str, text: str) -> None:
    """A star any signs, a question mark one."""
    assert (compiled_glob(glob).fullmatch(text) is not None) == fnmatchcase(text, glob)


def test_a_glob_is_no_bomb() -> None:
    """Such patterns take as long as the universe where each star is tried anywhere."""
    text = "a" * 20_000
    assert compiled_glob("*a" * 900 + "*b").fullmatch(text) is None
    assert compiled_glob("*a?" * 600 + "b*").fullmatch(text) is None
    assert compiled_glob("*a" * 900).fullmatch(text) is not None


@given(st.text(min_size=1) | st.text('a "*?,', min_size=1))
def test_a_term_of_a_value_finds_that_value(value: str) -> None:
    """Whatever signs it has; only of one with a quote it may find others besides."""
    with suppress(TermError):  # of one longer than a query may be
        (term,) = read_terms(term_of("state", value), _FIELDS)
        (choice,) = term.choices
        assert value_test(choice).holds(fold(value))
        assert choice.text == value or '"' in value
