"""People of the access report as rows and facets, with sort orders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from platui.core.errors import TermError
from platui.core.named_tuple import NamedTuple
from platui.models.values.access import PEOPLE_TERMS, PeopleOrder, term_of
from platui.models.values.table import Cell, LazyRows, Role, Row, SortKey
from platui.present.access.head_order import head_order
from platui.present.tables.spec import TIMELESS, ColumnSpec, TableSpec
from platui.report.queries.query import read_terms

if TYPE_CHECKING:
    from platui.models.values.access import AccessReport, Facet, PeopleResult, Person

# Order -> label and sort column; the default first
ORDERS: Final = {
    PeopleOrder.HIGHEST: ("highest level, then name", ("highest", True)),
    PeopleOrder.NAME: ("name", ("name", False)),
    PeopleOrder.USERNAME: ("user name", ("username", False)),
    PeopleOrder.STATE: ("state", ("state", False)),
    PeopleOrder.MEMBERSHIPS: ("most memberships", None),
    PeopleOrder.DOMAIN: ("domain of the e-mail address", ("domain", False)),
    PeopleOrder.FILE: ("order of the report", None),
}  # fmt: skip


class FacetLine(NamedTuple):
    """A facet of the people found, or a heading."""

    term: str
    text: str
    role: Role = "text"
    people: int | None = None


FACETS: Final[TableSpec[FacetLine]] = TableSpec(
    key=lambda line: line.term,
    columns=(
        ColumnSpec(
            "value", "FOUND", cell=lambda line, _: Cell(line.text, line.role), width=20, minimum=8,
            flexible=True,
        ),
        ColumnSpec(
            "people", "PEOPLE", cell=lambda line, _: f"{line.people:,}" if line.people else "",
            role="muted", width=6, right=True,
        ),
    ),
)  # fmt: skip


def order_column(order: PeopleOrder, *, is_whole: bool) -> SortKey | None:
    """Return the sort column; levels are unknown until the report is complete."""
    by_name = order is PeopleOrder.HIGHEST and not is_whole
    return ORDERS[PeopleOrder.NAME if by_name else order][1]


def people_rows(
    table: TableSpec[Person],
    report: AccessReport,
    answer: PeopleResult,
    sort: SortKey | None = None,
) -> LazyRows:
    """Return the people found as lazy rows, sorted by a column or not; run in a thread."""
    rows = answer.rows

    def index_of(key: str) -> int | None:
        try:
            return rows.index(int(key))
        except ValueError:
            return None

    def make(at: int) -> Row:
        return Row(str(rows[at]), table.cells(report.person(rows[at])))

    found = LazyRows(len(rows), make, index_of)
    if sort is None:
        return found
    return found.arranged(head_order(table, sort, map(report.person, rows), report.levels))


def facet_rows(answer: PeopleResult, query: str) -> list[Row]:
    """Return the facets under headings; a key is a term."""
    groups: tuple[tuple[str, str, Sequence[Facet]], ...] = (
        ("HIGHEST LEVEL", "highest", answer.levels),
        ("STATE", "state", answer.states),
        ("DOMAIN", "domain", answer.domains),
        ("SERVICE IDENTITY", "identity", answer.identities),
    )
    lines: list[FacetLine] = []
    around = f" {query} "
    for heading, field, facets in groups:
        if not facets:
            continue
        lines.append(FacetLine(f"#{field}", heading, "muted"))
        for facet in facets:
            term = term_of(field, facet.value)
            role = "accent" if f" {term} " in around else "text"
            lines.append(FacetLine(term, f"  {facet.value}", role, facet.people))
    return FACETS.rows(lines, TIMELESS)


def with_term(query: str, term: str) -> str:
    """Return a search with a term added, or removed if present."""
    if query.count('"') % 2:  # else the term would be quoted
        query += '"'
    around = f" {query.strip()} "
    if f" {term} " in around:
        return " ".join(around.replace(f" {term} ", " ").split(" ")).strip()
    field = term.partition(":")[0]
    try:
        terms = read_terms(query, (one.field for one in PEOPLE_TERMS))
    except TermError:
        return f"{query.strip()} {term}"
    # One value per field: a new one replaces it.
    kept = (one for one in terms if one.field != field or one.is_negated)
    return " ".join([*(query[one.start : one.end] for one in kept), term])
