"""Detail panes: groups of labelled lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, TypeVar

from platui.core.dataclass import dataclass
from platui.core.named_tuple import NamedTuple
from platui.core.text import clean
from platui.models.values.table import Cell

if TYPE_CHECKING:
    from platui.present.tables.spec import Context, TableSpec

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Field:
    """One line of a detail pane; without a label it continues the previous one."""

    label: str
    value: Cell
    is_wide: bool = False  # The value takes the whole width below its label
    is_line: bool = False  # One line of the whole width, cut at its end


class Group(NamedTuple):
    """Related lines; the first group of a pane has no heading."""

    heading: str
    fields: tuple[Field, ...]

    @property
    def quiet(self) -> bool:
        return self.heading == "technical"


class Details(NamedTuple):
    """A detail pane, without lines of unknown values."""

    title: str
    groups: tuple[Group, ...]

    @property
    def fields(self) -> tuple[Field, ...]:
        return tuple(field for group in self.groups for field in group.fields)


Line = tuple[str, Cell | str]


def details(title: str, groups: Mapping[str, Iterable[Line | Field]]) -> Details:
    """Return a pane with the lines below each heading; empty lines and groups are left out."""
    shown = [
        Group(heading, tuple(one for one in map(_field, lines) if one.value.text.strip()))
        for heading, lines in groups.items()
    ]
    return Details(clean(title), tuple(group for group in shown if group.fields))


def _field(line: Line | Field) -> Field:
    if isinstance(line, Field):
        return line
    label, value = line
    return Field(label, value if isinstance(value, Cell) else text_cell(value))


def text_cell(text: str, role: str = "text") -> Cell:
    return Cell(clean(text), role)


def paragraphs(label: str, text: str, role: str = "text") -> list[Line]:
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    return [("" if number else label, text_cell(line, role)) for number, line in enumerate(lines)]


def yes_no(flag: bool | None) -> str:  # noqa: FBT001  (of the API)
    return "" if flag is None else "yes" if flag else "no"


def percent(number: float | None) -> str:
    return "" if number is None else f"{number:.12g}%"


def stamps(at: Context, record: object, *names: str) -> list[Line]:
    """Return a line for each field of a record that is named like `created_at`."""
    return [(name, at.stamp(getattr(record, f"{name}_at"))) for name in names]


def once(*texts: str) -> str:
    return " · ".join(dict.fromkeys(text for text in texts if text))


def column_details(title: str, spec: TableSpec[T], one: T, at: Context) -> Details:
    shown = [column for column in spec.columns if column.title]
    others = [column for column in spec.columns if not column.title and column.exported]
    return details(
        title,
        {
            "what": [(column.title.lower(), column.shown(one, at)) for column in shown],
            "technical": [(column.key, column.shown(one, at)) for column in others],
        },
    )
