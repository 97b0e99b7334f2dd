"""Going places: a mode for each view, made at its first visit, and the trail behind one."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual import on
from textual.binding import Binding

from platui.models.values.places import KeptPlace, Place, View
from platui.present.times import zone_name
from platui.ui.calm_count import CalmCount
from platui.ui.command_app import CommandApp
from platui.ui.messages import GoTo, GoUp, PlaceLearned, PlaceMistaken
from platui.ui.trail import Trail, above
from platui.ui.zones import ShowsTimes

if TYPE_CHECKING:
    from textual.binding import BindingType
    from textual.screen import Screen

    from platui.config.settings import Settings
    from platui.service import PlatformService
    from platui.ui.screens.base import PlaceScreen
    from platui.ui.terminal import Terminal

# Only the screen of the first place is imported before the first frame, the others after it.
SCREENS = {
    View.TRIAGE: ("platui.ui.screens.triage", "TriageScreen"),
    View.PROJECTS: ("platui.ui.screens.projects", "ProjectsScreen"),
    View.PIPELINES: ("platui.ui.screens.pipelines", "PipelinesScreen"),
    View.JOBS: ("platui.ui.screens.jobs", "JobsScreen"),
    View.LOG: ("platui.ui.screens.log", "LogScreen"),
    View.COMPARE: ("platui.ui.screens.compare", "CompareScreen"),
    View.MANY: ("platui.ui.screens.many", "ManyScreen"),
    View.SEARCH: ("platui.ui.screens.pipeline_search", "PipelineSearchScreen"),
    View.SINCE: ("platui.ui.screens.broken_since", "SinceScreen"),
    View.FILE: ("platui.ui.screens.file", "FileScreen"),
    View.SCHEDULES: ("platui.ui.screens.schedules", "SchedulesScreen"),
    View.ACCESS: ("platui.ui.screens.access_people", "PeopleScreen"),
    View.GROUPS: ("platui.ui.screens.access_places", "PlacesScreen"),
    View.CHANGES: ("platui.ui.screens.access_changes", "ChangesScreen"),
    View.PERSON: ("platui.ui.screens.access_person", "PersonScreen"),
    View.MEMBERS: ("platui.ui.screens.access_members", "MembersScreen"),
    View.RUN: ("platui.ui.screens.run", "RunScreen"),
    View.REQUESTS: ("platui.ui.screens.requests", "RequestsScreen"),
}

_OF_LOGS = frozenset({View.LOG, View.COMPARE, View.MANY, View.SEARCH})
"""Views whose rows would be of no use to the next start: it begins on the jobs."""


def _began(
    service: PlatformService, settings: Settings, start: Place | None
) -> tuple[Trail, list[KeptPlace]]:
    """Return where to begin, what is behind that, and what is kept of both."""
    last = service.remembrance.kept_place()
    if start is None and settings.start == "triage":
        start = Place(View.TRIAGE)
    elif start is None:
        start = last.place if last is not None else Place()
    if start.view is not View.TRIAGE:
        return Trail(start), [last] if last is not None and last.place == start else []
    home = service.remembrance.kept_home()
    before = last if last is not None and last.place.view is not View.TRIAGE else None
    kept = [one for one in (home, before) if one is not None]
    return Trail(start, before.place if before is not None else None), kept


class NavigatorApp(CommandApp):
    """An app that is always at a place, and keeps that place for the next start."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "1",
            "area('triage')",
            "Triage",
            id="app.triage",
            show=False,
            tooltip="What is broken in all that is watched",
        ),
        Binding(
            "2",
            "area('projects')",
            "Projects",
            id="app.projects",
            show=False,
            tooltip="All projects",
        ),
        Binding(
            "3",
            "area('pipelines')",
            "Pipelines",
            id="app.pipelines",
            show=False,
            tooltip="Pipelines of this project",
        ),
        Binding(
            "4",
            "area('jobs')",
            "Jobs",
            id="app.jobs",
            show=False,
            tooltip="Jobs of this pipeline or project",
        ),
        Binding(
            "5",
            "area('schedules')",
            "Schedules",
            id="app.schedules",
            show=False,
            tooltip="Schedules of this project",
        ),
        Binding(
            "6",
            "area('access')",
            "Access",
            id="app.access",
            show=False,
            tooltip="The access report: who holds which level where",
        ),
        Binding(
            "left_square_bracket",
            "history(-1)",
            "Back in history",
            id="app.back",
            show=False,
            tooltip="To the view before",
        ),
        Binding(
            "right_square_bracket",
            "history(1)",
            "Forward in history",
            id="app.forward",
            show=False,
            tooltip="To the view that you came back from",
        ),
        Binding(
            "minus",
            "last",
            "Last view",
            id="app.last",
            show=False,
            tooltip="Swap with the view before this one",
        ),
        Binding(
            "u",
            "utc",
            "UTC or local",
            id="app.utc",
            show=False,
            tooltip="Show times in UTC, or in this machine's zone",
        ),
    ]

    def __init__(
        self,
        service: PlatformService,
        settings: Settings,
        terminal: Terminal,
        *,
        start: Place | None = None,
        words: str = "",
    ) -> None:
        self._start_words = words
        """What the first view is filtered by; empty: by nothing."""
        self.trail, kept = _began(service, settings, start)
        self._kept = {one.place.view: one for one in kept}
        """What the next screen of a view paints first."""
        self.DEFAULT_MODE = self.trail.here.view.value  # type: ignore[misc]  # of this start
        self._subject = self.trail.here
        self._made: dict[View, PlaceScreen] = {}
        self._gauge_count = CalmCount()
        """One for all screens: they show one budget, and the number on the gauge is one."""
        # An explicit wish goes before what was chosen last time.
        self.utc = settings.utc or service.remembrance.shows_utc()
        super().__init__(service, settings, terminal)
        for view in View:
            self.add_mode(view.value, partial(self._make_screen, view))

    def _make_screen(self, view: View) -> Screen[Any]:
        module, name = SCREENS[view]
        maker = cast("type[PlaceScreen]", getattr(import_module(module), name))
        kept = self._kept.pop(view, None)
        screen = maker(self.service, self.settings, self.trail.here, kept)
        screen.utc, screen.gauge_count = self.utc, self._gauge_count
        # Known before the first layout, or everything would be laid out and painted twice.
        screen.fit(self.size.width)
        self._made[view] = screen
        # A new screen is styled as it is mounted: Textual need not parse every sheet again.
        screen._css_update_count = self._css_update_count  # noqa: SLF001
        return screen

    async def import_screens(self) -> None:
        """Import the screens of all places, in a thread: in the loop a first visit would wait."""
        for module, _ in SCREENS.values():
            await asyncio.to_thread(import_module, module)

    def exit(self, *arguments: Any, **options: Any) -> None:
        """Keep the place with its rows for the next first frame, then leave."""
        self._keep_place()
        super().exit(*arguments, **options)

    def _keep_place(self) -> None:
        if self.place_screen() is None:
            return
        triage, here = self._made.get(View.TRIAGE), self.trail.here
        home = triage.keep() if triage is not None else None
        if home is not None:
            self.service.remembrance.keep_home(home)
        last: Place | None = here
        if here.view is View.TRIAGE and self.settings.start == "triage":
            # The next start is there anyway: `-` leads to where one was before.
            last = self.trail.before
        kept = self._kept_of(last) if last is not None else None
        if kept is not None:
            self.service.remembrance.keep_place(kept)

    def _kept_of(self, place: Place) -> KeptPlace | None:
        """Return a place with its rows; of a log the jobs, of a file or form the list above."""
        if place.view in _OF_LOGS:
            return self._jobs_around(place)
        if place.view in {View.FILE, View.RUN}:
            up = (self.trail.way_up() if place == self.trail.here else above(place)) or Place()
            return self._kept_of(up) or self._bare(up)
        screen = self._made.get(place.view)
        if screen is None or screen.place != place:
            return self._bare(place)
        return screen.keep()

    def _bare(self, place: Place) -> KeptPlace:
        return KeptPlace(place, saved_at=self.service.clock.now().timestamp())

    def _jobs_around(self, log: Place) -> KeptPlace:
        """Return the jobs that a log belongs to, with the cursor on its own: a log has no rows."""
        place = Place(View.JOBS, log.project, log.project_name, log.pipeline, log.job, log.job_name)
        jobs = self._made.get(View.JOBS)
        kept = jobs.keep() if jobs is not None else None
        if kept is not None and kept.place.pipeline == place.pipeline:
            return replace(kept, place=place, cursor=str(place.job))
        return KeptPlace(place, saved_at=self.service.clock.now().timestamp())

    def after_first_frame(self) -> None:
        """Filter by what the command line says."""
        self.search_here(self._start_words)

    def known_project(self, name: str) -> Place | None:
        """Return the one project of that name among those seen; None where it is not clear."""
        projects = self._made.get(View.PROJECTS)
        return projects.find_project(name) if projects is not None else None

    def show_times(self, *, utc: bool) -> None:
        """Show every time in UTC, or in this machine's zone; remembered for the next start."""
        self.utc = utc
        self.service.remembrance.show_utc(utc)
        # Dialogs last: what they show is described by the views beneath.
        for screen in (*self._made.values(), *self.screen_stack):
            if isinstance(screen, ShowsTimes):
                screen.show_times(utc=utc)
        zone = "UTC" if utc else f"local ({zone_name(self.service.clock.now(), utc=False)})"
        self.hint(f"Times are {zone} now.")

    def action_utc(self) -> None:
        """Change between UTC and this machine's zone."""
        self.show_times(utc=not self.utc)

    def look_again(self) -> None:
        """Fetch again what is on the screen."""
        screen = self.place_screen()
        if screen is not None:
            screen.action_refresh()

    # going places

    def go(self, place: Place) -> None:
        """Open a place and remember it."""
        self.trail.go(place)
        self._show_here()

    def _show_here(self) -> None:
        place = self.trail.here
        while len(self.screen_stack) > 1:
            self.pop_screen()
        if place.project is not None:
            self._subject = place
        self.switch_mode(place.view.value)
        screen = self.place_screen()
        if screen is not None:
            screen.visit(place)

    @on(GoTo)
    def _go_to(self, message: GoTo) -> None:
        message.stop()
        self.go(message.place)
        self.search_here(message.words)

    def open_place(self, place: Place, words: str) -> None:
        """Open a place that was typed whole, and filter it by words."""
        self.go(place)
        self.search_here(words)

    def search_here(self, words: str) -> None:
        """Search the view of now by words that were not typed in it; empty: leave it as it is."""
        screen = self.place_screen()
        if words and screen is not None:
            self.call_after_refresh(screen.filter_entered, words)

    @on(PlaceLearned)
    def _place_learned(self, message: PlaceLearned) -> None:
        message.stop()
        self.trail.learn(message.place)
        self._subject = message.place

    @on(PlaceMistaken)
    def _place_mistaken(self, message: PlaceMistaken) -> None:
        message.stop()
        if self.trail.here == message.place:
            self.trail.learn(message.meant)
            self._subject = message.meant
            self._show_here()
            self.search_here(message.words)

    @on(GoUp)
    def _go_up(self, message: GoUp) -> None:
        message.stop()
        if self.trail.up() is not None:
            self._show_here()
        elif message.quits:
            self.leave()

    @property
    def has_unsent(self) -> bool:
        """Return whether any form is filled in by the user, and not sent."""
        return any(screen.has_unsent for screen in self._made.values())

    def action_area(self, name: str) -> None:
        """Open an area on what is in focus."""
        view = View(name)
        screen = self.place_screen()
        subject = (screen.subject() if screen else None) or self._subject
        if view in {View.TRIAGE, View.PROJECTS, View.ACCESS}:
            self.go(Place(view))
        elif subject.project is None:
            self.hint("Choose a project first: put the cursor on it.")
        else:
            pipeline = subject.pipeline if view is View.JOBS else None
            self.go(Place(view, subject.project, subject.project_name, pipeline))

    def action_history(self, step: int) -> None:
        """Go back or forward in history."""
        if (self.trail.back() if step < 0 else self.trail.forward()) is not None:
            self._show_here()

    def action_last(self) -> None:
        """Swap with the view before this one."""
        if self.trail.last() is not None:
            self._show_here()
