"""Triage, the home screen: what is broken in all that is watched, since when, and why."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual.binding import Binding

from platui.core.text import clean
from platui.models.values.places import KeptPlace, Place, View
from platui.models.values.queries import ProjectsQuery
from platui.models.values.raw import RecordKind, RecordRef
from platui.models.values.watching import Watchable
from platui.models.values.writes import Act
from platui.present.chrome import Age, joined
from platui.present.triage_columns import TRIAGE_COLUMNS
from platui.ui.failures import notice, page
from platui.ui.messages import GoTo
from platui.ui.screens.acting import Actable, ActsOnRows
from platui.ui.screens.listing import reopening
from platui.ui.screens.running import RunsPipelines
from platui.ui.screens.triage_handoff import HandsOff
from platui.ui.screens.triage_marks import MarksIncidents
from platui.ui.screens.watching import WatchesProjects
from platui.ui.screens.whole_pipeline import WholePipeline

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from textual.binding import BindingType

    from platui.models import Project
    from platui.models.values.feeds import Feed
    from platui.models.values.pages import Listing
    from platui.models.values.queries import ProjectRef
    from platui.models.values.snapshots import Snapshot
    from platui.models.values.table import Row
    from platui.models.values.triage import BoardItem
    from platui.models.values.triage_board import Board
    from platui.models.values.writes import ActOn
    from platui.present.details.layout import Details
    from platui.present.triage import BoardRows
    from platui.service.protocols import BoardFeed

_WIDE: Final = 100
_HEAVY: Final = (
    "platui.service.triage_book", "platui.present.triage", "platui.present.triage_summary",
)  # fmt: skip
"""More than a key may wait for: imported in a thread, behind the first frame."""


class TriageScreen(
    MarksIncidents, HandsOff, ActsOnRows, RunsPipelines, WholePipeline, WatchesProjects
):
    """A row a cause; `enter` opens the log of the job that failed, at its error."""

    VIEW = View.TRIAGE
    NOUN = "what is watched"
    COLUMNS = TRIAGE_COLUMNS
    HAS_HEADER = False
    SHOWS_NEWS = True
    FAILED_WORDS = "broken"
    FOOTER = (
        "table.open", "triage.acknowledge", "triage.snooze", "triage.note", "list.details",
        "triage.open_cause", "triage.hand_off", "write.rerun", "write.retry", "write.cancel",
        "list.filter", "list.failed", "list.copy", "place.refresh", "app.command",
    )  # fmt: skip
    ACTS = {"cancel": Act.CANCEL_PIPELINE, "retry": Act.RETRY_JOB}
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
    ]

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.board: Board | None = None
        self._opened: frozenset[str] = frozenset()
        """Causes that show each of their incidents."""
        self._drawn: BoardRows | None = None
        self._feed: BoardFeed | None = None
        self._watches = True
        """Whether anything is watched at all."""
        self._choice_feed: Feed[Listing[Project]] | None = None
        """The projects that could be watched, while none is."""
        self._choice: int | None = None
        """How many of them there are."""
        self._is_told = False
        """Whether the board was there as a whole once, from the platform or a cache."""

    def crumbs(self) -> tuple[str, ...]:
        """Return the name of the area."""
        return ("Triage",)

    # the feed

    def start_feeds(self) -> None:
        """Follow the board, once what knows of boards is imported."""
        self.run_worker(
            self._begin(), group="feed-begin", exclusive=True, exit_on_error=True,
            description="import what knows of boards",
        )  # fmt: skip

    async def _begin(self) -> None:
        for name in _HEAVY:
            await asyncio.to_thread(import_module, name)
        if not self.is_shown:
            return
        book, self._choice_feed = self.service.triage_book, None
        self._feed = self._feed or self.service.feeds.watch_board(book)
        self.while_shown(book.memory.observe(lambda _: self._look_whether_watched()))
        self._look_whether_watched()
        self.follow("board", self._feed, self._show)
        self.hold_feeds()

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

    def _show(self, board: Board) -> None:
        from platui.present.triage_summary import board_age  # noqa: PLC0415  (on first use)

        self.board = board
        if not self._watches:
            return
        self.age = board_age(board, self.service.clock.now())
        self.error = board.error
        if self.has_data():
            self.kept = None
        self.draw()
        self.tell_header()

    def has_data(self) -> bool:
        """Return whether the board says more than what is kept of the last one."""
        board = self.board
        if board is None or not self._watches:
            return not self._watches
        if self.kept is not None and self.kept.rows and board.error is None:
            return bool(board.watched) and self._told == board.watched
        return bool(self._told)

    # rows

    def rows(self) -> Sequence[Row]:
        """Return the board, a row a cause."""
        from platui.present.triage import BoardRows, board_rows  # noqa: PLC0415  (on first use)

        if self.board is None:
            self._drawn = BoardRows()
        else:
            now = self.service.clock.now()
            self._drawn = board_rows(self.board, self._opened, now, utc=self.utc)
        return self._drawn.rows

    def draw(self) -> None:
        """Show the rows; the cursor stays on its incident, whichever row that is in now."""
        if not self.is_whole:
            return
        before, is_first = self._led_by(self.table.cursor_key), self._is_at_first
        super().draw()
        self._is_told = self._is_told or self._is_whole_board
        if is_first:
            # What came first is not what matters most: nobody has chosen it.
            self.table.action_top()
            return
        if before is None or self._drawn is None:
            return
        key, incident = before
        if key not in self._drawn.items and (row := self._drawn.places.get(incident)) is not None:
            self.table.move_to(row)

    @property
    def _is_at_first(self) -> bool:
        """Return whether the cursor is where it is at first, while the board still comes."""
        key = self.table.cursor_key
        return not self._is_told and (key is None or self.table.place_of(key) == 0)

    @property
    def _is_whole_board(self) -> bool:
        """Return whether every project was told of, and every cause found."""
        board = self.board
        if board is None or not board.watched:
            return False
        return self._told == board.watched and not board.awaited

    @property
    def _told(self) -> int:
        """Return of how many projects it is known how they stand, or that nobody will say."""
        return 0 if self.board is None else self.board.known + len(self.board.refused)

    def _led_by(self, key: str | None) -> tuple[str, str] | None:
        """Return the row of a key with its first incident; of kept rows nothing is known."""
        items = self._items(key)
        if not items or key is None:
            return None
        from platui.present.triage import item_key  # noqa: PLC0415  (imported with the rows)

        return key, item_key(items[0])

    def _items(self, key: str | None) -> Sequence[BoardItem]:
        """Return what a row stands for."""
        return () if self._drawn is None or key is None else self._drawn.items.get(key, ())

    def _item(self, key: str | None) -> BoardItem | None:
        """Return the first of what a row stands for."""
        items = self._items(key)
        return items[0] if items else None

    def chosen_items(self) -> Sequence[BoardItem]:
        """Return what the row under the cursor stands for, or the marked rows, each once."""
        from platui.present.triage import item_key  # noqa: PLC0415  (imported with the rows)

        found = [item for key in self.chosen() for item in self._items(key)]
        return list({item_key(item): item for item in found}.values())

    def draw_summary(self) -> None:
        """Show the board in numbers, and what it costs."""
        board = self.board
        if board is None or not self._watches or not self.has_data():
            return
        from platui.present import triage_summary as present  # noqa: PLC0415  (on first use)

        wide = self.size.width >= _WIDE
        pieces = [*present.summary_pieces(board.counts, wide=wide), *self.filter_pieces()]
        cost = present.cost_pieces(board, wide=wide)
        self.summarize(pieces, joined(cost))

    def tell_notice(self, *, empty: bool) -> None:
        """Show what stands in the way, else which projects are not to be seen."""
        line = notice(self.error) if not empty or self._is_green else ()
        if not line and self.board is not None and (not empty or self._is_green):
            from platui.present.triage_summary import refused_pieces  # noqa: PLC0415  (on first use)

            line = refused_pieces(self.board)
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
            moment = self.service.clock.now().timestamp()
            return KeptPlace(self.place, saved_at=moment, profile=self.service.profile.name)
        return super().keep()

    # what a row leads to

    def _place(self, item: BoardItem, view: View) -> Place | None:
        """Return a view of the pipeline that an item is about."""
        from platui.present.triage_words import Names, newest_of  # noqa: PLC0415  (as above)

        ran, project = newest_of(item), item.lane.project
        names = Names(self.board.names if self.board is not None else ())
        name = names.path(project) or names.label(project)
        return Place(view, project, name, None if ran is None else ran.id)

    def open_row(self, key: str) -> None:
        """Open the log of the job that failed; where there is none, the jobs of the pipeline."""
        item = self._item(key)
        place = self._place(item, View.JOBS) if item is not None else None
        if item is None or place is None:
            return
        step = item.point.step if item.point is not None else None
        if item.incident is not None and step is not None and step.has_log:
            place = replace(place, view=View.LOG, job=step.id, job_name=clean(step.name))
        self.post_message(GoTo(place))

    def subject(self) -> Place | None:
        """Return the pipeline under the cursor."""
        item = self._item(self.table.cursor_key)
        return None if item is None else self._place(item, View.JOBS)

    def file_of(self, key: str) -> Place | None:
        """Return the pipeline's file, at the commit it ran on."""
        from platui.present.triage_words import newest_of  # noqa: PLC0415  (as above)

        item = self._item(key)
        place = self._place(item, View.FILE) if item is not None else None
        ran = newest_of(item) if item is not None else None
        return None if place is None or ran is None else replace(place, ref=ran.sha or ran.ref)

    def record_of(self, key: str) -> RecordRef | None:
        """Return the pipeline of a row."""
        item = self._item(key)
        place = self._place(item, View.JOBS) if item is not None else None
        if place is None or place.pipeline is None:
            return None
        return RecordRef(RecordKind.PIPELINE, place.pipeline, place.project)

    def details_of(self, key: str, record: Any = None) -> Details | None:
        """Return what is known of an incident, and the others of its cause."""
        del record
        items, board = self._items(key), self.board
        if not items or board is None:
            return None
        from platui.present.details.incidents import item_details  # noqa: PLC0415  (on first use)

        return item_details(board, items, self.service.clock.now(), utc=self.utc)

    def copies_of(self, key: str) -> Mapping[str, str]:
        """Return addresses, the error, id, commit and ref."""
        from platui.present.triage_words import cause, newest_of  # noqa: PLC0415  (as above)

        item = self._item(key)
        ran = newest_of(item) if item is not None else None
        if item is None or ran is None:
            return {}
        step = item.point.step if item.point is not None else None
        job = step.web_url if step is not None and item.incident is not None else ""
        return {
            "URL": job or ran.web_url,
            "pipeline": ran.web_url if job else "",
            "error": cause(item) if item.incident is not None else "",
            "id": str(ran.id),
            "commit": ran.sha,
            "ref": ran.ref,
            "command": reopening(job or ran.web_url),
        }

    def go_to_number(self, number: int) -> bool:
        """Put the cursor on the row of a pipeline, or of a project, with this id."""
        from platui.present.triage_words import pipelines_of  # noqa: PLC0415  (as above)

        items = self._drawn.items if self._drawn is not None else {}
        found = (
            key
            for key, stands_for in items.items()
            for item in stands_for
            if number in pipelines_of(item) or item.lane.project == number
        )
        return any(self.table.move_to(key) for key in found)

    def watchable(self) -> Sequence[Watchable]:
        """Return the projects of the row under the cursor, or of the marked ones, each once."""
        from platui.present.triage_words import Names  # noqa: PLC0415  (as above)

        names = Names(self.board.names if self.board is not None else ())
        found = {item.lane.project: item for item in self.chosen_items()}
        return [Watchable(one, names.path(one), names.label(one)) for one in found]

    # acting

    def acted_on(self, verb: str, key: str) -> Sequence[tuple[ProjectRef, Actable]]:
        """Return the jobs that failed, or the pipelines that run, of all that a row stands for."""
        items = self._items(key)
        found = [(item.lane.project, self._acted_on(verb, item)) for item in items]
        return [(project, thing) for project, thing in found if thing is not None]

    def _acted_on(self, verb: str, item: BoardItem) -> Actable | None:
        """Return what is retried or canceled of an item; it is named with its project."""
        from platui.present.triage_words import Names, moving_of, newest_of  # noqa: PLC0415  (as above)

        names = Names(self.board.names if self.board is not None else ())
        where = names.path(item.lane.project) or names.label(item.lane.project)
        if verb == "cancel":
            ran = moving_of(item) or newest_of(item)
            return None if ran is None else Actable(ran.id, f"{ran.ref} in {where}", ran.status)
        step = item.point.step if item.point is not None else None
        if step is None or step.is_bridge or item.incident is None:
            return None
        return Actable(step.id, f"{step.name} in {where}", "failed")

    def rows_of(self, done: Sequence[ActOn]) -> Iterable[str]:
        """Return the marked rows all of whose things were done."""
        ids = {(one.project, one.id) for one in done}
        for key in self.table.marks:
            things = [
                (project, thing.id)
                for verb in self.ACTS
                for project, thing in self.acted_on(verb, key)
            ]
            if ids.intersection(things):
                yield key

    def why_unactable(self, key: str) -> str:
        """Return that no job of a row failed."""
        item = self._item(key)
        step = item.point.step if item is not None and item.point is not None else None
        if step is not None and step.is_bridge:
            return "this is a pipeline of another project, whose own jobs failed"
        return "no job failed here" if item is not None else "this row is gone"

    # causes

    def action_open_cause(self) -> None:
        """Show each incident of the cause; where it is shown or alone, go into the details."""
        key, drawn = self.table.cursor_key, self._drawn
        if drawn is not None and key in drawn.causes and key not in self._opened:
            self._opened |= {key}
            self.draw()
        else:
            self.action_read_details()

    def action_fold_cause(self) -> None:
        """Show the cause that the cursor is in as one row."""
        key, drawn = self.table.cursor_key, self._drawn
        if key is None or drawn is None:
            return
        cause = key if key in self._opened else drawn.causes_of.get(key)
        if cause in self._opened:
            self._opened -= {cause}
            self.draw()
            self.table.move_to(cause)

    def action_all_causes(self) -> None:
        """Show each incident of every cause, or a row a cause where they are shown."""
        causes = self._drawn.causes if self._drawn is not None else frozenset()
        self._opened = frozenset() if causes <= self._opened else self._opened | causes
        self.draw()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave out what a board has no use for; grey what there is nothing to do with."""
        if action in {"sort", "load_all"}:
            # The order is the board's, and there are no more pages.
            return False
        if action in {"open_cause", "all_causes"} and self.is_whole:
            drawn = self._drawn
            if action == "all_causes" or drawn is None:
                return True if drawn is not None and drawn.causes else None
            here = self.table.cursor_key in drawn.causes - self._opened
            return True if here or self.is_roomy else None
        return super().check_action(action, parameters)

    def footer_label(self, binding: Binding) -> str:
        """Say what `enter` opens."""
        return "log" if binding.id == "table.open" else super().footer_label(binding)
