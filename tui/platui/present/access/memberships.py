"""Memberships of the access report: of a person, and of a group or project."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING, Final

from platui.core.named_tuple import NamedTuple
from platui.models.values.table import Cell, Column, LazyRows, keyed_rows
from platui.present.access.head_order import head_order
from platui.present.access.report import state_cell
from platui.present.counts import counted
from platui.present.tables import memberships as tables
from platui.present.tables.access import name_cell, person_name

if TYPE_CHECKING:
    from platui.models.values.access import AccessPlace, AccessReport, Membership, Person
    from platui.models.values.table import SortKey
    from platui.present.chrome import Pieces

EFFECTIVE_HELP: Final = "The highest level here or in a parent group, with that group"
HELD_HELP: Final = "Direct membership here, or in a parent group"
_OWNERS: Final = 3


class MemberOrder(Enum):
    EFFECTIVE = "highest level, direct ones first"
    DIRECT = "direct members, then inherited ones"
    NAME = "name"


class Owners(NamedTuple):
    direct: Sequence[Membership]
    above: Sequence[Membership]


def holdings_of(
    report: AccessReport, person: int, words: str, *, by_level: bool
) -> Sequence[Membership]:
    """Return the memberships that match all words in path, level or kind; run in a thread."""
    held = report.memberships_of(person)
    wanted = words.lower().split()
    if wanted:
        held = [one for one in held if _has(report.place(one.place), one.level, wanted)]
    if by_level:
        rank = {level: at for at, level in enumerate(report.levels)}
        held = sorted(held, key=lambda one: -rank[one.level])
    return held


class MembersFound(NamedTuple):
    holdings: Sequence[Membership]
    direct: int
    above: int
    owners: Owners
    levels: tuple[int, ...]  # Members by effective level, as `AccessReport.levels`


def members_of(
    report: AccessReport, place: int, words: str, order: MemberOrder = MemberOrder.EFFECTIVE
) -> MembersFound:
    """Return the members that match all words; run in a thread."""
    direct, above = report.members_of(place), report.inherited_members(place)
    rank = {level: at for at, level in enumerate(report.levels)}
    held, counts = [*direct, *above], [0] * len(report.levels)
    for one in held:
        counts[rank[one.effective]] += 1
    wanted = words.lower().split()
    found = [one for one in held if not wanted or _names(report, one, wanted)]
    if order is MemberOrder.EFFECTIVE:
        found.sort(key=lambda one: -rank[one.effective])  # stable: direct ones stay first
    elif order is MemberOrder.NAME:
        found.sort(key=lambda one: name_cell(report.person(one.person)).text.casefold())
    here = [one for one in direct if one.level in tables.OWNER_LEVELS]
    owning = [one for one in held if one.effective in tables.OWNER_LEVELS]
    by_group = [one for one in owning if one.place != place or one.level not in tables.OWNER_LEVELS]
    return MembersFound(found, len(direct), len(above), Owners(here, by_group), tuple(counts))


def _has(place: AccessPlace, level: str, words: Sequence[str]) -> bool:
    text = f"{place.path} {place.name} {level} {place.kind}".lower()
    return all(word in text for word in words)


def _names(report: AccessReport, holding: Membership, words: Sequence[str]) -> bool:
    person = report.person(holding.person)
    who = f"{person.name} {person.username} {person.email} {person.state}"
    text = f"{who} {holding.level} {holding.effective}".lower()
    return all(word in text for word in words)


def person_columns(
    report: AccessReport, holdings: Sequence[Membership], *, is_wide: bool
) -> tuple[Column, ...]:
    """Return the columns; without `is_wide` the effective level only where it differs."""
    *columns, effective = tables.PERSON_MEMBERSHIPS.layout
    shown = [one for one in holdings if is_wide or one.effective != one.level]
    if not shown and not is_wide:
        return tuple(columns)
    longest = max(
        (len(tables.effective_cell(tables.membership_of(report, one)).text) for one in shown),
        default=0,
    )
    width = min(max(longest, len(effective.title) + 1), effective.width)
    return (*columns, replace(effective, width=width, minimum=min(width, effective.minimum)))


def person_holding_rows(
    report: AccessReport,
    holdings: Sequence[Membership],
    sort: SortKey | None = None,
    *,
    is_wide: bool = True,
) -> LazyRows:
    """Return rows by the row of the place; `is_wide` as in `person_columns`."""
    if sort is not None:
        records = (tables.membership_of(report, one) for one in holdings)
        order = head_order(tables.PERSON_MEMBERSHIPS, sort, records, report.levels)
        holdings = [holdings[at] for at in order]

    def cells(at: int) -> tuple[Cell, ...]:
        held = holdings[at]
        is_told = is_wide or held.effective != held.level
        return tables.PERSON_MEMBERSHIPS.cells(tables.membership_of(report, held, is_told=is_told))

    return keyed_rows([str(one.place) for one in holdings], cells)


def member_rows(
    report: AccessReport, place: int, holdings: Sequence[Membership], sort: SortKey | None = None
) -> LazyRows:
    """Return the members of a place as rows; a key is a person's row."""
    if sort is not None:
        records = (tables.member_of(report, place, one) for one in holdings)
        order = head_order(tables.MEMBERS, sort, records, report.levels)
        holdings = [holdings[at] for at in order]
    return keyed_rows(
        [str(one.person) for one in holdings],
        lambda at: tables.MEMBERS.cells(tables.member_of(report, place, holdings[at])),
    )


def person_pieces(person: Person) -> Pieces:
    if not person.is_listed:
        return ((f"id {person.id}", "strong"), ("not in the report's list of users", "warning"))
    state = state_cell(person.state, holds=bool(person.highest))
    found = [
        (person_name(person), "strong"),
        (person.username, "text"),
        (state.text, "text" if state.role == "muted" else state.role),
        (person.email or "no e-mail address", "text" if person.email else "muted"),
        (f"id {person.id}", "muted"),
    ]
    return tuple(piece for piece in found if piece[0])


def identity_pieces(person: Person) -> Pieces:
    if not person.is_listed:
        return ()
    return ((" service identity ", "muted"), (person.identity or "none", "text"))


def place_pieces(place: AccessPlace, direct: int, above: int) -> Pieces:
    """Return the line of a place; `above` counts members of parent groups only."""
    members = f"{direct:,} direct"
    found = [
        (place.path or place.name, "strong"),
        (place.kind, "text"),
        (f"{members} · {above:,} inherited" if above else members, "text"),
        (counted(place.groups, "group") + " below", "text") if place.groups else ("", ""),
        (counted(place.projects, "project") + " below", "text") if place.projects else ("", ""),
        (place.name if place.name != place.path.rpartition("/")[2] else "", "text"),
        (f"id {place.id}", "muted"),
    ]
    return tuple(piece for piece in found if piece[0])


def owners_summary(owners: Owners) -> str:
    direct, above = len(owners.direct), len(owners.above)
    if not direct + above:
        return "no owner"
    total = counted(direct + above, "owner")
    return f"{total} ({direct:,} direct, {above:,} inherited)" if above else f"{total}, direct"


def owners_pieces(report: AccessReport, owners: Owners) -> Pieces:
    every = [*owners.direct, *owners.above]
    if not every:
        return ((f" {owners_summary(owners)}", "warning"),)
    names = [name_cell(report.person(one.person)).text for one in every[:_OWNERS]]
    more = f" and {len(every) - len(names):,} more" if len(every) > len(names) else ""
    return ((f" {owners_summary(owners)}  ", "strong"), (", ".join(names) + more, "text"))
