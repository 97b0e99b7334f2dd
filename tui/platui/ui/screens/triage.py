"""Triage, the home screen: what is broken in all that is watched, since when, and why."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from textual import on

from platui.models.values.connection import LineState
from platui.models.values.places import KeptPlace
from platui.models.values.triage_board import Standing, kept_of
from platui.ui.failures import notice, page
from platui.ui.keys_in_use import bind
from platui.ui.messages import CopyWanted
from platui.ui.screens.listing import ListScreen
from platui.ui.screens.tabular import KEPT_ROWS
from platui.ui.screens.triage_cursor import StaysOnIncident
from platui.ui.screens.triage_leads import LeadsOn
from platui.ui.screens.triage_marks import MarksIncidents
from platui.ui.widgets.table import Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.binding import Binding

    from platui.models.values.table import Column, Row
    from platui.models.values.triage_board import Board

_WIDE: Final = 100
_EDGES: Final = 5  # Cells of a line below a row that its words do not get: mark, thumb and indent.
_VERBS: Final = {
    "triage.since": "compare", "triage.acknowledge": "acknowledge", "triage.snooze": "snooze",
    "triage.note": "note",
}  # fmt: skip


class HandsOff(ListScreen):
    """Tells whoever goes on what is red, since when, why, and whose it is."""

    BINDINGS = [
        bind(
            "e",
            "triage.hand_off",
            "Hand-off",
            "All of the board as Markdown: copied, and saved to a file",
        )
    ]

    board: Board | None

    async def action_hand_off(self) -> None:
        """Copy the hand-off, and ask under which name it is saved."""
        # Imported here: no first frame needs them.
        from platui.present.triage.handoff import handoff, handoff_name  # noqa: PLC0415
        from platui.present.triage.handoff_lines import HandoffFacts  # noqa: PLC0415
        from platui.present.triage.names import Names  # noqa: PLC0415
        from platui.ui.dialogs.replacing import handoff_dialog  # noqa: PLC0415

        board, profile, line = self.board, self.service.profile, self.service.line.value
        if board is None:
            return
        facts = HandoffFacts(
            profile.name,
            profile.url,
            Names(board.names),
            self.service.clock.now(),
            self.utc,
            line.since if line.state is LineState.OFFLINE else None,
        )
        memory = self.service.triage_book.memory.value
        # Of a bad night there may be hundreds of incidents.
        text = await asyncio.to_thread(handoff, board, memory, facts)
        self.post_message(CopyWanted(text, "Hand-off"))
        await self.app.push_screen(handoff_dialog(text, handoff_name(facts)))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey the key while there is no board."""
        if action == "hand_off":
            return True if self.board is not None and self.board.known else None
        return super().check_action(action, parameters)


class TriageScreen(LeadsOn, StaysOnIncident, MarksIncidents, HandsOff):
    """A row a cause; `enter` opens the log of the job that failed, at its error."""

    NOUN = "what is watched"
    WITHOUT = frozenset({"sort", "load_all"})  # The board has its own order, and no pages
    HAS_HEADER = False
    SHOWS_NEWS = True
    DEFAULT_CSS = """
    TriageScreen.-wide #detail { width: 36; }
    """
    FAILED_WORDS = "broken"
    EXPLAINED = frozenset({
        "triage.since", "triage.acknowledge", "triage.snooze", "triage.note", "triage.undo",
    })  # fmt: skip
    FOOTER = (
        "table.open", "triage.wrap", "triage.open_cause", "triage.since", "triage.acknowledge",
        "triage.snooze", "list.filter", "triage.note", "triage.all_causes", "triage.hand_off",
        "triage.undo", "list.details", "write.rerun", "write.retry", "write.cancel",
        "list.failed", "list.copy", "place.refresh", "app.command",
    )  # fmt: skip

    BINDINGS = [
        bind(
            "w",
            "triage.wrap",
            "Wrap",
            "Show errors that are longer than a line whole, or a line of each",
        )
    ]

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._wraps = False  # Whether errors that are longer than a line are shown whole

    def rows(self) -> Sequence[Row]:
        """Return the board, a row a cause."""
        from platui.present.tables.triage_board import BoardRows, board_rows  # noqa: PLC0415  (on first use)

        if self.board is None:
            self.drawn = BoardRows()
        else:
            now = self.service.clock.now()
            self.drawn = board_rows(self.board, self.opened, now, utc=self.utc)
            self.table.set_columns(self.drawn.columns)
            if self._wraps:
                from platui.present.tables.triage_board import wrapped_rows  # noqa: PLC0415  (as above)

                return wrapped_rows(self.drawn.rows, self._room)
        return self.drawn.rows

    @property
    def _room(self) -> int:
        return self.table.size.width - _EDGES

    @property
    def _cuts(self) -> bool:
        from platui.present.tables.triage_board import is_cut  # noqa: PLC0415  (imported with the rows)

        drawn, key = self.drawn, self.table.cursor_key
        row = None if drawn is None else next((row for row in drawn.rows if row.key == key), None)
        return row is not None and is_cut(row, self._room)

    def action_wrap(self) -> None:
        """Show errors whole, or a line of each."""
        self._wraps = not self._wraps
        self.draw()
        self.footer_line.show_soon()

    def columns(self) -> tuple[Column, ...]:
        """Return the columns, as wide as what stands in them now."""
        if self.drawn is not None:
            return self.drawn.columns
        return () if self.kept is None else self.kept.columns

    def draw_summary(self) -> None:
        """Show the board in numbers, and what it costs."""
        board = self.board
        if self.is_owing and board is None:
            self.summarize([("done as soon as it is known what this row stands for", "accent")])
        if board is None or not self.watches or not self.has_data():
            return
        from platui.present.triage import summary as present  # noqa: PLC0415  (on first use)

        wide = self.size.width >= _WIDE
        # What is hidden comes first: of a line that is too long the end is cut.
        pieces = [*self.filter_pieces(), *present.summary_pieces(board.counts, wide=wide)]
        # Beside rows of the last time stands how far those of now have come.
        now = self.coming if self.is_recalled else board
        cost = present.cost_pieces(now, wide=wide) if now is not None else []
        self.summarize(pieces, present.fitting_cost(pieces, cost, self.size.width))

    def tell_notice(self, *, empty: bool) -> None:
        """Show what stands in the way, else which projects are not to be seen."""
        line = notice(self.error, self.key_of) if not empty or self._is_green else ()
        if not line and self.board is not None and (not empty or self._is_green):
            from platui.present.triage.summary import refused_pieces  # noqa: PLC0415  (on first use)

            line = refused_pieces(self.board)
        if not line and self.board is not None and self.board.problem:
            line = ((f" {self.board.problem}", "warning"),)
        self.notice.say(line)

    @property
    def _is_green(self) -> bool:
        """Return whether it is known that there is nothing to show."""
        board = self.board
        if board is None or board.items or not board.known:
            return False
        return self.told == board.watched

    def page(self) -> tuple[str, str]:
        """Return what stands where no row is shown."""
        board, now = self.board, self.service.clock.now()
        if self.watches and (board is None or self.table.total_count):
            return super().page()
        from platui.present.triage import summary as present  # noqa: PLC0415  (on first use)

        if self.error is not None and not self._is_green:
            return page(self.error, self.key_of), "muted"
        if not self.watches:
            words = present.nothing_watched(self.choice, self.service.profile.name)
            return self.keyed(words), "muted"
        if board is not None and present.all_refused(board):
            return self.keyed(present.refused_page(board)), "muted"
        if board is not None and self._is_green:
            keys = self.keyed(present.GREEN_KEYS)
            return present.green_page(board, now, keys, utc=self.utc), "success"
        return super().page()

    def keep(self) -> KeptPlace | None:
        """Return the rows, also where there is none: what was red once is not shown for ever."""
        if self.is_whole and self.has_data() and not self.table.total_count:
            return KeptPlace(self.place, saved_at=self.told_at(), profile=self.service.profile.name)
        kept = super().keep()
        if kept is None or not self.is_whole or not self.table.total_count:
            return kept
        board = None
        if self.board is not None and not self.is_recalled:
            board = kept_of(self.board, kept.saved_at)
        # Whoever comes back sees what matters most, not what they looked at last.
        return replace(
            kept,
            rows=tuple(self.table.shown_rows[:KEPT_ROWS]),
            cursor="",
            extra={**kept.extra, **self.kept_opened},
            board=board,
        )

    def why_not(self, action: str) -> str:
        """Return why a key has nothing to do on this row: it is for what is broken."""
        if action == "triage.undo":
            return "There is nothing to take back: nothing was said here."
        if action not in self.EXPLAINED:
            return super().why_not(action)
        item = self.item_of(self.table.cursor_key)
        verb = _VERBS.get(action, "do")
        if item is None:
            return f"Nothing to {verb}: put the cursor on an incident."
        what = {
            Standing.LATE: "what is late goes by itself when it runs or ends",
            Standing.RUNNING: "this runs, and is not broken",
            Standing.RECOVERED: "this is green again",
        }.get(item.standing, "nothing is broken here")
        return f"Nothing to {verb}: {what}."

    def footer_keys(self) -> Sequence[str]:
        """Leave out what unfolds where nothing can be, and what takes back where nothing is."""
        without = {"triage.open_cause"} if not self.can_unfold else set()
        without |= {"triage.undo"} if not self.has_undo else set()
        without |= set() if self._wraps or self._cuts else {"triage.wrap"}
        return [name for name in super().footer_keys() if name not in without]

    def footer_label(self, binding: Binding) -> str:
        """Say what `enter` opens."""
        if binding.id == "triage.since":
            return "since"
        if binding.id == "triage.wrap":
            return "a line each" if self._wraps else "whole error"
        return (
            self.opens(self.table.cursor_key)
            if binding.id == "table.open"
            else (super().footer_label(binding))
        )

    @on(Table.CursorMoved, "#table")
    def _other_row(self) -> None:
        """Show the keys anew where they do something else on this row."""
        self.footer_line.show_soon()
