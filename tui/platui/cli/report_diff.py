"""`platui report diff`: what is different between two saved reports."""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from platui.cli.exits import Exit
from platui.cli.patience import narrate
from platui.cli.progress_line import ProgressLine
from platui.cli.report_export import print_sheet
from platui.cli.report_shelf import shelf_of
from platui.cli.report_words import (
    CAVEAT,
    changes_words,
    counts_words,
    kind_words,
    rows_on_screen,
    tell_left,
    when,
)
from platui.cli.table_fit import table
from platui.cli.told import fitted, fitted_table, say_lines, wrapped
from platui.core.errors import CommandError, ConfigError
from platui.core.text import escaped, shorten
from platui.models.values.access_changes import (
    BY_WEIGHT,
    OF_MEMBERSHIPS,
    OF_PEOPLE,
    ChangeKind,
    differing,
)
from platui.models.values.exports import ExportFormat
from platui.present.counts import counted
from platui.service.report_export import sheet_of_changes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from platui.cli.report_shelf import Shelf
    from platui.config.settings import Options
    from platui.models.values.access import ReportInfo
    from platui.models.values.access_changes import (
        AccessChanges,
        ChangedPerson,
        ChangedPlace,
        ChangesInPlace,
        ChangesOfPerson,
        MembershipChange,
        PersonChange,
        PlaceChange,
    )

_NONE: Final = "-"
_NAME: Final = 32
_USER: Final = 24
_EMAIL: Final = 48
_PATH: Final = 120
_LEVEL: Final = 32
_HOW: Final = 120

_PEOPLE: Final = ("NAME", "USER", "E-MAIL", "HOW", "MEMBERSHIPS")
_MEMBERSHIPS: Final = ("NAME", "USER", "BEFORE", "AFTER", "PATH")
_PLACES: Final = ("KIND", "PATH", "BEFORE", "AFTER")
_IN_PLACE: Final = ("  CHANGE", "BEFORE", "AFTER", "NAME", "USER")
_OF_PERSON: Final = ("  CHANGE", "BEFORE", "AFTER", "PATH")


class DiffAsked(NamedTuple):
    """What `platui report diff` is to compare, and how to tell of it."""

    before: str = ""
    """Names a report; empty: the one before the other."""
    after: str = ""
    """The same; empty: the latest."""
    by: str = ""
    """`person`, `group` or nothing: by kind of change."""
    as_json: bool = False
    limit: int | None = None
    all: bool = False
    tells_code: bool = False
    """Whether the exit code says that something is different."""

    @property
    def most(self) -> int | None:
        """Return how many rows of each kind are printed at most; None: all."""
        if self.limit is not None or self.all or self.as_json:
            return self.limit
        return rows_on_screen()


def diff_reports(options: Options, asked: DiffAsked) -> int:
    """Print what is different; returns the exit code.

    Raises:
        CommandError: one of the reports is not there.
        ConfigError: both are the same.
    """
    with shelf_of(options) as shelf:
        changes = compared(shelf, asked.before, asked.after)
    is_different = any(changes.counts.values())
    if asked.as_json:
        _print_objects(changes, asked)
    else:
        say_lines(_lines(changes, options, asked))
        narrate(CAVEAT)
    return Exit.FAILED if is_different and asked.tells_code else 0


def compared(shelf: Shelf, before: str, after: str) -> AccessChanges:
    """Return what is different between two reports, saying how far that is.

    Args:
        shelf: has them.
        before: names the earlier one; empty: the one that came before the other.
        after: names the later one; empty: the latest.

    Raises:
        CommandError: one of them is not there.
        ConfigError: both are the same.
    """
    later = shelf.info(after or "latest")
    earlier = shelf.info(before) if before else _one_before(shelf, later)
    if earlier.id == later.id:
        raise ConfigError(
            f"A report is compared with another one, and not with itself ({later.id}).",
            hint="platui report list tells them.",
        )
    line = ProgressLine()
    try:
        return shelf.run(
            shelf.reports.compare(
                earlier.id, later.id, lambda share: line.show(f"Comparing: {share:.0%}")
            )
        )
    finally:
        line.clear()


def _one_before(shelf: Shelf, later: ReportInfo) -> ReportInfo:
    infos = shelf.infos()
    ids = [info.id for info in infos]
    older = infos[ids.index(later.id) + 1 :]
    if not older:
        raise CommandError(
            f"No report that came before {later.id} is saved {shelf.where}.",
            hint="platui report list tells them.",
        )
    shelf.tell_passed_over(older[0], later)
    return older[0]


def _lines(changes: AccessChanges, options: Options, asked: DiffAsked) -> Iterator[str]:
    for word, info in (("From", changes.before), ("To  ", changes.after)):
        yield from wrapped(f"{word} {info.id}, {when(info, options)}: {counts_words(info)}")
    yield from wrapped(changes_words(changes) or "Nothing is different.")
    if count := differing(changes.counts):
        yield f"{counted(count, 'membership')} {'differs' if count == 1 else 'differ'} in all."
    if asked.by == "person":
        yield from _by_person(changes, asked)
        return
    if asked.by == "group":
        yield from _by_place(changes, asked)
        return
    for kind in BY_WEIGHT:
        if count := changes.counts[kind]:
            yield ""
            yield f"{kind.value.upper()} ({count:,})"
            yield from _table_of(changes, kind, asked)


def _by_person(changes: AccessChanges, asked: DiffAsked) -> Iterator[str]:
    for of_person in _some(changes.by_person(), asked):
        yield ""
        who = [text for text in _who(of_person.person)[:2] if text != _NONE]
        yield from fitted(["  ".join([*who, *map(_own_words, of_person.own)])])
        if of_person.changes:
            yield from _fitted([_OF_PERSON, *map(_of_person_row, of_person.changes)], 3)


def _by_place(changes: AccessChanges, asked: DiffAsked) -> Iterator[str]:
    for in_place in _some(changes.by_place(), asked):
        yield ""
        own_words = "".join(f"; {_place_words(one)}" for one in in_place.own)
        yield f"{shorten(in_place.place.path, _PATH)} ({in_place.place.kind}{own_words})"
        if in_place.changes:
            yield from fitted(table([_IN_PLACE, *map(_in_place_row, in_place.changes)]))


def _table_of(changes: AccessChanges, kind: ChangeKind, asked: DiffAsked) -> Iterable[str]:
    if kind in OF_PEOPLE:
        people = _some(changes.people(kind), asked)
        spare = ((2, 16), (0, 16), (1, 12), (2, 0), (3, 24), (0, 8))
        return fitted_table([_PEOPLE, *map(_person_row, people)], {4}, spare)
    if kind in OF_MEMBERSHIPS:
        memberships = _some(changes.memberships(kind), asked)
        return _fitted([_MEMBERSHIPS, *map(_membership_row, memberships)], 4)
    places = _some(changes.places(kind), asked)
    if kind in {ChangeKind.PLACE_ADDED, ChangeKind.PLACE_REMOVED}:
        return _fitted([_PLACES[:2], *(_place_row(one)[:2] for one in places)], 1)
    return _fitted([_PLACES, *map(_place_row, places)], 1)


def _fitted(rows: Sequence[tuple[str, ...]], at: int) -> Iterable[str]:
    """Return a table that fits the terminal: by its column of paths, then by those of names."""
    names = [number for number, head in enumerate(rows[0]) if head in {"NAME", "USER"}]
    others = [(number, 12) for number in names]
    return fitted_table(rows, spare=((at, 28), *others, (at, 16)))


def _some(values: Sequence[Any], asked: DiffAsked) -> Sequence[Any]:
    """Return as many as are printed, and say how many are not."""
    some = values[: asked.most]
    tell_left(len(values) - len(some), asked.limit)
    return some


def _who(one: ChangedPerson) -> tuple[str, str, str]:
    if not (one.name or one.username or one.email):
        return f"id {one.id}", _NONE, _NONE
    return (
        shorten(one.name, _NAME) or _NONE,
        shorten(one.username, _USER) or _NONE,
        shorten(one.email, _EMAIL) or _NONE,
    )


def _person_row(one: PersonChange) -> tuple[str, ...]:
    return *_who(one.person), shorten(one.how, _HOW), f"{one.memberships:,}"


def _membership_row(one: MembershipChange) -> tuple[str, ...]:
    name, user, _ = _who(one.person)
    return name, user, *_levels(one), shorten(one.place.path, _PATH)


def _place_row(one: PlaceChange) -> tuple[str, ...]:
    path = shorten(one.place.path, _PATH)
    before, after = (shorten(text, _PATH) or _NONE for text in (one.before, one.after))
    return one.place.kind, path, before, after


def _own_words(one: PersonChange) -> str:
    """Return what became of somebody, and how."""
    return f"{one.kind.value} ({shorten(one.how, _HOW)})"


def _place_words(one: PlaceChange) -> str:
    """Return what became of a place, and of what it was called or where it lay."""
    match one.kind:
        case ChangeKind.PLACE_ADDED:
            return "added"
        case ChangeKind.PLACE_REMOVED:
            return "removed"
    return f"{one.kind.value}: {shorten(one.before, _PATH)} → {shorten(one.after, _PATH)}"


def _in_place_row(one: MembershipChange) -> tuple[str, ...]:
    name, user, _ = _who(one.person)
    return f"  {kind_words(one.kind, 1)}", *_levels(one), name, user


def _of_person_row(one: MembershipChange) -> tuple[str, ...]:
    return f"  {kind_words(one.kind, 1)}", *_levels(one), shorten(one.place.path, _PATH)


def _levels(one: MembershipChange) -> tuple[str, str]:
    return shorten(one.before, _LEVEL) or _NONE, shorten(one.after, _LEVEL) or _NONE


def _print_objects(changes: AccessChanges, asked: DiffAsked) -> None:
    if asked.by == "person":
        people = islice(changes.by_person(), asked.most)
        say_lines(_json(_person_object(one)) for one in people)
    elif asked.by == "group":
        places = islice(changes.by_place(), asked.most)
        say_lines(_json(_place_object(one)) for one in places)
    else:
        sheet = sheet_of_changes(changes)
        if asked.most is not None:
            sheet = sheet.first(asked.most)
        print_sheet(sheet, ExportFormat.JSON_LINES, has_header=False)


def _json(value: dict[str, Any]) -> str:
    """Return an object as the rows of a list are: letters stand for themselves, and none steers."""
    return escaped(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def _person_object(of: ChangesOfPerson) -> dict[str, Any]:
    return {
        **_person(of.person),
        "own": [
            {
                "change": one.kind.name.lower(),
                "how": one.how if one.trait is None else one.trait.value,
                "before": one.before or None,
                "after": one.after or None,
            }
            for one in of.own
        ],
        "changes": [{**_change(one), **_place(one.place)} for one in of.changes],
    }


def _place_object(of: ChangesInPlace) -> dict[str, Any]:
    return {
        **_place(of.place),
        "own": [
            {
                "change": one.kind.name.lower(),
                "before": one.before or None,
                "after": one.after or None,
            }
            for one in of.own
        ],
        "changes": [{**_change(one), **_person(one.person)} for one in of.changes],
    }


def _change(one: MembershipChange) -> dict[str, Any]:
    return {
        "change": one.kind.name.lower(),
        "before": one.before or None,
        "after": one.after or None,
    }


def _person(one: ChangedPerson) -> dict[str, Any]:
    return {"user_id": one.id, "name": one.name, "username": one.username, "email": one.email}


def _place(one: ChangedPlace) -> dict[str, Any]:
    return {"kind": one.kind, "place_id": one.id, "place_path": one.path}
