"""`platui report show`: query a saved report."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from platui.cli.commands.report.export import print_sheet
from platui.cli.commands.report.lookup import (
    names_memberships,
    person_named,
    place_named,
)
from platui.cli.commands.report.messages import (
    CAVEAT,
    counts_words,
    marked,
    people,
    rows_printed,
    tell_left,
    when,
)
from platui.cli.commands.report.saved import shelf_of
from platui.cli.commands.report.tables import members_lines, person_lines
from platui.cli.output.lists import table_lines
from platui.cli.output.progress import print_notice
from platui.cli.output.stdout import fitted, print_lines, print_object
from platui.core.errors import ConfigError, TermError
from platui.core.text import shorten
from platui.models.values.access import CAVEATS, DEFAULT_ORDER, PeopleOrder
from platui.models.values.reports import ExportContent, ExportFormat, ExportRequest
from platui.present.access.details import person_object, place_object
from platui.present.counts import counted, human_bytes
from platui.present.tables.access import PLACES, people_table
from platui.present.tables.fit import aligned
from platui.present.tables.reports import info_object
from platui.service.access.export import sheet_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from platui.config.settings import Options
    from platui.models.values.access import AccessReport, Facet

_BAR: Final = 24
"""Cells of the longest bar."""
_DOMAINS: Final = 8
_LONGEST: Final = 40


class ListOptions(NamedTuple):
    """The options of `platui report show`."""

    query: str
    groups: bool
    person: str | None
    place: str | None
    sort: str | None
    as_json: bool
    as_csv: bool
    limit: int | None
    all_: bool
    inherited: bool

    def check(self) -> None:
        hint = "platui report show --help"
        of_one = [word for word in (self.person, self.place) if word is not None]
        if len(of_one) + self.groups > 1 or (of_one and self.query):
            raise ConfigError(
                "Terms, --groups, --person and --group ask for different things.", hint=hint
            )
        if self.sort and (of_one or self.groups):
            raise ConfigError("--sort is the order of people.", hint=hint)
        if self.inherited and self.place is None:
            raise ConfigError("--inherited is about --group.")
        if self.as_json and self.as_csv:
            raise ConfigError("--json or --csv: either of them.")

    @property
    def order(self) -> PeopleOrder:
        return PeopleOrder(self.sort) if self.sort else DEFAULT_ORDER

    @property
    def lists_people(self) -> bool:
        return bool(self.query or self.as_csv or self.all_ or self.limit or self.sort)

    @property
    def most(self) -> int | None:
        return rows_printed(self.limit, is_all=self.all_ or self.as_json or self.as_csv)


def show_report(options: Options, word: str, list_options: ListOptions) -> int:
    list_options.check()
    with shelf_of(options) as shelf:
        report = shelf.open(word)
        try:
            if list_options.person is not None:
                _show_person(report, list_options, list_options.person)
            elif list_options.place is not None:
                _show_place(report, list_options, list_options.place)
            elif list_options.groups:
                _show_places(report, options, list_options)
            elif list_options.lists_people:
                _show_people(report, options, list_options)
            elif list_options.as_json:
                print_object(summary_object(report))
            else:
                print_lines(summary_lines(report, options))
        except TermError as error:
            raise marked(error, list_options.query) from None
    return 0


def _show_people(report: AccessReport, options: Options, list_options: ListOptions) -> None:
    if list_options.as_json or list_options.as_csv:
        _show_rows(
            report,
            ExportRequest(ExportContent.PEOPLE, list_options.query, list_options.order),
            list_options,
        )
        return
    answer = report.people(list_options.query, list_options.order)
    some = [*map(report.person, answer.rows[: list_options.most])]
    print_lines(table_lines(some, people_table(report)))
    found = f"{len(answer.rows):,} of {people(report.person_count)}"
    which = " that the terms name" if names_memberships(list_options.query) else " in all"
    told = f"{found}, {counted(answer.memberships, 'membership')}{which}"
    _tell_found(report, options, told, report.unmatched(list_options.query))
    tell_left(len(answer.rows) - len(some), list_options.limit)


def _show_places(report: AccessReport, options: Options, list_options: ListOptions) -> None:
    if list_options.as_json or list_options.as_csv:
        _show_rows(report, ExportRequest(ExportContent.PLACES, list_options.query), list_options)
        return
    found = report.places(list_options.query)
    some = [*map(report.place, found[: list_options.most])]
    print_lines(table_lines(some, PLACES))
    told = f"{len(found):,} of {report.place_count:,} groups and projects"
    _tell_found(report, options, told, report.unmatched_places(list_options.query))
    tell_left(len(found) - len(some), list_options.limit)


def _show_person(report: AccessReport, list_options: ListOptions, word: str) -> None:
    row = person_named(report, word)
    holdings = report.memberships_of(row)[: list_options.most]
    if list_options.as_json:
        print_object(person_object(report, row))
    elif list_options.as_csv:
        person = report.person(row)
        _show_rows(
            report, ExportRequest(ExportContent.MEMBERSHIPS, f"id:{person.id}"), list_options
        )
    else:
        print_lines(fitted(person_lines(report, row, holdings)))
        tell_left(len(report.memberships_of(row)) - len(holdings), list_options.limit)
        print_notice(CAVEAT)


def _show_place(report: AccessReport, list_options: ListOptions, word: str) -> None:
    row = place_named(report, word)
    others = report.inherited_members(row)
    members = report.all_members(row) if list_options.inherited else report.members_of(row)
    shown = members[: list_options.most]
    if list_options.as_json:
        print_object(place_object(report, row, others if list_options.inherited else ()))
    elif list_options.as_csv:
        what = ExportContent.EFFECTIVE if list_options.inherited else ExportContent.MEMBERS
        _show_rows(report, ExportRequest(what, place=row), list_options)
    else:
        print_lines(fitted(members_lines(report, row, shown)))
        tell_left(len(members) - len(shown), list_options.limit)
        if others and not list_options.inherited:
            print_notice(f"{people(len(others))} more by a group above: --inherited lists them.")
        print_notice(CAVEAT)


def _show_rows(report: AccessReport, order: ExportRequest, list_options: ListOptions) -> None:
    sheet = sheet_of(report, order)
    if list_options.most is not None:
        sheet = sheet.first(list_options.most)
    form = ExportFormat.JSON_LINES if list_options.as_json else ExportFormat.CSV
    print_sheet(sheet, form, has_header=False)


def _tell_found(
    report: AccessReport, options: Options, told: str, unmatched: Iterable[str]
) -> None:
    for sentence in (f"{told}.", f"Report of {when(report.info, options)}.", CAVEAT, *unmatched):
        print_notice(sentence)


def summary_lines(report: AccessReport, options: Options) -> Iterator[str]:
    """Yield the page; some 30 ms for 50,000 people."""
    info = report.info
    answer = report.people("", PeopleOrder.FILE)
    yield f"Report {info.id}, which came {when(info, options)} from {info.origin}"
    yield f"{counts_words(info)}; {human_bytes(info.size)}"
    yield ""
    yield from (f"  {caveat}" for caveat in CAVEATS)
    yield ""
    sign = "#" if options.ascii or not _has_blocks() else "█"
    highest = {facet.value: facet.people for facet in answer.levels}
    levels = list(zip(report.levels, report.level_counts(None), strict=True))[::-1]
    most = max((count for _, count in levels), default=0)
    rows = [
        (
            shorten(level, _LONGEST),
            f"{count:,}",
            f"{100 * count / info.memberships:.1f} %" if info.memberships else "",
            f"{highest.get(level, 0):,}",
        )
        for level, count in levels
    ]
    heads = ("LEVEL", "MEMBERSHIPS", "SHARE", "AS HIGHEST")
    for at, line in enumerate(aligned([heads, *rows], {1, 2, 3})):
        count = levels[at - 1][1] if at else 0
        bar = sign * max(1, round(count / most * _BAR)) if count else ""
        yield f"{line}  {bar}".rstrip()
    for head, facets in (
        ("STATE", answer.states),
        ("E-MAIL DOMAIN", answer.domains[:_DOMAINS]),
        ("SERVICE IDENTITY", answer.identities),
    ):
        yield from _facets(head, facets)
    if info.warnings:
        yield ""
        yield "What was strange in it:"
        yield from (f"  {oddity}" for oddity in info.warnings)


def summary_object(report: AccessReport) -> dict[str, Any]:
    answer = report.people("", PeopleOrder.FILE)
    return {
        **info_object(report.info),
        "people_by_highest_level": dict(answer.levels),
        "people_by_state": dict(answer.states),
        "people_by_domain": dict(answer.domains),
        "people_by_service_identity": dict(answer.identities),
        "oddities": list(report.info.warnings),
        "caveats": list(CAVEATS),
    }


def _facets(head: str, facets: Sequence[Facet]) -> Iterator[str]:
    if facets:
        yield ""
        rows = [(shorten(facet.value, _LONGEST), f"{facet.people:,}") for facet in facets]
        yield from aligned([(head, "PEOPLE"), *rows], {1})


def _has_blocks() -> bool:
    try:
        "█".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
