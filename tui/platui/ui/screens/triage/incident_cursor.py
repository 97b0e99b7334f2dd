"""Keep the cursor of the board on its incident when that moves to another row."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, Final

from platui.models.values.triage_headings import QUIET, REST
from platui.ui.screens.triage.board import SEARCHED_FOR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from platui.models.values.table import Row
    from platui.models.values.triage_board import Board, BoardItem
    from platui.ui.screens.triage.body import TriageBody

_AT_WORK: Final = 10.0  # Seconds after a key without moving rows
_UNMARKED: Final = "A marked row has other incidents now: it is no longer marked."


class IncidentCursor:
    def __init__(self, body: TriageBody) -> None:
        self._body = body
        self.followed: str | None = None  # Row to follow to any position
        self._awaited = ""  # Row to move to as soon as it is drawn
        self._answered_at: float | None = None  # Monotonic seconds of the last project's answer
        self._is_settled_once = False
        self._index: _Index | None = None

    def show(self, rows: Sequence[Row]) -> None:
        """Show rows; while the user works here, none of them moves."""
        body, before = self._body, self._body.table.cursor_row
        since_key = body.service.clock.monotonic() - body.host.last_key_at
        # An incident that was just muted or unmuted does not take the cursor along.
        stays = (
            before is not None
            and before.key != self.followed
            and any(row.key == before.key and row.muted != before.muted for row in rows)
        )
        body.table.show(rows, stays=stays, anchored=since_key < _AT_WORK and not body.is_expanding)

    def go_back(self, row: str, item: BoardItem) -> None:
        """Put the cursor on a row, or on that of an item until the row is drawn; follow it."""
        place = self._place_of(item)
        self._awaited = row
        if place is not None and self._body.table.move_to(place):
            self.followed = place

    def keep_while(self, draw: Callable[[], None]) -> None:
        """Draw the rows; the cursor stays on its incident."""
        table, shown = self._body.table, self._body.shown
        key = table.cursor_key
        is_touched = self._is_settled_once or self._body.host.last_key_at > -inf
        stays_at_top = not is_touched and (key is None or table.index_of(key) == 0)
        if key != self.followed:
            self.followed, self._awaited = None, ""
        items, before = shown.items_of(key), table.shown_rows
        at = None if key is None else table.index_of(key)
        self._index = None  # of the board before
        marked = {mark: shown.items_of(mark) for mark in table.marks}
        draw()
        drawn = shown.drawn
        self._keep_marks(marked)
        if drawn is not None and self._awaited in drawn.items and table.move_to(self._awaited):
            self.followed, self._awaited = self._awaited, ""
            return
        self._is_settled_once = self._is_settled_once or self._is_settled()
        if stays_at_top:
            # The user has not chosen a row: stay at the top.
            table.action_top()
            return
        if table.cursor_key == QUIET and (index := table.index_of(QUIET)):
            # The last row above the muted ones was acknowledged.
            table.move_to(table.shown_rows[index - 1].key)
        if not items or drawn is None or key in drawn.items:
            return
        rows = map(self._place_of, items)
        if (row := next(filter(None, rows), None)) is not None:
            table.move_to(row)
        elif at is not None:
            nearest = (one for one in _nearest_in_section(before, at) if one in drawn.items)
            table.move_to(next(nearest, ""))

    def _keep_marks(self, marked: Mapping[str, Sequence[BoardItem]]) -> None:
        """Mark the rows again that have another key; say if one has other incidents now."""
        table, drawn = self._body.table, self._body.shown.drawn
        if drawn is None:
            return
        lost = [items for key, items in marked.items() if key not in table.marks]
        places = [{self._place_of(item, is_exact=True) for item in items} for items in lost]
        kept = set[str]()
        for items, rows in zip(lost, places, strict=True):
            same = [row for row in rows if len(drawn.items.get(row or "", ())) == len(items)]
            kept.update(row for row in same if row is not None and len(rows) == 1)
        table.mark(kept)
        if any(rows - kept - {None} for rows in places):
            self._body.host.show_hint(_UNMARKED)

    def _place_of(self, item: BoardItem, *, is_exact: bool = False) -> str | None:
        """Return the row of an item; its key changes with its beginning or its newest run.

        `is_exact`: not that of another run of its lane.
        """
        drawn, board = self._body.shown.drawn, self._body.shown.board
        if drawn is None or board is None:
            return None
        if (place := drawn.places.get(item.key)) is not None:
            return place
        if self._index is None or self._index.board is not board:
            self._index = _Index(board)
        same = self._index.find(item, is_exact=is_exact)
        return None if same is None else drawn.places.get(same.key)

    def _is_settled(self) -> bool:
        """Return whether every project answered, and causes are found or took too long."""
        shown, now = self._body.shown, self._body.service.clock.monotonic()
        board = shown.board
        if shown.is_recalled or board is None or not board.watched:
            return False
        if not board.has_answered:
            return False
        self._answered_at = now if self._answered_at is None else self._answered_at
        return not board.pending_causes or now - self._answered_at >= SEARCHED_FOR


class _Index:
    """Finds the item of a board that another board had under another key."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._lanes = {item.lane: item for item in reversed(board.items)}
        self._reds = {
            (item.lane.project, red): item
            for item in board.items
            if item.incident is not None
            for red in item.incident.red_ids
        }

    def find(self, item: BoardItem, *, is_exact: bool) -> BoardItem | None:
        reds = item.incident.red_ids if item.incident is not None else ()
        shared = (self._reds.get((item.lane.project, red)) for red in reds)
        found = next(filter(None, shared), None)
        return found or (None if is_exact else self._lanes.get(item.lane))


def _nearest_in_section(rows: Sequence[Row], at: int) -> Iterator[str]:
    """Yield the keys of the rows between the same headings, the nearest first."""
    heads = [index for index, row in enumerate(rows) if row.key in {QUIET, REST}]
    first = max((index for index in heads if index < at), default=-1) + 1
    end = min((index for index in heads if index > at), default=len(rows))
    for index in sorted(range(first, end), key=lambda one: (abs(one - at), one < at)):
        yield rows[index].key
