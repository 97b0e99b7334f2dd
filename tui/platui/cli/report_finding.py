"""The person or place that a word means; and who may be meant where it is not clear."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.core.errors import CommandError, TermError
from platui.core.text import shorten
from platui.models.values.access import PeopleOrder
from platui.models.values.access_terms import PEOPLE_TERMS
from platui.report.questions.query import read_terms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.models.values.access import AccessReport
    from platui.report.questions.query import Term

_NEAR: Final = 5
_WORD: Final = 60
_OF_MEMBERSHIPS: Final = frozenset({"level", "group", "project"})


def person_named(report: AccessReport, word: str) -> int:
    """Return the row of a person.

    Raises:
        CommandError: the word means nobody, or several.
    """
    row = report.find_person(word)
    if row is not None:
        return row
    try:
        rows = report.people(_quoted(word), PeopleOrder.NAME).rows[: _NEAR + 1]
    except TermError:  # of nothing, or of too much
        rows = ()
    found = [report.person(one) for one in rows]
    raise _not_one(
        word,
        [one.username or f"id {one.id}" for one in found],
        "Nobody in this report is {}.",
        "a user name, an e-mail address or an id",
    )


def place_named(report: AccessReport, word: str) -> int:
    """Return the row of a group or project.

    Raises:
        CommandError: the word means none, or several.
    """
    row = report.find_place(word)
    if row is not None:
        return row
    try:
        rows = report.places(_quoted(word))[: _NEAR + 1]
    except TermError:  # of nothing, or of too much
        rows = ()
    raise _not_one(
        word,
        [report.place(one).path for one in rows],
        "No group or project in this report is {}.",
        "a full path or an id",
    )


def names_memberships(query: str) -> bool:
    """Return whether the terms of a query on people say which memberships are meant."""
    return any(term.field in _OF_MEMBERSHIPS and not term.is_negated for term in _terms(query))


def _terms(query: str) -> list[Term]:
    return read_terms(query, {term.field for term in PEOPLE_TERMS})


def _not_one(word: str, near: Sequence[str], nothing: str, wanted: str) -> CommandError:
    shown = f"“{shorten(word, _WORD)}”"
    if not near:
        return CommandError(nothing.format(shown), hint=f"Give {wanted}.")
    names = ", ".join(shorten(name, 80) for name in near[:_NEAR])
    more = " …" if len(near) > _NEAR else ""
    return CommandError(f"{shown} is not {wanted} of one alone.", hint=f"There is: {names}{more}")


def _quoted(word: str) -> str:
    plain = word.replace('"', " ").strip()
    return f'"{plain}"'
