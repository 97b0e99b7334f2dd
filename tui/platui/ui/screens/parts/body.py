"""The body of a view: its place, its feeds, and what its keys are about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, TypeVar

from textual.containers import Container

from platui.models.values.feeds import Source
from platui.present.chrome import Age, Freshness
from platui.present.projects import STAR
from platui.ui import views
from platui.ui.error_display import notice
from platui.ui.screens.parts.followed_feeds import MAIN, FollowedFeeds
from platui.ui.workers import work

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from textual.worker import Worker

    from platui.core.errors import PlatuiError
    from platui.models.values.feeds import Snapshot
    from platui.models.values.routes import Route, SavedView
    from platui.present.chrome import KeyHint, Pieces
    from platui.ui.screens.parts.view_screen import ViewScreen

B = TypeVar("B", bound="Body")

_RECENT: Final = 90.0  # Seconds for which a cached answer counts as fresh


class ViewContext(Generic[B]):
    """What the keys of a view are about: by default its own place."""

    def __init__(self, body: B) -> None:
        self.body = body

    @property
    def project_name(self) -> str:
        """Return the name of the project, else the end of its path."""
        return (self.body.route.project_name or str(self.body.route.project)).rpartition("/")[2]

    @property
    def project_crumb(self) -> str:
        """Return the name of the project for the header, with a star if it is watched."""
        return f"{STAR} {self.project_name}" if self.body.host.is_watched() else self.project_name

    def crumbs(self) -> tuple[str, ...]:
        """Return the path in the header, outermost first: by default project and view."""
        project = () if self.body.route.project is None else (self.project_crumb,)
        return (*project, views.get(self.body.route.view).short_title)

    @property
    def guide(self) -> str:
        """Return the name of the text that explains this view; see `present.guide`."""
        return self.body.route.view

    @property
    def has_unsaved_input(self) -> bool:
        """Return whether there is unsaved input."""
        return False

    def saved_state(self) -> SavedView | None:
        """Return the state that the next start shows first."""
        return None

    def resource(self) -> Route | None:
        """Return the resource under the cursor."""
        route = self.body.route
        return route if route.project is not None else None

    def pipeline(self) -> Route | None:
        """Return the pipeline under the cursor, else that of this view."""
        subject = self.resource()
        return subject if subject is not None and subject.pipeline is not None else None

    def file(self) -> Route | None:
        """Return the place of the pipeline file of the resource under the cursor."""
        return None

    def comparison(self) -> Route | None:
        """Return the comparison of this log with that of its last successful run."""
        return None

    def current_place(self) -> Route:
        """Return this place with its current line, search and order."""
        return self.body.route

    def filter_text(self) -> str:
        """Return the filter or search."""
        return ""

    def filter_by(self, _words: str, /) -> None:
        """Show only the rows with these words, in a list."""

    def go_to_number(self, _number: int, /) -> bool:
        """Go to a line or to the row with this id; return whether there is one."""
        return False

    def find_project(self, _name: str, /) -> Route | None:
        """Return the pipelines of the one loaded project with this name."""
        return None


class Body(Container):
    """Shows one place, and follows what it shows while its screen is shown.

    Its parts post messages on `host`: a message that a handler of the screen makes and posts on
    this child would not get beyond the screen.
    """

    REQUIRED_WIDGETS: ClassVar[tuple[str, ...]] = ()
    """What must be there before anything can be shown."""
    CONTEXT: ClassVar[type[ViewContext[Any]]] = ViewContext

    def __init__(self, host: ViewScreen, route: Route, kept: SavedView | None) -> None:
        super().__init__(id="body")
        self.host = host
        self.service = host.service
        self.route = route
        self.kept = kept if kept is not None and kept.route == route else None
        self.utc = host.settings.utc  # Whether times are shown in UTC; set by `show_times`
        self.feeds = FollowedFeeds(self)
        self.age = Age()
        self.error: PlatuiError | None = None
        self.context: ViewContext[Any] = self.CONTEXT(self)

    @property
    def now(self) -> datetime:
        return self.service.clock.now()

    @property
    def is_whole(self) -> bool:
        """Return whether all of the screen is there: not while it is mounted or taken down."""
        return self.host.is_whole

    def notice(self, *, empty: bool) -> Pieces:
        """Return the notice line: the error, which an empty page shows in its middle."""
        return () if empty else notice(self.error, self.host.key_of)

    def ready(self) -> None:
        """Show the kept state; called once, when all widgets are mounted."""

    def show_header(self) -> None:
        """Show profile, place, freshness and budget, if they may change now."""
        self.host.header_line.show()

    def visit(self, route: Route) -> None:
        """Show another place of this kind."""
        if route == self.route:
            return
        self.feeds.stop()
        same_subject = route.subject == self.route.subject
        self.route = route
        if not same_subject:
            self.kept = None
            self.age = Age()
            self.error = None
            self.forget()
        if self.is_whole:
            self.draw()
            self.host.update_header()
        if self.host.is_shown:
            self.start_feeds()

    def show_times(self, *, utc: bool) -> None:
        """Show times in UTC, or in this machine's zone, from now on."""
        self.utc = utc
        if self.is_whole:
            self.draw()
            self.host.update_header()

    def open_feed(self) -> Any:
        """Return the feed of this view; None if it has none."""
        return None

    def start_feeds(self) -> None:
        """Follow the feed; one that was followed before goes on from its last snapshot."""
        feed = self.feeds.main or self.open_feed()
        if feed is not None:
            self.feeds.follow(MAIN, feed, self.take)

    @property
    def can_fetch_again(self) -> bool:
        return True

    def fetch_again(self) -> None:
        """Fetch again now."""
        self.feeds.refresh()

    def forget(self) -> None:
        """Clear what belongs to another place."""
        self.feeds.forget()

    def take(self, item: Any) -> None:
        """Handle a snapshot or item of the feed."""

    def draw(self) -> None:
        """Show the current state."""

    def update_ages(self) -> None:
        """Update ages and relative times."""
        self.draw()
        self.host.update_header()

    def catch_up(self) -> None:
        """Update the rest of the body after a key, before its frame."""

    def typing_hints(self) -> Sequence[KeyHint]:
        """Return the keys that end input in the body; empty while there is none."""
        return ()

    def focus_body(self) -> None:
        """Focus the widget that is read or chosen from."""

    def in_background(
        self, group: str, function: Callable[..., Any], *arguments: Any
    ) -> Worker[Any]:
        """Run a coroutine function in a worker that replaces an earlier one of its group.

        It is called when the worker begins: one that is left before would leave a coroutine behind.
        """
        return self.run_worker(work(function, *arguments), group=group, exclusive=True)

    def judge(self, snapshot: Snapshot[Any]) -> None:
        """Take age and error of a snapshot, and show them in the header."""
        if snapshot.fetched_at is not None:
            # A recent answer is as good as live: it is polled again in turn.
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
