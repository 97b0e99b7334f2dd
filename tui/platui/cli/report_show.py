"""`platui report list` and `platui report show`: what is kept, and the answers of one report."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from platui.cli.patience import narrate
from platui.cli.report_shelf import shelf_of
from platui.cli.report_summary import summary_lines, summary_object
from platui.cli.report_tables import (
    members_lines,
    people_lines,
    person_lines,
    person_object,
    place_object,
    places_lines,
)
from platui.cli.report_words import CAVEAT, info_object, marked, people, when
from platui.cli.stdout import is_terminal
from platui.cli.told import say_lines, table
from platui.core.errors import CommandError, TermError
from platui.core.text import shorten
from platui.models.values.access import PeopleOrder
from platui.models.values.exports import Exported, ExportFormat, ExportOrder
from platui.present.counts import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.config.settings import Options
    from platui.models.values.access import AccessReport

_ON_SCREEN: Final = 100
"""Rows that are printed on a terminal, where nobody says how many."""
_NEAR: Final = 5

_LIST_HEADS: Final = (
    "", "ID", "CAME", "FROM", "PEOPLE", "GROUPS", "PROJECTS", "MEMBERSHIPS",
)  # fmt: skip


class Asked(NamedTuple):
    """What `platui report show` is to show, and how."""

    query: str = ""
    groups: bool = False
    person: str = ""
    place: str = ""
    order: PeopleOrder = PeopleOrder.HIGHEST
    as_json: bool = False
    as_csv: bool = False
    limit: int | None = None
    """None: nobody says."""
    all: bool = False

    @property
    def most(self) -> int | None:
        """Return how many rows are printed at most; None: all."""
        if self.limit is not None or self.all or self.as_json or self.as_csv:
            return self.limit
        return _ON_SCREEN if is_terminal() else None


def list_reports(options: Options, *, as_json: bool) -> int:
    """Print what is kept, newest first; returns the exit code."""
    with shelf_of(options) as shelf:
        infos = shelf.infos()
        if as_json:
            say_lines(json.dumps(info_object(info)) for info in infos)
        elif infos:
            rows = [
                (
                    str(number), info.id, when(info, options), shorten(info.origin, 40),
                    f"{info.people:,}", f"{info.groups:,}", f"{info.projects:,}",
                    f"{info.memberships:,}",
                )
                for number, info in enumerate(infos, 1)
            ]  # fmt: skip
            say_lines(table([_LIST_HEADS, *rows], {0, 4, 5, 6, 7}))
        else:
            narrate(f"No report is saved yet {shelf.where}. platui report fetch brings one.")
    return 0


def show_report(options: Options, word: str, asked: Asked) -> int:
    """Print what a report answers; returns the exit code.

    Args:
        options: which profile's.
        word: names the report.
        asked: the question.

    Raises:
        TermError: the query cannot be read; it is in the sentence, with a mark.
        CommandError: no report, nobody, or no place is called so.
    """
    with shelf_of(options) as shelf:
        report = shelf.open(word)
        try:
            if asked.person:
                _show_person(report, asked)
            elif asked.place:
                _show_place(report, asked)
            elif asked.groups:
                _show_places(report, options, asked)
            elif asked.query or asked.as_csv or asked.all or asked.limit is not None:
                _show_people(report, options, asked)
            else:
                _show_summary(report, options, asked)
        except TermError as error:
            raise marked(error, asked.query) from None
    return 0


def _show_summary(report: AccessReport, options: Options, asked: Asked) -> None:
    if asked.as_json:
        say_lines([json.dumps(summary_object(report))])
    else:
        say_lines(summary_lines(report, options))


def _show_people(report: AccessReport, options: Options, asked: Asked) -> None:
    if asked.as_json or asked.as_csv:
        _show_rows(report, ExportOrder(Exported.PEOPLE, asked.query, asked.order), asked)
        return
    answer = report.people(asked.query, asked.order)
    rows = answer.rows[: asked.most]
    if rows:
        say_lines(people_lines(report, rows))
    found = f"{len(answer.rows):,} of {people(report.person_count)}"
    _tell_found(f"{found}, {counted(answer.memberships, 'membership')}", report, options)
    _tell_left(len(answer.rows) - len(rows), asked)


def _show_places(report: AccessReport, options: Options, asked: Asked) -> None:
    if asked.as_json or asked.as_csv:
        _show_rows(report, ExportOrder(Exported.PLACES, asked.query), asked)
        return
    found = report.places(asked.query)
    rows = found[: asked.most]
    if rows:
        say_lines(places_lines(report, rows))
    told = f"{len(found):,} of {report.place_count:,} groups and projects"
    _tell_found(told, report, options)
    _tell_left(len(found) - len(rows), asked)


def _show_person(report: AccessReport, asked: Asked) -> None:
    row = report.find_person(asked.person)
    if row is None:
        raise _nobody(report, asked.person)
    holdings = report.places_of(row)[: asked.most]
    if asked.as_json:
        say_lines([json.dumps(person_object(report, row))])
    elif asked.as_csv:
        person = report.person(row)
        _show_rows(report, ExportOrder(Exported.MEMBERSHIPS, f"id:{person.id}"), asked)
    else:
        say_lines(person_lines(report, row, holdings))
        _tell_left(len(report.places_of(row)) - len(holdings), asked)
        narrate(CAVEAT)


def _show_place(report: AccessReport, asked: Asked) -> None:
    row = report.find_place(asked.place)
    if row is None:
        raise _no_place(report, asked.place)
    members = report.members_of(row)
    shown = members[: asked.most]
    if asked.as_json:
        say_lines([json.dumps(place_object(report, row))])
    elif asked.as_csv:
        _show_rows(report, ExportOrder(Exported.MEMBERS, place=row), asked)
    else:
        say_lines(members_lines(report, row, shown))
        _tell_left(len(members) - len(shown), asked)
        narrate(CAVEAT)


def _show_rows(report: AccessReport, order: ExportOrder, asked: Asked) -> None:
    """Print rows for a program: as an export has them, and nothing before them."""
    from platui.cli.report_export import print_sheet  # noqa: PLC0415  (of some questions only)
    from platui.service.report_export import sheet_of  # noqa: PLC0415  (the same)

    sheet = sheet_of(report, order)
    if asked.most is not None:
        rows, most = sheet.rows, asked.most
        sheet = replace(sheet, rows=lambda: islice(rows(), most))
    form = ExportFormat.JSON_LINES if asked.as_json else ExportFormat.CSV
    print_sheet(sheet, form, has_header=False)


def _tell_found(told: str, report: AccessReport, options: Options) -> None:
    narrate(f"{told}; report of {when(report.info, options)}. {CAVEAT}")


def _tell_left(count: int, asked: Asked) -> None:
    if count > 0 and asked.limit is None:
        narrate(f"{count:,} more: --all prints them, --limit so many.")


def _nobody(report: AccessReport, word: str) -> CommandError:
    """Return what to say where a word names nobody, or several; with who may be meant."""
    shown = shorten(word, 60)
    near = _near(report, word)
    if not near:
        return CommandError(
            f"Nobody in this report is {shown}.",
            hint="Give a user name, an e-mail address or an id.",
        )
    names = ", ".join(shorten(name, 40) for name in near[:_NEAR])
    more = " …" if len(near) > _NEAR else ""
    return CommandError(
        f"{shown} is not one person's user name, e-mail address or id.", hint=f"{names}{more}"
    )


def _near(report: AccessReport, word: str) -> Sequence[str]:
    try:
        rows = report.people(_quoted(word), PeopleOrder.NAME).rows
    except TermError:
        return ()
    found = (report.person(row) for row in rows[: _NEAR + 1])
    return [one.username or f"id {one.id}" for one in found]


def _no_place(report: AccessReport, word: str) -> CommandError:
    shown = shorten(word, 60)
    try:
        rows = report.places(_quoted(word))[: _NEAR + 1]
    except TermError:
        rows = ()
    if not rows:
        return CommandError(
            f"No group or project in this report is {shown}.", hint="Give a full path or an id."
        )
    names = ", ".join(shorten(report.place(row).path, 80) for row in rows[:_NEAR])
    more = " …" if len(rows) > _NEAR else ""
    return CommandError(f"{shown} is not the full path or the id of one place.", hint=names + more)


def _quoted(word: str) -> str:
    plain = word.replace('"', " ").strip()
    return f'"{plain}"'
