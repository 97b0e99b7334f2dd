"""Navigation: the history, and a mode per view, created on its first visit."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from platui.models.values.routes import Route
from platui.ui import views
from platui.ui.controller import AppController, command, handles, run_binding
from platui.ui.history import LastViews
from platui.ui.messages import GoTo, GoUp, RouteCompleted, RouteCorrected
from platui.ui.pace import QuotaGauge
from platui.ui.screens.parts.body import TakesCommand
from platui.ui.view import View, load

if TYPE_CHECKING:
    from textual.screen import Screen

    from platui.ui.app import PlatuiApp
    from platui.ui.screens.parts.view_screen import ViewScreen


class Navigation(AppController):
    _app: PlatuiApp

    def __init__(self, app: PlatuiApp) -> None:
        super().__init__(app)
        self._kept = LastViews(app.service, app.settings)
        self.history = self._kept.open(app.start)
        self.subject = self.history.current
        self.made: dict[str, ViewScreen] = {}
        self._gauge = QuotaGauge()  # Shared by all screens
        app.DEFAULT_MODE = self.history.current.view  # type: ignore[misc]

    def add_modes(self) -> None:
        for view in views.all_views():
            self._app.add_mode(view.id, partial(self._make_screen, view))

    @classmethod
    def update_view_commands(cls) -> None:
        own = {id_: one for id_, one in cls.COMMANDS.items() if one[1] != "open_view"}
        of_views = (
            run_binding(view.key, f"app.{view.id}", view.short_title, view.summary)
            for view in views.all_views()
            if view.key
        )
        cls.COMMANDS = {one.id or "": (one, "open_view") for one in of_views} | own

    def _make_screen(self, view: View) -> Screen[Any]:
        app = self._app
        kept = self._kept.places.pop(view.id, None)
        make: Callable[..., ViewScreen] = load(view.screen)
        screen = make(app.service, app.settings, self.history.current, kept)
        screen.body.utc, screen.header_line.gauge = app.times.utc, self._gauge
        # Before the first layout, to lay out and paint only once.
        screen.fit(app.size.width)
        self.made[view.id] = screen
        screen.spare_styles(app)
        return screen

    @property
    def opens_next(self) -> ViewScreen | None:
        """Return the screen that the next start opens; None: not visited, or it opens another."""
        return self.made.get(self._kept.opens_next(self.history))

    def keep(self) -> None:
        if self._app.view_screen() is not None:
            # A signal may come before all widgets exist.
            whole = {view: screen for view, screen in self.made.items() if screen.is_whole}
            self._kept.save(self.history, whole)

    def resource_here(self) -> Route | None:
        screen = self._app.view_screen()
        return screen.body.context.resource() if screen is not None else None

    def go(self, route: Route, words: str = "") -> None:
        """Open a route; words filter its view."""
        self.history.go(route)
        self._show_here(words)
        screen = self._app.view_screen()
        if screen is not None and isinstance(screen.body.context, TakesCommand):
            screen.body.context.aim(route)

    def _show_here(self, words: str = "") -> None:
        app, route = self._app, self.history.current
        app.drop_hint()
        while len(app.screen_stack) > 1:
            app.pop_screen()
        if route.project is not None:
            self.subject = route
        app.switch_mode(route.view)
        screen = app.view_screen()
        if screen is not None:
            screen.body.visit(route)
        app.write_keys.screen_changed()  # also for another resource in the same view
        self.search_here(words)

    @handles(GoTo)
    def _go_to(self, request: GoTo) -> None:
        self.go(request.route, request.words)

    def search_here(self, words: str) -> None:
        """Filter the current view; do nothing without words."""
        screen = self._app.view_screen()
        if words and screen is not None:
            # Before the keys that are typed next, and before the first frame of a new screen.
            screen.call_later(screen.body.context.filter_by, words)

    @handles(RouteCompleted)
    def _learn(self, request: RouteCompleted) -> None:
        # Meanwhile another view may have been opened.
        if self.history.current == request.before:
            self.history.learn(request.route)
            self.subject = request.route

    @handles(RouteCorrected)
    def _correct(self, request: RouteCorrected) -> None:
        if self.history.current == request.route:
            self.history.learn(request.meant)
            self.subject = request.meant
            self._show_here(request.words)

    @handles(GoUp)
    def _go_up(self, request: GoUp) -> None:
        if not request.quits and self._app.while_away.dismiss():
            return
        if self.history.up(quits=request.quits) is not None:
            self._show_here()
        elif request.quits:
            self._app.leave()

    async def run(self, command: str) -> None:
        if self.COMMANDS[command][1] == "open_view":
            self.open_view(views.get(command.partition(".")[2]))
        else:
            await super().run(command)

    def open_view(self, view: View) -> None:
        subject = self.resource_here() or self.subject
        if not view.is_of_project:
            self.go(Route(view.id))
        elif subject.project is None:
            self._app.hint("Select a project first.")
        else:
            pipeline = subject.pipeline if "pipeline" in view.optional_fields else None
            self.go(Route(view.id, subject.project, subject.project_name, pipeline))

    @command("left_square_bracket", "app.history_back", "Back in history")
    def go_back(self) -> None:
        """Go to the previous view in the history."""
        if self.history.step(-1) is not None:
            self._show_here()

    @command("right_square_bracket", "app.history_forward", "Forward in history")
    def go_forward(self) -> None:
        """Go to the next view in the history."""
        if self.history.step(1) is not None:
            self._show_here()

    @command("minus", "app.last", "Last view")
    def swap(self) -> None:
        """Switch to the previous view and back."""
        if self.history.last() is not None:
            self._show_here()


Navigation.update_view_commands()
