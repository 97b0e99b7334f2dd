"""Base of a view's body: its route, its feeds, and the context of its keys."""

from __future__ import annotations

from collections.abc import AsyncIterable, Callable, Collection, Sequence
from datetime import datetime
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Final,
    Generic,
    Protocol,
    TypeVar,
    runtime_checkable,
)

from textual.containers import Container

from platui.models.values.feeds import Snapshot, Source
from platui.present.chrome import Age, Freshness, KeyHint, Pieces
from platui.present.projects import STAR
from platui.present.tables.spec import Context
from platui.ui import views
from platui.ui.error_display import notice
from platui.ui.screens.parts.at_rest import AtRest
from platui.ui.workers import work

if TYPE_CHECKING:
    from textual.worker import Worker

    from platui.core.errors import PlatuiError
    from platui.models.values.routes import Route, SavedView
    from platui.ui.screens.parts.view_screen import ViewScreen

B = TypeVar("B", bound="Body")
T = TypeVar("T")

MAIN: Final = "view"  # The name of the main feed
_RECENT: Final = 90.0  # Seconds for which a cached answer counts as fresh


@runtime_checkable
class TakesCommand(Protocol):
    """A context on which a command acts, also if it opens the same route again."""

    def aim(self, route: Route, /) -> None:
        """Do what the command names: the user may have left its row, or changed its ref."""


class ViewContext(Generic[B]):
    """What the keys of a view act on; by default the route of the view."""

    def __init__(self, body: B) -> None:
        self.body = body

    @property
    def at_now(self) -> Context:
        return Context(self.body.now, self.body.utc)

    @property
    def project_name(self) -> str:
        return (self.body.route.project_name or str(self.body.route.project)).rpartition("/")[2]

    @property
    def project_crumb(self) -> str:
        return f"{STAR} {self.project_name}" if self.body.host.is_watched() else self.project_name

    def crumbs(self) -> tuple[str, ...]:
        """Return the breadcrumbs of the header, outermost first."""
        project = () if self.body.route.project is None else (self.project_crumb,)
        return (*project, views.get(self.body.route.view).short_title)

    @property
    def guide(self) -> str:
        """Return the name of the help text of this view; see `present.guide`."""
        return self.body.route.view

    @property
    def has_unsaved_input(self) -> bool:
        return False

    def saved_state(self) -> SavedView | None:
        """Return the state to show first at the next start."""
        return None

    def resource(self) -> Route | None:
        route = self.body.route
        return route if route.project is not None else None

    def unfocused_reason(self) -> str:
        """Return why keys of rows do not apply: the focus is not in the table."""
        return ""

    def pipeline(self) -> Route | None:
        subject = self.resource()
        return subject if subject is not None and subject.pipeline is not None else None

    def file(self) -> Route | None:
        """Return the pipeline file of the resource under the cursor."""
        return None

    def comparison(self) -> Route | None:
        """Return the comparison of this log with the last successful run."""
        return None

    def current_route(self) -> Route:
        """Return the route with its current line, search and sort order."""
        return self.body.route

    def filter_text(self) -> str:
        return ""

    def filter_by(self, _words: str, /) -> None:
        """Filter the rows of a list."""

    def way_to(self, _number: int, /) -> Callable[[], object] | None:
        """Return what goes to this line, or to the row with this id; None: it does not exist."""
        return None

    def go_to_number(self, number: int) -> bool:
        """Go to this line, or to the row with this id; return whether it exists."""
        if (go := self.way_to(number)) is None:
            return False
        go()
        return True


class Body(Container):
    """Shows one route and follows its feeds; its parts post messages on `host`."""

    SUBJECT: ClassVar[tuple[str, ...]] = ("project", "pipeline", "job", "entry")
    """The fields of the route that identify its content."""
    REQUIRED_WIDGETS: ClassVar[tuple[str, ...]] = ()  # Widgets needed to draw
    CONTEXT: ClassVar[type[ViewContext[Any]]] = ViewContext

    taken: Snapshot[Any] | None = None  # The last one of the main feed since it was started

    def __init__(self, host: ViewScreen, route: Route, saved_view: SavedView | None) -> None:
        super().__init__(id="body")
        self.host = host
        self.service = host.service
        self.route = route
        is_saved = saved_view is not None and saved_view.route == route
        self.saved_view = saved_view if is_saved else None
        self.utc = host.settings.utc
        self.feeds = FollowedFeeds(self)
        self.at_rest = AtRest(self)
        self.age = Age()
        self.error: PlatuiError | None = None
        self.context: ViewContext[Any] = self.CONTEXT(self)

    @property
    def now(self) -> datetime:
        return self.service.clock.now()

    @property
    def is_whole(self) -> bool:
        return self.host.is_whole

    def notice(self, *, empty: bool) -> Pieces:
        """Return the notice line; an empty page shows the error itself."""
        return () if empty else notice(self.error, self.host.key_of)

    def ready(self) -> None:
        """Show the saved state; called once, after all widgets are mounted."""

    def show_header(self) -> None:
        self.host.header_line.show()

    def visit(self, route: Route) -> None:
        if route == self.route:
            return
        self.feeds.stop()
        before, self.route = self.route, route
        same_subject = all(getattr(before, one) == getattr(route, one) for one in self.SUBJECT)
        if not same_subject:
            self.saved_view = None
            self.age = Age()
            self.error = None
            self.forget()
        if self.is_whole:
            self.draw()
            self.host.update_header()
        if self.host.is_shown:
            self.start_feeds()

    def show_times(self, *, utc: bool) -> None:
        self.utc = utc
        if self.is_whole:
            self.draw()
            self.host.update_header()

    def open_feed(self) -> Any:
        return None

    def start_feeds(self) -> None:
        """Follow the main feed; a feed followed before continues from its last snapshot."""
        feed, self.taken = self.feeds.main or self.open_feed(), None
        if feed is not None:
            self.feeds.follow(MAIN, feed, self.take)

    @property
    def can_fetch_again(self) -> bool:
        return True

    def fetch_again(self) -> None:
        self.feeds.refresh()

    def forget(self) -> None:
        self.feeds.forget()

    def take(self, item: Any) -> None:
        """Handle a snapshot or item of the feed."""

    def draw(self) -> None:
        """Show the current state."""

    def update_ages(self) -> None:
        self.draw()
        self.host.update_header()

    def catch_up(self) -> None:
        """Draw postponed changes after a key, before its frame."""
        self.at_rest.renew()

    def typing_hints(self) -> Sequence[KeyHint]:
        return ()

    def focus_body(self) -> None:
        """Focus the main widget."""

    def in_background(
        self, group: str, function: Callable[..., Any], *arguments: Any
    ) -> Worker[Any]:
        """Run a coroutine function in a worker that replaces the previous worker of its group."""
        return self.run_worker(work(function, *arguments), group=group, exclusive=True)

    def judge(self, snapshot: Snapshot[Any]) -> None:
        """Take the age and error of a snapshot, and update the header."""
        if snapshot.fetched_at is not None:
            # A recent cached answer counts as live: polling renews it soon.
            old = (self.now - snapshot.fetched_at).total_seconds() > _RECENT
            cached = snapshot.source is not Source.LIVE and old
            kind = Freshness.STALE if cached or snapshot.error is not None else Freshness.LIVE
            if snapshot.is_final:
                kind = Freshness.SETTLED
            self.age = Age(kind, snapshot.fetched_at)
        elif snapshot.error is not None:
            self.age = Age(Freshness.FAILED)
        self.error = snapshot.error
        self.host.update_header()


class FollowedFeeds:
    """Feeds by name; a feed that is followed again continues from its last item."""

    def __init__(self, body: Body) -> None:
        self.held = False
        self._body = body
        self._feeds: dict[str, tuple[Any, bool]] = {}  # name -> feed, is refreshed
        self._followed: set[str] = set()

    @property
    def main(self) -> Any:
        return self.get(MAIN)

    def get(self, name: str) -> Any:
        return self._feeds.get(name, (None, False))[0]

    def follow(
        self,
        name: str,
        feed: AsyncIterable[T],
        show: Callable[[T], None],
        *,
        refreshes: bool = True,
    ) -> None:
        """Pass every item of a feed to `show` until the screen is left or the name is reused."""
        self._feeds[name] = (feed, refreshes)
        self._followed.add(name)
        feed.hold(self.held)  # type: ignore[attr-defined]

        async def pump() -> None:
            is_first_item = name == MAIN
            async for item in feed:
                if is_first_item:  # the content of the view; what follows may share frames
                    self._body.host.await_frame()
                    is_first_item = False
                show(item)

        self._body.in_background(f"feed-{name}", pump)

    def is_followed(self, name: str) -> bool:
        return name in self._followed

    def refresh(self) -> None:
        for feed, refreshes in list(self._feeds.values()):
            if refreshes:
                feed.refresh()

    def hold(self, *, held: bool) -> None:
        self.held = held
        for feed, _ in list(self._feeds.values()):
            feed.hold(held)

    def drop(self, name: str) -> None:
        self._feeds.pop(name, None)
        self._followed.discard(name)
        self._body.app.workers.cancel_group(self._body, f"feed-{name}")

    def drop_others(self, prefix: str, names: Collection[str] = ()) -> None:
        for name in [one for one in self._feeds if one.startswith(prefix) and one not in names]:
            self.drop(name)

    def stop(self) -> None:
        self._followed.clear()
        for worker in list(self._body.app.workers):
            if worker.node is self._body and worker.group.startswith("feed-"):
                worker.cancel()

    def forget(self) -> None:
        self._feeds.clear()
