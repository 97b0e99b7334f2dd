"""Projects: namespaces on the left, projects on the right, and how each last run went."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from textual import on

from platui.core.text import clean
from platui.models.values.places import Place
from platui.models.values.queries import ProjectsQuery, RecordKind, RecordRef
from platui.models.values.triage_memory import NOTHING_WATCHED
from platui.present.chrome import Age, Freshness
from platui.present.projects import (
    ALL_NAMESPACES,
    are_flat,
    in_namespace,
    project_label,
    projects_summary,
)
from platui.present.tables.project_rows import ProjectRows
from platui.present.tables.projects import PROJECTS
from platui.present.triage.watching import watched_ids
from platui.service import resources
from platui.ui.controllers.running import NothingToRerun, RunPipeline, Unlock
from platui.ui.controllers.watching import WatchProjects
from platui.ui.keys_in_use import bind
from platui.ui.messages import GoTo, WriteWanted
from platui.ui.screens.namespaces import ChoosesNamespace
from platui.ui.screens.parts.followed import MAIN
from platui.ui.widgets.table import Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from textual.timer import Timer

    from platui.models.values.feeds import Feed, Listing, Snapshot
    from platui.models.values.table import Row
    from platui.models.values.triage_memory import Watched
    from platui.models.wire import Pipeline, Project
    from platui.present.details.layout import Details
    from platui.service.feeds.latest import Latest, LatestFeed

_PASSING = 0.15  # Seconds for which rows must stay in sight before their states are asked for
_DRAWN_EVERY = 0.12  # Seconds between drawing one page of a list that is being loaded and the next
_LOOKED_THROUGH = 200  # Projects whose state a filter may ask for: a third of a minute's quota.
_LOOKED_AFTER = 60  # Watched projects whose state is asked for although they are not in sight


class ProjectsScreen(ChoosesNamespace):
    """What is watched first; `enter` opens the pipelines of a project."""

    items: tuple[Project, ...]
    NOUN = "projects"
    COLUMNS = PROJECTS.layout
    DETAIL_CLASSES = ("-vast",)
    FOOTER = (
        "table.open", "list.filter", "watch.toggle", "list.failed", "projects.namespaces",
        "projects.search", "write.run", "list.sort", "write.new", "place.refresh", "app.command",
    )  # fmt: skip
    CONTROLLERS = (Unlock, RunPipeline, NothingToRerun)
    BINDINGS = [
        bind("s", "projects.search", "Search on", "Ask the platform for projects with these words"),
        bind("N", "write.new", "New project", "Create a project in your own namespace; asks first"),
    ]

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._latest: Mapping[int, Latest] = {}
        self._states: Mapping[int, Pipeline | None] = {}
        self._search = ""
        self._is_long = False
        """Whether the list comes in pages: it grows at its end then, in the platform's order.

        Sorted, its next page would be strewn over what one has already read.
        """
        self._latest_feed: LatestFeed[Any] | None = None
        self._rows = ProjectRows()
        self._starred: tuple[Watched, object, frozenset[int]] = (NOTHING_WATCHED, (), frozenset())
        """What is watched, of which projects, and their ids."""
        self._new_project: dict[str, str] = {}  # Unsaved input of a new project
        self._drawing: Timer | None = None  # Runs while what came is yet to be drawn
        self._drawn_at = -_DRAWN_EVERY

    def crumbs(self) -> tuple[str, ...]:
        """Return the name of the area, and the namespace one looks at."""
        return ("Projects", self.namespace) if self.namespace else ("Projects",)

    def open_feed(self) -> Feed[Listing[Project]]:
        """Return the feed of the list."""
        return self.service.watch(resources.projects.projects(ProjectsQuery(self._search)))

    def start_feeds(self) -> None:
        """Follow projects and namespaces, and the newest pipelines of what is visible."""
        spaces = self.feeds.get("namespaces") or self.service.watch(resources.projects.namespaces())
        self._latest_feed = self._latest_feed or self.service.watch(resources.projects.latest())
        super().start_feeds()
        self.feeds.follow("namespaces", spaces, self.show_namespaces)
        # What is newest is polled in turn, by the budget.
        self.feeds.follow("latest", self._latest_feed, self._show_latest, refreshes=False)
        self._wish()

    def _show(self, item: Snapshot[Listing[Project]]) -> None:
        if item.value is not None:
            self.items = item.value.items
            self._is_long = self._is_long or not item.value.complete
            self.lie_flat(are_flat(self.items))
        self.judge_listing(item)
        self._draw_soon()
        self._wish()

    def _draw_soon(self) -> None:
        """Draw now, but not again within a moment: pages come in bunches, and keys between them."""
        if self._drawing is None:
            wait = self._drawn_at + _DRAWN_EVERY - self.service.clock.monotonic()
            if wait > 0:
                self._drawing = self.set_timer(wait, self._draw_now)
            else:
                self._draw_now()

    def _draw_now(self) -> None:
        self._drawing = None
        self.draw()
        # Counted from the end: however long it took, keys come first now.
        self._drawn_at = self.service.clock.monotonic()

    def _show_latest(self, latest: Mapping[int, Latest]) -> None:
        self._latest = {**self._latest, **latest}
        self._states = {number: one.pipeline for number, one in self._latest.items()}
        if self._passing is None:
            self.draw()

    def _wish(self) -> None:
        """Ask for the newest pipelines of visible and watched projects only."""
        if self._latest_feed is None or not self.is_whole or self._passing is not None:
            return
        visible = [int(key) for key in self.table.visible_keys() if key.isdecimal()]
        wanted = [*visible, *sorted(self._watched_ids())[:_LOOKED_AFTER]]
        if self.is_filtered:
            # A filter may ask for a state: what is hidden for want of one is looked at too.
            wanted += [project.id for project in self._here[:_LOOKED_THROUGH]]
        self._latest_feed.show(list(dict.fromkeys(wanted)))

    @on(Table.WindowChanged, "#table")
    def _window_changed(self, event: Table.WindowChanged) -> None:
        event.stop()
        if self._passing is None:
            self._wish()
        else:
            self._passing.stop()
        self._passing = self.set_timer(_PASSING, self._rested)

    def _rested(self) -> None:
        self._passing = None
        self.draw()
        self._wish()

    def filter_typed(self, text: str) -> None:
        """Filter, and look at the projects whose state is not known yet."""
        super().filter_typed(text)
        self._wish()

    @property
    def _here(self) -> Sequence[Project]:
        if self.namespace == ALL_NAMESPACES:
            return self.items
        return [item for item in self.items if in_namespace(item, self.namespace)]

    def rows(self) -> Sequence[Row]:
        """Return the projects of the chosen namespace."""
        return self._rows.rows(
            self._here,
            self._states,
            self._watched_ids(),
            self.service.clock.now(),
            by_namespace=not self._is_long,
        )

    def _watched_ids(self) -> frozenset[int]:
        """Return the ids of what is watched, of groups as far as their projects are loaded."""
        before, now = self._starred, (self.controller(WatchProjects).watched, self.items)
        if before[0] != now[0] or before[1] is not now[1]:
            before = self._starred = (*now, watched_ids(*now))
        return before[2]

    def watched_changed(self) -> None:
        """Show the stars, and ask for the states of what is watched now."""
        super().watched_changed()
        self._wish()

    def draw_summary(self) -> None:
        """Show how many projects there are and how they do."""
        if not self.has_data():
            return
        if self.summarizes_namespaces():
            return
        here, known = self._here, self._states
        ids = {project.id for project in here}
        known = {number: item for number, item in known.items() if number in ids}
        total = self.listing.total if not self.namespace else None
        pieces = list(projects_summary(len(here), total, known))
        if self._search:
            pieces.append((f"found for “{self._search}”", "accent"))
        self.summarize([*pieces, *self.filter_pieces()])

    def empty_text(self) -> str:
        """Return why there may be nothing."""
        if self._search:
            return (
                f"The platform knows no project of yours with “{self._search}”.\n\nesc  shows all"
            )
        if self.namespace:
            return f"No projects in {self.namespace}.\n\ntab  choose another namespace"
        return self.keyed(
            "No projects yet.\n\n"
            "The token is a member of none; ask to be added to a project or group.\n\n"
            "{place.token}  give another token      {place.refresh}  look again"
        )

    def details_of(self, key: str, record: Project | None = None) -> Details | None:
        """Return what is known of a project."""
        project = record or self.item_at(key)
        if project is None:
            return None
        from platui.present.details import projects as present  # noqa: PLC0415  (not for a first frame)

        known, now = self._latest.get(project.id), self.service.clock.now()
        latest = known.pipeline if known else None
        space = present.project_namespace(project, self.spaces)
        return present.project_details(project, space, latest, now, utc=self.utc)

    def record_feed(self, key: str) -> Feed[Project] | None:
        """Return the feed of a project's own record: a neighbour that knows more than the list."""
        return self.service.watch(resources.projects.project(int(key)))

    def record_of(self, key: str) -> RecordRef | None:
        """Return the project of a row."""
        return RecordRef(RecordKind.PROJECT, int(key), search=self._search)

    def copies_of(self, key: str) -> Mapping[str, str]:
        """Return address, path and id."""
        project = self.item_at(key)
        if project is None:
            return {}
        return {"URL": project.web_url, "path": project.path_with_namespace, "id": key}

    def file_of(self, key: str) -> Place | None:
        """Return the project's pipeline file on its main branch, or where it ran last."""
        project = self.item_at(key)
        if project is None:
            return None
        latest = self._latest.get(project.id)
        ran = latest.pipeline.ref if latest and latest.pipeline else ""
        place = self._place(key)
        return replace(place, view="file", ref=project.default_branch or ran)

    def subject(self) -> Place | None:
        """Return the project under the cursor."""
        key = self.table.cursor_key
        return self._place(key) if key is not None else None

    def find_project(self, name: str) -> Place | None:
        """Return the pipelines of the one project of that name that is loaded."""
        found = [item for item in self.items if name in {item.path, item.name}]
        return self._place(str(found[0].id)) if len(found) == 1 else None

    def _place(self, key: str) -> Place:
        project = self.item_at(key)
        name = clean(project.path_with_namespace) or project_label(project) if project else ""
        return Place("pipelines", project=int(key), project_name=name or self.kept_name(key))

    def open_row(self, key: str) -> None:
        """Go to the project's pipelines."""
        self.post_message(GoTo(self._place(key)))

    def clear_one(self) -> bool:
        """Leave the namespaces, clear the filter or the marks, then search and namespace."""
        if self.namespaces.has_focus:
            self.leave_namespaces()
            return True
        if super().clear_one():
            return True
        if self._search:
            self._ask_platform("")
            return True
        return self.leave_namespace()

    def action_new(self) -> None:
        """Fill in a new project."""
        if self.service.writes == "off":
            self.post_message(WriteWanted(()))  # which says why not
            return
        from platui.ui.dialogs.form import FormDialog  # noqa: PLC0415  (on first use)
        from platui.ui.dialogs.new_project import NewProjectContent  # noqa: PLC0415  (on first use)

        self.app.push_screen(FormDialog(self.service, NewProjectContent(), self._new_project))

    def action_search(self) -> None:
        """Ask the platform for the words of the filter."""
        words = self.table.filter_text
        self.table.set_filter("")
        self._ask_platform(words)

    def _ask_platform(self, words: str) -> None:
        self._search = words
        self.feeds.stop()
        self.feeds.drop(MAIN)
        self.items = ()
        self._is_long = False
        self.age = Age(Freshness.NOTHING)
        self.start_feeds()
        self.draw()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey out searching on where the list is whole or nothing is filtered."""
        if action == "search":
            # Where the list is whole there is nothing that the platform knows beyond it.
            return self.is_filtered if not self.listing.complete else False
        return super().check_action(action, parameters)
