"""Columns and values of exported tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Final

from platui.models.values.access import DEFAULT_ORDER, PeopleOrder, ReportInfo
from platui.models.values.access_changes import ChangeKind, changes_of, count_changed_memberships
from platui.report.export.fields import CHANGE, HELD, PLACE, WHERE, WHO, person_fields
from platui.report.export.sheet import Row, RowFormat, Sheet, Value
from platui.report.queries.membership_rows import Members

if TYPE_CHECKING:
    from platui.models.values.access_changes import AccessChanges, Change
    from platui.models.values.reports import PageSelection
    from platui.report.open_report import OpenedReport

_AT_ONCE: Final = 512  # Rows per batch

_KEPT: Final = 65_536  # Cached cells of people, who are in many places

_MEMBERSHIP: Final = (*WHO.names, *WHERE.names, *HELD.names)
_EFFECTIVE: Final = (
    *WHO.names, *WHERE.names, "level", "is_direct", "effective_level", "effective_place_path",
)  # fmt: skip
_ON_HELD: Final = (
    ("column:level", "the level that the report lists for place_path"),
    (
        "column:is_inherited",
        "whether a parent group lists the same person with at least this level",
    ),
)
_ON_EFFECTIVE: Final = (
    ("column:level", "the level that the report lists for place_path"),
    ("column:is_direct", "whether place_path is the requested group or project"),
    ("column:effective_level", "the highest level in the place and its parent groups"),
    ("column:effective_place_path", "the outermost of them with that level"),
)


def people_sheet(
    report: OpenedReport, query: str = "", order: PeopleOrder = DEFAULT_ORDER
) -> Sheet:
    """Return the people of a query, with a column per level. Raises TermError: invalid query."""
    answer = report.people(query, order)
    fields = person_fields(report.levels)
    return Sheet(
        "People",
        (*_origin(report.info), ("filter", query), ("people", len(answer.rows))),
        fields.names,
        len(answer.rows),
        lambda form: _row_lines(
            form, fields.names, map(fields.values, map(report.person, answer.rows))
        ),
    )


def memberships_sheet(
    report: OpenedReport, query: str = "", listed: PageSelection | None = None
) -> Sheet:
    """Return the memberships of a people query. Raises TermError: the query is invalid."""
    answer = report.people(query, PeopleOrder.FILE)
    count = answer.memberships
    if listed is not None:
        count = sum(len(one.people or ()) for one in _at(report.memberships(query), listed))
    counts = (("people", len(answer.rows)), ("memberships", count))
    return Sheet(
        "Memberships",
        (*_origin(report.info), ("filter", query), *_searched(listed), *counts, *_ON_HELD),
        _MEMBERSHIP,
        count,
        lambda form: _membership_lines(form, report, _at(report.memberships(query), listed)),
    )


def _at(found: Iterable[Members], listed: PageSelection | None) -> Iterable[Members]:
    return found if listed is None else (one for one in found if one.place in listed.rows)


def _searched(listed: PageSelection | None) -> tuple[tuple[str, Value], ...]:
    return () if listed is None else (("search", listed.words),)


def members_sheet(report: OpenedReport, place: int, listed: PageSelection | None = None) -> Sheet:
    """Return the direct members of a group or project, highest level first."""
    members = report.members_of(place)
    wanted = [
        (person, level, int(one.is_inherited))
        for person, level, one in zip(members.people, members.levels, members, strict=True)
        if listed is None or person in listed.rows
    ]
    people, levels, inherited = zip(*wanted, strict=True) if wanted else ((), (), ())
    path = report.place(place).path
    return Sheet(
        f"Members of {path}",
        (
            *_origin(report.info),
            ("place", path),
            ("scope", "direct members, without inherited members"),
            *_searched(listed),
            ("members", len(wanted)),
            *_ON_HELD,
        ),
        _MEMBERSHIP,
        len(wanted),
        lambda form: _membership_lines(form, report, [Members(place, people, levels, inherited)]),
    )


def effective_sheet(report: OpenedReport, place: int, listed: PageSelection | None = None) -> Sheet:
    every = report.all_members(place)
    members = [one for one in every if listed is None or one[0] in listed.rows]
    direct = sum(1 for one in members if one[1] == place)
    path = report.place(place).path

    def rows() -> Iterator[Row]:
        for person, at, level, _, effective, held_at in members:
            yield (
                *WHO.values(report.person(person)), *WHERE.values(report.place(at)), level,
                at == place, effective, report.place(held_at).path,
            )  # fmt: skip

    return Sheet(
        f"Members of {path} and its parent groups",
        (
            *_origin(report.info),
            ("place", path),
            ("scope", "direct and inherited members; highest effective level first"),
            *_searched(listed),
            ("direct", direct),
            ("from_above", len(members) - direct),
            *_ON_EFFECTIVE,
        ),
        _EFFECTIVE,
        len(members),
        lambda form: _row_lines(form, _EFFECTIVE, rows()),
    )


def places_sheet(report: OpenedReport, query: str = "") -> Sheet:
    """Return the groups and projects of a query. Raises TermError: the query is invalid."""
    found = report.places(query)
    return Sheet(
        "Groups and projects",
        (*_origin(report.info), ("filter", query), ("places", len(found))),
        PLACE.names,
        len(found),
        lambda form: _row_lines(form, PLACE.names, map(PLACE.values, map(report.place, found))),
    )


def changes_sheet(
    changes: AccessChanges,
    keep: Callable[[Change], bool] | None = None,
    words: str = "",
    most: int | None = None,
) -> Sheet:
    """Return changes by kind, at most `most` of each. `words` describes the filter `keep`."""
    counts = changes.counts
    if keep is not None:
        counts = {kind: sum(map(keep, changes_of(changes, kind))) for kind in ChangeKind}

    def rows() -> Iterator[Row]:
        for kind in ChangeKind:
            every = changes_of(changes, kind)
            wanted = every if keep is None else filter(keep, every)
            yield from map(CHANGE.values, islice(wanted, most))

    return Sheet(
        "Changes",
        (
            *_origin(changes.before, "before_"),
            *_origin(changes.after, "after_"),
            *((("search", words),) if keep is not None else ()),
            *((kind.value.replace(" ", "_"), counts[kind]) for kind in ChangeKind),
            ("memberships_that_differ", count_changed_memberships(changes.counts)),
        ),
        CHANGE.names,
        sum(counts[kind] if most is None else min(counts[kind], most) for kind in ChangeKind),
        lambda form: _row_lines(form, CHANGE.names, rows()),
    )


def _origin(info: ReportInfo, which: str = "") -> tuple[tuple[str, Value], ...]:
    return (
        (f"{which}report", info.id),
        (f"{which}fetched_at", info.fetched_at.isoformat(timespec="seconds")),
        (f"{which}origin", info.origin),
        (f"{which}sha256", info.digest),
    )


def _row_lines(
    form: RowFormat, columns: Sequence[str], rows: Iterator[Row]
) -> Iterator[Sequence[str]]:
    while lines := [form.line(columns, row) for row in islice(rows, _AT_ONCE)]:
        yield lines


def _membership_lines(
    form: RowFormat, report: OpenedReport, found: Iterable[Members]
) -> Iterator[Sequence[str]]:
    """Yield memberships; cells of a person or place are formatted once."""

    @lru_cache(maxsize=_KEPT)
    def who(row: int) -> str:
        return f"{form.before}{form.part(WHO.names, WHO.values(report.person(row)))}{form.between}"

    held = [
        [
            f"{form.between}{form.part(HELD.names, (level, is_inherited))}{form.after}"
            for level in report.levels
        ]
        for is_inherited in (False, True)
    ]
    for place, people, levels, inherited in found:
        if not people:
            yield ()
            continue
        where = form.part(WHERE.names, WHERE.values(report.place(place)))
        rows = zip(map(who, people), levels, inherited, strict=True)
        yield [f"{cells}{where}{held[above][level]}" for cells, level, above in rows]
