"""Query a saved report."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from platui.cli.commands.report.export import print_sheet
from platui.cli.commands.report.messages import (
    CAVEAT,
    counts_words,
    mark_term,
    members_lines,
    person_lines,
    print_rows_left,
    row_limit,
    when,
)
from platui.cli.commands.report.saved import open_reports, person_named, place_named
from platui.cli.output.lists import table_lines
from platui.cli.output.progress import print_notice
from platui.cli.output.stdout import fitted, print_lines, print_object
from platui.core.errors import ConfigError, TermError
from platui.core.named_tuple import NamedTuple
from platui.core.text import shorten
from platui.models.values.access import CAVEATS, DEFAULT_ORDER, PEOPLE_TERMS, PeopleOrder
from platui.models.values.reports import ExportContent, ExportFormat, ExportRequest
from platui.present.access.details import person_object, place_object
from platui.present.counts import counted, human_bytes, plural
from platui.present.tables.access import PLACES, people_table
from platui.present.tables.column_widths import aligned
from platui.present.tables.reports import info_object
from platui.report.queries.query import read_terms
from platui.service.access.export import sheet_of

if TYPE_CHECKING:
    from platui.config.settings import Options
    from platui.models.values.access import AccessReport

_BAR_WIDTH: Final = 24  # cells
_MAX_WIDTH: Final = 40
_OF_MEMBERSHIPS: Final = frozenset({"level", "group", "project"})


class ShowOptions(NamedTuple):
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
            raise ConfigError("Give only one of terms, --groups, --person and --group.", hint=hint)
        if self.sort and (of_one or self.groups):
            raise ConfigError("--sort works only for people.", hint=hint)
        if self.inherited and self.place is None:
            raise ConfigError("--inherited needs --group.")
        if self.as_json and self.as_csv:
            raise ConfigError("Give --json or --csv, not both.")

    @property
    def most(self) -> int | None:
        return row_limit(self.limit, is_all=self.all_ or self.as_json or self.as_csv)


def show_report(options: Options, word: str, args: ShowOptions) -> None:
    args.check()
    with open_reports(options) as reports:
        report = reports.open(word)
        try:
            if args.person is not None:
                _show_person(report, args, args.person)
            elif args.place is not None:
                _show_place(report, args, args.place)
            elif args.groups or args.query or args.as_csv or args.all_ or args.limit or args.sort:
                _show_matches(report, reports.options, args)
            elif args.as_json:
                print_object(summary_object(report))
            else:
                print_lines(summary_lines(report, reports.options))
        except TermError as error:
            raise mark_term(error, args.query) from None


def _show_matches(report: AccessReport, options: Options, args: ShowOptions) -> None:
    """Print the people, or with --groups the groups and projects, that match the terms."""
    query, order = args.query, PeopleOrder(args.sort) if args.sort else DEFAULT_ORDER
    if args.as_json or args.as_csv:
        what = ExportContent.PLACES if args.groups else ExportContent.PEOPLE
        _show_rows(report, ExportRequest(what, query, order), args)
        return
    if args.groups:
        rows = report.places(query)
        lines = table_lines([*map(report.place, rows[: args.most])], PLACES)
        text = f"{len(rows):,} of {report.place_count:,} groups and projects"
        unmatched = report.unmatched_places(query)
    else:
        answer = report.people(query, order)
        rows = answer.rows
        lines = table_lines([*map(report.person, rows[: args.most])], people_table(report))
        terms = read_terms(query, {term.field for term in PEOPLE_TERMS})
        selects = any(one.field in _OF_MEMBERSHIPS and not one.is_negated for one in terms)
        which = " matching the terms" if selects else " in total"
        text = f"{len(rows):,} of {counted(report.person_count, 'person')}, "
        text += f"{counted(answer.memberships, 'membership')}{which}"
        unmatched = report.unmatched(query)
    print_lines(lines)
    for sentence in (f"{text}.", f"Report of {when(report.info, options)}.", CAVEAT, *unmatched):
        print_notice(sentence)
    print_rows_left(len(rows) - len(rows[: args.most]), args.limit)


def _show_person(report: AccessReport, args: ShowOptions, word: str) -> None:
    row = person_named(report, word)
    holdings = report.memberships_of(row)[: args.most]
    if args.as_json:
        print_object(person_object(report, row))
    elif args.as_csv:
        person = report.person(row)
        _show_rows(report, ExportRequest(ExportContent.MEMBERSHIPS, f"id:{person.id}"), args)
    else:
        print_lines(fitted(person_lines(report, row, holdings)))
        print_rows_left(len(report.memberships_of(row)) - len(holdings), args.limit)
        print_notice(CAVEAT)


def _show_place(report: AccessReport, args: ShowOptions, word: str) -> None:
    row = place_named(report, word)
    others = report.inherited_members(row)
    members = report.all_members(row) if args.inherited else report.members_of(row)
    shown = members[: args.most]
    if args.as_json:
        print_object(place_object(report, row, others if args.inherited else ()))
    elif args.as_csv:
        what = ExportContent.EFFECTIVE if args.inherited else ExportContent.MEMBERS
        _show_rows(report, ExportRequest(what, place=row), args)
    else:
        print_lines(fitted(members_lines(report, row, shown)))
        print_rows_left(len(members) - len(shown), args.limit)
        if others and not args.inherited:
            print_notice(
                f"{len(others):,} more {plural(len(others), 'person')} inherited from parent "
                "groups: use --inherited."
            )
        print_notice(CAVEAT)


def _show_rows(report: AccessReport, order: ExportRequest, args: ShowOptions) -> None:
    sheet = sheet_of(report, order)
    if args.most is not None:
        sheet = sheet.first(args.most)
    form = ExportFormat.JSON_LINES if args.as_json else ExportFormat.CSV
    print_sheet(sheet, form, has_header=False)


def summary_lines(report: AccessReport, options: Options) -> Iterator[str]:
    info = report.info
    answer = report.people("", PeopleOrder.FILE)
    yield f"Report {info.id}, fetched {when(info, options)} from {info.origin}"
    yield f"{counts_words(info)}; {human_bytes(info.size)}"
    yield ""
    yield from (f"  {caveat}" for caveat in CAVEATS)
    yield ""
    sign = "#" if options.ascii else "█"
    highest = {facet.value: facet.people for facet in answer.levels}
    levels = list(zip(report.levels, report.level_counts(None), strict=True))[::-1]
    levels += [(level, 0) for level in highest if level not in report.levels]  # no membership
    most = max((count for _, count in levels), default=0)
    rows = [
        (
            shorten(level, _MAX_WIDTH),
            f"{count:,}",
            f"{100 * count / info.memberships:.1f} %" if info.memberships else "",
            f"{highest.get(level, 0):,}",
        )
        for level, count in levels
    ]
    heads = ("LEVEL", "MEMBERSHIPS", "SHARE", "AS HIGHEST")
    for at, line in enumerate(aligned([heads, *rows], {1, 2, 3})):
        count = levels[at - 1][1] if at else 0
        bar = sign * max(1, round(count / most * _BAR_WIDTH)) if count else ""
        yield f"{line}  {bar}".rstrip()
    for head, facets in (
        ("STATE", answer.states),
        ("E-MAIL DOMAIN", answer.domains[:8]),
        ("SERVICE IDENTITY", answer.identities),
    ):
        if facets:
            yield ""
            found = [(shorten(facet.value, _MAX_WIDTH), f"{facet.people:,}") for facet in facets]
            yield from aligned([(head, "PEOPLE"), *found], {1})
    if info.warnings:
        yield ""
        yield "Warnings:"
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
