"""Last runs of the visible schedules, at one request each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

from platui.models.wire import Pipeline
from platui.present.schedules.runs import ScheduleState
from platui.service import resources

if TYPE_CHECKING:
    from platui.models.values.feeds import Feed
    from platui.models.wire import Schedule
    from platui.service.feeds.latest_pipelines import Latest, LatestFeed
    from platui.ui.screens.schedules.body import SchedulesBody

_MOST_FILTERED: Final = 60  # Schedules fetched for a filter, though hidden


class LastRuns:
    def __init__(self, body: SchedulesBody) -> None:
        self._body = body
        self._latest: Mapping[int, Latest] = {}
        self._feed: LatestFeed[Any] | None = None

    def follow(self) -> None:
        """Follow the visible schedules; polled in turn within the budget."""
        body, project = self._body, self._body.route.project
        if project is None:
            return
        self._feed = self._feed or body.service.watch(resources.schedules.last_runs(project))
        body.feeds.follow("last-runs", self._feed, self._take, refreshes=False)
        self.ask()

    def forget(self) -> None:
        self._feed, self._latest = None, {}

    def _take(self, latest: Mapping[int, Latest]) -> None:
        self._latest = latest
        self._body.draw()

    def ask(self) -> None:
        body = self._body
        if self._feed is None or not body.is_whole or not body.listing.is_supported:
            return
        wanted = [int(key) for key in body.table.visible_keys() if key.isdecimal()]
        if body.table.filter_text:
            wanted += [schedule.id for schedule in body.items[:_MOST_FILTERED]]
        self._feed.show(wanted)

    def expect(self, schedules: Sequence[int]) -> None:
        """Poll these schedules soon: they were just started."""
        if self._feed is not None:
            self._feed.expect(schedules)

    def state_of(self, schedule: Schedule, record: Schedule | None = None) -> ScheduleState:
        if not self._body.listing.is_supported:
            return ScheduleState(schedule, is_sent=True)
        latest = self._latest.get(schedule.id)
        whole = record or self._body.details.full_record(str(schedule.id))
        if whole is None and (latest is None or latest.refused):
            return ScheduleState(schedule)
        # Polled separately: the newer run counts, and of one just started what its line says.
        seen: tuple[Pipeline | None, ...] = (
            self._started(schedule.id),
            whole.last_pipeline if whole is not None else None,
            latest.pipeline if latest is not None else None,
        )
        last = max((one for one in seen if one is not None), key=attrgetter("id"), default=None)
        last_at = None if latest is None else latest.fetched_at
        return ScheduleState(schedule, last, knows_last=True, last_at=last_at)

    def _started(self, schedule: int) -> Pipeline | None:
        effect = self._body.service.write_effects.value.get(("schedule", schedule))
        record = None if effect is None or effect.is_over else effect.record
        return record if isinstance(record, Pipeline) else None

    def last(self, key: str | None) -> Pipeline | None:
        schedule = self._body.context.item(key)
        return None if schedule is None else self.state_of(schedule).last

    def with_last(self, key: str, act: Callable[[Pipeline], None]) -> None:
        """Call `act` with the last run of a schedule, fetched if needed."""
        last = self.last(key)
        if last is not None:
            act(last)
        elif (feed := self._body.context.record_feed(key)) is not None:
            self._body.in_background("feed-last", self._ask_last, feed, act)

    async def _ask_last(self, feed: Feed[Schedule], act: Callable[[Pipeline], None]) -> None:
        async for snapshot in feed:
            if snapshot.value is not None and snapshot.value.last_pipeline is not None:
                act(snapshot.value.last_pipeline)
                return
            if snapshot.value is not None and not snapshot.refreshing:
                self._body.host.show_hint("This schedule has not run yet.")
                return
            if snapshot.error is not None:
                self._body.host.show_error(snapshot.error)
                return
