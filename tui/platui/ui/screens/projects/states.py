"""Newest pipelines of visible and watched projects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from platui.models.values.stored_triage import NOTHING_WATCHED, WatchSelection
from platui.present.triage.watching import watched_ids
from platui.service import resources
from platui.ui.screens.projects.namespaces import NamespaceWatch

if TYPE_CHECKING:
    from textual.timer import Timer

    from platui.models.wire import Pipeline
    from platui.service.feeds.latest_pipelines import Latest, LatestFeed
    from platui.ui.screens.projects.body import ProjectsBody

_SCROLL_PAUSE: Final = 0.15  # Seconds without scrolling before states are fetched
_MOST_FILTERED: Final = 200  # Hidden projects fetched for a filter: a third of a minute's quota
_MOST_WATCHED: Final = 60  # Watched projects fetched though hidden


class ProjectStates:
    def __init__(self, body: ProjectsBody) -> None:
        self._body = body
        self.latest: Mapping[int, Latest] = {}  # By project id
        self.pipelines: Mapping[int, Pipeline | None] = {}  # By project id, without refused ones
        self._feed: LatestFeed[Any] | None = None
        self._scrolling: Timer | None = None  # Runs after each scroll
        # Watch list, projects, watched ids
        self._watched: tuple[WatchSelection, object, frozenset[int]]
        self._watched = NOTHING_WATCHED, (), frozenset()

    @property
    def is_scrolling(self) -> bool:
        return self._scrolling is not None

    def follow(self) -> None:
        """Follow the visible projects; polled in turn within the budget."""
        body = self._body
        self._feed = self._feed or body.service.watch(resources.projects.latest())
        body.feeds.follow("latest", self._feed, self._take, refreshes=False)
        self.ask()

    def _take(self, latest: Mapping[int, Latest]) -> None:
        self.latest = latest
        self.pipelines = {
            number: one.pipeline for number, one in self.latest.items() if not one.refused
        }
        if not self.is_scrolling:
            self._body.draw()

    def ask(self) -> None:
        body = self._body
        if self._feed is None or not body.is_whole or self.is_scrolling:
            return
        visible = [int(key) for key in body.table.visible_keys() if key.isdecimal()]
        wanted = [*visible, *sorted(self.watched_ids())[:_MOST_WATCHED]]
        if body.table.filter_text:
            # A filter may match a state: hidden projects need theirs.
            wanted += [project.id for project in body.in_namespace[:_MOST_FILTERED]]
        self._feed.show(wanted)

    def ask_after_scrolling(self) -> None:
        """Ask at once, and again when scrolling stops."""
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
        watched = self._body.host.controller(NamespaceWatch).watched
        before, now = self._watched, (watched, self._body.items)
        if before[0] != now[0] or before[1] is not now[1]:
            before = self._watched = (*now, watched_ids(*now))
        return before[2]
