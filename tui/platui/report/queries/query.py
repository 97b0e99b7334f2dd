"""Parse a query into terms."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from platui.core.errors import TermError
from platui.core.named_tuple import NamedTuple
from platui.core.suggestions import nearest
from platui.core.text import clean, shorten
from platui.models.values.access import PEOPLE_TERMS, PLACE_TERMS, Facet, TermHelp

MAX_CHARACTERS: Final = 2000
MAX_TERMS: Final = 100

_FIELD: Final = re.compile(r"([A-Za-z][A-Za-z_-]*):")
_WORD: Final = re.compile(r'(?:[^\s"]++|"[^"]*+"?+)*+')
_CHOICE: Final = re.compile(r'(?:[^\s",]++|"[^"]*+"?+)*+')


class Choice(NamedTuple):
    """A value of a term; `start` and `end` are positions in the query."""

    text: str
    is_quoted: bool  # Whether it is literal, without special characters
    start: int
    end: int


class Term(NamedTuple):
    field: str  # Lower case; empty: a word
    choices: tuple[Choice, ...]  # Alternatives; at least one
    is_negated: bool
    start: int
    end: int


def read_terms(query: str, fields: Iterable[str]) -> list[Term]:
    """Parse a query; an open quote ends with it. Raises TermError: unknown field or no value."""
    if len(query) > MAX_CHARACTERS:
        raise TermError(
            f"This search is longer than {MAX_CHARACTERS:,} characters.",
            start=MAX_CHARACTERS,
            end=len(query),
        )
    known = sorted(set(fields) - {"", "-"})
    terms: list[Term] = []
    at = 0
    while at < len(query):
        if query[at].isspace():
            at += 1
            continue
        term = _read_term(query, at, known)
        at = term.end
        if len(terms) == MAX_TERMS:
            raise TermError(f"More than {MAX_TERMS} terms.", start=term.start, end=len(query))
        terms.append(term)
    return terms


def _read_term(query: str, start: int, known: list[str]) -> Term:
    at = start
    # A sign without a term is a word.
    is_negated = query[at] in "-!" and at + 1 < len(query) and not query[at + 1].isspace()
    at += is_negated
    named = _FIELD.match(query, at)
    if named is None:
        choice = _read_choice(query, at, _WORD)
        return Term("", (choice,), is_negated, start, choice.end)
    field = named[1].lower()
    if field not in known:
        raise _unknown(named, known)
    choices: list[Choice] = []
    at = named.end()
    while True:
        choice = _read_choice(query, at, _CHOICE)
        at = choice.end
        if choice.text:
            choices.append(choice)
        if at >= len(query) or query[at] != ",":
            break
        at += 1
    if not choices:
        raise TermError(
            f"{field}: needs a value.", start=start, end=at, hint=f"Example: {field}:value."
        )
    return Term(field, tuple(choices), is_negated, start, at)


def _read_choice(query: str, start: int, pattern: re.Pattern[str]) -> Choice:
    found = next(pattern.finditer(query, start))  # at the start, perhaps empty
    return Choice(found[0].replace('"', ""), '"' in found[0], start, found.end())


def _unknown(named: re.Match[str], known: list[str]) -> TermError:
    field = named[1]
    others = {term.field for term in (*PEOPLE_TERMS, *PLACE_TERMS)}
    near = nearest(field, known)
    if field.lower() in others:
        where = "people" if "state" not in known else "groups and projects"
        hint = f"{clean(field)}: is a term for {where}. Use {', '.join(known)}."
    else:
        hint = f"Did you mean {near}:?" if near else f"Use {', '.join(known)}."
    return TermError(
        f"Unknown term {clean(field)}:.",
        start=named.start(),
        end=named.end(),
        hint=f"{hint} Quote it to search for the text.",
    )


_NEAR: Final = 5
_LONGEST: Final = 60
_OF_PEOPLE: Final = frozenset({"state", "domain", "group", "project"})
"""People terms with values from the report."""
_OF_PLACES: Final = frozenset({"group", "user"})


def unmatched_people_values(
    query: str, finds: Callable[[str], bool], known: Callable[[str], Sequence[Facet]]
) -> Iterator[str]:
    """Yield a sentence for each value in a people query without a match. Raises TermError."""
    for field, shown in _finding_nothing(query, PEOPLE_TERMS, _OF_PEOPLE, finds):
        if field in {"group", "project"}:
            yield f"No members in {field} {shown}, or {field} not found."
        else:
            names = [shorten(facet.value, _LONGEST) for facet in known(field)]
            more = " …" if len(names) > _NEAR else ""
            those = f"; known: {', '.join(names[:_NEAR])}{more}" if names else ""
            yield f"No person with {field} {shown}{those}."


def unmatched_place_values(query: str, finds: Callable[[str], bool]) -> Iterator[str]:
    """Yield a sentence for each value in a places query without a match. Raises TermError."""
    for field, shown in _finding_nothing(query, PLACE_TERMS, _OF_PLACES, finds):
        if field == "group":
            yield f"Group {shown} not found."
        else:
            yield f"User {shown} not found, or without direct memberships."


def _finding_nothing(
    query: str, terms: Sequence[TermHelp], fields: frozenset[str], finds: Callable[[str], bool]
) -> Iterator[tuple[str, str]]:
    for term in read_terms(query, {term.field for term in terms}):
        if term.field not in fields:
            continue
        for choice in term.choices:
            value = query[choice.start : choice.end]
            if not finds(f"{term.field}:{value}"):
                yield term.field, shorten(clean(value), _LONGEST)
