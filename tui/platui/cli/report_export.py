"""`platui report export`: parts of a report, and what changed, for other programs and people."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final, NamedTuple

from platui.cli.patience import narrate
from platui.cli.progress_line import ProgressLine
from platui.cli.report_finding import place_named
from platui.cli.report_shelf import shelf_of
from platui.cli.report_words import marked
from platui.core.errors import ConfigError, NameTakenError, TermError
from platui.core.paths import typed_path
from platui.core.text import clean, shorten
from platui.models.values.access import USUAL_ORDER, PeopleOrder
from platui.models.values.exports import OF_A_PLACE, Exported, ExportFormat, ExportOrder
from platui.present.counts import counted
from platui.report.export.writing import write_sheet
from platui.service.report_export import as_text, sheet_of, sheet_of_changes

if TYPE_CHECKING:
    from pathlib import Path

    from platui.cli.report_shelf import Shelf
    from platui.config.settings import Options
    from platui.report.export.sheet import Sheet

CHANGES: Final = "changes"
"""What is exported of two reports."""


class ExportAsked(NamedTuple):
    """What `platui report export` is to write, and where."""

    what: str = Exported.PEOPLE.value
    query: str = ""
    place: str = ""
    """Of `members`: names the place."""
    since: str = ""
    """Of `changes`: names the earlier report; empty: the one before."""
    order: PeopleOrder = USUAL_ORDER
    form: ExportFormat | None = None
    """None: as the file's name ends, CSV where that says nothing."""
    has_header: bool = True
    file: str = ""
    """Empty: stdout."""
    force: bool = False


def export_report(options: Options, word: str, asked: ExportAsked) -> int:
    """Write a part of a report; returns the exit code.

    Args:
        options: which profile's.
        word: names the report.
        asked: what of it, and where to.

    Raises:
        TermError: the query cannot be read; it is in the sentence, with a mark.
        CommandError: no report or no place is called so.
        FileWriteError: the file cannot be written, or is there already.
    """
    target = typed_path(asked.file) if asked.file else None
    form = asked.form or _form_of(target)
    with shelf_of(options) as shelf:
        try:
            sheet = _sheet(shelf, word, asked)
        except TermError as error:
            raise marked(error, asked.query) from None
        if target is None:
            print_sheet(sheet, form, has_header=asked.has_header)
        else:
            _save(shelf, sheet, form, target, asked)
    return 0


def _sheet(shelf: Shelf, word: str, asked: ExportAsked) -> Sheet:
    if asked.what == CHANGES:
        from platui.cli.report_diff import compared  # noqa: PLC0415  (of changes only)

        return sheet_of_changes(compared(shelf, asked.since, word))
    report = shelf.open(word)
    what = Exported(asked.what)
    place = place_named(report, asked.place) if what in OF_A_PLACE else 0
    return sheet_of(report, ExportOrder(what, asked.query, asked.order, place))


def _form_of(target: Path | None) -> ExportFormat:
    """Return the form that a file's ending names; CSV where it has none.

    Raises:
        ConfigError: it names none that there is.
    """
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
    line = ProgressLine()
    try:
        rows = shelf.run(
            shelf.reports.save(
                sheet,
                form,
                target,
                lambda share: line.show(f"Writing: {share:.0%} (ctrl+c stops)"),
                replace=asked.force,
                has_header=asked.has_header,
            )
        )
    except NameTakenError as error:
        raise NameTakenError(error.sentence, hint="--force replaces it.") from None
    finally:
        line.clear()
    narrate(f"Wrote {counted(rows, 'row')} to {shorten(str(target), 200)}.")


def print_sheet(sheet: Sheet, form: ExportFormat, *, has_header: bool) -> None:
    """Write a table to stdout, as UTF-8 whatever the locale says: it is for programs.

    Raises:
        BrokenPipeError: nobody reads any more.
    """
    sys.stdout.flush()
    with as_text(sys.stdout.buffer) as text:
        write_sheet(sheet, form, text, has_header=has_header)
