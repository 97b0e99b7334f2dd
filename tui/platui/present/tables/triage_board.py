"""Rows of the triage board in order, for the screen and as printed sections."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from platui.analysis.triage.causes import abbreviated_keys
from platui.core.named_tuple import NamedTuple
from platui.core.text import cells
from platui.models.values.table import Cell, Column, LineBelow, Row
from platui.models.values.triage_board import Board, BoardItem, BoardState, CauseGroup
from platui.models.values.triage_headings import QUIET, REST
from platui.models.values.write_effects import NO_EFFECTS, Effects
from platui.present.tables.triage import BROKEN, Printing
from platui.present.tables.triage_rows import RowMaker
from platui.present.triage.labels import Names, cause_key, split_quiet

if TYPE_CHECKING:
    from platui.models.values.triage import Lane

_FEW: Final = 10  # Late, running or recovered rows printed by default
_MEMBERS: Final = 5  # Incidents of a cause printed by default
_MOST: Final = {"project": 32, "ref": 48, "job": 24}  # Column limits while space is scarce
_JOB: Final = 10  # Least useful width of the job column
_FILLER: Final = "\0"  # Not in clean text
_BESIDE_TITLE: Final = 2  # Cells by which the first line of a row is narrower than those below


class BoardRows(NamedTuple):
    rows: tuple[Row, ...] = ()
    items: Mapping[str, tuple[BoardItem, ...]] = {}  # by key of the row
    places: Mapping[str, str] = {}  # key of an item -> key of its row
    causes: frozenset[str] = frozenset()
    causes_of: Mapping[str, str] = {}  # key of an incident's row -> key of its cause's row
    columns: tuple[Column, ...] = BROKEN.layout


class PrintedRow(NamedTuple):
    row: Row
    is_member: bool = False


def board_rows(
    board: Board,
    opened: Collection[str],
    now: datetime,
    *,
    effects: Effects = NO_EFFECTS,
    utc: bool,
) -> BoardRows:
    """Return the rows; `opened` are keys of expanded causes."""
    make = RowMaker(board, Names(board.names), now, effects=effects, utc=utc)
    rows: list[Row] = []
    items: dict[str, tuple[BoardItem, ...]] = {}
    places: dict[str, str] = {}
    causes_of: dict[str, str] = {}
    loud = [not all(item.is_quiet(now) for item in group.items) for group in board.groups]
    quiet = loud.index(False) if False in loud and loud[0] else None
    for at, group in enumerate(board.groups):
        key, is_open = cause_key(group), False
        if at == quiet:
            rows.append(_divider(QUIET, "quiet: acknowledged or snoozed"))
        items[key] = group.items
        if len(group.items) > 1:
            is_open = key in opened
            rows.append(make.cause_row(group, is_open=is_open))
        else:
            rows.append(make.incident_row(group))
        for item in group.items:
            places[item.key] = item.key if is_open else key
            if is_open:
                items[item.key] = (item,)
                causes_of[item.key] = key
                rows.append(make.member_row(item, group))
    if quiet is not None and any(item.incident is None for item in board.items):
        rows.append(_divider(REST, "not broken"))
    for item in board.items:
        if item.incident is None:
            key = item.key
            rows.append(make.other_row(item))
            items[key], places[key] = (item,), key
    columns = fitting_columns(rows, map(make.names_of, board.items))
    causes = frozenset(key for key, some in items.items() if len(some) > 1)
    return BoardRows(tuple(rows), items, places, causes, causes_of, columns)


def printed_sections(
    board: Board, names: Names, now: datetime, printing: Printing, *, utc: bool
) -> Iterator[list[PrintedRow]]:
    """Yield sections of printed rows; each section has its own column widths."""
    make = RowMaker(board, names, now, utc=utc, printing=printing)
    # Cause keys are abbreviated to be unique on the whole board.
    shown = abbreviated_keys(board.groups)
    keys = {
        item.lane: key
        for key, group in zip(shown, board.groups, strict=True)
        for item in group.items
    }
    loud, quiet = (board.groups, ()) if printing.with_quiet else split_quiet(board, now)
    yield [row for group in loud for row in _group_rows(group, make, keys, printing)]
    yield [PrintedRow(make.quiet_row(item)) for group in quiet for item in group.items]
    for standing in (BoardState.LATE, BoardState.RUNNING, BoardState.RECOVERED):
        items = [item for item in board.items if item.state is standing]
        some = items if printing.is_full or len(items) <= _FEW + 1 else items[:_FEW]
        rows = [PrintedRow(make.other_row(item)) for item in some]
        if len(items) > len(some):
            rows.append(PrintedRow(make.more_row(items[len(some) :], "use --all")))
        yield rows


def _group_rows(
    group: CauseGroup, make: RowMaker, keys: Mapping[Lane, str], printing: Printing
) -> Iterator[PrintedRow]:
    items = group.items
    if len(items) == 1:
        yield PrintedRow(make.incident_row(group))
        return
    yield PrintedRow(make.cause_heading(keys[group.first.lane], group))
    some = items if printing.is_full or len(items) <= _MEMBERS + 1 else items[:_MEMBERS]
    for item in some:
        yield PrintedRow(make.member_row(item, group), is_member=True)
    if rest := items[len(some) :]:
        yield PrintedRow(make.more_row(rest))


def is_cut(row: Row, room: int) -> bool:
    is_title_cut = row.title is not None and cells(row.title.text) > room - _BESIDE_TITLE
    return is_title_cut or any(_is_long(line, room) for line in row.below)


def wrapped_rows(rows: Iterable[Row], room: int) -> tuple[Row, ...]:
    return tuple(_wrapped_row(row, room) if is_cut(row, room) else row for row in rows)


def _wrapped_row(row: Row, room: int) -> Row:
    below = [part for line in row.below for part in _wrapped(line, room)]
    if (title := row.title) is None:
        return replace(row, below=tuple(below))
    first, *others = _wrap(title.text, room - _BESIDE_TITLE)
    more = [LineBelow(Cell(text, title.role)) for text in others]
    return replace(row, title=replace(title, text=first), below=(*more, *below))


def _is_long(line: LineBelow, room: int) -> bool:
    return not line.left.parts and cells(line.left.text) > room


def _wrapped(line: LineBelow, room: int) -> list[LineBelow]:
    if not _is_long(line, room):
        return [line]
    return [LineBelow(Cell(text, line.left.role)) for text in _wrap(line.left.text, room)]


def _wrap(text: str, room: int) -> list[str]:
    """Wrap text to lines of at most `room` cells."""
    if cells(text) <= len(text):
        return wrap(text, max(1, room))
    # A filler stands for the second cell of a wide character, and may begin the next line.
    filled = "".join(sign + _FILLER if cells(sign) > 1 else sign for sign in text)
    return [line.replace(_FILLER, "") for line in wrap(filled, max(2, room - 1))]


def _divider(key: str, words: str) -> Row:
    cells = (Cell(""), Cell(words, "muted"), *[Cell("")] * (len(BROKEN.layout) - 2))
    # A filter must not match a divider.
    return Row(key, cells, search=" ", muted=True, heading=Cell(f"── {words} ──", "muted"))


def fitting_columns(
    rows: Iterable[Row], folded: Iterable[tuple[str, str, str]]
) -> tuple[Column, ...]:
    """Return columns wide enough for all names, folded ones included, to avoid shifts."""
    texts = [[cell.text for cell in row.cells] for row in rows if row.heading is None]
    texts += [["", project, ref, "", "", job] for project, ref, job in folded]
    if not texts:
        return BROKEN.layout
    needed = [max(map(cells, column)) for column in zip(*texts, strict=True)]
    return tuple(map(_fitting, BROKEN.layout, needed))


def _fitting(column: Column, needed: int) -> Column:
    if column.key == "glyph":
        return column
    most = _MOST.get(column.key, column.width)
    width = max(1, min(needed, most))
    if column.key == "project":
        # Unused cells go to the branch.
        return replace(column, width=width, flexible=needed > most)
    if column.key == "since":
        # Cutting would hide the duration: names are cut instead.
        return replace(column, width=width, minimum=width)
    return replace(column, width=width, minimum=_JOB if column.key == "job" else column.minimum)
