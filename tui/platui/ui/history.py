"""History of visited routes, and the routes saved for the next start."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from platui.models.values.routes import Route, SavedView
from platui.ui import views

if TYPE_CHECKING:
    from platui.config.settings import Settings
    from platui.service import PlatformService
    from platui.ui.screens.parts.view_screen import ViewScreen

_LONGEST: Final = 100
_DETOUR_DEPTH: Final = 0.4  # Levels below the parent of a view that returns to the previous one
_READ: Final = frozenset({"log", "compare", "many", "file", "requests"})
"""Views in which another is opened to look something up."""


def depth(name: str) -> float:
    view = views.get(name)
    if view.depth is not None:
        return view.depth
    if not view.parent:
        return 0
    return depth(view.parent) + (_DETOUR_DEPTH if view.returns_to_previous else 1)


def above(route: Route) -> Route | None:
    """Return the route of the parent view; None at the top."""
    view = views.get(route.view)
    name = (route.pipeline is None and view.parent_of_project) or view.parent
    if not name:
        return None
    parent = views.get(name)
    kept = {
        field: getattr(route, field) for field in (*parent.required_fields, *parent.optional_fields)
    }
    for field in ("project", "job"):
        if field in kept:
            kept[f"{field}_name"] = getattr(route, f"{field}_name")
    return Route(name, **kept)


class History:
    """The visited routes, as in a browser; at most 100."""

    def __init__(self, start: Route, before: Route | None = None) -> None:
        self._routes = [start] if before is None else [before, start]
        self._here = len(self._routes) - 1
        self._visited = dict.fromkeys(self._routes)

    @property
    def current(self) -> Route:
        return self._routes[self._here]

    @property
    def visited(self) -> list[Route]:
        """Return the visited routes, newest first, also those that were dropped."""
        return [*reversed(self._visited)]

    def _visit(self, route: Route) -> None:
        self._visited.pop(route, None)
        self._visited[route] = None

    @property
    def before(self) -> Route | None:
        return self._routes[self._here - 1] if self._here else None

    def go(self, route: Route) -> None:
        """Add a route, and drop those ahead."""
        self._visit(route)
        if route == self.current:
            return
        self._routes = [*self._routes[: self._here + 1], route][-_LONGEST:]
        self._here = len(self._routes) - 1

    def learn(self, route: Route) -> None:
        """Replace the current route by a more complete one."""
        self._visited.pop(self.current, None)
        self._visit(route)
        self._routes[self._here] = route

    def parent_route(self, *, quits: bool = False) -> Route | None:
        """Return the target of `esc`: the previous route if shallower or read, else the parent.

        With `quits`, of `q`, which leaves at the top and from a read view that was opened first.
        """
        here, at = self.current, self._before()
        if at is None:
            return None if quits and here.view in _READ else above(here)
        before = self._routes[at]
        is_shallower = depth(before.view) < depth(here.view)
        was_read = before.view in _READ and depth(before.view) > depth(here.view)
        if was_read and quits and above(here) is None:
            return None
        returns = is_shallower or was_read or views.get(here.view).returns_to_previous
        return before if returns else above(here)

    def _before(self) -> int | None:
        at, group = self._here - 1, views.get(self.current.view).tab_group
        while group and at >= 0 and views.get(self._routes[at].view).tab_group == group:
            at -= 1
        return at if at >= 0 else None

    def up(self, *, quits: bool = False) -> Route | None:
        route, at = self.parent_route(quits=quits), self._before()
        if at is not None and self._routes[at] == route:
            self._here = at
        elif route is not None:
            self._routes[self._here] = route
        return route

    def step(self, by: int) -> Route | None:
        """Go back (-1) or forward (1), and return the route there; None at the end."""
        if not 0 <= self._here + by < len(self._routes):
            return None
        self._here += by
        return self.current

    def last(self) -> Route | None:
        """Swap with the previous route."""
        if (before := self.before) is None:
            return None
        self._routes[self._here - 1 : self._here + 1] = [self.current, before]
        return before


class LastViews:
    """The last route and the home screen, loaded at the start and saved at exit."""

    def __init__(self, service: PlatformService, settings: Settings) -> None:
        self._service = service
        self._starts_on_triage = settings.start == "triage"
        self.places: dict[str, SavedView] = {}  # View -> rows to paint before the first answer

    def open(self, start: Route | None) -> History:
        """Load the saved routes and return the history; `start=None`: start as configured."""
        last = self._service.local_state.saved_route()
        if last is not None and views.find(last.route.view) is None:
            last = None  # of another version
        if start is None and self._starts_on_triage:
            start = Route("triage")
        elif start is None:
            start = last.route if last is not None else Route()
        if start.view != "triage":
            self._add(last if last is not None and last.route == start else None)
            return History(start)
        before = last if last is not None and last.route.view != "triage" else None
        self._add(self._service.local_state.saved_home(), before)
        return History(start, before.route if before is not None else None)

    def opens_next(self, history: History) -> str:
        """Return the view that the next start opens; empty: not the view that is open now."""
        here = history.current.view
        if self._starts_on_triage:
            return "triage"
        return here if views.get(here).saved_as == "itself" else ""

    def _add(self, *kept: SavedView | None) -> None:
        self.places |= {one.route.view: one for one in kept if one is not None}

    def save(self, history: History, screens: Mapping[str, ViewScreen]) -> None:
        self._service.local_state.add_visited(history.visited)
        triage, here = screens.get("triage"), history.current
        home = triage.body.context.saved_state() if triage is not None else None
        if home is not None:
            self._service.local_state.save_home(home)
        last: Route | None = here
        if here.view == "triage" and self._starts_on_triage:
            # The next start opens the triage board, with this route one step back.
            last = history.before
        up = history.parent_route() if last == here else None
        kept = self._kept_of(last, up, screens) if last is not None else None
        if kept is not None:
            self._service.local_state.save_route(kept)

    def _kept_of(
        self, route: Route, up: Route | None, screens: Mapping[str, ViewScreen]
    ) -> SavedView | None:
        saved_as = views.get(route.view).saved_as
        if saved_as == "jobs":
            return self._jobs_around(route, screens.get("jobs"))
        if saved_as == "above":
            up = up or above(route) or Route()
            return self._kept_of(up, None, screens) or self._bare(up)
        screen = screens.get(route.view)
        if screen is None or screen.body.route != route:
            return self._bare(route)
        return screen.body.context.saved_state()

    def _jobs_around(self, log: Route, jobs: ViewScreen | None) -> SavedView:
        route = Route("jobs", log.project, log.project_name, log.pipeline, log.job, log.job_name)
        kept = jobs.body.context.saved_state() if jobs is not None else None
        if kept is not None and kept.route.pipeline == route.pipeline:
            return replace(kept, route=route, cursor=str(route.job))
        return self._bare(route)

    def _bare(self, route: Route) -> SavedView:
        return SavedView(route, saved_at=self._service.clock.now().timestamp())
