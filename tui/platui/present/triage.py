"""The triage board as rows: a row a cause of what is broken, then what is late, runs, recovered."""

from __future__ import annotations

from dataclasses import replace
from textwrap import wrap
from typing import TYPE_CHECKING, Final, NamedTuple

from platui.analysis.triage.blaming import began_with
from platui.analysis.triage.board import is_quiet
from platui.core.text import clean
from platui.models.values.table import Cell, Line, Row
from platui.models.values.triage_items import CauseGroup
from platui.models.values.triage_lateness import LateKind
from platui.present.chrome import joined
from platui.present.counts import counted
from platui.present.status import glyph_of, role_of
from platui.present.times import clock
from platui.present.triage_cause_words import (
    blame,
    cause,
    flaky_words,
    group_blame,
    job_and_stage,
    job_name,
)
from platui.present.triage_columns import QUIET, REST, TRIAGE_COLUMNS
from platui.present.triage_late_words import late_more, late_short, late_what, stuck_words
from platui.present.triage_names import Names
from platui.present.triage_widths import fitting_columns
from platui.present.triage_words import (
    group_reds,
    group_since,
    last_green,
    marks,
    moving_of,
    newest_of,
    reds,
    ref_of,
    running_words,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import datetime

    from platui.models.values.table import Column
    from platui.models.values.triage import Incident
    from platui.models.values.triage_board import Board
    from platui.models.values.triage_items import BoardItem
    from platui.present.chrome import Piece

_FOLDED: Final = "▸"
_OPENED: Final = "▾"
_BESIDE: Final = "│"
_LATE: Final = "◐"
_MISSED: Final = "◷"
_PROJECT: Final = 1
_REF: Final = 2
_NAMED: Final = 8
"""Projects of one cause that are named; more of them would not fit on any line."""


class BoardRows(NamedTuple):
    """The rows of a board, and what each stands for."""

    rows: tuple[Row, ...] = ()
    items: Mapping[str, tuple[BoardItem, ...]] = {}
    """Key of a row -> what it stands for, the first of a cause first."""
    places: Mapping[str, str] = {}
    """Key of an item -> key of the row that shows it."""
    causes: frozenset[str] = frozenset()
    """Keys of the rows that can be opened."""
    causes_of: Mapping[str, str] = {}
    """Key of an incident's row -> that of the cause it stands below."""
    columns: tuple[Column, ...] = TRIAGE_COLUMNS
    """As wide as what stands in them."""


def item_key(item: BoardItem) -> str:
    """Return what an item is known by, whether it is broken, recovered or runs for the first time.

    A pipeline that runs and then breaks the lane is the first red one of its incident.
    """
    project = item.lane.project
    if item.incident is not None:
        return f"{project}:{item.incident.first_red.id}"
    if item.recovery is not None:
        return f"{project}:{item.recovery.first_red.id}"
    if item.newest is not None:
        return f"{project}:{item.newest.id}"
    if item.late is not None and item.late.schedule is not None:
        return f"{project}:schedule:{item.late.schedule}"
    return f"{project}:{item.lane.ref}"


def cause_key(group: CauseGroup) -> str:
    """Return what the row of a cause is known by; of a lone incident the incident's own key."""
    first = group.items[0]
    if len(group.items) == 1 or group.signature is None:
        return item_key(first)
    where = f"{first.lane.project}:" if group.signature.is_local else ""
    # Of a symptom there may be several groups, each of a time.
    when = f":{item_key(group.first)}" if group.signature.is_symptom else ""
    return f"cause:{where}{group.signature.key}{when}"


def board_rows(board: Board, opened: Collection[str], now: datetime, *, utc: bool) -> BoardRows:
    """Return the rows of a board.

    Args:
        board: what is known.
        opened: keys of the causes of which every incident has a row.
        now: the time.
        utc: whether times are shown in UTC.
    """
    drawing = _Drawing(Names(board.names), now, utc)
    rows: list[Row] = []
    items: dict[str, tuple[BoardItem, ...]] = {}
    places: dict[str, str] = {}
    causes: set[str] = set()
    causes_of: dict[str, str] = {}
    quiet = _quiet_after(board, now)
    for at, group in enumerate(board.groups):
        key, is_open = cause_key(group), False
        if at == quiet:
            rows.append(_divider(QUIET, "quiet: acknowledged or snoozed"))
        items[key] = group.items
        if len(group.items) > 1:
            causes.add(key)
            is_open = key in opened
            rows.append(drawing.cause_row(key, group, is_open=is_open))
        else:
            rows.append(drawing.incident_row(key, group.items[0]))
        for item in group.items:
            places[item_key(item)] = item_key(item) if is_open else key
            if is_open:
                items[item_key(item)] = (item,)
                causes_of[item_key(item)] = key
                rows.append(drawing.member_row(item, group))
    if quiet is not None and any(item.incident is None for item in board.items):
        rows.append(_divider(REST, "not broken"))
    for item in board.items:
        if item.incident is None:
            key = item_key(item)
            rows.append(drawing.other_row(key, item))
            items[key], places[key] = (item,), key
    columns = fitting_columns(rows, map(drawing.names_of, board.items))
    return BoardRows(tuple(rows), items, places, frozenset(causes), causes_of, columns)


def is_cut(row: Row, room: int) -> bool:
    """Return whether a line below a row's cells is longer than so many cells."""
    return any(_is_long(line, room) for line in row.below)


def wrapped_rows(rows: Iterable[Row], room: int) -> tuple[Row, ...]:
    """Return rows whose lines below their cells are broken where they are longer than that.

    Args:
        rows: as a board has them.
        room: cells that a line has.
    """
    return tuple(
        replace(row, below=tuple(part for line in row.below for part in _wrapped(line, room)))
        if is_cut(row, room)
        else row
        for row in rows
    )


def _is_long(line: Line, room: int) -> bool:
    return not line.left.parts and len(line.left.text) > room


def _wrapped(line: Line, room: int) -> list[Line]:
    if not _is_long(line, room):
        return [line]
    return [Line(Cell(text, line.left.role)) for text in wrap(line.left.text, max(1, room))]


def _quiet_after(board: Board, now: datetime) -> int | None:
    """Return before which group a line is drawn: what is quiet begins there, below what is not."""
    loud = [
        not all(is_quiet(item.mark, item.signature, now) for item in group.items)
        for group in board.groups
    ]
    return loud.index(False) if False in loud and loud[0] else None


def _divider(key: str, words: str) -> Row:
    """Return a line between parts of the board; of kept ones the cells are shown."""
    cells = (Cell(""), Cell(words, "muted"), *[Cell("")] * (len(TRIAGE_COLUMNS) - 2))
    # A filter looks for what is broken or runs, and this is neither.
    return Row(key, cells, search=" ", muted=True, heading=Cell(f"── {words} ──", "muted"))


class _Drawing:
    """Makes rows at one moment."""

    def __init__(self, names: Names, now: datetime, utc: bool) -> None:  # noqa: FBT001  (handed on)
        self._names = names
        self._now = now
        self._utc = utc

    def incident_row(self, key: str, item: BoardItem) -> Row:
        """Return the row of an incident whose cause no other has."""
        incident = _incident(item)
        quiet = self._is_quiet(item)
        facts = self._facts(item, incident, quiet=quiet)
        loud = item.is_main and not quiet
        told = last_green(incident, self._now, utc=self._utc) if loud else ""
        below = [self._cause_line(cause(item), quiet=quiet)]
        if facts or told:
            below.append(_line(facts, told))
        return self._broken(key, item, fold="", quiet=quiet, below=below)

    def cause_row(self, key: str, group: CauseGroup, *, is_open: bool) -> Row:
        """Return the row of a cause that several incidents have: the first of them leads.

        Since when and how many red ones are those of the cause, not of that one.
        """
        first = group.items[0]
        quiet = all(map(self._is_quiet, group.items))
        shared = group.signature.shared if group.signature is not None else ""
        facts = self._spread(group)
        words = group_blame(group, self._names) if began_with(group) and not quiet else ""
        blamed = [Line(Cell(words, "muted"))] if words else []
        said = [words for item in group.items[1:] for words in self._row_words(item)]
        return self._broken(
            key,
            first,
            fold=_OPENED if is_open else _FOLDED,
            quiet=quiet,
            below=[self._cause_line(shared or cause(first), quiet=quiet), _line(facts), *blamed],
            said=said,
            group=group,
        )

    def member_row(self, item: BoardItem, group: CauseGroup) -> Row:
        """Return the row of one incident below its cause.

        The pipelines' name tells those apart that have project and branch in common: where all
        are of one project it stands in that one's place, else behind the branch.
        """
        quiet = self._is_quiet(item)
        row = self._broken(item_key(item), item, fold=_BESIDE, quiet=quiet, below=())
        way = clean(item.lane.way)
        alike = [one for one in group.items if one.lane[:2] == item.lane[:2]]
        if way and (group.projects == 1 or len(alike) > 1):
            cells = list(row.cells)
            if group.projects == 1:
                cells[_PROJECT] = Cell(way)
            else:
                cells[_REF] = Cell(f"{ref_of(item)} {way}".strip(), "muted")
            row = replace(row, cells=tuple(cells))
        said = marks(item, self._now, utc=self._utc)
        if not said:
            return row
        return replace(row, below=(_line(said),))

    def other_row(self, key: str, item: BoardItem) -> Row:
        """Return the row of what is late, runs or recovered."""
        glyph, role, red, words = self._standing(item)
        late = item.late
        more = late_more(late, self._now, utc=self._utc) if late is not None else ""
        way = clean(item.lane.way) or ("" if more else late_what(late))
        cells = (
            Cell(glyph, role),
            Cell(self._names.label(item.lane.project)),
            Cell(ref_of(item), "muted"),
            Cell(red, "muted"),
            Cell(words, role),
            Cell(way, "muted"),
        )
        below = (Line(Cell(more, "muted")),) if more else ()
        return Row(key, cells, search=self._search(item, [words, more]), below=below)

    def names_of(self, item: BoardItem) -> tuple[str, str, str]:
        """Return what a row of its own calls project, branch and job of an item."""
        return (self._names.label(item.lane.project), ref_of(item), job_name(item.point))

    def _standing(self, item: BoardItem) -> tuple[str, str, str, str]:
        """Return glyph, role, reds and words of what is not broken."""
        if item.recovery is not None:
            at = clock(item.recovery.green.at, self._now, utc=self._utc)
            red = reds(item.recovery.streak, more=item.recovery.is_at_least)
            return glyph_of("success"), "success", red, f"recovered {at}"
        if item.late is not None:
            glyph = _MISSED if item.late.kind is LateKind.MISSED else _LATE
            return glyph, "warning", "", late_short(item.late, self._now)
        status = item.newest.status if item.newest is not None else ""
        return glyph_of(status), role_of(status), "", running_words(item, self._now)

    def _broken(
        self,
        key: str,
        item: BoardItem,
        *,
        fold: str,
        quiet: bool,
        below: Sequence[Line],
        said: Iterable[str] = (),
        group: CauseGroup | None = None,
    ) -> Row:
        told = CauseGroup(item.signature, (item,)) if group is None else group
        is_member = fold == _BESIDE
        cells = (
            _glyph(fold, "muted" if quiet else "failed"),
            Cell(self._names.label(item.lane.project), "text" if is_member else "strong"),
            Cell(ref_of(item), "muted"),
            Cell(group_reds(told), "muted" if quiet else "text"),
            Cell(group_since(told, self._now, utc=self._utc, short=True)),
            # Of its stage the details tell: cut off after the name it would say nothing.
            Cell(job_name(item.point), "muted"),
        )
        lines = (cell.text for line in below for cell in (line.left, line.right))
        search = self._search(item, [*lines, *said])
        return Row(key, cells, search=search, muted=quiet, below=tuple(below))

    def _is_quiet(self, item: BoardItem) -> bool:
        return is_quiet(item.mark, item.signature, self._now)

    def _cause_line(self, words: str, *, quiet: bool) -> Line:
        if not words:
            return Line(Cell("still looking for the cause", "muted"))
        return Line(Cell(words, "muted" if quiet else "failed"))

    def _facts(self, item: BoardItem, incident: Incident, *, quiet: bool) -> list[Piece]:
        """Return what else is worth a line: of branches that are nobody else's, little is."""
        said = marks(item, self._now, utc=self._utc)
        again = running_words(item, self._now) if moving_of(item) is not None else ""
        if again:
            stuck = stuck_words(item)
            said.append((f"again {again}", "running"))
            said += [(stuck, "warning")] * bool(stuck)
        if quiet or not item.is_main:
            return said
        words = (
            blame(incident),
            flaky_words(item.point),
            clean(item.lane.way),
        )
        return [*said, *((text, "muted") for text in words if text)]

    def _spread(self, group: CauseGroup) -> list[Piece]:
        """Return where else a cause is, and what was said of its incidents."""
        labels = list(dict.fromkeys(self._names.label(one.lane.project) for one in group.items))
        quiet = sum(map(self._is_quiet, group.items))
        said: list[Piece] = []
        if quiet:
            of_all = "all" if quiet == len(group.items) else str(quiet)
            said.append((f"{of_all} quiet", "accent"))
        owners = dict.fromkeys(clean(one.mark.owner) for one in group.items if one.mark.owner)
        said += [(f"owner {', '.join(owners)}", "accent")] * bool(owners)
        count = len(group.items)
        if len(labels) == 1:
            ways = dict.fromkeys(clean(one.lane.way) or ref_of(one) for one in group.items)
            is_symptom = group.signature is not None and group.signature.is_symptom
            alike = "alike at about the same time" if is_symptom else "of one cause"
            said.append((f"{count} incidents {alike}: {', '.join(ways)}", "muted"))
            return said
        named = ", ".join(labels[:_NAMED]) + " …" * (len(labels) > _NAMED)
        more = f" ({count} incidents)" if count > len(labels) else ""
        where = counted(len(labels), "project")
        said.append((f"same cause in {where}{more}: {named}", "warning"))
        return said

    def _row_words(self, item: BoardItem) -> tuple[str, ...]:
        """Return what a filter finds an incident of a cause by."""
        return (*self._lane_words(item), cause(item), job_and_stage(item.point))

    def _lane_words(self, item: BoardItem) -> tuple[str, ...]:
        lane = item.lane
        return (self._names.path(lane.project), ref_of(item), lane.way)

    def _search(self, item: BoardItem, said: Iterable[str]) -> str:
        ran = newest_of(item)
        known = (item.standing.value, f"#{ran.id}", ran.sha) if ran is not None else ()
        broken = item.incident is not None
        words = self._row_words(item) if broken else self._lane_words(item)
        return clean(" ".join((*known, *words, *said))).lower()


def _incident(item: BoardItem) -> Incident:
    assert item.incident is not None  # noqa: S101  (a group holds incidents)
    return item.incident


def _glyph(fold: str, role: str) -> Cell:
    """Return the sign of what is red, and beside it whether that can be opened."""
    glyph = glyph_of("failed")
    sign = "muted" if fold == _BESIDE else "accent"
    return Cell(glyph + fold, role, ((glyph, role), (fold, sign)) if fold else ())


def _line(pieces: Sequence[Piece], right: str = "") -> Line:
    """Return pieces as one line of a row."""
    parts = joined(pieces)
    return Line(Cell("".join(text for text, _ in parts), "muted", parts), Cell(right, "muted"))
