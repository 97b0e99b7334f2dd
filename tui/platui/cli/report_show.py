"""`platui report show`: the answers of a saved report."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from platui.cli.patience import narrate
from platui.cli.report_finding import (
    names_memberships,
    person_named,
    place_named,
)
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
from platui.cli.report_words import (
    CAVEAT,
    marked,
    people,
    rows_on_screen,
    tell_left,
    when,
)
from platui.cli.told import fitted, say_lines
from platui.core.errors import TermError
from platui.models.values.access import USUAL_ORDER, PeopleOrder
from platui.models.values.exports import Exported, ExportFormat, ExportOrder
from platui.present.counts import counted

if TYPE_CHECKING:
    from platui.config.settings import Options
    from platui.models.values.access import AccessReport


class Asked(NamedTuple):
    """What `platui report show` is to show, and how."""

    query: str = ""
    groups: bool = False
    person: str | None = None
    """Who is to be shown with all they hold."""
    place: str | None = None
    """Whose members are to be shown."""
    sort: PeopleOrder | None = None
    as_json: bool = False
    as_csv: bool = False
    limit: int | None = None
    """None: nobody says."""
    all: bool = False
    inherited: bool = False
    """Whether members of the groups above are to be among those of a place."""

    @property
    def order(self) -> PeopleOrder:
        """Return the order of people."""
        return self.sort or USUAL_ORDER

    @property
    def lists_people(self) -> bool:
        """Return whether anything is said of which people, or how, are to be listed."""
        return bool(self.query or self.as_csv or self.all or self.limit or self.sort)

    @property
    def most(self) -> int | None:
        """Return how many rows are printed at most; None: all."""
        if self.limit is not None or self.all or self.as_json or self.as_csv:
            return self.limit
        return rows_on_screen()


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
            if asked.person is not None:
                _show_person(report, asked, asked.person)
            elif asked.place is not None:
                _show_place(report, asked, asked.place)
            elif asked.groups:
                _show_places(report, options, asked)
            elif asked.lists_people:
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
    which = " that the terms name" if names_memberships(asked.query) else " in all"
    _tell_found(f"{found}, {counted(answer.memberships, 'membership')}{which}", report, options)
    for sentence in report.unmatched(asked.query):
        narrate(sentence)
    tell_left(len(answer.rows) - len(rows), asked.limit)


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
    for sentence in report.unmatched_places(asked.query):
        narrate(sentence)
    tell_left(len(found) - len(rows), asked.limit)


def _show_person(report: AccessReport, asked: Asked, word: str) -> None:
    row = person_named(report, word)
    holdings = report.places_of(row)[: asked.most]
    if asked.as_json:
        say_lines([json.dumps(person_object(report, row))])
    elif asked.as_csv:
        person = report.person(row)
        _show_rows(report, ExportOrder(Exported.MEMBERSHIPS, f"id:{person.id}"), asked)
    else:
        say_lines(fitted(person_lines(report, row, holdings)))
        tell_left(len(report.places_of(row)) - len(holdings), asked.limit)
        narrate(CAVEAT)


def _show_place(report: AccessReport, asked: Asked, word: str) -> None:
    row = place_named(report, word)
    others = report.members_above(row)
    members = report.everybody_in(row) if asked.inherited else report.members_of(row)
    shown = members[: asked.most]
    if asked.as_json:
        say_lines([json.dumps(place_object(report, row, others if asked.inherited else ()))])
    elif asked.as_csv:
        what = Exported.EFFECTIVE if asked.inherited else Exported.MEMBERS
        _show_rows(report, ExportOrder(what, place=row), asked)
    else:
        say_lines(fitted(members_lines(report, row, shown)))
        tell_left(len(members) - len(shown), asked.limit)
        if others and not asked.inherited:
            narrate(f"{people(len(others))} more by a group above: --inherited lists them.")
        narrate(CAVEAT)


def _show_rows(report: AccessReport, order: ExportOrder, asked: Asked) -> None:
    """Print rows for a program: as an export has them, and nothing before them."""
    from platui.cli.report_export import print_sheet  # noqa: PLC0415  (of some questions only)
    from platui.service.report_export import sheet_of  # noqa: PLC0415  (the same)

    sheet = sheet_of(report, order)
    if asked.most is not None:
        sheet = sheet.first(asked.most)
    form = ExportFormat.JSON_LINES if asked.as_json else ExportFormat.CSV
    print_sheet(sheet, form, has_header=False)


def _tell_found(told: str, report: AccessReport, options: Options) -> None:
    narrate(f"{told}.")
    narrate(f"Report of {when(report.info, options)}.")
    narrate(CAVEAT)
