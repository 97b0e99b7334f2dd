"""What the keys of the projects act on: a project, or a namespace."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from platui.core.text import clean
from platui.models.values.queries import RecordKind, RecordRef
from platui.models.values.routes import Route
from platui.present.projects import project_label
from platui.service import resources
from platui.ui.screens.parts.list_context import ListContext

if TYPE_CHECKING:
    from platui.models.values.feeds import Feed
    from platui.models.wire import Project
    from platui.present.details.layout import Details
    from platui.ui.screens.projects.body import ProjectsBody

_AMONG_NAMESPACES: Final = "The namespaces have the focus: press tab for the projects."


class ProjectsContext(ListContext[Any]):
    body: ProjectsBody
    COPIES = {"URL": "web_url", "path": "path_with_namespace", "id": "id"}

    def unfocused_reason(self) -> str:
        return _AMONG_NAMESPACES if self.body.namespaces.has_keys else ""

    def missing_row_reason(self, no_row: str) -> str:
        namespaces = self.body.namespaces
        if not namespaces.has_keys:
            return super().missing_row_reason(no_row)
        return "" if namespaces.at_cursor() is not None else "Select a namespace first."

    def show_details(self) -> None:
        space = self.body.namespaces.at_cursor()
        if not self.body.namespaces.has_keys:
            super().show_details()
        if space is None:
            return
        from platui.present.details.projects import namespace_details  # noqa: PLC0415  (on first use)
        from platui.ui.dialogs.details import DetailsDialog  # noqa: PLC0415  (on first use)

        self.body.app.push_screen(DetailsDialog(lambda _: namespace_details(space)))

    def raw(self) -> tuple[str, RecordRef] | None:
        space = self.body.namespaces.at_cursor()
        if not self.body.namespaces.has_keys:
            return super().raw()
        if space is None:
            return None
        name = f"{space.full_path or space.path} · namespace {space.id}"
        return name, RecordRef(RecordKind.NAMESPACE, space.id)

    def current_route(self) -> Route:
        return replace(super().current_route(), group=self.body.namespaces.chosen)

    def saved_name(self, key: str) -> str:
        row = next((row for row in self.body.table.shown_rows if row.key == key), None)
        return row.cells[1].text if row else key

    def crumbs(self) -> tuple[str, ...]:
        chosen = self.body.namespaces.chosen
        return ("Projects", chosen) if chosen else ("Projects",)

    def resource(self) -> Route | None:
        key = self.body.table.cursor_key
        return self._route(key) if key is not None else None

    def open(self, key: str) -> None:
        self.body.host.go_to(self._route(key))

    def _route(self, key: str) -> Route:
        project = self.item(key)
        name = clean(project.path_with_namespace) or project_label(project) if project else ""
        return Route("pipelines", project=int(key), project_name=name or self.saved_name(key))

    def details(self, key: str, record: Project | None = None) -> Details | None:
        project = record or self.item(key)
        if project is None:
            return None
        from platui.present.details import projects as present  # noqa: PLC0415  (not for a first frame)

        known = self.body.states.latest.get(project.id)
        latest = known.pipeline if known else None
        space = present.project_namespace(project, self.body.namespaces.spaces)
        return present.project_details(project, space, latest, self.at_now)

    def record_feed(self, key: str) -> Feed[Project] | None:
        return self.body.service.watch(resources.projects.project(int(key)))

    def record(self, key: str) -> RecordRef | None:
        return RecordRef(RecordKind.PROJECT, int(key), search=self.body.search)

    def file_of(self, key: str) -> Route | None:
        project = self.item(key)
        if project is None:
            return None
        latest = self.body.states.latest.get(project.id)
        ran = latest.pipeline.ref if latest and latest.pipeline else ""
        route = self._route(key)
        return replace(route, view="file", ref=project.default_branch or ran)
