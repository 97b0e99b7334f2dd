"""What resources are read with: cache, polling settings and logs of a connection."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from platui.api.endpoint import ListEndpoint
from platui.core.dataclass import dataclass
from platui.models.values.statuses import ENDED
from platui.service.feeds.reading import ListReading, Reading, RecordReading
from platui.service.lru_cache import LruCache

if TYPE_CHECKING:
    from platui.config.settings import PollSettings
    from platui.models.values.feeds import Feed
    from platui.models.values.stored_triage import WatchSelection
    from platui.models.wire import Pipeline
    from platui.service.feeds.optional_endpoints import OptionalEndpoints
    from platui.service.feeds.poll_conditions import PollConditions
    from platui.service.feeds.poll_interval import PollInterval
    from platui.service.logs.job_logs import JobLogs
    from platui.service.reader import Reader
    from platui.service.resources.resource import Poll, Resource
    from platui.service.triage.board import TriageBoard

T = TypeVar("T")

_MOST_PIPELINES: Final = 500  # Others are fetched again when they are needed


@dataclass(frozen=True, slots=True)
class _Sighting:
    """A status seen by a feed, and when."""

    status: str
    updated_at: datetime | None
    at: datetime


class Sightings:
    """Stores the last known state of each pipeline, from any request."""

    def __init__(self, moved: Callable[[], None] | None = None) -> None:
        self._moved = moved
        self._seen = LruCache[int, _Sighting](_MOST_PIPELINES)

    def note(self, pipelines: Iterable[Pipeline], at: datetime) -> None:
        moved = False
        for pipeline in pipelines:
            before = self._seen.get(pipeline.id)
            if before is None or before.at <= at:
                now = _Sighting(pipeline.status, pipeline.updated_at, at)
                self._seen.put(pipeline.id, now)
                moved = moved or (before is not None and now != replace(before, at=at))
        if moved and self._moved is not None:
            self._moved()

    def moved_on(
        self, pipeline: int, known_at: datetime, updated_at: datetime | None
    ) -> bool | None:
        """Return whether a pipeline changed after `known_at`; None: unknown."""
        seen = self._seen.get(pipeline)
        if seen is None or seen.at <= known_at:
            return None
        if seen.status not in ENDED:
            return True
        return seen.updated_at > updated_at if updated_at and seen.updated_at else None


@dataclass(eq=False)
class ReadContext:
    """Shared state of the feeds of a connection."""

    reader: Reader
    conditions: PollConditions
    optional: OptionalEndpoints
    open_logs: Callable[[], JobLogs]
    poll: PollSettings
    utc: bool = False  # Whether days are those of UTC

    def __post_init__(self) -> None:
        self.sightings = Sightings(self.conditions.notify)
        # one triage board per watch list, shared by its feeds
        self.boards: dict[WatchSelection | None, TriageBoard] = {}

    @cached_property
    def logs(self) -> JobLogs:
        return self.open_logs()

    def interval(self, poll: Poll) -> PollInterval:
        return poll.interval(self.poll)

    def reading(self, resource: Resource[T]) -> Reading[T]:
        endpoint = resource.endpoint()
        if isinstance(endpoint, ListEndpoint):
            return cast("Reading[T]", ListReading(cast("Any", resource), endpoint, self))
        return RecordReading(resource, endpoint, self)

    def feed(self, resource: Resource[T]) -> Feed[T]:
        from platui.service.feeds.polled import PolledFeed  # noqa: PLC0415  (a command that reads once needs none)

        return PolledFeed(self.reading(resource), self.conditions)
