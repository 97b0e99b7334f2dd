"""A screen that follows feeds while it is shown, and knows how old what it shows is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from platui.models.values.snapshots import Source
from platui.present.chrome import Age, Freshness
from platui.ui.base_screen import QuietScreen
from platui.ui.works import work

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, Callable, Sequence

    from textual.timer import Timer
    from textual.worker import Worker

    from platui.core.errors import PlatuiError
    from platui.models.values.snapshots import Snapshot
    from platui.service import PlatformService

T = TypeVar("T")

_AGES_MOVE_EVERY = 20.0
_RECENT = 90.0
"""Seconds for which a cached answer counts as fresh."""


class FeedScreen(QuietScreen[None]):
    """Feeds start with ScreenResume and end with ScreenSuspend; both may come twice."""

    def __init__(self, service: PlatformService) -> None:
        super().__init__()
        self.service = service
        self.held = False
        self.age = Age()
        self.error: PlatuiError | None = None
        self.is_shown = False
        self._stops: list[Callable[[], None]] = []
        self._ages: Timer | None = None

    # what a subclass gives

    def start_feeds(self) -> None:
        """Begin to follow what this place shows."""
        raise NotImplementedError

    def feeds(self) -> Sequence[Any]:
        """Return the feeds to refresh and to hold."""
        return ()

    def draw(self) -> None:
        """Show what is known, as it looks now."""

    def tell_header(self) -> None:
        """Show how fresh it is and what it cost."""

    # life

    def on_screen_resume(self) -> None:
        """Follow again; it may be told twice."""
        self.tell_header()
        if self.is_shown:
            return
        self.is_shown = True
        self._stops = [
            self.service.budget.observe(lambda _: self.tell_header()),
            self.service.line.observe(lambda _: self.tell_header()),
            self.service.writes_open_until.observe(lambda _: self.tell_header()),
        ]
        self._ages = self.set_interval(_AGES_MOVE_EVERY, self.move_ages)
        # The first frame shows what is kept, and waits for nothing.
        self.call_after_refresh(self._start_if_shown)

    def _start_if_shown(self) -> None:
        if self.is_shown:
            self.start_feeds()

    def on_screen_suspend(self) -> None:
        """Poll nothing while nobody looks."""
        self.is_shown = False
        self.stop_feeds()
        for stop in self._stops:
            stop()
        self._stops = []
        if self._ages is not None:
            self._ages.stop()
            self._ages = None

    def move_ages(self) -> None:
        """Show times that have passed."""
        self.draw()
        self.tell_header()

    def while_shown(self, stop: Callable[[], None]) -> None:
        """Call `stop` when the screen is left."""
        self._stops.append(stop)

    # feeds

    def follow(self, name: str, feed: AsyncIterable[T], show: Callable[[T], None]) -> None:
        """Hand every item of a feed to `show` until the screen is left."""

        async def pump() -> None:
            async for item in feed:
                show(item)

        # Not `pump()`: a feed that is left before it begins would leave a coroutine behind.
        self.run_worker(
            work(pump), name=name, group=f"feed-{name}",
            description=f"follow {name}", exclusive=True, exit_on_error=True,
        )  # fmt: skip

    def hold_feeds(self) -> None:
        """Let every feed know whether polling is paused."""
        for feed in self.feeds():
            feed.hold(self.held)

    def stop_feed(self, name: str) -> None:
        """End the feed of that name."""
        self.app.workers.cancel_group(self, f"feed-{name}")

    def stop_feeds(self) -> None:
        """End every feed of this screen."""
        for worker in self._feed_workers():
            worker.cancel()

    def _feed_workers(self) -> list[Worker[Any]]:
        return [
            worker
            for worker in self.app.workers
            if worker.node is self and worker.group.startswith("feed-")
        ]

    def judge(self, snapshot: Snapshot[Any]) -> None:
        """Take age and error of the snapshot this view stands on, and say them."""
        if snapshot.fetched_at is not None:
            # What was fetched a moment ago is as good as live: it is looked at again in turn.
            old = (self.service.clock.now() - snapshot.fetched_at).total_seconds() > _RECENT
            cached = snapshot.source is not Source.LIVE and old
            kind = Freshness.STALE if cached or snapshot.error is not None else Freshness.LIVE
            if snapshot.settled:
                kind = Freshness.SETTLED
            self.age = Age(kind, snapshot.fetched_at)
        elif snapshot.error is not None:
            self.age = Age(Freshness.FAILED)
        self.error = snapshot.error
        self.tell_header()
