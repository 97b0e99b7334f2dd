"""Tables of the changes between two access reports."""

from __future__ import annotations

from typing import Final

from platui.core.text import shorten
from platui.models.values.access_changes import Change, ChangeKind, PersonChange, PlaceChange
from platui.models.values.table import BLANK, Cell
from platui.present.counts import counted
from platui.present.tables import access
from platui.present.tables.spec import ColumnSpec, Context, TableSpec
from platui.report.export.fields import CHANGE


def kind_words(kind: ChangeKind, count: int) -> str:
    match kind:
        case ChangeKind.NEW_OWNER:
            return "new owner" if count == 1 else "new owners"
        case ChangeKind.CHANGED:
            return "identity changed" if count == 1 else "identities changed"
        case ChangeKind.PLACE_ADDED | ChangeKind.PLACE_REMOVED:
            return str(kind.value).replace("places", _places(count))
        case ChangeKind.RENAMED | ChangeKind.MOVED:
            return f"{_places(count)} {kind.value}"
    return str(kind.value)


def _places(count: int) -> str:
    return "group or project" if count == 1 else "groups or projects"


def _where(one: Change, _at: Context) -> Cell:
    if isinstance(one, PersonChange):
        return Cell(counted(one.memberships, "membership"), "muted")
    return Cell(access.place_name(one.place))


def _became(one: Change, _at: Context) -> str:
    if isinstance(one, PersonChange):
        return one.how
    if isinstance(one, PlaceChange):
        return f"{one.before} → {one.after}" if one.before and one.after else ""
    return f"{one.before or 'none'} → {one.after or 'none'}"


def _searched(one: Change) -> tuple[str, ...]:
    if isinstance(one, PlaceChange):
        return ()
    return one.person.username, one.person.email, one.person.state


def _cli_name(one: Change, _at: Context) -> str:
    if isinstance(one, PlaceChange):
        return ""
    person = one.person
    is_known = person.name or person.username or person.email
    return person.name if is_known else f"id {person.id}"


def _side(one: Change, text: str) -> str:
    return shorten(text, access.PATH_LIMIT if isinstance(one, PlaceChange) else access.LEVEL_LIMIT)


CHANGES: Final[TableSpec[Change]] = TableSpec(
    key=lambda one: one.kind.name,
    search=_searched,
    columns=access.exporting(
        CHANGE,
        ColumnSpec(
            "what", "WHAT", in_cli=False, width=13, minimum=12,
            cell=lambda one, _: Cell(one.kind.short, one.kind.role),
        ),
        ColumnSpec(
            "who", "WHO", in_cli=False, width=22, minimum=16, flexible=True,
            cell=lambda one, _: (
                BLANK if isinstance(one, PlaceChange) else Cell(access.person_name(one.person))
            ),
        ),
        ColumnSpec(
            "where", "WHERE", cell=_where, in_cli=False,
            width=26, minimum=22, flexible=True, middle=True,
        ),
        ColumnSpec(
            "became", "CHANGE", cell=_became, in_cli=False,
            width=28, minimum=23, flexible=True,
        ),
        ColumnSpec("change", "  CHANGE", cli_text=lambda one, _: f"  {kind_words(one.kind, 1)}"),
        ColumnSpec("name", "NAME", cli_text=_cli_name, cli_limit=access.NAME_LIMIT, minimum=8),
        ColumnSpec("username", "USER", cli_limit=access.USER_LIMIT, minimum=12),
        ColumnSpec("email", "E-MAIL", cli_limit=access.EMAIL_LIMIT, minimum=16, priority=1),
        ColumnSpec("kind", "KIND"),
        ColumnSpec("place_path", "PATH", cli_limit=access.PATH_LIMIT, minimum=16, ends=True),
        ColumnSpec("before", "BEFORE", cli_text=lambda one, _: _side(one, one.before)),
        ColumnSpec("after", "AFTER", cli_text=lambda one, _: _side(one, one.after)),
        ColumnSpec(
            "how", "HOW", cell=lambda one, _: one.how if isinstance(one, PersonChange) else "",
            cli_limit=access.PATH_LIMIT, minimum=24,
        ),
        ColumnSpec(
            "memberships", "MEMBERSHIPS", right=True,
            cell=lambda one, _: f"{one.memberships:,}" if isinstance(one, PersonChange) else "",
        ),
    ),
)  # fmt: skip

OF_PEOPLE: Final = CHANGES.with_cli("name", "username", "email", "how", "memberships")
OF_MEMBERSHIPS: Final = CHANGES.with_cli("name", "username", "before", "after", "place_path")
OF_PLACES: Final = CHANGES.with_cli("kind", "place_path", "before", "after")
NEW_OR_GONE_PLACES: Final = CHANGES.with_cli("kind", "place_path")
OF_A_PERSON: Final = CHANGES.with_cli("change", "before", "after", "place_path")
IN_A_PLACE: Final = CHANGES.with_cli("change", "before", "after", "name", "username")
