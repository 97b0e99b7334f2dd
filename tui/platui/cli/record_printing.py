"""One record as it is printed for people: labelled lines in groups, and tables below them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

from platui.cli.list_printing import COLOURS, drawn, table_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from platui.cli.list_printing import Look, Sheet
    from platui.present.details.layout import Details, Field

T = TypeVar("T")

_STEP: Final = "  "


def record_lines(details: Details, look: Look) -> Iterator[str]:
    """Yield a record: its title, and its groups; what is for the curious only is left out."""
    groups = [group for group in details.groups if not group.quiet]
    width = max((len(one.label) for group in groups for one in group.fields), default=0)
    yield drawn(details.title, look)
    for group in groups:
        if group.heading:
            yield drawn(group.heading, look)
        yield from (_line(one, width, look) for one in group.fields)


def titled_table(title: str, items: Sequence[T], sheet: Sheet[T], look: Look) -> Iterator[str]:
    """Yield a table below a blank line and a title; nothing where there is nothing."""
    if items:
        yield ""
        yield drawn(title, look)
        yield from table_lines(items, sheet, look)


def _line(field: Field, width: int, look: Look) -> str:
    """Return a line, as long as its value is: addresses are there to be copied."""
    label = f"{_STEP}{field.label:<{width}}  "
    value = drawn(field.value.text, look, _role(field), len(field.value.text))
    return f"{label}{value}".rstrip()


def _role(field: Field) -> str:
    return field.value.role if field.value.role in COLOURS else ""
