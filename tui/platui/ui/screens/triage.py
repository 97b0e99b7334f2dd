"""Triage, the home screen: what is broken in all that is watched, since when, and why."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from importlib import import_module
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual import on
from textual.binding import Binding

from platui.models.values.connection import LineState
from platui.models.values.places import KeptPlace, View
from platui.models.values.queries import ProjectsQuery
from platui.models.values.triage import Standing
from platui.models.values.triage_board import kept_of
from platui.present.chrome import Age
from platui.present.triage_columns import QUIET, TRIAGE_COLUMNS
from platui.ui.failures import notice, page
from platui.ui.messages import WatchChoiceWanted
from platui.ui.screens.tabular import KEPT_ROWS
from platui.ui.screens.triage_handoff import HandsOff
from platui.ui.screens.triage_leads import LeadsOn
from platui.ui.screens.triage_marks import MarksIncidents
from platui.ui.widgets.table import Table
from platui.ui.works import work

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from textual.binding import BindingType

    from platui.models import Project
    from platui.models.values.feeds import Feed
    from platui.models.values.pages import Listing
    from platui.models.values.snapshots import Snapshot
    from platui.models.values.table import Column, Row
    from platui.models.values.triage import BoardItem
    from platui.models.values.triage_board import Board, KeptBoard
    from platui.present.triage import BoardRows
    from platui.service.protocols import BoardFeed

_WIDE: Final = 100
_AT_WORK: Final = 10.0
"""Seconds after a key for which no row moves under the hand."""
_VERBS: Final = {
    "triage.since": "compare", "triage.acknowledge": "acknowledge", "triage.snooze": "snooze",
    "triage.note": "note",
}  # fmt: skip
_LOOKED_FOR: Final = 10.0
"""Seconds after which the cursor stays on its incident, although causes are still looked for."""
_OPENED: Final = "opened"
"""Of what is kept: the keys of the causes that show each of their incidents, a line each."""
_HEAVY: Final = (
    "platui.service.triage_book", "platui.service.triage_recall", "platui.store.kept_boards",
    "platui.present.triage", "platui.present.triage_summary",
)  # fmt: skip
"""More than a key may wait for: imported in a thread, behind the first frame."""


class TriageScreen(LeadsOn, MarksIncidents, HandsOff):
    """A row a cause; `enter` opens the log of the job that failed, at its error."""

    VIEW = View.TRIAGE
    NOUN = "what is watched"
    WITHOUT = frozenset({"sort", "load_all"})
    """The order is the board's, and there are no more pages."""
    COLUMNS = TRIAGE_COLUMNS
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
        "table.open", "triage.open_cause", "triage.since", "triage.acknowledge",
        "triage.snooze", "list.filter", "triage.note", "triage.all_causes", "triage.hand_off",
        "triage.undo", "list.details", "write.rerun", "write.retry", "write.cancel",
        "list.failed", "list.copy", "place.refresh", "app.command",
    )  # fmt: skip
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "right",
            "open_cause",
            "Unfold",
            id="triage.open_cause",
            tooltip="A line for each incident of this cause; where there is none, the details",
        ),
        Binding(
            "left",
            "fold_cause",
            "Fold",
            id="triage.fold_cause",
            show=False,
            tooltip="The incidents of this cause as one row again",
        ),
        Binding(
            "x",
            "all_causes",
            "Unfold all",
            id="triage.all_causes",
            show=False,
            tooltip="A line for each incident of every cause, or a row a cause again",
        ),
        Binding(
            "c",
            "choose_watched",
            "Watch list",
            id="watch.choose",
            show=False,
            tooltip="Choose among all projects which are watched",
        ),
    ]

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.board: Board | None = None
        """What the rows are of: the newest one, or at first the one that was left."""
        self._is_recalled = False
        """Whether it is the one that was left."""
        self._coming: Board | None = None
        """The newest one, while it does not tell as much yet as the one that was left."""
        self._coming_at: float | None = None
        """Monotonic second at which the first such one came."""
        self._opened = frozenset(self._kept_extra(_OPENED).splitlines())
        """Causes that show each of their incidents."""
        self._is_folding = False
        """Whether rows come and go because somebody wants to see more of them, or fewer."""
        self._drawn: BoardRows | None = None
        self._feed: BoardFeed | None = None
        self._watches = True
        """Whether anything is watched at all."""
        self._has_asked = False
        """Whether it was asked what is to be watched."""
        self._choice_feed: Feed[Listing[Project]] | None = None
        """The projects that could be watched, while none is."""
        self._choice: int | None = None
        """How many of them there are."""
        self._followed: str | None = None
        """The row that the cursor goes along with, also where it becomes quiet or loud."""
        self._left: KeptBoard | None = None
        """The board that was left, while the rows that are kept of it are shown."""
        self._left_at = (
            None if self.kept is None else datetime.fromtimestamp(self.kept.saved_at, UTC)
        )
        """When the platform told that one."""
        self._told_at: float | None = None
        """Monotonic second at which every project was told of."""
        self._is_told = False
        """Whether the board was there as a whole once, from the platform or a cache."""

    def crumbs(self) -> tuple[str, ...]:
        """Return the name of the area."""
        return ("Triage",)

    def on_mount(self) -> None:
        """Lay out the rows of the last time."""
        if self.kept is not None and self.kept.columns:
            self.table.set_columns(self.kept.columns)

    def _kept_extra(self, name: str) -> str:
        return self.kept.extra.get(name, "") if self.kept is not None else ""

    # the feed

    def start_feeds(self) -> None:
        """Follow the board, once what knows of boards is imported."""
        # Not `self._begin()`: where the view is left before that begins, it would stay behind.
        self.run_worker(
            work(self._begin), group="feed-begin", exclusive=True,
            exit_on_error=True, description="import what knows of boards",
        )  # fmt: skip

    async def _begin(self) -> None:
        for name in _HEAVY:
            await asyncio.to_thread(import_module, name)
        book = self.service.triage_book
        await book.ready()
        if not self.is_shown:
            return
        self._choice_feed = None
        self._feed = self._feed or self.service.feeds.watch_board(book)
        self.while_shown(book.memory.observe(lambda _: self._memory_changed()))
        self._look_whether_watched()
        await self._recall()
        if not self.is_shown:
            return
        self.follow("board", self._feed, self._show)
        self.hold_feeds()

    async def _recall(self) -> None:
        """Show the board that was left: its rows stand there already, and can be worked with."""
        if self.kept is None or self.board is not None:
            return
        self._left = await asyncio.to_thread(self.service.remembrance.kept_board)
        self._show_left()

    def _show_left(self) -> None:
        """Show the board that was left, with what is said of it now."""
        from platui.service.triage_recall import recalled  # noqa: PLC0415  (on first use)

        left, kept = self._left, self.kept
        if left is None or kept is None or not kept.rows or not self._watches:
            return
        marks, now = self.service.triage_book.memory.value.marks, self.service.clock.now()
        self.board, self._is_recalled = recalled(left, marks, now), True
        self.draw()
        self.pay_owed()

    def _memory_changed(self) -> None:
        self._look_whether_watched()
        if self._is_recalled:
            self._show_left()

    def feeds(self) -> Sequence[Any]:
        """Return the board, and the projects one could watch while nothing is."""
        return [feed for feed in (self._feed, self._choice_feed) if feed is not None]

    def _look_whether_watched(self) -> None:
        watched = self.service.triage_book.memory.value.watched
        watches = bool(watched.projects or watched.groups)
        if watches != self._watches:
            self._watches = watches
            self.age, self.error = Age(), None
            self.draw()
            self.tell_header()
        if watches:
            self.stop_feed("choice")
            self._choice_feed = None
        elif self._choice_feed is None:
            self._choice_feed = self.service.feeds.watch_projects(ProjectsQuery())
            self.follow("choice", self._choice_feed, self._show_choice)

    def _show_choice(self, snapshot: Snapshot[Listing[Project]]) -> None:
        """Show how many projects one could watch; or why nobody tells, the first time of all."""
        if self._watches:
            return
        if snapshot.value is not None:
            self._choice = snapshot.value.total or len(snapshot.value.items)
        self.judge(snapshot)
        self.draw()
        self._ask_once()

    def _ask_once(self) -> None:
        """Ask who never chose what is watched, when there is something to choose."""
        is_chosen = self.service.triage_book.memory.value.watched.is_chosen
        if self._choice and not is_chosen and not self._has_asked and self.is_current:
            self._has_asked = True
            self.action_choose_watched()

    def action_choose_watched(self) -> None:
        """Choose among all projects which are watched."""
        self.post_message(WatchChoiceWanted("c"))

    def _show(self, board: Board) -> None:
        self.error = board.error
        if self._watches and not self._tells_more(board):
            # Of what is on the screen not all is known to be still so.
            self._coming = board
            self.draw_summary()
            self.tell_notice(empty=not self.table.total_count)
            self.tell_header()
            return
        self.board, self._coming, self._is_recalled = board, None, False
        if not self._watches:
            return
        if self.has_data():
            self.kept = None
        self.draw()
        self.tell_header()
        self.pay_owed()

    def _tells_more(self, board: Board) -> bool:
        """Return whether a board says as much as the rows that are kept of the last one."""
        if self.kept is None or not self.kept.rows:
            return True
        if not board.is_recalled:
            # The causes that these rows have are still being looked for.
            return False
        told, now = _told_on(board), self.service.clock.monotonic()
        if told and told == board.watched:
            return True
        self._coming_at = now if self._coming_at is None else self._coming_at
        # Of some project nobody may ever tell; and of none, where nobody is there.
        return bool(board.told and board.error) and now - self._coming_at >= _LOOKED_FOR

    def tell_header(self) -> None:
        """Show how much of the board can be trusted now: also when the platform is there again."""
        if self.board is not None and self._watches and not self._is_recalled:
            from platui.present.triage_summary import board_age  # noqa: PLC0415  (on first use)

            answered = self.service.line.value.state is LineState.ONLINE
            self.age = board_age(
                self.board, self.service.clock.now(), self._left_at, answered=answered
            )
        super().tell_header()

    def has_data(self) -> bool:
        """Return whether anything is known of what is watched: now, or as it was left."""
        if self.board is None or not self._watches:
            return not self._watches
        return self._is_recalled or bool(self._told)

    # rows

    def rows(self) -> Sequence[Row]:
        """Return the board, a row a cause."""
        from platui.present.triage import BoardRows, board_rows  # noqa: PLC0415  (on first use)

        if self.board is None:
            self._drawn = BoardRows()
        else:
            now = self.service.clock.now()
            self._drawn = board_rows(self.board, self._opened, now, utc=self.utc)
            self.table.set_columns(self._drawn.columns)
        return self._drawn.rows

    def columns(self) -> tuple[Column, ...]:
        """Return the columns, as wide as what stands in them now."""
        return super().columns() if self._drawn is None else self._drawn.columns

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
        from platui.present.triage import item_key  # noqa: PLC0415  (imported with the rows)

        row = self._drawn.places.get(item_key(item)) if self._drawn is not None else None
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
        if before is None or self._drawn is None:
            return
        key, incident = before
        if key not in self._drawn.items and (row := self._drawn.places.get(incident)) is not None:
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
        return since < _AT_WORK and not self._is_folding

    @property
    def _is_touched(self) -> bool:
        """Return whether somebody has used a key here: what is under the cursor was seen."""
        return self.struck_at > -inf

    @property
    def _is_settled(self) -> bool:
        """Return whether every project was told of, and every cause found, or long looked for."""
        board, now = self.board, self.service.clock.monotonic()
        if self._is_recalled or board is None or not board.watched or self._told != board.watched:
            return False
        self._told_at = now if self._told_at is None else self._told_at
        return not board.awaited or now - self._told_at >= _LOOKED_FOR

    @property
    def _told(self) -> int:
        """Return of how many projects it is known how they stand, or that nobody will say."""
        return 0 if self.board is None else _told_on(self.board)

    def _led_by(self, key: str | None) -> tuple[str, str] | None:
        """Return the row of a key with its first incident; of kept rows nothing is known."""
        items = self.items_of(key)
        if not items or key is None:
            return None
        from platui.present.triage import item_key  # noqa: PLC0415  (imported with the rows)

        return key, item_key(items[0])

    def items_of(self, key: str | None) -> Sequence[BoardItem]:
        """Return what a row stands for."""
        return () if self._drawn is None or key is None else self._drawn.items.get(key, ())

    def every_item(self) -> Iterable[tuple[str, Sequence[BoardItem]]]:
        """Return each row's key, and what it stands for."""
        return () if self._drawn is None else self._drawn.items.items()

    def draw_summary(self) -> None:
        """Show the board in numbers, and what it costs."""
        board = self.board
        if self.is_owing and board is None:
            self.summarize([("done as soon as it is known what this row stands for", "accent")])
        if board is None or not self._watches or not self.has_data():
            return
        from platui.present import triage_summary as present  # noqa: PLC0415  (on first use)

        wide = self.size.width >= _WIDE
        # What is hidden comes first: of a line that is too long the end is cut.
        pieces = [*self.filter_pieces(), *present.summary_pieces(board.counts, wide=wide)]
        # Beside rows of the last time stands how far those of now have come.
        now = self._coming if self._is_recalled else board
        cost = present.cost_pieces(now, wide=wide) if now is not None else []
        self.summarize(pieces, present.fitting_cost(pieces, cost, self.size.width))

    def tell_notice(self, *, empty: bool) -> None:
        """Show what stands in the way, else which projects are not to be seen."""
        line = notice(self.error) if not empty or self._is_green else ()
        if not line and self.board is not None and (not empty or self._is_green):
            from platui.present.triage_summary import refused_pieces  # noqa: PLC0415  (on first use)

            line = refused_pieces(self.board)
        if not line and self.board is not None and self.board.problem:
            line = ((f" {self.board.problem}", "warning"),)
        self.notice.say(line)

    # pages

    @property
    def _is_green(self) -> bool:
        """Return whether it is known that there is nothing to show."""
        board = self.board
        if board is None or board.items or not board.known:
            return False
        return self._told == board.watched

    def page(self) -> tuple[str, str]:
        """Return what stands where no row is shown."""
        board, now = self.board, self.service.clock.now()
        if self._watches and (board is None or self.table.total_count):
            return super().page()
        from platui.present import triage_summary as present  # noqa: PLC0415  (on first use)

        if self.error is not None and not self._is_green:
            return page(self.error), "muted"
        if not self._watches:
            return present.nothing_watched(self._choice), "muted"
        if board is not None and present.all_refused(board):
            return present.refused_page(board), "muted"
        if board is not None and self._is_green:
            return present.green_page(board, now, utc=self.utc), "success"
        return super().page()

    def keep(self) -> KeptPlace | None:
        """Return the rows, also where there is none: what was red once is not shown for ever."""
        if self.is_whole and self.has_data() and not self.table.total_count:
            return KeptPlace(self.place, saved_at=self.told_at(), profile=self.service.profile.name)
        kept = super().keep()
        if kept is None or not self.is_whole or not self.table.total_count:
            return kept
        board = None
        if self.board is not None and not self._is_recalled:
            board = kept_of(self.board, kept.saved_at)
        # Whoever comes back sees what matters most, not what they looked at last.
        return replace(
            kept,
            rows=tuple(self.table.shown_rows[:KEPT_ROWS]),
            cursor="",
            extra={**kept.extra, _OPENED: "\n".join(sorted(self._opened))},
            board=board,
        )

    # causes

    def action_open_cause(self) -> None:
        """Show each incident of the cause; where it is shown or alone, go into the details."""
        if self.owes(self.action_open_cause):
            return
        key, drawn = self.table.cursor_key, self._drawn
        if drawn is not None and key in drawn.causes and key not in self._opened:
            self._fold(self._opened | {key})
        else:
            self.action_read_details()

    def action_fold_cause(self) -> None:
        """Show the cause that the cursor is in as one row."""
        key, drawn = self.table.cursor_key, self._drawn
        if key is None or drawn is None:
            return
        cause = key if key in self._opened else drawn.causes_of.get(key)
        if cause in self._opened:
            self._fold(self._opened - {cause})
            self.table.move_to(cause)

    def action_all_causes(self) -> None:
        """Show each incident of every cause, or a row a cause where they are shown."""
        causes = self._drawn.causes if self._drawn is not None else frozenset()
        self._fold(frozenset() if causes <= self._opened else self._opened | causes)

    def _fold(self, opened: frozenset[str]) -> None:
        """Show each incident of these causes, and of no other."""
        self._opened, self._is_folding = opened, True
        self.draw()
        self._is_folding = False
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave out what a board has no use for; grey what there is nothing to do with."""
        if action in self.WITHOUT:
            return False
        if action in {"since", "open_cause"} and self.would_owe():
            return True
        if action == "since" and self.is_whole:
            item = self.item_of(self.table.cursor_key)
            return True if item is not None and item.incident is not None else None
        if action in {"open_cause", "all_causes"} and self.is_whole:
            drawn = self._drawn
            if action == "all_causes" or drawn is None:
                return True if drawn is not None and drawn.causes else None
            here = self.table.cursor_key in drawn.causes - self._opened
            return True if here or self.is_roomy else None
        return super().check_action(action, parameters)

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
        drawn = self._drawn
        folded = drawn is not None and self.table.cursor_key in drawn.causes - self._opened
        without = {"triage.open_cause"} if not folded else set()
        without |= {"triage.undo"} if not self.has_undo else set()
        return [name for name in super().footer_keys() if name not in without]

    def footer_label(self, binding: Binding) -> str:
        """Say what `enter` opens."""
        if binding.id == "triage.since":
            return "since"
        return (
            self.opens(self.table.cursor_key)
            if binding.id == "table.open"
            else (super().footer_label(binding))
        )

    @on(Table.CursorMoved, "#table")
    def _other_row(self) -> None:
        """Show the keys anew where they do something else on this row."""
        self.tell_footer_soon()


def _told_on(board: Board) -> int:
    """Return of how many projects it is known how they stand, or that nobody will say."""
    return board.known + len(board.refused)
