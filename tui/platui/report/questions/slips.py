"""What a query asks for that nothing in the report has: a slip of the pen, perhaps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.core.text import clean, shorten
from platui.models.values.access_terms import PEOPLE_TERMS, PLACE_TERMS
from platui.report.questions.query import read_terms

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from platui.models.values.access import Facet
    from platui.models.values.access_terms import TermHelp

_NEAR: Final = 5
_WORD: Final = 60
_OF_PEOPLE: Final = frozenset({"state", "domain", "group", "project"})
"""Terms on people whose values the report itself has."""
_OF_PLACES: Final = frozenset({"group", "user"})


def people_slips(
    query: str, finds: Callable[[str], bool], known: Callable[[], Mapping[str, Sequence[Facet]]]
) -> Iterator[str]:
    """Yield a sentence for each value in a query on people that nobody has.

    With a term that is negated such a value finds everybody, without a word.

    Args:
        query: the query.
        finds: returns whether a query finds anybody.
        known: returns the states and the domains there are, most people first.

    Raises:
        TermError: it cannot be read.
    """
    for field, shown in _finding_nothing(query, PEOPLE_TERMS, _OF_PEOPLE, finds):
        if field in {"group", "project"}:
            yield f"Nobody is in a {field} {shown}, or there is none."
        else:
            yield f"No one has {field} {shown}{_those_of(known()[field])}."


def place_slips(query: str, finds: Callable[[str], bool]) -> Iterator[str]:
    """Yield a sentence for each value in a query on places that leads to none; as `people_slips`.

    Raises:
        TermError: it cannot be read.
    """
    for field, shown in _finding_nothing(query, PLACE_TERMS, _OF_PLACES, finds):
        if field == "group":
            yield f"There is no group {shown}."
        else:
            yield f"No user {shown} is a direct member anywhere, or there is none."


def _finding_nothing(
    query: str, terms: Sequence[TermHelp], fields: frozenset[str], finds: Callable[[str], bool]
) -> Iterator[tuple[str, str]]:
    """Yield fields and values, fit to be shown, that find nothing when they stand alone."""
    for term in read_terms(query, {term.field for term in terms}):
        if term.field not in fields:
            continue
        for choice in term.choices:
            value = query[choice.start : choice.end]
            if not finds(f"{term.field}:{value}"):
                yield term.field, shorten(clean(value), _WORD)


def _those_of(facets: Sequence[Facet]) -> str:
    names = [shorten(facet.value, _WORD) for facet in facets]
    more = " …" if len(names) > _NEAR else ""
    return f"; there are {', '.join(names[:_NEAR])}{more}" if names else ""
