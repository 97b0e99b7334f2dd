"""Tables of memberships: of a person, and of a group or project."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeVar

from platui.core.named_tuple import NamedTuple
from platui.models.values.table import BLANK, Cell, cell_of
from platui.present.tables import access
from platui.present.tables.spec import ColumnSpec, TableSpec

if TYPE_CHECKING:
    from platui.models.values.access import AccessPlace, AccessReport, Membership, Person

T = TypeVar("T")

OWNER_LEVELS: Final = frozenset({"OWNER", "ADMIN"})


class Held(NamedTuple):
    held: Membership
    place: AccessPlace
    source: AccessPlace  # Where the effective level comes from
    is_told: bool = True


class Member(NamedTuple):
    held: Membership
    person: Person
    source: AccessPlace  # Where the effective level comes from
    is_here: bool


def level_cell(level: str) -> Cell:
    return Cell(level, "strong" if level in OWNER_LEVELS else "text")


def membership_of(report: AccessReport, held: Membership, *, is_told: bool = True) -> Held:
    return Held(held, report.place(held.place), report.place(held.held_at), is_told)


def member_of(report: AccessReport, place: int, held: Membership) -> Member:
    source, is_here = report.place(held.held_at), held.place == place
    return Member(held, report.person(held.person), source, is_here)


def effective_cell(one: Held) -> Cell:
    held, source = one.held, one.source
    if not one.is_told:
        return BLANK
    if not held.is_inherited:
        return Cell(f"{held.effective} direct", "muted")
    role = "text" if held.effective != held.level else "muted"
    parts = ((f"{held.effective} via ", role), (source.path or source.name, role))
    return cell_of(parts, role)


def _held_cell(one: Member) -> Cell:
    held, source = one.held, one.source
    if not held.is_inherited:
        return Cell("direct")
    parts = [("via ", "muted"), (source.path or source.name, "muted")]
    if one.is_here:
        parts.insert(0, (f"{held.level} direct, ", "text"))
    return cell_of(parts, "muted")


def _origin(one: Member) -> str:
    if one.is_here and one.held.level == one.held.effective:
        # A group above grants the same level.
        return "direct, also inherited" if one.held.is_inherited else "direct"
    return one.source.path


def _only_shown(*columns: ColumnSpec[T]) -> tuple[ColumnSpec[T], ...]:
    return tuple(replace(one, name=None) for one in columns)


PERSON_MEMBERSHIPS: Final[TableSpec[Held]] = TableSpec(
    key=lambda one: str(one.held.place),
    screen=("level", "kind", "path", "effective"),
    cli=("level", "effective", "from", "kind", "path"),
    columns=_only_shown(
        ColumnSpec(
            "level", "LEVEL", cell=lambda one, _: level_cell(one.held.level),
            cli_limit=access.LEVEL_LIMIT, width=11, minimum=10, cli_minimum=0,
        ),
        ColumnSpec(
            "kind", "KIND", value=lambda one, _: one.place.kind, role="muted", width=7,
            cli_priority=1,
        ),
        ColumnSpec(
            "path", "PATH", value=lambda one, _: one.place.path or one.place.name,
            cli_text=lambda one, _: one.place.path, cli_limit=access.PATH_LIMIT,
            width=40, minimum=24, flexible=True, middle=True, ends=True,
        ),
        ColumnSpec(
            "effective", "EFFECTIVE", cell=lambda one, _: effective_cell(one),
            cli_text=lambda one, _: one.held.effective, cli_limit=access.LEVEL_LIMIT,
            width=30, minimum=24, priority=1, ends=True, cli_minimum=0, cli_priority=0,
        ),
        ColumnSpec(
            "from", "FROM", cli_limit=access.PATH_LIMIT, minimum=12, ends=True,
            cli_text=lambda one, _: one.source.path if one.held.is_inherited else "direct",
        ),
    ),
)  # fmt: skip

_MEMBER: Final = (
    replace(access.NAME, width=24, minimum=18),
    replace(access.USER, width=20, minimum=16, priority=4, cli_minimum=12, cli_priority=0),
    replace(access.STATE, width=11, priority=2, cli_priority=1),
    replace(access.DOMAIN, width=20, priority=3),
    replace(access.EMAIL, priority=2),
)
MEMBERS: Final[TableSpec[Member]] = TableSpec(
    key=lambda one: str(one.held.person),
    screen=("effective", "name", "username", "state", "domain", "held"),
    cli=("level", "effective", "from", "name", "username", "state", "email"),
    columns=_only_shown(
        ColumnSpec(
            "level", "LEVEL", cli_limit=access.LEVEL_LIMIT,
            cli_text=lambda one, _: one.held.level if one.is_here else "",
        ),
        ColumnSpec(
            "effective", "EFFECTIVE", cell=lambda one, _: level_cell(one.held.effective),
            cli_limit=access.LEVEL_LIMIT, width=11, minimum=10, cli_minimum=0,
        ),
        ColumnSpec(
            "from", "FROM", cli_text=lambda one, _: _origin(one), cli_limit=access.PATH_LIMIT,
            minimum=12, ends=True,
        ),
        *(one.of(lambda member: member.person) for one in _MEMBER),
        ColumnSpec(
            "held", "SOURCE", cell=lambda one, _: _held_cell(one), in_cli=False,
            width=20, minimum=18, flexible=True, ends=True,
        ),
    ),
)  # fmt: skip
