"""The namespaces beside the projects: a tree, or a list of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from textual import getters, on
from textual.containers import Vertical

from platui.core.text import clean
from platui.models.values.stored_triage import Watchable
from platui.present.counts import counted
from platui.present.projects import ALL_NAMESPACES, project_label
from platui.present.tables.project_rows import NAMESPACE_TREE, flat_namespace_rows, namespace_rows
from platui.present.tables.projects import NAMESPACES
from platui.ui.controller import Controller, command
from platui.ui.controllers.watch_keys import WatchProjects
from platui.ui.messages import ToggleWatch
from platui.ui.widgets.table import Table

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from platui.models.values.feeds import Listing, Snapshot
    from platui.models.wire import Namespace
    from platui.ui.screens.projects.body import ProjectsBody

_NO_PROJECT_NAMES: Final = (
    "This platform does not list projects by namespace: watch projects one by one."
)
_ALL: Final = "Select a single namespace, or choose projects with :watch."


class Namespaces(Vertical):
    """The namespaces: beside the projects where there is room, else instead of them."""

    DEFAULT_CSS = """
    Namespaces { display: none; width: 28; border-right: vkey $panel; }
    """

    table = getters.query_one("#namespaces", Table)

    def __init__(self, body: ProjectsBody) -> None:
        super().__init__(id="left")
        self._body = body
        self.spaces: tuple[Namespace, ...] = ()
        self.chosen = body.route.group  # Path of the shown namespace
        self.is_flat = False  # Whether projects do not name their namespace
        self._drawn: tuple[object, object, object] = ((), (), ())  # Inputs of the tree

    def compose(self) -> ComposeResult:
        yield Table(NAMESPACE_TREE.layout, id="namespaces")

    @property
    def has_keys(self) -> bool:
        return self._body.is_whole and self.table.has_focus

    def take(self, snapshot: Snapshot[Listing[Namespace]]) -> None:
        if snapshot.value is not None and snapshot.value.items != self.spaces:
            self.spaces = snapshot.value.items
            self.draw()

    def set_flat(self, flat: bool) -> None:  # noqa: FBT001  (its only argument)
        """Show a list instead of a tree if projects do not name their namespace."""
        if flat != self.is_flat and self._body.is_whole:
            self.is_flat = flat
            self.chosen = ALL_NAMESPACES
            self._body.set_class(flat, "-flat")
            self.table.set_columns((NAMESPACES if flat else NAMESPACE_TREE).layout)

    def draw(self) -> None:
        body = self._body
        if not (body.is_whole and body.has_data()) or body.states.is_scrolling:
            return
        groups = body.host.controller(NamespaceWatch).watched.groups
        # Comparing identities is cheap.
        drawn, now = self._drawn, (self.spaces, body.items, groups)
        if drawn[0] is now[0] and drawn[1] is now[1] and drawn[2] == groups:
            return
        self._drawn = now
        if self.is_flat:
            self.table.show(flat_namespace_rows(self.spaces))
        else:
            self.table.show(namespace_rows(self.spaces, body.items, groups))
            if self.table.cursor_key != self.chosen and not self.table.has_focus:
                self.table.move_to(self.chosen)

    def summarize(self) -> bool:
        """Show their number if only they are visible; return whether that is so."""
        if not (self.is_flat and self._body.has_class("-choosing")):
            return False
        count = (counted(len(self.spaces), "namespace"), "text")
        self._body.host.summarize([count, ("their projects are not listed here", "muted")])
        return True

    def enter(self) -> None:
        """Focus the namespaces; on a narrow screen they take the whole width."""
        alone = self.is_flat or self._body.host.has_class("-narrow")
        self._body.set_class(alone, "-choosing")
        self.table.focus()
        self._body.draw_summary()

    def leave(self) -> None:
        self._body.remove_class("-choosing")
        self._body.table.focus()
        self._body.draw_summary()

    def choose(self, namespace: str) -> None:
        self.table.move_to(namespace)
        self._choose_and_draw(namespace)

    def _choose_and_draw(self, namespace: str) -> None:
        self.chosen = namespace
        self._body.draw()
        self._body.host.update_header()

    def at_cursor(self) -> Namespace | None:
        key = self.table.cursor_key if self.has_keys else None
        if self.is_flat:
            return next((one for one in self.spaces if str(one.id) == key), None)
        return next((one for one in self.spaces if key in {one.full_path, one.path}), None)

    @on(Table.CursorMoved, "#namespaces")
    def _cursor_moved(self, event: Table.CursorMoved) -> None:
        event.stop()
        if self.is_flat or event.key is None or not self.table.has_focus:
            return
        if event.key != self.chosen:
            self._choose_and_draw(event.key)

    @on(Table.RowOpened, "#namespaces")
    def _choose(self, event: Table.RowOpened) -> None:
        event.stop()
        if self.is_flat:
            self._body.context.show_details()
            return
        self.chosen = event.key
        self.leave()
        self._choose_and_draw(event.key)


class NamespaceKeys(Controller["ProjectsBody"]):
    @command("tab,left", "projects.namespaces", "Namespaces")
    def change_side(self) -> None:
        """Choose a namespace."""
        if self.body.namespaces.has_keys:
            self.body.namespaces.leave()
        else:
            self.body.namespaces.enter()

    def undo(self) -> bool:
        if not self.body.namespaces.has_keys:
            return False
        self.body.namespaces.leave()
        return True


class NamespaceWatch(WatchProjects):
    def watch(self) -> None:
        namespaces = self.body.namespaces
        if not namespaces.has_keys:
            super().watch()
        elif namespaces.is_flat:
            self.screen.show_hint(_NO_PROJECT_NAMES)
        elif namespaces.table.cursor_key:
            self.screen.post_message(ToggleWatch(group=namespaces.table.cursor_key))
        else:
            self.screen.show_hint(_ALL)

    def disabled_reason(self, command: str) -> str:
        return "" if self.body.namespaces.has_keys else super().disabled_reason(command)

    def watchable(self) -> Sequence[Watchable]:
        return [self._watchable(key) for key in self.body.context.chosen() if key.isdecimal()]

    def _watchable(self, key: str) -> Watchable:
        project = self.body.context.item(key)
        if project is None:
            return Watchable(int(key), label=clean(self.body.context.saved_name(key)))
        return Watchable(int(key), project.path_with_namespace, project_label(project))

    def changed(self) -> None:
        super().changed()
        self.body.draw()
        self.body.states.ask()
