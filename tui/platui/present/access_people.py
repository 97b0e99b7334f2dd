"""People of the access report as rows, as facets, and in the orders that there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.models.values.access import PeopleOrder
from platui.models.values.access_terms import term_of
from platui.models.values.table import Cell, Column, Row
from platui.present.access import count_width, number, short_level, state_cell
from platui.present.made_rows import MadeRows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.models.values.access import AccessReport, Facet, PeopleAnswer, Person
    from platui.models.values.table import SortKey

ORDERS: Final = {
    PeopleOrder.HIGHEST: ("highest level, then name", ("highest", True)),
    PeopleOrder.NAME: ("name", ("name", False)),
    PeopleOrder.USERNAME: ("user name", ("user", False)),
    PeopleOrder.STATE: ("state", ("state", False)),
    PeopleOrder.MEMBERSHIPS: ("most memberships", None),
    PeopleOrder.DOMAIN: ("domain of the e-mail address", ("domain", False)),
    PeopleOrder.FILE: ("as the report has them", None),
}  # fmt: skip
"""What each order is called, and the column that it goes by; the usual one first."""

FACET_COLUMNS: Final = (
    Column("value", "FOUND", 20, minimum=8, flexible=True),
    Column("people", "PEOPLE", 6, right=True),
)
_UNREAD: Final = Cell("…", "muted")
_BESIDE: Final = 4
"""Levels that have a column on a narrow screen at most; the lowest leave first."""
_LEFT: Final = (
    Column("name", "NAME", 20, minimum=19, flexible=True),
    Column("user", "USER", 18, minimum=10, priority=20),
    Column("state", "STATE", 9, minimum=7, priority=3),
    Column("highest", "HIGHEST", 10),
)
_DOMAIN: Final = Column("domain", "DOMAIN", 18, minimum=12, priority=4, ends=True)
"""Who is from elsewhere is told by it: user names and the lowest levels leave before it."""


def people_columns(report: AccessReport | None) -> tuple[Column, ...]:
    """Return the columns: one a level and their sum between the highest level and the domain.

    Counts are as wide as the largest that anybody has; for a thread, since that is looked for.

    Args:
        report: None: there is none yet.
    """
    levels = [] if report is None else zip(report.levels, report.level_counts(None), strict=True)
    largest = 0 if report is None else report.most_held
    counts = [
        Column(
            f"level {level}",
            short_level(level),
            count_width(min(largest, most), short_level(level)),
            right=True,
            priority=2 if at < _BESIDE else 6 + at,
        )
        for at, (level, most) in enumerate(reversed([*levels]))
    ]
    total = Column("total", "TOTAL", count_width(largest, "TOTAL"), right=True, priority=5)
    return (*_LEFT, *counts, total, _DOMAIN)


def order_column(order: PeopleOrder, *, is_whole: bool) -> SortKey | None:
    """Return which column an order goes by, for the arrow beside its title.

    Args:
        order: the order.
        is_whole: whether the report is; while it is not, nobody has a level to go by.
    """
    by_name = order is PeopleOrder.HIGHEST and not is_whole
    return ORDERS[PeopleOrder.NAME if by_name else order][1]


def people_rows(report: AccessReport, answer: PeopleAnswer) -> MadeRows:
    """Return the people found as rows, made as they come into sight; a key is a report's row."""
    rows = answer.rows

    def place_of(key: str) -> int | None:
        try:
            return rows.index(int(key))
        except ValueError:
            return None

    return MadeRows(len(rows), lambda at: person_row(report, report.person(rows[at])), place_of)


def person_row(report: AccessReport, person: Person) -> Row:
    """Return one person."""
    counts: Sequence[Cell]
    if report.is_whole:
        counts = [*map(number, reversed(person.counts)), number(sum(person.counts))]
        highest = Cell(person.highest or "none", "text" if person.highest else "muted")
    else:
        counts, highest = [_UNREAD] * (len(report.levels) + 1), _UNREAD
    return Row(
        str(person.row),
        (
            name_cell(person),
            Cell(person.username),
            state_cell(person.state, holds=bool(person.highest)),
            highest,
            *counts,
            Cell(domain_of(person), "muted"),
        ),
    )


def name_cell(person: Person) -> Cell:
    """Return what a person is called: those whom `users` lacks have nothing but an id."""
    if not person.is_listed:
        return Cell(f"id {person.id} · not in users", "warning")
    return Cell(person.name or person.username or f"id {person.id}")


def domain_of(person: Person) -> str:
    """Return the domain of the e-mail address; empty where there is none."""
    return person.email.rpartition("@")[2].lower() if "@" in person.email else ""


def facet_rows(answer: PeopleAnswer, query: str) -> list[Row]:
    """Return what the people found have in common, under headings; a key is a term.

    Args:
        answer: the people found.
        query: the search, whose terms are marked.
    """
    groups: tuple[tuple[str, str, Sequence[Facet]], ...] = (
        ("HIGHEST LEVEL", "highest", answer.levels),
        ("STATE", "state", answer.states),
        ("DOMAIN", "domain", answer.domains),
        ("SERVICE IDENTITY", "identity", answer.identities),
    )
    rows: list[Row] = []
    around = f" {query} "
    for heading, field, facets in groups:
        if not facets:
            continue
        rows.append(Row(f"#{field}", (Cell(heading, "muted"), Cell(""))))
        for facet in facets:
            term = term_of(field, facet.value)
            role = "accent" if f" {term} " in around else "text"
            rows.append(
                Row(term, (Cell(f"  {facet.value}", role), Cell(f"{facet.people:,}", "muted")))
            )
    return rows


def with_term(query: str, term: str) -> str:
    """Return a search with a term more, or without it where it is there already."""
    around = f" {query.strip()} "
    if f" {term} " in around:
        return " ".join(around.replace(f" {term} ", " ").split(" ")).strip()
    field = term.partition(":")[0]
    # Of one field one value holds: another one takes its place.
    words = query.split() if '"' not in query else [query.strip()]
    return " ".join([*(word for word in words if not word.startswith(f"{field}:")), term])
