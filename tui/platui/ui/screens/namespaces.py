"""The namespaces beside the projects: a tree to choose from, or a list of their own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual import getters, on
from textual.containers import Vertical

from platui.core.text import clean
from platui.models.values.queries import RecordKind, RecordRef
from platui.models.values.triage_memory import Watchable
from platui.present.counts import counted
from platui.present.projects import ALL_NAMESPACES, project_label
from platui.present.tables.project_rows import (
    NAMESPACE_TREE,
    flat_namespace_rows,
    namespace_rows,
)
from platui.present.tables.projects import NAMESPACES
from platui.ui.controllers.watching import WatchProjects
from platui.ui.keys_in_use import bind
from platui.ui.messages import Told, WatchWanted
from platui.ui.screens.listing import ListScreen
from platui.ui.widgets.table import Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult
    from textual.timer import Timer

    from platui.models.values.feeds import Listing, Snapshot
    from platui.models.values.places import Place
    from platui.models.wire import Namespace
    from platui.ui.controller import Controller

_OF_PROJECTS: Final = frozenset({"browse", "copy", "copy_menu", "sort", "failed"})
_NOT_TOLD: Final = "What is in a namespace is not told here: watch its projects one by one."
_ALL: Final = "These are all namespaces: choose one of them, or :watch the projects you mean."


class NamespaceWatch(WatchProjects):
    """Projects are watched, or while one is among the namespaces, all of the one one is at."""

    def watch(self) -> None:
        """Watch the projects or the namespace, or no longer do so."""
        namespaces = self.screen.namespaces
        if not namespaces.has_focus:
            super().watch()
        elif self.screen.is_flat:
            self.screen.post_message(Told(_NOT_TOLD))
        elif namespaces.cursor_key:
            self.screen.post_message(WatchWanted(group=namespaces.cursor_key))
        else:
            self.screen.post_message(Told(_ALL))

    def why_not(self, command: str) -> str:
        """Return that there is no project."""
        return "" if self.screen.namespaces.has_focus else super().why_not(command)

    def watchable(self) -> Sequence[Watchable]:
        """Return the project under the cursor, or the marked ones."""
        return [self._watchable(key) for key in self.screen.chosen() if key.isdecimal()]

    def _watchable(self, key: str) -> Watchable:
        project = self.screen.item_at(key)
        if project is None:
            return Watchable(int(key), label=clean(self.screen.kept_name(key)))
        return Watchable(int(key), project.path_with_namespace, project_label(project))

    def changed(self) -> None:
        """Show the stars, and ask for the states of what is watched now."""
        super().changed()
        self.screen.watched_changed()


class ChoosesNamespace(ListScreen):
    """A list of projects, of which one sees those of the namespace under the cursor beside it."""

    PARTS = (*ListScreen.PARTS, "#namespaces")
    DEFAULT_CSS = """
    ChoosesNamespace #left { display: none; width: 28; border-right: vkey $panel; }
    ChoosesNamespace.-wide #left, ChoosesNamespace.-vast #left { display: block; }
    ChoosesNamespace.-flat #left { display: none; }
    ChoosesNamespace.-choosing #left { display: block; width: 1fr; border-right: none; }
    ChoosesNamespace.-choosing #table { display: none; }
    """
    CONTROLLERS: ClassVar[tuple[type[Controller[Any]], ...]] = (NamespaceWatch,)
    BINDINGS = [bind("tab,left", "projects.namespaces", "Namespaces", "Choose a namespace")]

    _passing: Timer | None = None  # Runs while the rows in sight have just changed
    namespaces = getters.query_one("#namespaces", Table)

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.spaces: tuple[Namespace, ...] = ()  # Those that are loaded
        self.namespace = ALL_NAMESPACES  # The path of the one whose projects are shown
        self._named = bool(self.place.group)  # Whether the place itself says which one
        self.is_flat = False  # Whether namespaces are a list: projects do not name theirs
        self._counted: tuple[object, object, object] = ((), (), ())
        """Namespaces, projects and watched groups that the tree was drawn from."""

    def left_pane(self) -> ComposeResult:
        """Yield the tree of namespaces."""
        with Vertical(id="left"):
            yield Table(NAMESPACE_TREE.layout, id="namespaces")

    def on_mount(self) -> None:
        """Look into the namespace that the place names."""
        self.namespace = self.place.group

    def visit(self, place: Place) -> None:
        """Show the projects of the namespace that a place names."""
        another = place != self.place
        super().visit(place)
        if another and place.group != self.namespace and (place.group or self._named):
            self.namespaces.move_to(place.group)
            self._look_into(place.group)
        self._named = bool(place.group)

    def place_now(self) -> Place:
        """Return this place with the namespace one looks into."""
        return replace(super().place_now(), group=self.namespace)

    def show_namespaces(self, snapshot: Snapshot[Listing[Namespace]]) -> None:
        """Take in the namespaces."""
        if snapshot.value is not None and snapshot.value.items != self.spaces:
            self.spaces = snapshot.value.items
            self._draw_namespaces()

    def lie_flat(self, flat: bool) -> None:  # noqa: FBT001  (its only argument)
        """Show a tree to choose from, or a list where projects don't tell their namespace."""
        if flat != self.is_flat and self.is_whole:
            self.is_flat = flat
            self.namespace = ALL_NAMESPACES
            self.set_class(flat, "-flat")
            self.namespaces.set_columns((NAMESPACES if flat else NAMESPACE_TREE).layout)

    def kept_name(self, key: str) -> str:
        """Return what a row calls its project."""
        row = next((row for row in self.table.shown_rows if row.key == key), None)
        return row.cells[1].text if row else key

    def watched_changed(self) -> None:
        """Show what is watched now."""
        self.draw()

    def draw(self) -> None:
        """Show projects and the counts of the namespaces."""
        super().draw()
        self._draw_namespaces()

    def _draw_namespaces(self) -> None:
        # They are told apart by identity, which is cheap.
        groups = self.controller(NamespaceWatch).watched.groups if self.has_data() else ()
        drawn, now = self._counted, (self.spaces, self.items, groups)
        same = drawn[0] is now[0] and drawn[1] is now[1] and drawn[2] == groups
        if self.is_whole and self.has_data() and not same and self._passing is None:
            self._counted = now
            rows = (
                flat_namespace_rows(self.spaces)
                if self.is_flat
                else namespace_rows(self.spaces, self.items, groups)
            )
            self.namespaces.show(rows)

    def summarizes_namespaces(self) -> bool:
        """Show how many there are where only they are seen; return whether that is so."""
        if not (self.is_flat and self.has_class("-choosing")):
            return False
        words = counted(len(self.spaces), "namespace")
        self.summarize([(words, "text"), ("what is in them is not told here", "muted")])
        return True

    def action_namespaces(self) -> None:
        """Go to the namespaces; on a narrow screen they take the whole width."""
        if self.namespaces.has_focus:
            self.leave_namespaces()
            return
        self.set_class(self.is_flat or self.has_class("-narrow"), "-choosing")
        self.namespaces.focus()
        self.draw_summary()

    def leave_namespaces(self) -> None:
        """Go back to the projects."""
        self.remove_class("-choosing")
        self.table.focus()
        self.draw_summary()

    def leave_namespace(self) -> bool:
        """Show the projects of all namespaces; return whether there were less."""
        if not self.namespace:
            return False
        self.namespaces.move_to(ALL_NAMESPACES)
        self._look_into(ALL_NAMESPACES)
        return True

    @on(Table.CursorMoved, "#namespaces")
    def _look_at(self, event: Table.CursorMoved) -> None:
        event.stop()
        if self.is_flat or event.key is None or not self.namespaces.has_focus:
            return
        if event.key != self.namespace:
            self._look_into(event.key)

    @on(Table.RowOpened, "#namespaces")
    def _choose(self, event: Table.RowOpened) -> None:
        event.stop()
        if self.is_flat:
            self.action_details()
            return
        self.namespace = event.key
        self.leave_namespaces()
        self._look_into(event.key)

    def _look_into(self, namespace: str) -> None:
        self.namespace = namespace
        self.draw()
        self.tell_header()

    def action_details(self) -> None:
        """Show everything known of the project, or of the namespace one is at."""
        space = self._space_at()
        if not self.namespaces.has_focus:
            super().action_details()
        if space is None:
            return
        from platui.present.details.projects import namespace_details  # noqa: PLC0415  (on first use)
        from platui.ui.dialogs.details import DetailsDialog  # noqa: PLC0415  (on first use)

        self.app.push_screen(DetailsDialog(lambda _: namespace_details(space)))

    def action_raw(self) -> None:
        """Show what the platform said of the project, or of the namespace one is at."""
        space = self._space_at()
        if not self.namespaces.has_focus:
            super().action_raw()
        elif space is not None:
            name = f"{space.full_path or space.path} · namespace {space.id}"
            self.show_raw(name, RecordRef(RecordKind.NAMESPACE, space.id))

    def _space_at(self) -> Namespace | None:
        key = self.namespaces.cursor_key if self.namespaces.has_focus else None
        if self.is_flat:
            return next((one for one in self.spaces if str(one.id) == key), None)
        return next((one for one in self.spaces if key in {one.full_path, one.path}), None)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey out what is about projects while one is among the namespaces."""
        if action in {"details", "raw"} and self.is_whole and self.namespaces.has_focus:
            return None if self._space_at() is None else True
        if action in _OF_PROJECTS and self.is_whole and self.namespaces.has_focus:
            # No key acts on a row that one is not at.
            return None
        return super().check_action(action, parameters)
