"""Find the person, place or reports that words name, or list candidates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.core.errors import CommandError, ConfigError, TermError
from platui.core.text import shorten
from platui.models.values.access import PeopleOrder
from platui.models.values.access_terms import PEOPLE_TERMS, PLACE_TERMS
from platui.present.tables.fit import aligned
from platui.report.queries.query import read_terms

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from platui.cli.commands.report.saved import Shelf
    from platui.models.values.access import AccessReport, ReportInfo
    from platui.models.values.access_changes import AccessChanges

_NEAR: Final = 5
_WORD: Final = 60
_OF_MEMBERSHIPS: Final = frozenset({"level", "group", "project"})


def person_named(report: AccessReport, word: str) -> int:
    def near(query: str) -> list[str]:
        rows = report.people(query, PeopleOrder.NAME).rows[: _NEAR + 1]
        return [one.username or f"id {one.id}" for one in map(report.person, rows)]

    if (row := report.find_person(word)) is None:
        raise _not_one(word, near, "Nobody", "a user name, an e-mail address or an id")
    return row


def place_named(report: AccessReport, word: str) -> int:
    def near(query: str) -> list[str]:
        return [report.place(one).path for one in report.places(query)[: _NEAR + 1]]

    if (row := report.find_place(word)) is None:
        raise _not_one(word, near, "No group or project", "a full path or an id")
    return row


def compared(shelf: Shelf, before: str, after: str) -> AccessChanges:
    """Compare `before` (empty: the one before the other) with `after` (empty: the latest)."""
    later = shelf.info(after or "latest")
    earlier = shelf.info(before) if before else _one_before(shelf, later)
    if earlier.id == later.id:
        raise ConfigError(
            f"A report is compared with another one, and not with itself ({later.id}).",
            hint="platui report list tells them.",
        )
    return shelf.compare(earlier, later, "Comparing")


def _one_before(shelf: Shelf, later: ReportInfo) -> ReportInfo:
    infos = shelf.infos()
    ids = [info.id for info in infos]
    older = infos[ids.index(later.id) + 1 :]
    if not older:
        raise CommandError(
            f"No report that came before {later.id} is saved {shelf.where}.",
            hint="platui report list tells them.",
        )
    shelf.tell_passed_over(older[0], later)
    return older[0]


def names_memberships(query: str) -> bool:
    terms = read_terms(query, {term.field for term in PEOPLE_TERMS})
    return any(term.field in _OF_MEMBERSHIPS and not term.is_negated for term in terms)


def _not_one(word: str, near: Callable[[str], list[str]], nobody: str, wanted: str) -> CommandError:
    """`near` returns the names that a query finds; `nobody` is what there is none of."""
    shown = f"“{shorten(word, _WORD)}”"
    try:
        found = near(_quoted(word))
    except TermError:  # of nothing, or of too much
        found = []
    if not found:
        return CommandError(f"{nobody} in this report is {shown}.", hint=f"Give {wanted}.")
    names = ", ".join(shorten(name, 80) for name in found[:_NEAR])
    more = " …" if len(found) > _NEAR else ""
    return CommandError(f"{shown} is not {wanted} of one alone.", hint=f"There is: {names}{more}")


def _quoted(word: str) -> str:
    plain = word.replace('"', " ").strip()
    return f'"{plain}"'


def terms_lines() -> Iterator[str]:
    for head, terms in (
        ("People (platui report show TERMS…)", PEOPLE_TERMS),
        ("Groups and projects (platui report show --groups TERMS…)", PLACE_TERMS),
    ):
        yield f"{head}: all terms must hold."
        rows = [(f"  {term.example}", term.meaning, " ".join(term.values)) for term in terms]
        yield from aligned(rows)
        yield ""
