"""A query taken apart into its terms; what they mean is decided elsewhere."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final, NamedTuple

from platui.core.errors import TermError
from platui.core.text import clean, shorten
from platui.models.values.access_terms import PEOPLE_TERMS, PLACE_TERMS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from platui.models.values.access import Facet
    from platui.models.values.access_terms import TermHelp


MAX_CHARACTERS: Final = 2000
MAX_TERMS: Final = 100

_FIELD: Final = re.compile(r"([A-Za-z][A-Za-z_-]*):")
_BOUND: Final = re.compile(r"[\s\"]")
_CHOICE_BOUND: Final = re.compile(r"[\s\",]")


class Choice(NamedTuple):
    """One of the values of a term, `start` to `end` in the query as typed."""

    text: str
    is_quoted: bool
    """It stands for itself: no sign in it means anything."""
    start: int
    end: int


class Term(NamedTuple):
    """What must hold of everything found."""

    field: str  # Lower case; empty: a word
    choices: tuple[Choice, ...]  # One of which is enough; never none
    is_negated: bool
    start: int
    end: int

    @property
    def text(self) -> str:
        """Return the value of a term that has only one."""
        return self.choices[0].text


def read_terms(query: str, fields: Iterable[str]) -> list[Term]:
    """Return the terms of a query.

    A quote that is not closed is closed at the end. Raises TermError: another name stands there,
    nothing after it, or it is too much.
    """
    if len(query) > MAX_CHARACTERS:
        raise TermError(
            f"This search is longer than {MAX_CHARACTERS:,} characters.",
            start=MAX_CHARACTERS,
            end=len(query),
        )
    known = sorted(set(fields) - {"", "-"})
    terms: list[Term] = []
    at = _skip_spaces(query, 0)
    while at < len(query):
        term, at = _read_term(query, at, known)
        if len(terms) == MAX_TERMS:
            raise TermError(f"More than {MAX_TERMS} terms.", start=term.start, end=len(query))
        terms.append(term)
        at = _skip_spaces(query, at)
    return terms


def _skip_spaces(query: str, at: int) -> int:
    while at < len(query) and query[at].isspace():
        at += 1
    return at


def _read_term(query: str, start: int, known: list[str]) -> tuple[Term, int]:
    at = start
    # A sign before nothing is a word like any other.
    is_negated = query[at] in "-!" and at + 1 < len(query) and not query[at + 1].isspace()
    at += is_negated
    named = _FIELD.match(query, at)
    if named is None:
        choice, at = _read_choice(query, at, _BOUND)
        return Term("", (choice,), is_negated, start, at), at
    field = named[1].lower()
    if field not in known:
        raise _unknown(named, known)
    choices: list[Choice] = []
    at = named.end()
    while True:
        choice, at = _read_choice(query, at, _CHOICE_BOUND)
        if choice.text:
            choices.append(choice)
        if at >= len(query) or query[at] != ",":
            break
        at += 1
    if not choices:
        raise TermError(f"{field}: of what?", start=start, end=at, hint=f"Such as {field}:value.")
    return Term(field, tuple(choices), is_negated, start, at), at


def _read_choice(query: str, start: int, bound: re.Pattern[str]) -> tuple[Choice, int]:
    """Return text up to a bound outside quotes; quotes may stand anywhere in it."""
    parts: list[str] = []
    is_quoted = False
    at = start
    while True:
        found = bound.search(query, at)
        end = len(query) if found is None else found.start()
        parts.append(query[at:end])
        at = end
        if found is None or found[0] != '"':
            break
        is_quoted = True
        close = query.find('"', at + 1)
        close = len(query) if close < 0 else close
        parts.append(query[at + 1 : close])
        at = min(len(query), close + 1)
    return Choice("".join(parts), is_quoted, start, at), at


def _unknown(named: re.Match[str], known: list[str]) -> TermError:
    field = named[1]
    others = {term.field for term in (*PEOPLE_TERMS, *PLACE_TERMS)}
    near = get_close_matches(field.lower(), known, n=1)
    if field.lower() in others:
        where = "people" if "state" not in known else "groups and projects"
        hint = f"{clean(field)}: is a term on {where}; here are {', '.join(known)}."
    else:
        hint = f"Did you mean {near[0]}:?" if near else f"Known are {', '.join(known)}."
    sentence = f"There is no term {clean(field)}:"
    return TermError(
        f"{sentence}.", start=named.start(), end=named.end(), hint=f"{hint} In quotes it is a word."
    )


_NEAR: Final = 5
_WORD: Final = 60
_OF_PEOPLE: Final = frozenset({"state", "domain", "group", "project"})
"""Terms on people whose values the report itself has."""
_OF_PLACES: Final = frozenset({"group", "user"})


def unmatched_people_values(
    query: str, finds: Callable[[str], bool], known: Callable[[], Mapping[str, Sequence[Facet]]]
) -> Iterator[str]:
    """Yield a sentence for each value in a query on people that nobody has.

    With a term that is negated such a value finds everybody, without a word. `known` returns states
    and domains, most people first. Raises TermError: it cannot be read.
    """
    for field, shown in _finding_nothing(query, PEOPLE_TERMS, _OF_PEOPLE, finds):
        if field in {"group", "project"}:
            yield f"Nobody is in a {field} {shown}, or there is none."
        else:
            yield f"No one has {field} {shown}{_those_of(known()[field])}."


def unmatched_place_values(query: str, finds: Callable[[str], bool]) -> Iterator[str]:
    """Yield a sentence for each value in a query on places that finds nothing.

    Raises TermError: it cannot be read.
    """
    for field, shown in _finding_nothing(query, PLACE_TERMS, _OF_PLACES, finds):
        if field == "group":
            yield f"There is no group {shown}."
        else:
            yield f"No user {shown} is a direct member anywhere, or there is none."


def _finding_nothing(
    query: str, terms: Sequence[TermHelp], fields: frozenset[str], finds: Callable[[str], bool]
) -> Iterator[tuple[str, str]]:
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
