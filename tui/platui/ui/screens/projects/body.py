"""Projects beside their namespaces, with the state of their last runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on

from platui.models.values.queries import ProjectsQuery
from platui.present.chrome import joined
from platui.present.counts import not_loaded, quoted
from platui.present.projects import (
    ALL_NAMESPACES,
    are_flat,
    in_namespace,
    projects_summary,
)
from platui.present.tables.project_rows import ProjectRows
from platui.present.tables.projects import PROJECTS
from platui.service import resources
from platui.ui.controller import Controller, command
from platui.ui.controllers.list_keys import (
    BrowseRow,
    CopyMenu,
    CopyRow,
    Details,
    FilterFailed,
    FilterRows,
    FocusDetails,
    LoadAll,
    PreviousPane,
    ReadRow,
    SearchPlatform,
    SortRows,
)
from platui.ui.controllers.run_keys import RunInProject, Unlock
from platui.ui.controllers.view_keys import VIEW_KEYS
from platui.ui.screens.parts.list_body import ListBody, filter_pieces
from platui.ui.screens.parts.view_screen import ViewScreen
from platui.ui.screens.projects.context import ProjectsContext
from platui.ui.screens.projects.namespaces import (
    NamespaceKeys,
    Namespaces,
    NamespaceWatch,
)
from platui.ui.screens.projects.states import ProjectStates
from platui.ui.widgets.table import Table

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.timer import Timer

    from platui.models.values.feeds import Feed, Listing, Snapshot
    from platui.models.values.routes import Route
    from platui.models.values.table import Row
    from platui.models.wire import Project

_DRAWN_EVERY = 0.12  # Seconds between two draws while a list loads


class SearchProjects(SearchPlatform):
    def can_search(self, words: str) -> bool:
        return bool(words) and "!" not in words and words != self.body.FAILED_FILTER

    def search_for(self, words: str) -> None:
        self.body.is_long = False
        if words:
            # The platform searches in all namespaces.
            self.body.namespaces.choose(ALL_NAMESPACES)
        super().search_for(words)

    def undo(self) -> bool:
        if super().undo():
            return True
        if not self.body.namespaces.chosen:
            return False
        self.body.namespaces.choose(ALL_NAMESPACES)
        return True


class NewProject(Controller["ProjectsBody"]):
    def __init__(self, screen: Any) -> None:
        super().__init__(screen)
        self._typed: dict[str, str] = {}

    @property
    def has_unsaved_input(self) -> bool:
        return bool(self._typed)

    @command("N", "write.new", "New project")
    def fill_in(self) -> None:
        """Create a project in your own namespace, after confirmation."""
        if not self.screen.can_write():
            return
        from platui.ui.dialogs.form import FormDialog  # noqa: PLC0415  (on first use)
        from platui.ui.dialogs.form_content import NewProjectContent  # noqa: PLC0415  (on first use)

        form = FormDialog(self.screen.service, NewProjectContent(), self._typed)
        self.screen.app.push_screen(form)


class ProjectsBody(ListBody):
    """Projects, watched ones first, beside the namespaces."""

    CONTEXT = ProjectsContext
    REQUIRED_WIDGETS = (*ListBody.REQUIRED_WIDGETS, "#namespaces")
    NOUN = "projects"
    COLUMNS = PROJECTS.layout
    DETAIL_CLASSES: ClassVar[tuple[str, ...]] = ("-vast",)
    items: tuple[Project, ...]

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.states = ProjectStates(self)
        self.namespaces = Namespaces(self)
        self._names_namespace = bool(self.route.group)  # Whether the route has a namespace
        self.is_long = False  # Whether it comes in pages: sorting would scatter the next page
        self._rows = ProjectRows()
        self._drawing: Timer | None = None
        self._drawn_at = -_DRAWN_EVERY

    def compose(self) -> ComposeResult:
        yield self.namespaces
        yield from super().compose()

    def visit(self, route: Route) -> None:
        another = route != self.route
        super().visit(route)
        is_named = bool(route.group) or self._names_namespace
        if another and route.group != self.namespaces.chosen and is_named:
            self.namespaces.choose(route.group)
        self._names_namespace = bool(route.group)

    def draw(self) -> None:
        super().draw()
        self.namespaces.draw()

    def filter_changed(self) -> None:
        super().filter_changed()
        self.states.ask()

    def focus_body(self) -> None:
        if self.has_class("-choosing"):
            self.host.set_focus(self.namespaces.table)  # the projects are hidden
        else:
            super().focus_body()

    def open_feed(self) -> Feed[Listing[Project]]:
        return self.service.watch(resources.projects.projects(ProjectsQuery(self.search)))

    def start_feeds(self) -> None:
        spaces = self.feeds.get("namespaces") or self.service.watch(resources.projects.namespaces())
        super().start_feeds()
        self.feeds.follow("namespaces", spaces, self.namespaces.take)
        self.states.follow()

    def take(self, item: Snapshot[Listing[Project]]) -> None:
        if item.value is not None:
            self.items = item.value.items
            self.is_long = self.is_long or not item.value.complete
            self.namespaces.set_flat(are_flat(self.items))
        self.take_listing(item)
        self._draw_soon()
        self.states.ask()

    def _draw_soon(self) -> None:
        if self._drawing is None:
            wait = self._drawn_at + _DRAWN_EVERY - self.service.clock.monotonic()
            if wait > 0:
                self._drawing = self.set_timer(wait, self._draw_now)
            else:
                self._draw_now()

    def _draw_now(self) -> None:
        self._drawing = None
        self.draw()
        # From the end of a draw: keys come first, however long it took.
        self._drawn_at = self.service.clock.monotonic()

    @on(Table.WindowChanged, "#table")
    def _window_changed(self, event: Table.WindowChanged) -> None:
        event.stop()
        self.states.ask_after_scrolling()

    @property
    def in_namespace(self) -> Sequence[Project]:
        if self.namespaces.chosen == ALL_NAMESPACES:
            return self.items
        return [item for item in self.items if in_namespace(item, self.namespaces.chosen)]

    def rows(self) -> Sequence[Row]:
        here, known, watched = self.in_namespace, self.states.pipelines, self.states.watched_ids()
        return self._rows.rows(here, known, watched, self.now, by_namespace=not self.is_long)

    def draw_summary(self) -> None:
        if not self.has_data():
            return
        if self.namespaces.summarize():
            return
        here, known = self.in_namespace, self.states.pipelines
        ids = {project.id for project in here}
        known = {number: item for number, item in known.items() if number in ids}
        total = self.listing.total if not self.namespaces.chosen else None
        by_status = self.table.filter_text == self.FAILED_FILTER
        pieces = projects_summary(len(here), total, known, by_status=by_status)
        missing = [(not_loaded(self.listing), "warning")] * (not self.listing.complete)
        # The projects of a namespace are a part of the list, as those of a filter are.
        filtered = filter_pieces(self) or missing * bool(self.namespaces.chosen)
        self.host.summarize(pieces, joined(filtered))

    def empty(self) -> tuple[str, str]:
        if self.search:
            text = f"None of your projects matches {quoted(self.search)}.\n\nesc  show all"
        elif self.namespaces.chosen:
            text = f"No projects in {self.namespaces.chosen}.\n\ntab  choose another namespace"
        else:
            text = self.host.keyed(
                "No projects yet.\n\n"
                "This token has no access to any; ask to be added to a project or group.\n\n"
                "{view.token}  change token      {view.refresh}  refresh"
            )
        return text, "muted"


class ProjectsScreen(ViewScreen):
    BODY = ProjectsBody
    CONTROLLERS = (
        SearchProjects, *VIEW_KEYS, CopyMenu, Details, FocusDetails, PreviousPane,
        FilterRows, FilterFailed, SortRows, LoadAll, ReadRow, BrowseRow, CopyRow,
        NamespaceWatch, Unlock, RunInProject, NewProject, NamespaceKeys,
    )  # fmt: skip
    DEFAULT_CSS = """
    ProjectsScreen.-wide Namespaces, ProjectsScreen.-vast Namespaces { display: block; }
    ProjectsScreen ProjectsBody.-flat Namespaces { display: none; }
    ProjectsScreen ProjectsBody.-choosing Namespaces {
        display: block; width: 1fr; border-right: none;
    }
    ProjectsScreen ProjectsBody.-choosing #table { display: none; }
    """
    FOOTER = (
        "table.open", "list.filter", "watch.toggle", "list.failed", "projects.namespaces",
        "list.search", "write.run", "list.sort", "write.new", "view.refresh", "app.command",
    )  # fmt: skip
