"""Which columns there are, and where their values come from."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain, islice
from typing import TYPE_CHECKING, Final

from platui.models.values.access import CAVEATS, USUAL_ORDER, PeopleOrder
from platui.models.values.access_changes import (
    OF_MEMBERSHIPS,
    OF_PEOPLE,
    ChangeKind,
    differing,
)
from platui.report.export.sheet import Sheet
from platui.report.questions.held_rows import Members

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from platui.models.values.access import ReportInfo
    from platui.models.values.access_changes import AccessChanges
    from platui.report.export.sheet import Form, Row, Value
    from platui.report.opened import OpenedReport

_AT_ONCE: Final = 512
"""Rows that are made before they are written."""

_KEPT: Final = 65_536
"""People whose cells are kept while memberships are written: places have them in common."""

_WHO: Final = ("user_id", "name", "username", "email", "state")
_WHERE: Final = ("kind", "place_id", "place_name", "place_path")
_HELD: Final = ("level", "inherited")
_MEMBERSHIP: Final = (*_WHO, *_WHERE, *_HELD)
_EFFECTIVE: Final = (*_WHO, *_WHERE, "level", "direct", "effective", "effective_path")
_ON_HELD: Final = (
    ("column:level", "what the report lists for place_path itself"),
    ("column:inherited", "whether a group above lists the same person with at least this level"),
)
_ON_EFFECTIVE: Final = (
    ("column:level", "what the report lists for place_path itself"),
    ("column:direct", "whether place_path is the place asked for"),
    ("column:effective", "the highest of what the place and the groups above it list"),
    ("column:effective_path", "which of them lists that; of several the outermost"),
)
"""What a column means that a name alone does not say."""
_DIRECT_ONLY: Final = "direct members; those of the groups above are not in it"
_WITH_ABOVE: Final = "direct members and those of the groups above; highest effective level first"
_CHANGE: Final = (
    "change", "user_id", "name", "username", "email",
    "kind", "place_id", "place_path", "before", "after", "how", "memberships",
)  # fmt: skip


def people_sheet(report: OpenedReport, query: str = "", order: PeopleOrder = USUAL_ORDER) -> Sheet:
    """Return the people that the terms of a query find, a column for each level.

    Those are called `level:OWNER` and so on: the report might call a level like a column.

    Raises:
        TermError: the query cannot be read.
    """
    answer = report.people(query, order)

    def rows() -> Iterator[Row]:
        for row in answer.rows:
            one = report.person(row)
            counts = one.counts or (0,) * len(report.levels)
            yield (
                one.id, one.name, one.username, one.email, one.state, one.identity, one.is_listed,
                one.highest, sum(counts), *counts,
            )  # fmt: skip

    columns = (
        "id", "name", "username", "email", "state", "service_identity_uuid", "listed",
        "highest", "memberships", *(f"level:{level}" for level in report.levels),
    )  # fmt: skip
    return Sheet(
        "People",
        (*_origin(report.info), ("filter", query), ("people", len(answer.rows))),
        CAVEATS,
        columns,
        len(answer.rows),
        lambda form: _row_lines(form, columns, rows()),
    )


def memberships_sheet(report: OpenedReport, query: str = "") -> Sheet:
    """Return the memberships that the terms of a query on people find.

    Raises:
        TermError: the query cannot be read.
    """
    answer = report.people(query, PeopleOrder.FILE)
    counts = (("people", len(answer.rows)), ("memberships", answer.memberships))
    return Sheet(
        "Memberships",
        (*_origin(report.info), ("filter", query), *counts, *_ON_HELD),
        CAVEATS,
        _MEMBERSHIP,
        answer.memberships,
        lambda form: _membership_lines(form, report, report.memberships(query)),
    )


def members_sheet(report: OpenedReport, place: int) -> Sheet:
    """Return the direct members of a group or project, highest level first."""
    members = report.members_of(place)
    inherited = [int(one.is_inherited) for one in members]
    path = report.place(place).path
    return Sheet(
        f"Members of {path}",
        (
            *_origin(report.info),
            ("place", path),
            ("scope", _DIRECT_ONLY),
            ("members", len(members)),
            *_ON_HELD,
        ),
        CAVEATS,
        _MEMBERSHIP,
        len(members),
        lambda form: _membership_lines(
            form, report, [Members(place, members.people, members.levels, inherited)]
        ),
    )


def effective_sheet(report: OpenedReport, place: int) -> Sheet:
    """Return who is a member of a group or project, directly or of a group above, as it counts."""
    members = report.everybody_in(place)
    direct = len(report.members_of(place))
    path = report.place(place).path

    def rows() -> Iterator[Row]:
        for person, at, level, _, effective, held_at in members:
            yield (
                *_who(report, person), *_where(report, at), level,
                at == place, effective, report.place(held_at).path,
            )  # fmt: skip

    return Sheet(
        f"Members of {path} and of the groups above",
        (
            *_origin(report.info),
            ("place", path),
            ("scope", _WITH_ABOVE),
            ("direct", direct),
            ("from_above", len(members) - direct),
            *_ON_EFFECTIVE,
        ),
        CAVEATS,
        _EFFECTIVE,
        len(members),
        lambda form: _row_lines(form, _EFFECTIVE, rows()),
    )


def places_sheet(report: OpenedReport, query: str = "") -> Sheet:
    """Return the groups and projects that the terms of a query find.

    Raises:
        TermError: the query cannot be read.
    """
    found = report.places(query)

    def rows() -> Iterator[Row]:
        for row in found:
            one = report.place(row)
            yield (
                one.id, one.kind, one.name, one.path, one.depth,
                one.members, one.groups, one.projects,
            )  # fmt: skip

    columns = ("id", "kind", "name", "path", "depth", "members", "groups", "projects")
    return Sheet(
        "Groups and projects",
        (*_origin(report.info), ("filter", query), ("places", len(found))),
        CAVEATS,
        columns,
        len(found),
        lambda form: _row_lines(form, columns, rows()),
    )


def changes_sheet(changes: AccessChanges, kinds: Sequence[ChangeKind] = tuple(ChangeKind)) -> Sheet:
    """Return changes of some kinds in one table, kind by kind; what has no value is null."""
    counts = changes.counts
    return Sheet(
        "Changes",
        (
            *_origin(changes.before, "before_"),
            *_origin(changes.after, "after_"),
            *((kind.value.replace(" ", "_"), counts[kind]) for kind in kinds),
            ("memberships_that_differ", differing(counts)),
        ),
        CAVEATS,
        _CHANGE,
        sum(counts[kind] for kind in kinds),
        lambda form: _row_lines(
            form, _CHANGE, chain.from_iterable(_change_rows(changes, kind) for kind in kinds)
        ),
    )


def _origin(info: ReportInfo, which: str = "") -> tuple[tuple[str, Value], ...]:
    return (
        (f"{which}report", info.id),
        (f"{which}fetched_at", info.fetched_at.isoformat(timespec="seconds")),
        (f"{which}origin", info.origin),
        (f"{which}sha256", info.digest),
    )


def _row_lines(form: Form, columns: Sequence[str], rows: Iterator[Row]) -> Iterator[Sequence[str]]:
    while lines := [form.line(columns, row) for row in islice(rows, _AT_ONCE)]:
        yield lines


def _membership_lines(
    form: Form, report: OpenedReport, found: Iterable[Members]
) -> Iterator[Sequence[str]]:
    """Yield memberships: of millions, the cells of each person and of each place are written once.

    A row is then three texts behind each other.
    """

    @lru_cache(maxsize=_KEPT)
    def who(row: int) -> str:
        return f"{form.before}{form.part(_WHO, _who(report, row))}{form.between}"

    held = [
        [
            f"{form.between}{form.part(_HELD, (level, is_inherited))}{form.after}"
            for level in report.levels
        ]
        for is_inherited in (False, True)
    ]
    for place, people, levels, inherited in found:
        if not people:
            yield ()
            continue
        where = form.part(_WHERE, _where(report, place))
        rows = zip(map(who, people), levels, inherited, strict=True)
        yield [f"{cells}{where}{held[above][level]}" for cells, level, above in rows]


def _who(report: OpenedReport, row: int) -> Row:
    one = report.person(row)
    return one.id, one.name, one.username, one.email, one.state


def _where(report: OpenedReport, row: int) -> Row:
    one = report.place(row)
    return one.kind, one.id, one.name, one.path


def _change_rows(changes: AccessChanges, kind: ChangeKind) -> Iterator[Row]:
    if kind in OF_PEOPLE:
        for who in changes.people(kind):
            one = who.person
            person = (one.id, one.name, one.username, one.email)
            traits = (who.before or None, who.after or None)
            how = who.how if who.trait is None else who.trait.value
            yield (kind.name.lower(), *person, *(None,) * 3, *traits, how, who.memberships)
    elif kind in OF_MEMBERSHIPS:
        for held in changes.memberships(kind):
            one, place = held.person, held.place
            person = (one.id, one.name, one.username, one.email)
            where = (place.kind, place.id, place.path)
            levels = (held.before or None, held.after or None)
            yield (kind.name.lower(), *person, *where, *levels, None, None)
    else:
        for change in changes.places(kind):
            where = (change.place.kind, change.place.id, change.place.path)
            names = (change.before or None, change.after or None)
            yield (kind.name.lower(), *(None,) * 4, *where, *names, None, None)
