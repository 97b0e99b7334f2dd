"""A list as it is printed: a table for people, objects or CSV for programs."""

from __future__ import annotations

import json
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, TypeVar

from platui.cli.patience import narrate
from platui.cli.stdout import has_colours
from platui.cli.table_fit import TableFit
from platui.cli.told import line_room, say_lines
from platui.core.text import clean
from platui.present.status import role_of
from platui.report.export import csv_text

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from platui.cli.connecting import Platform
    from platui.cli.list_options import Asked
    from platui.config.settings import Options

    Row = tuple[str, ...]

T = TypeVar("T")

_LAID_OUT_BY: Final = 100
"""Rows that tell how wide the columns of a table are to be; a page of the platform's."""

COLOURS: Final = {
    "success": "32",
    "failed": "31",
    "running": "36",
    "pending": "33",
    "manual": "35",
    "canceled": "2",
    "skipped": "2",
    "muted": "2",
}
"""Of the terminal's own sixteen, which its owner has chosen; a status is a word beside it."""


class Sheet(NamedTuple, Generic[T]):
    """How records of one kind are printed."""

    heads: Row
    row: Callable[[T], Row]
    """Clean texts below the heads."""
    shape: Callable[[T], dict[str, Any]]
    """The record for JSON."""
    columns: Row
    """Keys of that which CSV has, with a point before those of an object in it."""
    right: Collection[int] = ()
    """Numbers of columns that end alike."""
    spare: Sequence[tuple[int, int]] = ()
    """Columns that give way on a narrow terminal, as `TableFit` takes them."""
    status: Callable[[T], str] | None = None
    """Where records have one, which stands in the first column."""


class Look(NamedTuple):
    """How a table is drawn."""

    colours: bool = False
    ascii: bool = False


def look_of(platform: Platform, options: Options) -> Look:
    """Return how a table is drawn for whoever reads stdout."""
    return Look(has_colours("", platform.environ), options.ascii)


class Printer(Generic[T]):
    """Prints records as they come, so that nothing of a long list is lost where it ends early.

    Objects and CSV are printed at once. A table waits for as many rows as lay its columns out,
    or for its end.
    """

    def __init__(self, sheet: Callable[[], Sheet[T]], form: str, look: Look) -> None:
        """Take how they are printed.

        Args:
            sheet: returns how those of their kind are, as of now.
            form: `json`, `csv`, or empty: a table; without records there is none.
            look: how a table is drawn.
        """
        self.count = 0
        """How many were taken."""
        self._sheet = sheet
        self._form = form
        self._look = look
        self._waiting: list[T] = []
        self._fit: TableFit | None = None
        self._has_names = False

    def take(self, items: Iterable[T]) -> None:
        """Print more of them.

        Raises:
            BrokenPipeError: nobody reads any more.
        """
        before = len(self._waiting)
        self._waiting += items
        self.count += len(self._waiting) - before
        if self._form or len(self._waiting) >= _LAID_OUT_BY:
            self._print()

    def end(self) -> None:
        """Print what waits still; on a terminal, say which columns have no room.

        Raises:
            BrokenPipeError: nobody reads any more.
        """
        self._print()
        if self._fit is not None and self._fit.left_out:
            narrate(f"Left out for want of room: {', '.join(self._fit.left_out)}.")

    def _print(self) -> None:
        items, self._waiting = self._waiting, []
        sheet = self._sheet()
        match self._form:
            case "json":
                # Escapes for all that is not ASCII: nothing in it steers a terminal.
                say_lines(json.dumps(sheet.shape(one)) for one in items)
            case "csv":
                lines = csv_lines(map(sheet.shape, items), sheet.columns)
                say_lines(islice(lines, int(self._has_names), None))
                self._has_names = True
            case _ if items:
                say_lines(self._table(items, sheet))

    def _table(self, items: Sequence[T], sheet: Sheet[T]) -> Iterator[str]:
        rows = [*map(sheet.row, items)]
        if self._fit is None:
            self._fit = TableFit([sheet.heads, *rows], sheet.right, sheet.spare, line_room())
            yield from (drawn(line, self._look) for line in self._fit.lines([sheet.heads]))
        yield from _body(self._fit, items, rows, sheet, self._look)


@contextmanager
def printing(
    noun: str, asked: Asked, sheet: Callable[[], Sheet[T]], look: Look
) -> Iterator[Printer[T]]:
    """Give the printer of a list; what was read is printed whatever ends the block.

    Args:
        noun: what is listed, in the plural.
        asked: in which form.
        sheet: returns how those of their kind are printed, as of now.
        look: how a table is drawn.
    """
    printer = Printer(sheet, asked.form, look)
    try:
        yield printer
    except BrokenPipeError:
        raise
    except BaseException as error:
        if printer.count:
            printer.end()
            why = "Interrupted" if isinstance(error, KeyboardInterrupt) else "Not whole"
            narrate(f"{why}: {printer.count:,} {noun} were read and are printed.")
        raise
    printer.end()


def csv_lines(objects: Iterable[Mapping[str, Any]], columns: Row) -> Iterator[str]:
    """Yield the line of names, and one for each object."""
    yield csv_text.line(tuple(name.replace(".", "_") for name in columns)).rstrip("\n")
    for one in objects:
        values = [_value(one, name) for name in columns]
        yield csv_text.line(tuple(values)).rstrip("\n")


def _value(one: Mapping[str, Any], name: str) -> Any:
    value: Any = one
    for key in name.split("."):
        value = None if value is None else value[key]
    return clean(value) if isinstance(value, str) else value


def table_lines(items: Sequence[T], sheet: Sheet[T], look: Look) -> Iterator[str]:
    """Yield a table with its heads, no line wider than the terminal."""
    rows = [*map(sheet.row, items)]
    fit = TableFit([sheet.heads, *rows], sheet.right, sheet.spare, line_room())
    yield from (drawn(line, look) for line in fit.lines([sheet.heads]))
    yield from _body(fit, items, rows, sheet, look)


def _body(
    fit: TableFit, items: Sequence[T], rows: Sequence[Row], sheet: Sheet[T], look: Look
) -> Iterator[str]:
    for item, row, line in zip(items, rows, fit.lines(rows), strict=True):
        status = "" if sheet.status is None else sheet.status(item)
        yield drawn(line, look, role_of(status) if status else "", len(row[0]))


def drawn(line: str, look: Look, role: str = "", end: int = 0) -> str:
    """Return a line in the signs and colours that its reader has.

    Args:
        line: clean text.
        look: how it is drawn.
        role: of its beginning.
        end: where that ends.
    """
    if look.ascii:
        from platui.ui.ascii_art import SIGNS  # noqa: PLC0415  (of few terminals)

        line = line.translate(SIGNS)
    colour = COLOURS.get(role, "") if look.colours else ""
    return f"\x1b[{colour}m{line[:end]}\x1b[0m{line[end:]}" if colour and end else line
