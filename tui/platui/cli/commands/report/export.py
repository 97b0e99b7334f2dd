"""`platui report export`: export parts or changes of a report as CSV, JSON lines or Markdown."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final, NamedTuple

from platui.cli.commands.report.lookup import compared, place_named
from platui.cli.commands.report.messages import marked
from platui.cli.commands.report.saved import shelf_of
from platui.cli.output.progress import ProgressLine, print_notice
from platui.core.errors import ConfigError, NameTakenError, TermError
from platui.core.paths import user_path
from platui.core.text import clean, shorten
from platui.models.values.access import DEFAULT_ORDER, PeopleOrder
from platui.models.values.reports import OF_A_PLACE, ExportContent, ExportFormat, ExportRequest
from platui.present.counts import counted
from platui.report.export.sheets import changes_sheet
from platui.report.export.writing import write_sheet
from platui.service.access.export import as_text, save_export, sheet_of

if TYPE_CHECKING:
    from pathlib import Path

    from platui.cli.commands.report.saved import Shelf
    from platui.config.settings import Options
    from platui.report.export.sheet import Sheet

CHANGES: Final = "changes"


class ExportAsked(NamedTuple):
    """The options of `platui report export`."""

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
            raise ConfigError("--what members|effective and --of PATH belong together.", hint=hint)
        if self.since and self.what != CHANGES:
            raise ConfigError("--since REPORT is about --what changes.", hint=hint)
        if self.sort and self.what != ExportContent.PEOPLE.value:
            raise ConfigError("--sort is the order of --what people.", hint=hint)
        if self.query and (is_of_place or self.what == CHANGES):
            raise ConfigError(f"--what {self.what} takes no terms.", hint=hint)


def export_report(options: Options, word: str, asked: ExportAsked) -> int:
    asked.check()
    target = user_path(asked.file) if asked.file else None
    form = ExportFormat(asked.form) if asked.form else _form_of(target)
    with shelf_of(options) as shelf:
        try:
            sheet = _sheet(shelf, word, asked)
        except TermError as error:
            raise marked(error, asked.query) from None
        if target is None:
            print_sheet(sheet, form, has_header=not asked.no_notes)
        else:
            _save(shelf, sheet, form, target, asked)
    return 0


def _sheet(shelf: Shelf, word: str, asked: ExportAsked) -> Sheet:
    if asked.what == CHANGES:
        return changes_sheet(compared(shelf, asked.since, word))
    report = shelf.open(word)
    what = ExportContent(asked.what)
    place = place_named(report, asked.place) if what in OF_A_PLACE else 0
    order = PeopleOrder(asked.sort) if asked.sort else DEFAULT_ORDER
    return sheet_of(report, ExportRequest(what, asked.query, order, place))


def _form_of(target: Path | None) -> ExportFormat:
    ending = "" if target is None else target.suffix.removeprefix(".").lower()
    if not ending:
        return ExportFormat.CSV
    for form in ExportFormat:
        if form.value == ending:
            return form
    known = ", ".join(f".{form.value}" for form in ExportFormat)
    raise ConfigError(
        f"A file that ends with .{shorten(clean(ending), 20)} is none of the forms there are.",
        hint=f"Known are {known}; --format names one for any other file.",
    )


def _save(shelf: Shelf, sheet: Sheet, form: ExportFormat, target: Path, asked: ExportAsked) -> None:
    try:
        with ProgressLine() as line:
            rows = shelf.run(
                save_export(
                    lambda: sheet,
                    form,
                    target,
                    lambda share: line.show(f"Writing: {share:.0%} (ctrl+c stops)"),
                    replace=asked.force,
                    has_header=not asked.no_notes,
                )
            )
    except NameTakenError as error:
        raise NameTakenError(error.sentence, hint="--force replaces it.") from None
    print_notice(f"Wrote {counted(rows, 'row')} to {shorten(str(target), 200)}.")


def print_sheet(sheet: Sheet, form: ExportFormat, *, has_header: bool) -> None:
    """Write a table to stdout, as UTF-8 whatever the locale says: it is for programs."""
    sys.stdout.flush()
    with as_text(sys.stdout.buffer) as text:
        write_sheet(sheet, form, text, has_header=has_header)
