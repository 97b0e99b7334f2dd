"""Tables of the access report: people, and groups and projects as a tree or search results."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeVar

from platui.core.named_tuple import NamedTuple
from platui.models.values.table import Cell, LazyRows, cell_of, keyed_rows
from platui.present.access.head_order import head_order
from platui.present.access.report import count_width, number, short_level, state_cell
from platui.present.tables.spec import ColumnSpec, Context, TableSpec
from platui.report.export.fields import PLACE, Fields, person_fields

if TYPE_CHECKING:
    from platui.models.values.access import AccessPlace, AccessReport, Person
    from platui.models.values.access_changes import ChangedPerson, ChangedPlace
    from platui.models.values.table import SortKey

T = TypeVar("T")

NAME_LIMIT: Final = 32
USER_LIMIT: Final = 24
EMAIL_LIMIT: Final = 48
PATH_LIMIT: Final = 120
LEVEL_LIMIT: Final = 32

_NOT_LOADED: Final = Cell("…", "muted")
_BESIDE: Final = 4  # Level columns on a narrow screen; the lowest levels are hidden first
_DEEPEST: Final = 12  # Maximum indentation steps


class PlaceRow(NamedTuple):
    """A group or project as a row of the tree or of search results."""

    place: AccessPlace
    counts: tuple[int, ...] = ()  # Memberships in it and below, by level
    depth: int = 0
    is_open: bool = False


def exporting(fields: Fields[T], *shown: ColumnSpec[T]) -> tuple[ColumnSpec[T], ...]:
    """Return the exported columns in export order, then the columns that are only shown."""
    own = {one.key: one for one in shown}
    exported = [(own.pop(name, ColumnSpec(name)), fields.value(name)) for name in fields.names]
    return (
        *(replace(one, name="", value=one.value or value) for one, value in exported),
        *(replace(one, name=None) for one in own.values()),
    )


def person_name(person: Person | ChangedPerson) -> str:
    return person.name or person.username or f"id {person.id}"


def place_name(place: AccessPlace | ChangedPlace) -> str:
    return place.path or place.name or f"{place.kind} {place.id}"


def name_cell(person: Person) -> Cell:
    if not person.is_listed:
        return Cell(f"id {person.id} · not in users", "warning")
    return Cell(person_name(person))


NAME: Final[ColumnSpec[Person]] = ColumnSpec(
    "name", "NAME", cell=lambda one, _: name_cell(one),
    cli_text=lambda one, _: one.name if one.is_listed else f"id {one.id}",
    cli_limit=NAME_LIMIT, width=20, minimum=19, flexible=True, cli_minimum=8,
)  # fmt: skip
USER: Final[ColumnSpec[Person]] = ColumnSpec(
    "username", "USER", value=lambda one, _: one.username, cli_limit=USER_LIMIT,
    width=18, minimum=10, priority=20, cli_minimum=8, cli_priority=1,
)  # fmt: skip
STATE: Final[ColumnSpec[Person]] = ColumnSpec(
    "state", "STATE", cell=lambda one, _: state_cell(one.state, holds=bool(one.highest)),
    cli_text=lambda one, _: one.state if one.is_listed else "unlisted", cli_limit=USER_LIMIT,
    width=9, minimum=7, priority=3, cli_minimum=0, cli_priority=2,
)  # fmt: skip
EMAIL: Final[ColumnSpec[Person]] = ColumnSpec(
    "email", "E-MAIL", value=lambda one, _: one.email, minimum=16, priority=3,
    cli_limit=EMAIL_LIMIT,
)  # fmt: skip
# The domain identifies external people: user names and the lowest levels are hidden before it.
DOMAIN: Final[ColumnSpec[Person]] = ColumnSpec(
    "domain", "DOMAIN", role="muted", in_cli=False,
    cell=lambda one, _: one.email.rpartition("@")[2].lower() if "@" in one.email else "",
    width=18, minimum=12, priority=4, ends=True,
)  # fmt: skip


def _level_columns(
    report: AccessReport | None, counts: Callable[[T], tuple[int, ...]]
) -> Iterator[ColumnSpec[T]]:
    """Yield a column per level, highest first; `counts` is empty until loaded."""
    if report is None:
        return
    every = list(enumerate(zip(report.levels, report.level_counts(None), strict=True)))
    for before, (at, (level, most)) in enumerate(reversed(every)):
        title = short_level(level)
        yield ColumnSpec(
            f"level:{level}", title, name=None, cell=_count_cell(at, counts), in_cli=False,
            sort=_count(at, counts),
            width=count_width(most, title), right=True,
            priority=2 if before < _BESIDE else 6 + before,
        )  # fmt: skip


def _count_cell(at: int, counts: Callable[[T], tuple[int, ...]]) -> Callable[[T, Context], Cell]:
    return lambda one, _: number(found[at]) if (found := counts(one)) else _NOT_LOADED


def _count(at: int, counts: Callable[[T], tuple[int, ...]]) -> Callable[[T, Context], int | None]:
    return lambda one, _: found[at] if (found := counts(one)) else None


def people_table(report: AccessReport | None) -> TableSpec[Person]:
    """Return the table with count columns wide enough for all; call it in a thread."""
    largest = 0 if report is None else report.max_memberships
    counted: Iterator[ColumnSpec[Person]] = _level_columns(report, lambda person: person.counts)
    levels = [
        replace(one, width=min(one.width, count_width(largest, one.title))) for one in counted
    ]
    is_whole = report is not None and report.is_whole

    def highest(person: Person, _at: Context) -> Cell:
        known = Cell(person.highest or "none", "text" if person.highest else "muted")
        return known if is_whole else _NOT_LOADED

    def total(person: Person, _at: Context) -> Cell:
        return number(sum(person.counts)) if is_whole else _NOT_LOADED

    return TableSpec(
        key=lambda person: str(person.row),
        screen=(
            "name", "username", "state", "highest", *(one.key for one in levels),
            "memberships", "domain",
        ),
        cli=("name", "username", "state", "highest", "memberships", "email"),
        columns=exporting(
            person_fields(() if report is None else report.levels),
            NAME, USER, STATE, EMAIL, DOMAIN,
            ColumnSpec(
                "highest", "HIGHEST", cell=highest,
                cli_text=lambda one, _: one.highest, cli_limit=LEVEL_LIMIT, width=10,
            ),
            ColumnSpec(
                "memberships", "TOTAL", cell=total, cli_title="MEMBERSHIPS",
                sort=lambda one, _: sum(one.counts),
                cli_text=lambda one, _: f"{sum(one.counts):,}",
                width=count_width(largest, "TOTAL"), right=True, priority=5, cli_priority=0,
            ),
            *levels,
        ),
    )  # fmt: skip


def _below(one: AccessPlace, count: int) -> str:
    return f"{count:,}" if one.kind == "group" else _NOT_OF_PROJECTS


_NOT_OF_PROJECTS: Final = " "

PLACES: Final[TableSpec[AccessPlace]] = TableSpec(
    key=lambda one: str(one.row),
    cli=("place_path", "kind", "members", "groups", "projects", "place_name"),
    columns=exporting(
        PLACE,
        ColumnSpec("kind", "KIND", priority=1),
        ColumnSpec("place_name", "NAME", cli_limit=NAME_LIMIT, minimum=12, priority=2),
        ColumnSpec("place_path", "PATH", cli_limit=PATH_LIMIT, minimum=16, ends=True),
        ColumnSpec("members", "MEMBERS", cell=lambda one, _: f"{one.members:,}", right=True),
        ColumnSpec(
            "groups", "GROUPS", cli_text=lambda one, _: _below(one, one.groups), right=True
        ),
        ColumnSpec(
            "projects", "PROJECTS", cli_text=lambda one, _: _below(one, one.projects), right=True
        ),
    ),
)  # fmt: skip


def places_table(report: AccessReport | None, *, is_tree: bool = True) -> TableSpec[PlaceRow]:
    """Return the table; levels count memberships in a place and below."""
    levels: list[ColumnSpec[PlaceRow]] = [*_level_columns(report, lambda line: line.counts)]
    people = 0 if report is None else report.person_count
    is_whole = report is not None and report.is_whole
    return PLACES.of(
        lambda line: line.place,
        ColumnSpec(
            "place_path", "GROUP OR PROJECT", value=lambda line, _: line.place.path,
            cell=lambda line, _: _place_cell(line, is_tree=is_tree),
            sort=lambda line, _: place_name(line.place).lower(),
            width=36, minimum=20, flexible=True, ends=not is_tree,
        ),
        ColumnSpec(
            "members", "DIRECT", value=lambda line, _: line.place.members,
            cell=lambda line, _: number(line.place.members) if is_whole else _NOT_LOADED,
            sort=lambda line, _: line.place.members,
            width=count_width(people, "DIRECT"), right=True, priority=1,
        ),
        *levels,
        screen=("place_path", "members", *(one.key for one in levels)),
    )  # fmt: skip


def _place_cell(line: PlaceRow, *, is_tree: bool) -> Cell:
    place = line.place
    text = place.path.rpartition("/")[2] or place.name or f"{place.kind} {place.id}"
    if is_tree:
        sign = ("▾ " if line.is_open else "▸ ") if place.groups or place.projects else "  "
        text = "  " * min(line.depth, _DEEPEST) + sign + text
    elif place.path:
        text = place.path
    end = "/" if place.kind == "group" else ""
    return cell_of([(text, "text"), (end, "muted")])


class Node(NamedTuple):
    row: int
    depth: int  # Indentation; 0 for search results


def arranged_places(
    report: AccessReport, rows: Sequence[int], sort: SortKey | None
) -> Sequence[int]:
    """Return places sorted by a column, or as they are; run in a thread."""
    if sort is None:
        return rows
    lines = (_place_row(report, Node(row, 0), ()) for row in rows)
    return [rows[at] for at in head_order(places_table(report), sort, lines)]


def tree(report: AccessReport, opened: Collection[int], sort: SortKey | None = None) -> list[Node]:
    """Return the visible nodes, top down, each group's sorted; run in a thread."""
    nodes: list[Node] = []
    waiting = [
        Node(row, 0) for row in reversed(arranged_places(report, report.children(None), sort))
    ]
    while waiting:
        node = waiting.pop()
        nodes.append(node)
        if node.row in opened:
            below = arranged_places(report, report.children(node.row), sort)
            waiting += [Node(row, node.depth + 1) for row in reversed(below)]
    return nodes


def place_rows(
    report: AccessReport, nodes: Sequence[Node], opened: Collection[int], *, is_tree: bool
) -> LazyRows:
    """Return nodes as rows, with full paths unless in a tree; a key is a report's row."""
    table = places_table(report, is_tree=is_tree)

    def cells(at: int) -> tuple[Cell, ...]:
        return table.cells(_place_row(report, nodes[at], opened))

    return keyed_rows([str(node.row) for node in nodes], cells)


def _place_row(report: AccessReport, node: Node, opened: Collection[int]) -> PlaceRow:
    counts = report.level_counts(node.row) if report.is_whole else ()
    return PlaceRow(report.place(node.row), counts, node.depth, node.row in opened)
