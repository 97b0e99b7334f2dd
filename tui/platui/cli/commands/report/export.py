"""Export parts or changes of a report as CSV, JSON lines or Markdown."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from platui.cli.commands.report.messages import mark_term
from platui.cli.commands.report.saved import ProfileReports, open_reports, place_named
from platui.cli.output.progress import ProgressLine, print_notice
from platui.core.errors import ConfigError, NameTakenError, TermError
from platui.core.named_tuple import NamedTuple
from platui.core.paths import user_path
from platui.core.text import clean, shorten
from platui.models.values.access import DEFAULT_ORDER, PeopleOrder
from platui.models.values.reports import OF_A_PLACE, ExportContent, ExportFormat, ExportRequest
from platui.present.counts import counted
from platui.report.export.sheets import changes_sheet
from platui.report.export.writing import write_sheet
from platui.service.access.export import as_text, save_export, sheet_of

if TYPE_CHECKING:
    from platui.config.settings import Options
    from platui.report.export.sheet import Sheet

CHANGES: Final = "changes"


class ExportOptions(NamedTuple):
    query: str
    what: str
    place: str
    since: str
    sort: str | None
    form: str | None
    file: str
    force: bool
    no_notes: bool

    def check(self) -> None:
        hint = "platui report export --help"
        is_of_place = self.what in {one.value for one in OF_A_PLACE}
        if is_of_place != bool(self.place):
            raise ConfigError("--what members|effective and --of PATH need each other.", hint=hint)
        if self.since and self.what != CHANGES:
            raise ConfigError("--since REPORT needs --what changes.", hint=hint)
        if self.sort and self.what != ExportContent.PEOPLE.value:
            raise ConfigError("--sort works only with --what people.", hint=hint)
        if self.query and (is_of_place or self.what == CHANGES):
            raise ConfigError(f"--what {self.what} does not accept terms.", hint=hint)


def export_report(options: Options, word: str, args: ExportOptions) -> None:
    args.check()
    target = user_path(args.file) if args.file else None
    form = ExportFormat(args.form) if args.form else _form_of(target)
    with open_reports(options) as reports:
        try:
            sheet = _sheet(reports, word, args)
        except TermError as error:
            raise mark_term(error, args.query) from None
        if target is None:
            print_sheet(sheet, form, has_header=not args.no_notes)
        else:
            _save(reports, sheet, form, target, args)


def _sheet(reports: ProfileReports, word: str, args: ExportOptions) -> Sheet:
    if args.what == CHANGES:
        return changes_sheet(reports.compare_named(args.since, word))
    report = reports.open(word)
    what = ExportContent(args.what)
    place = place_named(report, args.place) if what in OF_A_PLACE else 0
    order = PeopleOrder(args.sort) if args.sort else DEFAULT_ORDER
    return sheet_of(report, ExportRequest(what, args.query, order, place))


def _form_of(target: Path | None) -> ExportFormat:
    ending = "" if target is None else target.suffix.removeprefix(".").lower()
    if not ending:
        return ExportFormat.CSV
    for form in ExportFormat:
        if form.value == ending:
            return form
    known = ", ".join(f".{form.value}" for form in ExportFormat)
    raise ConfigError(
        f"Unknown file format .{shorten(clean(ending), 20)}.",
        hint=f"Use {known}, or set --format.",
    )


def _save(
    reports: ProfileReports,
    sheet: Sheet,
    form: ExportFormat,
    target: Path,
    args: ExportOptions,
) -> None:
    try:
        with ProgressLine() as line:
            rows = reports.run(
                save_export(
                    lambda: sheet,
                    form,
                    target,
                    lambda share: line.show(f"Writing: {share:.0%} (Ctrl+C stops)"),
                    replace=args.force,
                    has_header=not args.no_notes,
                )
            )
    except NameTakenError as error:
        raise NameTakenError(error.sentence, hint="Replace it with --force.") from None
    print_notice(f"Wrote {counted(rows, 'row')} to {shorten(str(target), 200)}.")


def print_sheet(sheet: Sheet, form: ExportFormat, *, has_header: bool) -> None:
    """Write a table to stdout in UTF-8, whatever the locale, as programs read it."""
    sys.stdout.flush()
    with as_text(sys.stdout.buffer) as text:
        write_sheet(sheet, form, text, has_header=has_header)
