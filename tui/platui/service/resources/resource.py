"""The declaration of a resource: endpoint, polling and finality."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from datetime import datetime
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from platui.core.dataclass import dataclass
from platui.core.lazy_module import LazyModule
from platui.models.values.feeds import Feed, Snapshot, Source
from platui.service.feeds.poll_interval import PollInterval

if TYPE_CHECKING:
    from platui.api import endpoints as endpoints  # noqa: PLC0414  (for the other resources)
    from platui.api.endpoint import Endpoint, ListEndpoint
    from platui.config.settings import PollSettings
    from platui.core.errors import PlatuiError
    from platui.models.wire import Pipeline
    from platui.service.feeds import latest_pipelines as latest_feed
    from platui.service.feeds.read_context import ReadContext
else:
    endpoints = LazyModule("platui.api.endpoints")
    latest_feed = LazyModule("platui.service.feeds.latest_pipelines")

T = TypeVar("T")
F_co = TypeVar("F_co", covariant=True)


def never(_: object) -> bool:
    return False


class Poll(Enum):
    """How often to poll, scaled by the settings `poll.running` and `poll.idle`."""

    WHILE_ACTIVE = auto()  # often while active, seldom otherwise
    NEWEST_FIRST = auto()  # often: new records appear on the first page
    SLOW = auto()
    BACKGROUND = auto()

    def interval(self, settings: PollSettings) -> PollInterval:
        running, idle = settings.running, settings.idle
        match self:
            case Poll.WHILE_ACTIVE:
                return PollInterval(running, idle)
            case Poll.NEWEST_FIRST:
                return PollInterval(max(running, idle / 6), max(running, idle / 3))
            case Poll.SLOW:
                return PollInterval(idle * 2, idle * 2)
            case Poll.BACKGROUND:
                return PollInterval(idle, idle * 4)


class Watchable(Protocol[F_co]):
    """A source of feeds of type F."""

    @property
    def modules(self) -> tuple[str, ...]:
        """Return the slow modules to import in a thread before `open`."""

    @property
    def commands(self) -> Collection[str]:
        """Return the names of the methods that control its feeds; they return None."""

    def open(self, context: ReadContext) -> F_co:
        """Return a feed, once the service has started."""

    def failed(self, error: PlatuiError) -> Any:
        """Return the item to yield while the service cannot start; None: no item."""


@dataclass(frozen=True, slots=True)
class Resource(Generic[T]):
    """A record or a list of the platform, and how to read it over time.

    The functions get the record, or the tuple of the loaded ones.
    """

    endpoint: Callable[[], Endpoint[T] | ListEndpoint[Any]]
    poll: Poll = Poll.WHILE_ACTIVE
    is_active: Callable[[Any], bool] = never  # whether it may change any moment
    # whether it cannot change any more: not polled, and cached longest
    is_final: Callable[[Any], bool] = never
    # pipelines in the response, whose state is reported to dependent resources
    pipelines: Callable[[Any], Iterable[Pipeline]] | None = None
    # the pipeline that must be unchanged, and its `updated_at` in this response
    depends_on: Callable[[Any], tuple[int, datetime | None]] | None = None
    whole: bool = False  # whether all pages of a list are loaded

    modules = ()
    commands = tuple(name for name in vars(Feed) if not name.startswith("_"))

    def open(self, context: ReadContext) -> Feed[T]:
        return context.feed(self)

    def failed(self, error: PlatuiError) -> Snapshot[T]:
        return Snapshot(None, Source.NOTHING, None, error=error)


@dataclass(frozen=True, slots=True)
class FeedSource(Generic[F_co]):
    """A feed not made of snapshots of one endpoint: a log, a search, the triage board."""

    make: Callable[[ReadContext], F_co]
    failed: Callable[[PlatuiError], Any]
    modules: tuple[str, ...] = ()
    commands: tuple[str, ...] = ("refresh", "hold")

    def open(self, context: ReadContext) -> F_co:
        return self.make(context)


def latest_pipelines(
    endpoint: Callable[[int], Endpoint[T]], newest: Callable[[T], Pipeline | None]
) -> FeedSource[latest_feed.LatestFeed[T]]:
    """Return the newest pipeline of each id passed to `show`; nothing if the start failed."""
    return FeedSource(
        lambda context: latest_feed.LatestFeed(context, endpoint, newest),
        lambda _: None,
        ("platui.service.feeds.latest_pipelines",),
        ("show", "expect", "hold"),
    )
