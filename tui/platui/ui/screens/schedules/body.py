"""Schedules of a project: next run, last run, and missed runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from textual import on

from platui.models.values.previews import JOBS, LOG, PreviewTarget
from platui.models.values.queries import RecordKind, RecordRef
from platui.present.chrome import joined
from platui.present.details.schedules import schedule_details
from platui.present.schedules.runs import file_of, ref_of, sent_records
from platui.present.tables.schedules import SCHEDULES, ScheduleRows, schedules_summary
from platui.service import resources
from platui.ui.controller import Controller, command
from platui.ui.controllers.list_keys import LIST_KEYS, ChangePreview
from platui.ui.controllers.pipeline_logs import PipelineLogs, open_log_of, pipeline_route
from platui.ui.controllers.run_keys import Unlock
from platui.ui.controllers.watch_keys import WatchProjects
from platui.ui.screens.parts.list_body import ListBody, filter_pieces
from platui.ui.screens.parts.list_context import ListContext
from platui.ui.screens.parts.list_preview import pipeline_preview
from platui.ui.screens.parts.view_screen import ViewScreen
from platui.ui.screens.schedules.last_runs import LastRuns
from platui.ui.screens.schedules.writes import ScheduleWrites
from platui.ui.widgets.table import Table

if TYPE_CHECKING:
    from datetime import datetime

    from platui.models.values.feeds import Feed, Listing, Snapshot
    from platui.models.values.routes import Route
    from platui.models.values.table import Row
    from platui.models.wire import Pipeline, Schedule
    from platui.present.details.layout import Details

_NOT_LISTED: Final = (
    "This platform creates schedules but does not list them.\n\n"
    "Schedules created with platui appear here.\n\n"
    "{write.new_schedule}  new schedule      {app.pipelines}  pipelines      esc  back"
)
_ONLY_SENT: Final = "this platform lists no schedules: showing those created with platui"


class ScheduleKeys(Controller["SchedulesBody"]):
    @command("l", "schedules.log", "Log")
    def open_log(self) -> None:
        """Open the log of the first failed job of the last run."""
        body = self.body
        if (key := body.table.cursor_key) is not None:
            body.runs.with_last(
                key, lambda last: open_log_of(body, pipeline_route(body.route, "jobs", last.id))
            )

    def disabled_reason(self, _command: str) -> str:
        return "" if self.body.table.cursor_key is not None else "Select a schedule first."


class SchedulesContext(ListContext["SchedulesBody"]):
    def resource(self) -> Route | None:
        body = self.body
        last = body.runs.last(body.table.cursor_key) if body.is_whole else None
        return body.route if last is None else pipeline_route(body.route, "jobs", last.id)

    def preview(self, key: str, _kind: str) -> PreviewTarget | None:
        return pipeline_preview(self.body.route.project, self.body.runs.last(key))

    def open(self, key: str) -> None:
        self.body.runs.with_last(key, self._open_jobs)

    def _open_jobs(self, last: Pipeline) -> None:
        self.body.host.go_to(pipeline_route(self.body.route, "jobs", last.id))

    def details(self, key: str, record: Schedule | None = None) -> Details | None:
        body = self.body
        whole = record or body.details.full_record(key)
        schedule = whole or self.item(key)
        if schedule is None:
            return None
        at = self.at_now
        asked_at = self.asked_at(schedule) or at.now
        return schedule_details(body.runs.state_of(schedule, whole), asked_at, at)

    def aim(self, route: Route) -> None:
        if route.schedule is not None and self.body.is_whole:
            self.go_to_number(route.schedule)

    def asked_at(self, schedule: Schedule) -> datetime | None:
        """Return when a schedule of the list was fetched."""
        return self.body.fetched_at.get(schedule.id, self.body.age.fetched_at)

    def record_feed(self, key: str) -> Feed[Schedule] | None:
        project = self.body.route.project
        if project is None or not self.body.listing.is_supported:
            return None
        return self.body.service.watch(resources.schedules.schedule(project, int(key)))

    def record(self, key: str) -> RecordRef | None:
        """Return the record of a row; a schedule without a known id has none."""
        if int(key) < 0:
            return None
        return RecordRef(RecordKind.SCHEDULE, int(key), self.body.route.project)

    def copies(self, key: str) -> Mapping[str, str]:
        """Return the copies of a schedule; its URL is that of its last run."""
        schedule, last = self.item(key), self.body.runs.last(key)
        if schedule is None:
            return {}
        address = last.web_url if last is not None else ""
        return {
            "URL": address,
            "id": key,
            "description": schedule.description,
            "cron": schedule.cron,
            "ref": ref_of(schedule),
            "command": self.open_command(address),
        }

    def file_of(self, key: str) -> Route | None:
        schedule, last = self.item(key), self.body.runs.last(key)
        whole = self.body.details.full_record(key)
        if schedule is None:
            return None
        path = file_of(whole) if whole is not None else ""
        route = replace(self.body.route, view="file", path=path, ref=ref_of(schedule))
        return replace(route, pipeline=last.id) if last is not None and not path else route


class SchedulesBody(ListBody):
    """Schedules, missed runs first; where none are listed, those created with platui."""

    CONTEXT = SchedulesContext
    FOLLOWS_RECORD = True
    MAY_BE_GROUP = True
    PREVIEWS = (JOBS, LOG)
    NOUN = "schedules"
    RECORD_KIND = "schedule"
    COLUMNS = SCHEDULES.layout
    UTC_COLUMN = "next"
    DEFAULT_SORT = ("next", False)
    context: SchedulesContext
    items: tuple[Schedule, ...]

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.runs = LastRuns(self)
        self._sent: tuple[Schedule, ...] = ()
        self._rows = ScheduleRows()
        self._shown: Sequence[Row] = ()
        # When schedules beyond the first page were fetched, by id: only that page is polled.
        self.fetched_at: dict[int, datetime | None] = {}
        # The cursor, once.
        self._moves_to_schedule = self.route.schedule is not None and self.saved_view is None

    def ready(self) -> None:
        if not self.route.sort:
            self.table.sort_by("next")
        super().ready()

    def open_feed(self) -> Feed[Listing[Schedule]] | None:
        if self.route.project is None:
            return None
        return self.service.watch(resources.schedules.schedules(self.route.project))

    def start_feeds(self) -> None:
        super().start_feeds()
        self.runs.follow()

    def fetch_again(self) -> None:
        super().fetch_again()
        if not self.listing.is_supported:
            self.in_background("feed-sent", self._load_created_schedules)

    def visit(self, route: Route) -> None:
        if route != self.route:
            self._moves_to_schedule = route.schedule is not None
        super().visit(route)

    def draw(self) -> None:
        """Draw the rows and put the cursor, once, on the schedule of the route."""
        super().draw()
        schedule = self.route.schedule
        if self._moves_to_schedule and self.is_whole and self.has_data() and schedule is not None:
            self._moves_to_schedule = not self.table.move_to(str(schedule))

    def forget(self) -> None:
        super().forget()
        self.runs.forget()
        self._shown, self._sent, self.fetched_at = (), (), {}

    def take(self, item: Snapshot[Listing[Schedule]]) -> None:
        """Take the schedules; where none are listed, those created with platui."""
        listing = item.value
        if listing is not None and not listing.is_supported:
            if self.listing.is_supported:
                self.in_background("feed-sent", self._load_created_schedules)
            item = replace(item, value=replace(listing, items=self._sent))
        elif listing is not None:
            later = () if listing.page_size is None else listing.items[listing.page_size :]
            # A new schedule pushes an old record off the first page.
            known = {one.id: self.age.fetched_at for one in self.items} | self.fetched_at
            self.fetched_at = {one.id: known.get(one.id, item.fetched_at) for one in later}
        super().take(item)
        self.runs.ask()

    async def _load_created_schedules(self) -> None:
        project = self.route.project
        if project is None:
            return
        sent = await self.service.write_service.sent_schedules(project)
        if project == self.route.project:
            self._sent = sent_records(sent)
            self.items = self._sent
            self.draw()

    def on_record(self) -> None:
        self.draw()

    @on(Table.WindowChanged, "#table")
    def _window_changed(self, event: Table.WindowChanged) -> None:
        event.stop()
        self.runs.ask()

    def filter_changed(self) -> None:
        super().filter_changed()
        self.runs.ask()

    def rows(self) -> Sequence[Row]:
        if self._rows.utc != self.utc:
            self._rows = ScheduleRows(utc=self.utc)
        self._rows.asked_at = self.context.asked_at
        states = map(self.runs.state_of, self.items)
        self._shown = self._rows.rows(states, self.now)
        return self._shown

    def draw_summary(self) -> None:
        if not self.has_data():
            return
        pieces = schedules_summary(self._shown, self.listing.total, complete=self.listing.complete)
        if not self.listing.is_supported and not self.items:
            pieces = []
        elif not self.listing.is_supported:
            pieces = [(_ONLY_SENT, "warning")]
        self.host.summarize(pieces, ((" ", "text"), *joined(filter_pieces(self))))

    def empty(self) -> tuple[str, str]:
        if not self.listing.is_supported:
            return self.host.keyed(_NOT_LISTED), "muted"
        again = self.host.key_of("view.refresh")
        return f"No schedules yet.\n\n{again}  refresh      esc  back", "muted"


class SchedulesScreen(ViewScreen):
    BODY = SchedulesBody
    CONTROLLERS = (
        *LIST_KEYS, ChangePreview, WatchProjects, PipelineLogs, Unlock, ScheduleWrites,
        ScheduleKeys,
    )  # fmt: skip
    FOOTER = (
        "table.open", "schedules.log", "list.details", "write.run_schedule",
        "write.new_schedule", "write.edit_schedule", "list.filter", "list.failed", "list.sort",
        "view.refresh", "app.command",
    )  # fmt: skip
