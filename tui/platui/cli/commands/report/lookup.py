"""Find the person, group, project or reports that arguments name, or list candidates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.cli.output.stdout import print_lines
from platui.core.errors import CommandError, ConfigError, TermError
from platui.core.text import shorten
from platui.models.values.access import PeopleOrder
from platui.models.values.access_terms import PEOPLE_TERMS, PLACE_TERMS
from platui.present.tables.column_widths import aligned
from platui.report.queries.query import read_terms

if TYPE_CHECKING:
    from collections.abc import Callable

    from platui.cli.commands.report.saved import ProfileReports
    from platui.models.values.access import AccessReport, ReportInfo
    from platui.models.values.access_changes import AccessChanges

_MAX_CANDIDATES: Final = 5
_MAX_WORD: Final = 60
_OF_MEMBERSHIPS: Final = frozenset({"level", "group", "project"})


def person_named(report: AccessReport, word: str) -> int:
    def near(query: str) -> list[str]:
        rows = report.people(query, PeopleOrder.NAME).rows[: _MAX_CANDIDATES + 1]
        return [one.username or f"id {one.id}" for one in map(report.person, rows)]

    if (row := report.find_person(word)) is None:
        raise _lookup_error(word, near, "person", "a user name, an e-mail address or an id")
    return row


def place_named(report: AccessReport, word: str) -> int:
    def near(query: str) -> list[str]:
        return [report.place(one).path for one in report.places(query)[: _MAX_CANDIDATES + 1]]

    if (row := report.find_place(word)) is None:
        raise _lookup_error(word, near, "group or project", "a full path or an id")
    return row


def compare_reports(reports: ProfileReports, before: str, after: str) -> AccessChanges:
    """Compare report `before` (default: the previous one) with `after` (default: the latest)."""
    later = reports.info(after or "latest")
    earlier = reports.info(before) if before else _previous(reports, later)
    if earlier.id == later.id:
        raise ConfigError(
            f"Both reports are the same ({later.id}).",
            hint="List reports with: platui report list",
        )
    return reports.compare(earlier, later, "Comparing")


def _previous(reports: ProfileReports, later: ReportInfo) -> ReportInfo:
    infos = reports.infos()
    ids = [info.id for info in infos]
    older = infos[ids.index(later.id) + 1 :]
    if not older:
        raise CommandError(
            f"No report before {later.id} is saved {reports.where}.",
            hint="List reports with: platui report list",
        )
    reports.warn_skipped(older[0], later)
    return older[0]


def has_membership_terms(query: str) -> bool:
    terms = read_terms(query, {term.field for term in PEOPLE_TERMS})
    return any(term.field in _OF_MEMBERSHIPS and not term.is_negated for term in terms)


def _lookup_error(
    word: str, near: Callable[[str], list[str]], kind: str, wanted: str
) -> CommandError:
    """Return the error for a word that names no or several; `near` returns a query's matches."""
    shown = f'"{shorten(word, _MAX_WORD)}"'
    plain = word.replace('"', " ").strip()
    try:
        found = near(f'"{plain}"')
    except TermError:  # an empty or too long query
        found = []
    if not found:
        return CommandError(f"No {kind} {shown} in this report.", hint=f"Give {wanted}.")
    names = ", ".join(shorten(name, 80) for name in found[:_MAX_CANDIDATES])
    more = " …" if len(found) > _MAX_CANDIDATES else ""
    return CommandError(f"{shown} is ambiguous: give {wanted}.", hint=f"Matches: {names}{more}")


def print_terms() -> None:
    for head, terms in (
        ("People (platui report show TERMS…)", PEOPLE_TERMS),
        ("Groups and projects (platui report show --groups TERMS…)", PLACE_TERMS),
    ):
        rows = [(f"  {term.example}", term.meaning, " ".join(term.values)) for term in terms]
        print_lines([f"{head}: all terms must match.", *aligned(rows), ""])
