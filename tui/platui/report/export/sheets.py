"""Which columns there are, and where their values come from."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Final

from platui.models.values.access import CAVEATS, USUAL_ORDER, PeopleOrder
from platui.models.values.access_changes import (
    OF_MEMBERSHIPS,
    OF_PEOPLE,
    ChangeKind,
    differing,
)
from platui.report.export.sheet import Sheet, Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from platui.models.values.access import Holding, ReportInfo
    from platui.models.values.access_changes import AccessChanges
    from platui.report.opened import OpenedReport

Row = tuple[Value, ...]

_KEPT: Final = 50_000
"""People whose texts are kept while memberships are written: places have them in common."""

_MEMBERSHIP: Final = (
    "user_id", "name", "username", "email", "state",
    "kind", "place_id", "place_name", "place_path", "level", "inherited",
)  # fmt: skip
_EFFECTIVE: Final = ("direct", "effective", "effective_path")
"""What is told beside a membership: whether the place lists it, what counts there, and by which."""
_DIRECT_ONLY: Final = "direct members; those of the groups above are not in it"
_WITH_ABOVE: Final = "direct members, then those of the groups above, at their place there"
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

    return Sheet(
        "People",
        (*_origin(report.info), ("filter", query), ("people", len(answer.rows))),
        CAVEATS,
        (
            "id", "name", "username", "email", "state", "service_identity_uuid", "listed",
            "highest", "memberships", *(f"level:{level}" for level in report.levels),
        ),
        len(answer.rows),
        rows,
    )  # fmt: skip


def memberships_sheet(report: OpenedReport, query: str = "") -> Sheet:
    """Return the memberships that the terms of a query on people find.

    Raises:
        TermError: the query cannot be read.
    """
    answer = report.people(query, PeopleOrder.FILE)
    counts = (("people", len(answer.rows)), ("memberships", answer.memberships))
    return Sheet(
        "Memberships",
        (*_origin(report.info), ("filter", query), *counts),
        CAVEATS,
        _MEMBERSHIP,
        answer.memberships,
        lambda: _membership_rows(report, report.memberships(query)),
    )


def members_sheet(report: OpenedReport, place: int) -> Sheet:
    """Return the direct members of a group or project, highest level first."""
    members = report.members_of(place)
    path = report.place(place).path
    return Sheet(
        f"Members of {path}",
        (
            *_origin(report.info),
            ("place", path),
            ("scope", _DIRECT_ONLY),
            ("members", len(members)),
        ),
        CAVEATS,
        _MEMBERSHIP,
        len(members),
        lambda: _membership_rows(report, members),
    )


def effective_sheet(report: OpenedReport, place: int) -> Sheet:
    """Return who is a member of a group or project, directly or of a group above, as it counts."""
    direct, above = report.members_of(place), report.members_above(place)
    path = report.place(place).path
    members = (*direct, *above)

    def rows() -> Iterator[Row]:
        held = zip(members, _membership_rows(report, members), strict=True)
        for (_, at, _, _, effective, held_at), row in held:
            yield (*row, at == place, effective, report.place(held_at).path)

    return Sheet(
        f"Members of {path} and of the groups above",
        (
            *_origin(report.info),
            ("place", path),
            ("scope", _WITH_ABOVE),
            ("direct", len(direct)),
            ("from_above", len(above)),
        ),
        CAVEATS,
        (*_MEMBERSHIP, *_EFFECTIVE),
        len(members),
        rows,
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

    return Sheet(
        "Groups and projects",
        (*_origin(report.info), ("filter", query), ("places", len(found))),
        CAVEATS,
        ("id", "kind", "name", "path", "depth", "members", "groups", "projects"),
        len(found),
        rows,
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
        lambda: chain.from_iterable(_change_rows(changes, kind) for kind in kinds),
    )


def _origin(info: ReportInfo, which: str = "") -> tuple[tuple[str, Value], ...]:
    return (
        (f"{which}report", info.id),
        (f"{which}fetched_at", info.fetched_at.isoformat(timespec="seconds")),
        (f"{which}origin", info.origin),
        (f"{which}sha256", info.digest),
    )


def _membership_rows(report: OpenedReport, holdings: Iterable[Holding]) -> Iterator[Row]:
    @lru_cache(maxsize=_KEPT)
    def texts_of(row: int) -> Row:
        one = report.person(row)
        return one.id, one.name, one.username, one.email, one.state

    @lru_cache(maxsize=1)
    def place_of(row: int) -> Row:
        one = report.place(row)
        return one.kind, one.id, one.name, one.path

    for person, place, level, is_inherited, *_ in holdings:
        yield (*texts_of(person), *place_of(place), level, is_inherited)


def _change_rows(changes: AccessChanges, kind: ChangeKind) -> Iterator[Row]:
    if kind in OF_PEOPLE:
        for who in changes.people(kind):
            one = who.person
            person = (one.id, one.name, one.username, one.email)
            yield (kind.name.lower(), *person, *(None,) * 5, who.how, who.memberships)
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
