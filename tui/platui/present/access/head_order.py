"""Sort rows of the access report by the column whose head was clicked."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

from platui.present.tables.spec import TIMELESS
from platui.report.queries.orders import sorted_rows

if TYPE_CHECKING:
    from platui.models.values.table import SortKey
    from platui.present.tables.spec import ColumnSpec, TableSpec

T = TypeVar("T")

_LEVELS: Final = frozenset({"highest", "level", "effective"})  # Columns that begin with a level


def head_order(
    table: TableSpec[T], sort: SortKey, records: Iterable[T], levels: Sequence[str] = ()
) -> Sequence[int]:
    """Return the positions of records sorted by a column, blanks last; run in a thread."""
    every, (key, descending) = list(records), sort
    column = next((one for one in table.columns if one.key == key), None)
    if column is None:  # Of a level of another report
        return range(len(every))
    value = _value_of(column, levels)
    values = [value(one) for one in every]
    valued = [at for at, found in enumerate(values) if found is not None]
    order = array("I", (valued[at] for at in sorted_rows([values[at] for at in valued])))
    if descending:
        order.reverse()
    order.extend(at for at, found in enumerate(values) if found is None)
    return order


def _value_of(column: ColumnSpec[T], levels: Sequence[str]) -> Callable[[T], Any]:
    ranks = {level.lower(): at for at, level in enumerate(levels)}

    def text_of(one: T) -> str | None:
        return column.shown(one, TIMELESS).text.strip().lower() or None

    def level_of(one: T) -> tuple[int, str] | None:
        text = text_of(one)
        return None if text is None else (ranks.get(text.split()[0], -1), text)

    if (sort := column.sort) is not None:
        return lambda one: sort(one, TIMELESS)
    return level_of if column.key in _LEVELS else text_of
