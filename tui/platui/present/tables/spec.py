"""Declare tables: one list of columns for screen, command line, CSV, JSON and sorting."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import KW_ONLY, fields, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from operator import attrgetter
from typing import Any, Final, Generic, TypeVar

from platui.core.dataclass import dataclass
from platui.core.named_tuple import NamedTuple
from platui.core.text import clean, shorten
from platui.models.values.table import BLANK, Cell, Column, Row
from platui.present.times import stamp

T = TypeVar("T")
U = TypeVar("U")


class Context(NamedTuple):
    now: datetime
    utc: bool = False  # Whether to show times in UTC

    def stamp(self, moment: datetime | None) -> str:
        return stamp(moment, self.now, utc=self.utc)


TIMELESS: Final = Context(datetime.min.replace(tzinfo=UTC))  # For tables without times


@dataclass(frozen=True)
class ColumnSpec(Column, Generic[T]):
    """One column: title, cells, sort order and export; text is cleaned unless it is a `Cell`."""

    _: KW_ONLY
    # Raw value for JSON and CSV; None: the attribute named `exported`, null if "".
    value: Callable[[T, Context], Any] | None = None
    cell: Callable[[T, Context], Cell | str] | None = None  # None: the value as text
    sort: Callable[[T, Context], Any] | None = None  # Sort key, None last; None: the text
    role: str = "text"
    searched: bool = True
    name: str | None = ""  # Key in JSON and CSV; "": `key`; None: not exported
    csv: bool | tuple[str, ...] = True  # Whether in CSV; for an object: its keys in CSV
    in_cli: bool = True  # Whether printed tables have it, if it has a title
    # What differs in printed tables.
    cli_text: Callable[[T, Context], str] | None = None
    cli_title: str | None = None
    cli_minimum: int | None = None
    cli_priority: int | None = None
    cli_ends: bool | None = None
    cli_limit: int = 0  # Maximum characters; 0: unlimited

    @cached_property
    def exported(self) -> str | None:
        """Return the key in JSON and CSV; None: not exported."""
        return self.name or self.key if self.name is not None else None

    @property
    def layout(self) -> Column:
        return Column(**{one.name: getattr(self, one.name) for one in fields(Column)})

    @property
    def cli_layout(self) -> Column:
        names = ("title", "minimum", "priority", "ends")
        others = {name: getattr(self, f"cli_{name}") for name in names}
        given = {name: other for name, other in others.items() if other is not None}
        return replace(self.layout, **given, flexible=False)

    @cached_property
    def raw(self) -> Callable[[T, Context], Any]:
        if self.value is not None:
            return self.value
        get = attrgetter(self.exported or self.key)

        def raw(one: T, _at: Context) -> Any:
            return None if (found := get(one)) == "" else found

        return raw

    @cached_property
    def shown(self) -> Callable[[T, Context], Cell]:
        make, role = self.cell or self.raw, self.role

        def shown(one: T, at: Context) -> Cell:
            made = make(one, at)
            if isinstance(made, Cell):
                return made
            text = "" if made is None else clean(str(made))
            return Cell(text, role) if text else BLANK

        return shown

    def text(self, one: T, at: Context) -> str:
        text = self.cli_text(one, at) if self.cli_text else self.shown(one, at).text
        return shorten(text, self.cli_limit) if self.cli_limit else clean(text)

    def of(self, get: Callable[[U], T], shown: ColumnSpec[U] | None = None) -> ColumnSpec[U]:
        """Return this column for a value that contains such a record; `shown` overrides it."""

        def lifted(made: Callable[[T, Context], Any] | None) -> Callable[[U, Context], Any] | None:
            return None if made is None else lambda one, at: made(get(one), at)

        fields: dict[str, Any] = {
            "value": lifted(self.raw),
            "cell": lifted(self.cell),
            "cli_text": lifted(self.cli_text),
            "sort": lifted(self.sort),
        }
        if shown is None:
            return replace(self, **fields)  # type: ignore[return-value]  # other record type
        stays = {key: made for key, made in fields.items() if getattr(shown, key) is None}
        return replace(shown, name=self.name if shown.name == "" else shown.name, **stays)


@dataclass(frozen=True)
class TableSpec(Generic[T]):
    """A table: columns in the order of JSON and CSV, and the ones shown."""

    key: Callable[[T], str]  # Unique within a list
    columns: tuple[ColumnSpec[T], ...]
    screen: tuple[str, ...] = ()  # First columns on screens; others with a width follow
    cli: tuple[str, ...] = ()  # First printed columns; others with a title follow
    cli_blank: str = "-"  # Printed for empty cells
    search: Callable[[T], Iterable[str]] = lambda _one: ()  # More texts for filters
    status: Callable[[T], str] = lambda _one: ""  # Colours the first printed column
    muted: Callable[[T], bool] = lambda _one: False

    @cached_property
    def screen_columns(self) -> tuple[ColumnSpec[T], ...]:
        return tuple(self._ordered(self.screen, (one for one in self.columns if one.width)))

    @cached_property
    def cli_columns(self) -> tuple[ColumnSpec[T], ...]:
        wanted = (one for one in self.columns if one.title or one.key in self.cli)
        return tuple(self._ordered(self.cli, (one for one in wanted if one.in_cli)))

    @cached_property
    def layout(self) -> tuple[Column, ...]:
        return tuple(one.layout for one in self.screen_columns)

    @cached_property
    def exported(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self._exports)

    @cached_property
    def csv_names(self) -> tuple[str, ...]:
        return tuple(
            f"{one.exported}.{part}" if part else one.exported or ""
            for one in self.columns
            if one.exported is not None
            for part in (one.csv if isinstance(one.csv, tuple) else ("",) * one.csv)
        )

    def cells(self, one: T) -> tuple[Cell, ...]:
        return tuple([column.shown(one, TIMELESS) for column in self.screen_columns])

    def row(self, one: T, at: Context) -> Row:
        cells, texts, sort = [], [], []
        for column in self.screen_columns:
            cell = column.shown(one, at)
            cells.append(cell)
            if column.searched:
                texts.append(cell.text)
            sort.append(column.sort(one, at) if column.sort else cell.text.strip().lower() or None)
        return Row(
            key=self.key(one),
            cells=tuple(cells),
            sort=tuple(sort),
            search=" ".join((*texts, *map(clean, self.search(one)))).lower(),
            muted=self.muted(one),
        )

    def rows(self, some: Iterable[T], at: Context) -> list[Row]:
        return [self.row(one, at) for one in some]

    def cli_texts(self, one: T, at: Context = TIMELESS) -> tuple[str, ...]:
        return tuple([column.text(one, at) or self.cli_blank for column in self.cli_columns])

    @cached_property
    def _exports(self) -> list[tuple[str, Callable[[T, Context], Any]]]:
        return [(one.exported, one.raw) for one in self.columns if one.exported is not None]

    def object(self, one: T, at: Context = TIMELESS) -> dict[str, Any]:
        return {name: plain(raw(one, at)) for name, raw in self._exports}

    def less(self, *keys: str) -> TableSpec[T]:
        return replace(
            self,
            columns=tuple(one for one in self.columns if one.key not in keys),
            screen=tuple(key for key in self.screen if key not in keys),
            cli=tuple(key for key in self.cli if key not in keys),
        )

    def with_cli(self, *keys: str) -> TableSpec[T]:
        """Return the table with only these printed columns, in this order."""
        columns = (replace(one, in_cli=one.key in keys) for one in self.columns)
        return replace(self, columns=tuple(columns), cli=keys)

    def of(
        self,
        get: Callable[[U], T],
        *columns: ColumnSpec[U],
        key: Callable[[U], str] | None = None,
        screen: tuple[str, ...] = (),
        search: Callable[[U], Iterable[str]] | None = None,
        muted: Callable[[U], bool] = lambda _one: False,
        without: Collection[str] = (),
    ) -> TableSpec[U]:
        """Return this table for values that contain such a record; `without` hides columns."""
        own = {one.key: one for one in columns}
        lifted = [one.of(get, own.pop(one.key, None)) for one in self.columns]
        lifted = [replace(one, width=0) if one.key in without else one for one in lifted]
        of_key, of_search, of_status = self.key, self.search, self.status
        return TableSpec(
            key=key or (lambda one: of_key(get(one))),
            columns=(*lifted, *own.values()),
            screen=screen or self.screen,
            cli=self.cli,
            search=search or (lambda one: of_search(get(one))),
            status=lambda one: of_status(get(one)),
            muted=muted,
        )

    @staticmethod
    def _ordered(
        first: tuple[str, ...], columns: Iterable[ColumnSpec[T]]
    ) -> Iterator[ColumnSpec[T]]:
        by_key: Mapping[str, ColumnSpec[T]] = {one.key: one for one in columns}
        yield from (by_key[key] for key in first)
        yield from (one for key, one in by_key.items() if key not in first)


class _Kept(NamedTuple):
    record: object
    made_at: datetime
    until: datetime
    row: Row


class RowCache(Generic[T]):
    """Caches the row of each record until its age text changes."""

    def __init__(
        self,
        make: Callable[[T, datetime], Row],
        holds: Callable[[T, datetime], float],
        key: Callable[[T], int] = id,
    ) -> None:
        """Take the factory of a row, and for how many seconds a row is valid."""
        self._make = make
        self._holds = holds
        self._key = key
        self._kept: dict[int, _Kept] = {}

    def rows(self, records: Iterable[T], now: datetime) -> list[Row]:
        before, self._kept = self._kept, {}
        for record in records:
            key = self._key(record)
            kept = before.get(key)
            is_same = kept is not None and (kept.record is record or kept.record == record)
            if kept is None or not is_same or not kept.made_at <= now < kept.until:
                until = now + timedelta(seconds=self._holds(record, now))
                kept = _Kept(record, now, until, self._make(record, now))
            self._kept[key] = kept
        return [kept.row for kept in self._kept.values()]


def plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value


def seconds(count: float | None) -> float | None:
    return None if count is None else round(count, 3)
