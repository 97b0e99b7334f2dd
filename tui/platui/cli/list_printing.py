"""A list as it is printed: a table for people, objects or CSV for programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, TypeVar

from platui.cli.stdout import has_colours
from platui.cli.told import fitted_table, say_lines
from platui.core.text import clean
from platui.present.status import role_of
from platui.report.export import csv_text

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from platui.cli.connecting import Platform
    from platui.config.settings import Options

    Row = tuple[str, ...]

T = TypeVar("T")

STATUS: Final = "STATUS"

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
    """Columns that give way on a narrow terminal, as `fitted_table` takes them."""
    status: Callable[[T], str] | None = None
    """Where records have one, which stands in the first column."""


class Look(NamedTuple):
    """How a table is drawn."""

    colours: bool = False
    ascii: bool = False


def look_of(platform: Platform, options: Options) -> Look:
    """Return how a table is drawn for whoever reads stdout."""
    return Look(has_colours("", platform.environ), options.ascii)


def print_sheet(items: Sequence[T], sheet: Sheet[T], form: str, look: Look) -> None:
    """Print records.

    Args:
        items: the records.
        sheet: how those of their kind are printed.
        form: `json`, `csv`, or empty: a table; without records there is none.
        look: how a table is drawn.

    Raises:
        BrokenPipeError: nobody reads any more.
    """
    match form:
        case "json":
            # Escapes for all that is not ASCII: nothing in it steers a terminal.
            say_lines(json.dumps(sheet.shape(one)) for one in items)
        case "csv":
            say_lines(csv_lines(map(sheet.shape, items), sheet.columns))
        case _:
            if items:
                say_lines(table_lines(items, sheet, look))


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
    rows = [sheet.heads, *map(sheet.row, items)]
    lines = iter(fitted_table(rows, sheet.right, sheet.spare))
    yield drawn(next(lines), look)
    for item, row, line in zip(items, rows[1:], lines, strict=True):
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
