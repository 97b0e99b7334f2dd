"""Compare two saved reports."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from platui.cli.commands.report.export import print_sheet
from platui.cli.commands.report.messages import (
    CAVEAT,
    changes_words,
    counts_words,
    print_rows_left,
    row_limit,
    when,
)
from platui.cli.commands.report.saved import open_reports
from platui.cli.exit_codes import Exit
from platui.cli.output.lists import table_lines
from platui.cli.output.progress import print_notice
from platui.cli.output.stdout import fitted, print_lines, wrapped
from platui.core.errors import ConfigError
from platui.core.named_tuple import NamedTuple
from platui.core.text import json_escaped, shorten
from platui.models.values.access_changes import (
    KINDS_BY_IMPORTANCE,
    OF_PEOPLE,
    OF_PLACES,
    ChangeKind,
    changes_of,
    count_changed_memberships,
)
from platui.models.values.reports import ExportFormat
from platui.present.counts import counted
from platui.present.tables import access_changes
from platui.present.tables.access import NAME_LIMIT, PATH_LIMIT, USER_LIMIT
from platui.report.export.fields import CHANGE, CHANGED_PERSON, CHANGED_PLACE
from platui.report.export.sheets import changes_sheet

if TYPE_CHECKING:
    from platui.config.settings import Options
    from platui.models.values.access_changes import (
        AccessChanges,
        ChangesInPlace,
        ChangesOfPerson,
        PlaceChange,
    )
    from platui.present.tables.spec import TableSpec


_TWO: Final = 2
_CHANGE_FIELDS: Final = ("change", "before", "after")
# By kind; the others are changes of memberships
_TABLES: Final[Mapping[ChangeKind, TableSpec[Any]]] = {
    **dict.fromkeys(OF_PEOPLE, access_changes.OF_PEOPLE),
    **dict.fromkeys(OF_PLACES, access_changes.OF_PLACES),
    ChangeKind.PLACE_ADDED: access_changes.NEW_OR_GONE_PLACES,
    ChangeKind.PLACE_REMOVED: access_changes.NEW_OR_GONE_PLACES,
}


class DiffOptions(NamedTuple):
    reports: tuple[str, ...]
    by: str | None
    as_json: bool
    limit: int | None
    all_: bool
    exit_code: bool

    @property
    def most(self) -> int | None:
        return row_limit(self.limit, is_all=self.all_ or self.as_json)


def diff_reports(options: Options, args: DiffOptions) -> int:
    if len(args.reports) > _TWO:
        raise ConfigError("Give at most two reports.", hint="platui report diff --help")
    before, after = (*args.reports, "", "")[:_TWO]
    with open_reports(options) as reports:
        changes = reports.compare_named(before, after)
    is_different = any(changes.counts.values())
    if args.as_json:
        _print_objects(changes, args)
    else:
        print_lines(_lines(changes, reports.options, args))
        print_notice(CAVEAT)
    counts = changes.counts
    hidden = [f"{counts[kind]:,} {kind.value}" for kind in OF_PEOPLE if counts[kind]]
    if args.by == "group" and hidden:
        print_notice(f"Changes of people are not shown by group: {', '.join(hidden)}.")
    return Exit.FAILED if is_different and args.exit_code else 0


def _lines(changes: AccessChanges, options: Options, args: DiffOptions) -> Iterator[str]:
    for word, info in (("From", changes.before), ("To  ", changes.after)):
        yield from wrapped(f"{word} {info.id}, {when(info, options)}: {counts_words(info)}")
    yield from wrapped(changes_words(changes) or "No differences.")
    if count := count_changed_memberships(changes.counts):
        yield f"{counted(count, 'membership')} {'differs' if count == 1 else 'differ'} in total."
    if args.by == "person":
        for of_person in _first(changes.by_person(), args):
            yield ""
            person = of_person.person
            name = person.name if any(person[1:4]) else f"id {person.id}"
            who = shorten(name, NAME_LIMIT), shorten(person.username, USER_LIMIT)
            own = (f"{one.kind.value} ({shorten(one.how, PATH_LIMIT)})" for one in of_person.own)
            yield from fitted(["  ".join([*filter(None, who), *own])])
            yield from table_lines(of_person.changes, access_changes.OF_A_PERSON)
    elif args.by == "group":
        for in_place in _first(changes.by_place(), args):
            yield ""
            own_words = "".join(f"; {_place_words(one)}" for one in in_place.own)
            yield f"{shorten(in_place.place.path, PATH_LIMIT)} ({in_place.place.kind}{own_words})"
            yield from table_lines(in_place.changes, access_changes.IN_A_PLACE)
    else:
        for kind in KINDS_BY_IMPORTANCE:
            if count := changes.counts[kind]:
                yield ""
                yield f"{kind.value.upper()} ({count:,})"
                table = _TABLES.get(kind, access_changes.OF_MEMBERSHIPS)
                yield from table_lines(_first(changes_of(changes, kind), args), table)


def _first(values: Sequence[Any], args: DiffOptions) -> Sequence[Any]:
    some = values[: args.most]
    print_rows_left(len(values) - len(some), args.limit)
    return some


def _place_words(one: PlaceChange) -> str:
    match one.kind:
        case ChangeKind.PLACE_ADDED:
            return "added"
        case ChangeKind.PLACE_REMOVED:
            return "removed"
    return f"{one.kind.value}: {shorten(one.before, PATH_LIMIT)} → {shorten(one.after, PATH_LIMIT)}"


def _print_objects(changes: AccessChanges, args: DiffOptions) -> None:
    if args.by == "person":
        people = islice(changes.by_person(), args.most)
        fields, there = ("change", "how", "before", "after"), CHANGED_PLACE.names
        print_lines(_json(CHANGED_PERSON.object(one.person), one, fields, there) for one in people)
    elif args.by == "group":
        places = islice(changes.by_place(), args.most)
        whose = CHANGED_PERSON.names
        print_lines(
            _json(CHANGED_PLACE.object(one.place), one, _CHANGE_FIELDS, whose) for one in places
        )
    else:
        sheet = changes_sheet(changes, most=args.most)
        print_sheet(sheet, ExportFormat.JSON_LINES, has_header=False)


def _json(
    of: dict[str, Any],
    one: ChangesOfPerson | ChangesInPlace,
    own: Sequence[str],
    other: Sequence[str],
) -> str:
    value = {
        **of,
        "own": [CHANGE.object(change, *own) for change in one.own],
        "changes": [CHANGE.object(change, *_CHANGE_FIELDS, *other) for change in one.changes],
    }
    return json_escaped(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
