"""The newest pipeline of each project in sight, and of those that are watched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from platui.models.values.stored_triage import NOTHING_WATCHED
from platui.present.triage.watching import watched_ids
from platui.service import resources
from platui.ui.screens.projects.namespaces import NamespaceWatch

if TYPE_CHECKING:
    from collections.abc import Mapping

    from textual.timer import Timer

    from platui.models.values.stored_triage import WatchSelection
    from platui.models.wire import Pipeline
    from platui.service.feeds.latest_pipelines import Latest, LatestFeed
    from platui.ui.screens.projects.body import ProjectsBody

_SCROLL_PAUSE: Final = 0.15  # Seconds for which rows stay in sight before their states are fetched
_MOST_FILTERED: Final = 200
"""Projects whose state a filter may ask for: a third of a minute's quota."""
_MOST_WATCHED: Final = 60  # Watched projects whose state is asked for although not in sight


class ProjectStates:
    """Follows the newest pipelines of a list of projects."""

    def __init__(self, body: ProjectsBody) -> None:
        self._body = body
        self.latest: Mapping[int, Latest] = {}
        """Project id -> the last answer."""
        self.pipelines: Mapping[int, Pipeline | None] = {}
        """Project id -> its newest pipeline."""
        self._feed: LatestFeed[Any] | None = None
        self._scrolling: Timer | None = None  # Runs while the rows in sight have just changed
        self._watched: tuple[WatchSelection, object, frozenset[int]] = (
            NOTHING_WATCHED,
            (),
            frozenset(),
        )
        """The watch list, the loaded projects, and the ids of those watched."""

    @property
    def is_scrolling(self) -> bool:
        return self._scrolling is not None

    def follow(self) -> None:
        """Follow those in sight; they are polled in turn, by the budget."""
        body = self._body
        self._feed = self._feed or body.service.watch(resources.projects.latest())
        body.feeds.follow("latest", self._feed, self._take, refreshes=False)
        self.ask()

    def _take(self, latest: Mapping[int, Latest]) -> None:
        self.latest = {**self.latest, **latest}
        self.pipelines = {number: one.pipeline for number, one in self.latest.items()}
        if not self.is_scrolling:
            self._body.draw()

    def ask(self) -> None:
        """Ask for the newest pipelines of visible and watched projects only."""
        body = self._body
        if self._feed is None or not body.is_whole or self.is_scrolling:
            return
        visible = [int(key) for key in body.table.visible_keys() if key.isdecimal()]
        wanted = [*visible, *sorted(self.watched_ids())[:_MOST_WATCHED]]
        if body.table.filter_text:
            # A filter may name a state: hidden projects need theirs, too.
            wanted += [project.id for project in body.in_namespace[:_MOST_FILTERED]]
        self._feed.show(wanted)

    def ask_after_scrolling(self) -> None:
        """Ask now, and again once the rows in sight stay the same."""
        if self._scrolling is None:
            self.ask()
        else:
            self._scrolling.stop()
        self._scrolling = self._body.set_timer(_SCROLL_PAUSE, self._scrolled)

    def _scrolled(self) -> None:
        self._scrolling = None
        self._body.draw()
        self.ask()

    def watched_ids(self) -> frozenset[int]:
        """Return the ids of watched projects, of groups as far as their projects are loaded."""
        watched = self._body.host.controller(NamespaceWatch).watched
        before, now = self._watched, (watched, self._body.items)
        if before[0] != now[0] or before[1] is not now[1]:
            before = self._watched = (*now, watched_ids(*now))
        return before[2]
