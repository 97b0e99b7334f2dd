"""The rows of the triage board: which causes are expanded, and the cursor on its incident."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any, Final

from platui.models.values.triage_board import QUIET
from platui.ui.keys_in_use import bind
from platui.ui.screens.triage_following import LOOKED_FOR, FollowsBoard

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.models.values.table import Row
    from platui.models.values.triage_board import BoardItem

_OPENED: Final = "opened"  # The kept keys of expanded causes, a line each
_AT_WORK: Final = 10.0  # Seconds after a key for which no row moves under the hand


class StaysOnIncident(FollowsBoard):
    """Draws the rows so that nobody loses what they look at, nor has it moved under their hand."""

    BINDINGS = [
        bind(
            "right",
            "triage.open_cause",
            "Unfold",
            "A line for each incident of this cause; where there is none, the details",
        ),
        bind("left", "triage.fold_cause", "Fold", "The incidents of this cause as one row again"),
        bind(
            "x",
            "triage.all_causes",
            "Unfold all",
            "A line for each incident of every cause, or a row a cause again",
        ),
    ]

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        kept = self.kept.extra.get(_OPENED, "") if self.kept is not None else ""
        self.opened = frozenset(kept.splitlines())  # Causes that show each of their incidents
        self.is_folding = False  # Whether rows change because the user expands
        self._followed: str | None = None  # The row that the cursor follows anywhere
        self._told_at: float | None = None  # Monotonic second at which every project was told of
        self._is_told = False  # Whether the whole board was shown once

    @property
    def kept_opened(self) -> dict[str, str]:
        """Return what is kept of it."""
        return {_OPENED: "\n".join(sorted(self.opened))}

    @property
    def can_unfold(self) -> bool:
        """Return whether the cursor is on a cause that is shown as one row."""
        drawn = self.drawn
        return drawn is not None and self.table.cursor_key in drawn.causes - self.opened

    def action_open_cause(self) -> None:
        """Show each incident of the cause; where it is shown or alone, go into the details."""
        if self.owes(self.action_open_cause):
            return
        key, drawn = self.table.cursor_key, self.drawn
        if drawn is not None and key in drawn.causes and key not in self.opened:
            self._fold(self.opened | {key})
        else:
            self.action_read_details()

    def action_fold_cause(self) -> None:
        """Show the cause that the cursor is in as one row."""
        key, drawn = self.table.cursor_key, self.drawn
        if key is None or drawn is None:
            return
        cause = key if key in self.opened else drawn.causes_of.get(key)
        if cause in self.opened:
            self._fold(self.opened - {cause})
            self.table.move_to(cause)

    def action_all_causes(self) -> None:
        """Show each incident of every cause, or a row a cause where they are shown."""
        causes = self.drawn.causes if self.drawn is not None else frozenset()
        self._fold(frozenset() if causes <= self.opened else self.opened | causes)

    def _fold(self, opened: frozenset[str]) -> None:
        self.opened, self.is_folding = opened, True
        self.draw()
        self.is_folding = False
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey what there is nothing to do with."""
        if action == "open_cause" and self.is_whole:
            leads_in = self.drawn is not None and (self.can_unfold or self.is_roomy)
            return True if leads_in or self.would_owe() else None
        if action == "all_causes" and self.is_whole:
            return True if self.drawn is not None and self.drawn.causes else None
        return super().check_action(action, parameters)

    def stays_at_place(self, rows: Sequence[Row]) -> bool:
        """Return whether what is under the cursor became quiet, or is that no more.

        Who goes down a list of them, or looks at what is new while somebody else does, is not
        taken along to its end.
        """
        before = self.table.cursor_row
        if before is None:
            return False
        if before.key == self._followed:
            return False
        return any(row.key == before.key and row.muted != before.muted for row in rows)

    def bring_back(self, item: BoardItem) -> None:
        """Put the cursor on the row of an item: what is loud again is gone to."""
        from platui.present.triage.names import item_key  # noqa: PLC0415  (with the rows)

        row = self.drawn.places.get(item_key(item)) if self.drawn is not None else None
        if row is not None and self.table.move_to(row):
            self._followed = row

    def draw(self) -> None:
        """Show the rows; the cursor stays on its incident, whichever row that is in now."""
        if not self.is_whole:
            return
        if self.table.cursor_key != self._followed:
            self._followed = None
        before, is_first = self._led_by(self.table.cursor_key), self._is_at_first
        super().draw()
        self._is_told = self._is_told or self._is_settled
        if is_first:
            # What came first is not what matters most: nobody has chosen it.
            self.table.action_top()
            return
        if self.table.cursor_key == QUIET and (place := self.table.place_of(QUIET)):
            # What was acknowledged was the last one above it.
            self.table.move_to(self.table.shown_rows[place - 1].key)
        if before is None or self.drawn is None:
            return
        key, incident = before
        if key not in self.drawn.items and (row := self.drawn.places.get(incident)) is not None:
            self.table.move_to(row)

    @property
    def _is_at_first(self) -> bool:
        """Return whether the cursor is where it is at first, while the board still comes."""
        key = self.table.cursor_key
        return (
            not self._is_told
            and not self._is_touched
            and (key is None or self.table.place_of(key) == 0)
        )

    @property
    def is_anchored(self) -> bool:
        """Return whether somebody works here right now: what comes above waits out of sight."""
        since = self.service.clock.monotonic() - self.struck_at
        return since < _AT_WORK and not self.is_folding

    @property
    def _is_touched(self) -> bool:
        return self.struck_at > -inf

    @property
    def _is_settled(self) -> bool:
        """Return whether every project was told of, and every cause found, or long looked for."""
        board, now = self.board, self.service.clock.monotonic()
        if self.is_recalled or board is None or not board.watched or self.told != board.watched:
            return False
        self._told_at = now if self._told_at is None else self._told_at
        return not board.awaited or now - self._told_at >= LOOKED_FOR

    def _led_by(self, key: str | None) -> tuple[str, str] | None:
        """Return the row of a key with its first incident; of kept rows nothing is known."""
        items = self.items_of(key)
        if not items or key is None:
            return None
        from platui.present.triage.names import item_key  # noqa: PLC0415  (with the rows)

        return key, item_key(items[0])
