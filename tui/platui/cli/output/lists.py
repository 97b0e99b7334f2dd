"""Print lists, while reading them, and records as tables, JSON lines or CSV."""

from __future__ import annotations

import json
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from platui.cli.connection import Platform, open_platform
from platui.cli.output.progress import print_notice
from platui.cli.output.stdout import has_colours, line_width, print_lines
from platui.cli.project_lookup import in_project
from platui.cli.reading import gather
from platui.core.named_tuple import NamedTuple
from platui.core.text import clean
from platui.present.status import role_of
from platui.present.tables.column_widths import PrintedTable
from platui.present.tables.spec import TIMELESS, Context, TableSpec
from platui.ui.ascii_fallbacks import ASCII_BY_CODE_POINT

if TYPE_CHECKING:
    from collections.abc import (
        Awaitable,
        Callable,
        Coroutine,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )

    from platui.cli.command_options import ListOptions
    from platui.config.settings import Options
    from platui.models.values.feeds import Listing
    from platui.models.values.queries import ProjectRef
    from platui.service.resources.resource import Resource

    Row = tuple[str, ...]

    from platui.present.details.layout import Details

T = TypeVar("T")

_LAYOUT_ROWS: Final = 100  # Rows that determine the column widths; one page

COLOURS: Final = {
    "success": "32",
    "failed": "31",
    "running": "36",
    "pending": "33",
    "manual": "35",
    "canceled": "2",
    "skipped": "2",
    "muted": "2",
}  # SGR codes of the terminal's palette

_STEP: Final = "  "


class TableStyle(NamedTuple):
    colours: bool = False
    ascii: bool = False


PLAIN: Final = TableStyle()


def style_of(platform: Platform) -> TableStyle:
    return TableStyle(has_colours("", platform.environ), platform.options.ascii)


def as_of_now(platform: Platform) -> Callable[[], Context]:
    return lambda: Context(platform.service.clock.now(), bool(platform.options.utc))


class Printer(Generic[T]):
    """Prints records as they are read; a table after enough rows for its column widths."""

    def __init__(
        self, spec: TableSpec[T], at: Callable[[], Context], form: str, style: TableStyle
    ) -> None:
        """`at` returns the current context of cells; `form` is json, csv or empty (table)."""
        self.count = 0
        self.project: ProjectRef | None = None  # That of the records; JSON has it
        self._spec = spec
        self._at = at
        self._form = form
        self._look = style
        self._waiting: list[T] = []
        self._table: PrintedTable | None = None
        self._has_names = False

    def take(self, items: Iterable[T]) -> None:
        before = len(self._waiting)
        self._waiting += items
        self.count += len(self._waiting) - before
        if self._form or len(self._waiting) >= _LAYOUT_ROWS:
            self._print()

    def end(self) -> None:
        """Print the remaining rows, and a notice of omitted columns."""
        self._print()
        if self._table is not None and self._table.left_out:
            print_notice(
                f"Columns omitted, terminal too narrow: {', '.join(self._table.left_out)}."
            )

    def _print(self) -> None:
        items, self._waiting = self._waiting, []
        spec, at = self._spec, self._at()
        objects = (spec.object(one, at) for one in items)
        match self._form:
            case "json":
                project = {} if self.project is None else {"project": self.project}
                # json.dumps escapes non-ASCII characters: safe for terminals.
                print_lines(json.dumps({**project, **one}) for one in objects)
            case "csv":
                lines = csv_lines(objects, spec.csv_names)
                print_lines(islice(lines, int(self._has_names), None))
                self._has_names = True
            case _:
                print_lines(self.lines(items, at))

    def lines(self, items: Sequence[T], at: Context) -> Iterator[str]:
        """Yield the lines of rows, preceded by the column heads the first time."""
        if not items:
            return
        spec, style = self._spec, self._look
        rows = [spec.cli_texts(one, at) for one in items]
        if self._table is None:
            columns = [one.cli_layout for one in spec.cli_columns]
            self._table = PrintedTable(columns, rows, line_width())
            yield from (styled_line(line, style) for line in self._table.lines([self._table.heads]))
        for item, row, line in zip(items, rows, self._table.lines(rows), strict=True):
            status = spec.status(item)
            yield styled_line(line, style, role_of(status) if status else "", len(row[0]))


@contextmanager
def printing(
    noun: str,
    list_options: ListOptions,
    spec: TableSpec[T],
    at: Callable[[], Context],
    style: TableStyle,
) -> Iterator[Printer[T]]:
    """Yield the printer of a list; print the records that were read even after an error."""
    printer = Printer(spec, at, list_options.form, style)
    try:
        yield printer
    except BrokenPipeError:
        raise
    except BaseException as error:
        if printer.count:
            printer.end()
            why = "Interrupted" if isinstance(error, KeyboardInterrupt) else "Incomplete"
            print_notice(f"{why}: {printer.count:,} {noun} were read and printed.")
        raise
    printer.end()


class ListReader(Generic[T]):
    def __init__(
        self, platform: Platform, noun: str, limit: int | None, printer: Printer[T]
    ) -> None:
        self.service = platform.service
        self.address = platform.address
        self.limit = limit
        self.printer = printer
        self.take = printer.take
        self.empty = ""  # Message for an empty list; `read` may set it
        self._noun = noun

    async def gather(self, resource: Resource[Listing[Any]]) -> Listing[Any]:
        await self.service.start()
        return await gather(self.service, self._noun, resource, self.limit, self.take)

    async def in_project(
        self, named: ProjectRef, ask: Callable[[ProjectRef], Awaitable[Listing[Any]]]
    ) -> Listing[Any]:
        await self.service.start()

        async def ask_in(project: ProjectRef) -> Listing[Any]:
            self.printer.project = project
            return await ask(project)

        return await in_project(self.service, named, ask_in)


def print_list(
    options: Options,
    list_options: ListOptions,
    noun: str,
    spec: TableSpec[T],
    read: Callable[[ListReader[T]], Coroutine[Any, Any, Listing[Any]]],
    *,
    words: Sequence[str] = (),
    empty: str = "",
) -> Listing[Any]:
    """Print a list. An address in `words` selects the profile; `empty` is the empty message."""
    with open_platform(options, words) as platform:
        at, style = as_of_now(platform), style_of(platform)
        with printing(noun, list_options, spec, at, style) as printer:
            reader = ListReader(platform, noun, list_options.limit, printer)
            reader.empty = empty
            listing = platform.read(read(reader))
        if not listing.items and reader.empty:
            absent = f"This platform does not support {noun}."
            print_notice(reader.empty if listing.is_supported else absent)
        if not listing.complete:
            of = f"{listing.total:,}" if listing.total is not None else "many"
            count = len(listing.items)
            print_notice(f"{count:,} of {of} {noun}; use --all or --limit N for more.")
        elif listing.repeats:
            print_notice(f"The platform repeated a page: there may be more {noun}.")
    return listing


def csv_lines(objects: Iterable[Mapping[str, Any]], columns: Row) -> Iterator[str]:
    from platui.report.export.sheet import csv_line  # noqa: PLC0415  (for CSV only)

    yield csv_line(tuple(name.replace(".", "_") for name in columns)).rstrip("\n")
    for one in objects:
        values = [_value(one, name) for name in columns]
        yield csv_line(tuple(values)).rstrip("\n")


def _value(one: Mapping[str, Any], name: str) -> Any:
    value: Any = one
    for key in name.split("."):
        value = None if value is None else value[key]
    if isinstance(value, list):  # of ids
        value = " ".join(map(str, value))
    return clean(value) if isinstance(value, str) else value


def table_lines(
    items: Sequence[T], spec: TableSpec[T], at: Context = TIMELESS, style: TableStyle = PLAIN
) -> Iterator[str]:
    return Printer(spec, lambda: at, "", style).lines(items, at)


def styled_line(line: str, style: TableStyle, role: str = "", end: int = 0) -> str:
    """Style a line; `role` is the colour role of its first `end` cells."""
    if style.ascii:
        line = line.translate(ASCII_BY_CODE_POINT)
    colour = COLOURS.get(role, "") if style.colours else ""
    return f"\x1b[{colour}m{line[:end]}\x1b[0m{line[end:]}" if colour and end else line


def record_lines(details: Details, style: TableStyle) -> Iterator[str]:
    groups = [group for group in details.groups if not group.quiet]
    width = max((len(one.label) for group in groups for one in group.fields), default=0)
    yield styled_line(details.title, style)
    for group in groups:
        if group.heading:
            yield styled_line(group.heading, style)
        for one in group.fields:
            text = one.value.text
            value = styled_line(text, style, one.value.role, len(text))
            # Of any length, so that addresses can be copied
            yield f"{_STEP}{one.label:<{width}}  {value}".rstrip()


def titled_table(
    title: str, items: Sequence[T], spec: TableSpec[T], at: Context, style: TableStyle
) -> Iterator[str]:
    if items:
        yield ""
        yield styled_line(title, style)
        yield from table_lines(items, spec, at, style)
