"""Open views by name, number, address, and from the palette."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from platui.core.errors import CommandError
from platui.core.suggestions import listed
from platui.core.text import shorten
from platui.models.values.routes import Route
from platui.ui import views
from platui.ui.controller import AppController, command
from platui.ui.workers import work

if TYPE_CHECKING:
    from platui.ui.app import PlatuiApp
    from platui.ui.command_app import Verbs
    from platui.ui.typed_commands import OpenNumber, OpenView, TypedCommand


_CELLS: Final = 40  # Of a name in a message
_OTHERS: Final = 3  # Paths that a message lists


class ViewOpener(AppController):
    _app: PlatuiApp

    def open(self, command: TypedCommand) -> None:
        from platui.ui import typed_commands as typed  # noqa: PLC0415  (on first use)

        match command:
            case typed.OpenAddress(address):
                self._open_address(address)
            case typed.OpenRoute(route, words):
                self._app.navigation.go(route, words)
            case typed.OpenNumber() | typed.OpenView() if _is_short(command.project):
                self._app.run_worker(work(self._open_named, command), group="jump", exclusive=True)
            case typed.OpenNumber() | typed.OpenView():
                self._open_in(command)

    async def _open_named(self, command: OpenNumber | OpenView) -> None:
        """Open a view of the project with a short name, if there is only one."""
        from platui.ui.jump import projects_named  # noqa: PLC0415  (on first use)

        known, name = self._app.jump.prompt.known, shorten(command.project, _CELLS)
        await known.load(lambda: None)
        named = projects_named(known.value, command.project)
        paths = [one.path or str(one.project) for one in named]
        if len(paths) == 1:
            self._open_in(replace(command, project=paths[0]))
            return
        sentence, example = f"No project {name} is known.", f"group/{name}"
        if paths:
            sentence, example = f"Several projects are named {name}.", listed(paths, _OTHERS)
        self._app.show_error(CommandError(sentence, hint=f"Type the full path: {example}."))

    def _open_in(self, command: OpenNumber | OpenView) -> None:
        from platui.ui.typed_commands import OpenNumber  # noqa: PLC0415  (on first use)

        if isinstance(command, OpenNumber):
            self._open_number(command)
        else:
            self._open_area(command)

    def _open_address(self, address: str) -> None:
        from platui.ui.addresses import route_and_filter  # noqa: PLC0415  (on first use)

        url = self._app.service.profile.url
        if (found := route_and_filter(address, url)) is not None:
            self._app.navigation.go(*found)
        elif not self._app.profiles.switch_to_address(address):
            sentence = (
                "Unknown URL: no project, pipeline, job, file or group of this profile's "
                f"platform, {url}."
            )
            hint = "Paste the URL of one of its pages."
            self._app.show_error(CommandError(sentence, hint=hint))

    def _open_area(self, command: OpenView) -> None:
        from platui.ui.route_lines import parse_id  # noqa: PLC0415  (on first use)

        navigation, view = self._app.navigation, views.get(command.view)
        if not view.is_of_project:
            navigation.go(Route(view.id), command.filter)
            return
        subject, pipeline = navigation.subject, command.pipeline
        project, name = subject.project, subject.project_name
        if not command.project:
            if pipeline is None and "pipeline" in view.optional_fields:
                pipeline = subject.pipeline
        elif (number := parse_id(command.project)) is not None:
            project, name = number, command.project
        else:
            project, name = command.project, command.project.rpartition("/")[2]
        if project is None:
            self._app.hint(f"No project selected. Type :{view.id} group/name.")
        else:
            navigation.go(Route(view.id, project, name, pipeline), command.filter)

    def _open_number(self, command: OpenNumber) -> None:
        from platui.ui.route_lines import parse_id  # noqa: PLC0415  (on first use)

        navigation = self._app.navigation
        subject = navigation.resource_here() or navigation.subject
        project, name = subject.project, subject.project_name
        if command.project:
            named = parse_id(command.project)
            project, name = command.project if named is None else named, command.project
        if project is None:
            self._app.hint("Select a project first.")
        else:
            route = Route(command.view or "jobs", project, name)
            field = views.get(route.view).number
            navigation.go(replace(route, **{field: command.number}))  # type: ignore[arg-type]  # a number

    def _open_file(self, words: str) -> None:
        from platui.ui.typed_commands import split_file_ref  # noqa: PLC0415  (on first use)

        screen = self._app.view_screen()
        near = screen.body.context.file() if screen is not None else None
        if near is None:
            self._app.hint("Select a project first.")
        else:
            path, ref = split_file_ref(words)
            path, ref = path or near.path, ref or near.ref
            self._app.navigation.go(replace(near, path=path, ref=ref, line=None))

    def _compare(self) -> None:
        screen = self._app.view_screen()
        route = screen.body.context.comparison() if screen is not None else None
        if route is None:
            self._app.hint("Open a job's log first.")
        else:
            self._app.navigation.go(route)

    def _search_logs(self, words: str) -> None:
        from platui.ui.controllers.pipeline_logs import parse_search  # noqa: PLC0415  (on first use)

        screen = self._app.view_screen()
        here = screen.body.context.pipeline() if screen is not None else None
        text, is_regex = parse_search(words)
        if not text:
            self._app.hint("Nothing to search for. Type :grep words.")
        elif here is None:
            self._app.hint("Select a pipeline first.")
        else:
            route = Route("search", here.project, here.project_name, here.pipeline)
            self._app.navigation.go(replace(route, search=text, is_regex=is_regex))

    def verbs(self) -> Verbs:
        return {
            "file": self._open_file,
            "compare": lambda _: self._compare(),
            "grep": self._search_logs,
        }

    @command("ctrl+p", "app.palette", "Palette")
    async def choose(self) -> None:
        """Search actions, views and themes, and projects, pipelines and jobs by name or number."""
        from platui.ui.dialogs.action_menus import palette_menu  # noqa: PLC0415  (on first use)

        menu, actions = palette_menu(self._app)
        await self._app.choose(menu, lambda chosen: self._app.call_later(actions[chosen]))


def _is_short(project: str) -> bool:
    return bool(project) and "/" not in project and not project.isdecimal()
