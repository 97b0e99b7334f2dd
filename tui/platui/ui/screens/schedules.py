"""Schedules of one project: when each runs next, how it ran last, and what did not fire."""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

from textual import on

from platui.models.values.queries import RecordKind, RecordRef
from platui.models.values.writes import Act, ActOn
from platui.present.chrome import joined
from platui.present.details.schedules import schedule_details
from platui.present.schedules.runs import Standing, file_of, ref_of, sent_records
from platui.present.tables.schedules import SCHEDULES, ScheduleRows, schedules_summary
from platui.service import resources
from platui.ui.controllers.pipeline_logs import PipelineLogs, open_log_of, pipeline_place
from platui.ui.controllers.running import Unlock
from platui.ui.controllers.schedule_writes import ScheduleWrites
from platui.ui.controllers.watching import WatchProjects
from platui.ui.keys_in_use import bind
from platui.ui.messages import Failed, GoTo, Told
from platui.ui.screens.listing import DetailedList
from platui.ui.screens.perhaps_group import PerhapsGroup
from platui.ui.widgets.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from platui.models.values.feeds import Feed, Listing, Snapshot
    from platui.models.values.places import Place
    from platui.models.values.table import Row
    from platui.models.wire import Pipeline, Schedule
    from platui.present.details.layout import Details
    from platui.service.feeds.latest import Latest, LatestFeed

_LOOKED_THROUGH: Final = 60  # Hidden schedules whose last run a filter may need

_NOT_LISTED: Final = (
    "This platform takes new schedules, but does not list those it has.\n\n"
    "Those that platui creates will stand here.\n\n"
    "{write.new_schedule}  make one      {app.pipelines}  the pipelines that ran      esc  back"
)
_ONLY_SENT: Final = "this platform lists no schedules: these are the ones platui created"


class ListedScheduleWrites(ScheduleWrites):
    """What is done to the schedules of the list."""

    screen: SchedulesScreen

    def acted(self, done: Sequence[ActOn]) -> None:
        """Look for the runs of what was run: a pipeline is there a moment later."""
        self.screen.expect_runs([one.id for one in done if one.act is Act.RUN_SCHEDULE])


class SchedulesScreen(DetailedList, PerhapsGroup):
    """What did not fire stands on top; `enter` opens the last run, `l` the log that tells."""

    items: tuple[Schedule, ...]
    NOUN = "schedules"
    COLUMNS = SCHEDULES.layout
    UTC_COLUMN = "next"
    USUAL_SORT = ("next", False)
    FOOTER = (
        "table.open", "schedules.log", "list.details", "write.run_schedule",
        "write.new_schedule", "write.edit_schedule", "list.filter", "list.failed", "list.sort",
        "place.refresh", "app.command",
    )  # fmt: skip
    CONTROLLERS = (WatchProjects, PipelineLogs, Unlock, ListedScheduleWrites)
    BINDINGS = [
        bind("l", "schedules.log", "Log", "Log of the job that failed first in the last run")
    ]

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._sent: tuple[Schedule, ...] = ()
        self._rows = ScheduleRows()
        self._shown: Sequence[Row] = ()
        self._latest: Mapping[int, Latest] = {}
        self._latest_feed: LatestFeed[Any] | None = None
        self._points = self.place.schedule is not None and self.kept is None  # See draw

    def on_mount(self) -> None:
        """Have the most urgent on top."""
        self._rows.show_times(utc=self.utc)
        if not self.place.sort:
            self.table.sort_by("next")

    def show_times(self, *, utc: bool) -> None:
        """Show the times of another zone."""
        self._rows.show_times(utc=utc)
        super().show_times(utc=utc)

    def open_feed(self) -> Feed[Listing[Schedule]] | None:
        """Return the feed of the list."""
        if self.place.project is None:
            return None
        return self.service.watch(resources.schedules.schedules(self.place.project))

    def start_feeds(self) -> None:
        """Follow the list, the last runs of what is visible, and the cursor's schedule."""
        project = self.place.project
        if project is None:
            return
        self._latest_feed = self._latest_feed or self.service.watch(
            resources.schedules.last_runs(project)
        )
        super().start_feeds()
        # The last runs are polled in turn, by the budget.
        self.feeds.follow("last-runs", self._latest_feed, self._show_latest, refreshes=False)
        self._wish()

    def action_refresh(self) -> None:
        """Fetch again; where schedules are not listed, those that platui made."""
        super().action_refresh()
        if not self.listing.offered:
            self._look_up_sent()

    def visit(self, place: Place) -> None:
        """Show the schedules of another project, or another one of the same."""
        is_another = place != self.place
        super().visit(place)
        if is_another:
            self._points = place.schedule is not None
            self._point()

    def draw(self) -> None:
        """Show the rows, with the cursor on the schedule that was asked for, once."""
        super().draw()
        self._point()

    def _point(self) -> None:
        schedule = self.place.schedule
        if self._points and self.is_whole and self.has_data() and schedule is not None:
            self._points = not self.table.move_to(str(schedule))

    def forget(self) -> None:
        """Drop the schedules of another project."""
        super().forget()
        self._latest_feed, self._shown, self._latest = None, (), {}
        self._sent = ()

    def _show(self, item: Snapshot[Listing[Schedule]]) -> None:
        if item.value is not None:
            if self.listing.offered and not item.value.offered:
                self._look_up_sent()
            self.items = item.value.items if item.value.offered else self._sent
        self.judge_listing(item)
        self.draw()
        self._wish()

    def _look_up_sent(self) -> None:
        self.in_background("feed-sent", self._recall_sent)

    async def _recall_sent(self) -> None:
        """Show the schedules that platui created, where the platform lists none."""
        project = self.place.project
        if project is None:
            return
        sent = await self.service.write_desk.sent_schedules(project)
        if project == self.place.project:
            self._sent = sent_records(sent)
            self.items = self._sent
            self.draw()

    def _show_latest(self, latest: Mapping[int, Latest]) -> None:
        self._latest = latest
        self.draw()

    def record_came(self) -> None:
        """Show what only the schedule's own record says, in its row too."""
        self.draw()

    def _wish(self) -> None:
        """Ask for the last runs of what is visible only: each is a request."""
        if self._latest_feed is None or not self.is_whole or not self.listing.offered:
            return
        wanted = [int(key) for key in self.table.visible_keys() if key.isdecimal()]
        if self.is_filtered:
            wanted += [schedule.id for schedule in self.items[:_LOOKED_THROUGH]]
        self._latest_feed.show(list(dict.fromkeys(wanted)))

    @on(Table.WindowChanged, "#table")
    def _window_changed(self, event: Table.WindowChanged) -> None:
        event.stop()
        self._wish()

    def filter_typed(self, text: str) -> None:
        """Filter, and look at the schedules whose last run is not known yet."""
        super().filter_typed(text)
        self._wish()

    def rows(self) -> Sequence[Row]:
        """Return the schedules as loaded."""
        self._rows.asked_at = self.age.fetched_at
        standings = map(self._standing, self.items)
        self._shown = self._rows.rows(standings, self.service.clock.now())
        return self._shown

    def _standing(self, schedule: Schedule, record: Schedule | None = None) -> Standing:
        """Return how a schedule stands, by its own record where that came."""
        if not self.listing.offered:
            return Standing(schedule, is_sent=True)
        latest = self._latest.get(schedule.id)
        whole = record or self.whole(str(schedule.id))
        if whole is None and (latest is None or latest.refused):
            return Standing(schedule)
        # Each is looked at in its own turn: a run that one of them has seen is there.
        seen: tuple[Pipeline | None, ...] = (
            whole.last_pipeline if whole is not None else None,
            latest.pipeline if latest is not None else None,
        )
        last = max((one for one in seen if one is not None), key=attrgetter("id"), default=None)
        return Standing(schedule, last, knows_last=True)

    def draw_summary(self) -> None:
        """Show how many did not fire, failed, or are switched off."""
        if not self.has_data():
            return
        pieces = schedules_summary(self._shown, self.listing.total, complete=self.listing.complete)
        if not self.listing.offered and not self.items:
            pieces = []
        elif not self.listing.offered:
            pieces = [(_ONLY_SENT, "warning")]
        right = joined(self.filter_pieces())
        self.summary.show(((" ", "text"), *joined(pieces)), ((" ", "text"), *right, (" ", "text")))

    def empty_text(self) -> str:
        """Return what an empty list means."""
        if not self.listing.offered:
            return self.keyed(_NOT_LISTED)
        again = self.key_of("place.refresh")
        return f"No schedule has been made here.\n\n{again}  look again      esc  back"

    def schedule(self, key: str | None) -> Schedule | None:
        """Return the schedule of a row, as the list has it."""
        found: Schedule | None = self.item_at(key)
        return found

    def _last_run(self, key: str | None) -> Pipeline | None:
        schedule = self.schedule(key)
        return None if schedule is None else self._standing(schedule).last

    @property
    def _asked_at(self) -> datetime:
        return self.age.fetched_at or self.service.clock.now()

    def details_of(self, key: str, record: Schedule | None = None) -> Details | None:
        """Return what is known of a schedule: its own record where it came, else the list's."""
        whole = record or self.whole(key)
        schedule = whole or self.schedule(key)
        if schedule is None:
            return None
        standing = self._standing(schedule, whole)
        now = self.service.clock.now()
        return schedule_details(standing, now, self._asked_at, utc=self.utc)

    def record_feed(self, key: str) -> Feed[Schedule] | None:
        """Return the feed of the schedule's own record: it has the variables and the last run."""
        project = self.place.project
        if project is None or not self.listing.offered:
            return None
        return self.service.watch(resources.schedules.schedule(project, int(key)))

    def record_of(self, key: str) -> RecordRef | None:
        """Return the schedule of a row; one whose id nobody knows has no record."""
        if int(key) < 0:
            return None
        return RecordRef(RecordKind.SCHEDULE, int(key), self.place.project)

    def copies_of(self, key: str) -> Mapping[str, str]:
        """Return the address of the last run, as the schedule has none, and what names it."""
        schedule, last = self.schedule(key), self._last_run(key)
        if schedule is None:
            return {}
        address = last.web_url if last is not None else ""
        return {
            "URL": address,
            "id": key,
            "description": schedule.description,
            "cron": schedule.cron,
            "ref": ref_of(schedule),
            "command": self.opening(address),
        }

    def file_of(self, key: str) -> Place | None:
        """Return the file that the schedule runs, on its ref; else that of its last run."""
        schedule, last = self.schedule(key), self._last_run(key)
        whole = self.whole(key)
        if schedule is None:
            return None
        path = file_of(whole) if whole is not None else ""
        place = replace(self.place, view="file", path=path, ref=ref_of(schedule))
        return replace(place, pipeline=last.id) if last is not None and not path else place

    def subject(self) -> Place | None:
        """Return the last run of the schedule under the cursor, else the project."""
        last = self._last_run(self.table.cursor_key) if self.is_whole else None
        return self.place if last is None else pipeline_place(self.place, "jobs", last.id)

    def expect_runs(self, schedules: Sequence[int]) -> None:
        """Look for new runs of schedules."""
        if self._latest_feed is not None:
            self._latest_feed.expect(schedules)

    def open_row(self, key: str) -> None:
        """Go to the jobs of the last run."""
        self._with_last_run(key, self._open_jobs)

    def _open_jobs(self, last: Pipeline) -> None:
        self.post_message(GoTo(pipeline_place(self.place, "jobs", last.id)))

    def action_log(self) -> None:
        """Open the log that tells how the last run went."""
        if (key := self.table.cursor_key) is not None:
            self._with_last_run(key, lambda last: open_log_of(self.body, last.id))

    def _with_last_run(self, key: str, act: Callable[[Pipeline], None]) -> None:
        """Do something with the last run of a schedule; ask for it where it is not known."""
        last = self._last_run(key)
        if last is not None:
            act(last)
        elif (feed := self.record_feed(key)) is not None:
            self.in_background("feed-last", self._ask_last_run, feed, act)

    async def _ask_last_run(self, feed: Feed[Schedule], act: Callable[[Pipeline], None]) -> None:
        async for snapshot in feed:
            if snapshot.value is not None and snapshot.value.last_pipeline is not None:
                act(snapshot.value.last_pipeline)
                return
            if snapshot.value is not None and not snapshot.refreshing:
                self.post_message(Told("This schedule has not run yet."))
                return
            if snapshot.error is not None:
                self.post_message(Failed(snapshot.error))
                return
