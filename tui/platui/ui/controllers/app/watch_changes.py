"""The changes of the watch list: they resolve projects, and report what is watched now."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from platui.core.errors import CommandError, PlatuiError
from platui.core.text import clean
from platui.models.values.queries import ProjectsQuery
from platui.models.values.stored_triage import Watchable, WatchChange, WatchSelection
from platui.present.triage import watching
from platui.service import resources
from platui.ui.controllers.watch_keys import WatchProjects
from platui.ui.key_names import key_label

if TYPE_CHECKING:
    from platui.models.values.feeds import Feed, Listing
    from platui.models.wire import Project
    from platui.present.triage.watching import WatchToggle
    from platui.service.triage.state import TriageState
    from platui.ui.app import PlatuiApp
    from platui.ui.messages import ToggleWatch

    Later = Callable[[Callable[["WatchChanges"], Awaitable[None]]], None]


class WatchChanges:
    def __init__(self, app: PlatuiApp, change_later: Later) -> None:
        """`change_later` makes another change after this one."""
        self._app = app
        self._change_later = change_later

    async def watch_typed(self, verb: str, argument: str) -> None:
        from platui.ui.route_lines import parse_id  # noqa: PLC0415  (on first use)

        state, path = await self._state(), argument.strip().removesuffix("…").strip("/")
        directory = self._app.service.directory
        watched = state.memory.value.watched
        if not path:
            self._app.hint(f"Select a project and press {self._star}, or type :unwatch group/name.")
            return
        number = parse_id(path.lstrip("#"))
        if path in watched.groups or (
            number is None
            and await directory.project(path) is None
            and await directory.has_group(path)
        ):
            toggled = watching.toggle_group(watched, path)
        else:
            named = path if number is None else number
            if verb == "watch" and number is not None and await directory.project(number) is None:
                raise CommandError(f"Project {number} not found, or not visible to this token.")
            one = await self._resolved(Watchable(named, "", clean(path)), watched)
            toggled = watching.toggle_projects(watched, [one])
        change = toggled.change
        if (verb == "watch") == bool(change.watch or change.watch_groups) or not change:
            undo = "unwatch" if verb == "watch" else "watch"
            await self._toggled(state, toggled, f":{undo} {path}")
        else:
            self._app.hint(
                f"{clean(path)} is {'already watched' if verb == 'watch' else 'not watched'}."
            )

    async def toggle(self, wanted: ToggleWatch) -> None:
        chosen, group = wanted.projects, wanted.group
        state = await self._state()
        watched = state.memory.value.watched
        if group:
            toggled = watching.toggle_group(watched, group)
        else:
            found = [await self._resolved(one, watched) for one in chosen]
            toggled = watching.toggle_projects(watched, found)
        # The key only undoes a change of all of them.
        is_undone = bool(group) or len(toggled.names) == len(chosen)
        undo = "*" if is_undone else ""
        if wanted.hides_rows and toggled.change.unwatch:
            # Here the key would unwatch the project of the next row.
            path = clean(chosen[0].path) or str(chosen[0].project)
            undo = f":watch {path}" if len(chosen) == 1 else ""
        await self._toggled(state, toggled, undo)

    async def _toggled(self, state: TriageState, toggled: WatchToggle, undo: str) -> None:
        message = partial(watching.toggle_message, toggled, undo=undo)
        await self._change(state, toggled.change, message)

    async def _resolved(self, one: Watchable, watched: WatchSelection) -> Watchable:
        """Return a project with its id, and its path if groups are watched."""
        if isinstance(one.project, int):
            if not watched.groups or one.path:
                return one
            # Optional: only tells whether it is in a watched group.
            with suppress(PlatuiError):
                found = await self._app.service.directory.project(one.project)
                return one if found is None else one._replace(path=found.path_with_namespace)
            return one
        found = await self._app.service.directory.project(one.project)
        if found is None:
            raise CommandError(
                f"Id of {clean(one.project)} not found.",
                hint=f"Select it in the projects view and press {self._star}.",
            )
        return one._replace(project=found.id, path=found.path_with_namespace)

    @property
    def _star(self) -> str:
        binding, _ = WatchProjects.COMMANDS["watch.toggle"]
        keys = self._app.active_keys.keys_of("watch.toggle", [binding.key])
        return key_label(keys[0]) if keys else ""

    async def choose(self, key: str) -> None:
        from platui.ui.dialogs.watch_chooser import WatchChooser  # noqa: PLC0415  (on first use)

        state = await self._state()
        if isinstance(self._app.screen, WatchChooser):
            return
        watched = state.memory.value.watched

        def choose(change: WatchChange | None) -> None:
            if change is not None:
                self._change_later(lambda changes: changes.make(change))
            elif not watched.is_chosen:
                self._app.hint(f"Skipped. {key} opens this list again; so does the next start.")

        def projects(search: str) -> Feed[Listing[Project]]:
            return self._app.service.watch(resources.projects.projects(ProjectsQuery(search)))

        every = self._app.settings.poll.idle
        chooser = WatchChooser(projects, watched, self._app.service.clock, every)
        self._app.push_screen(chooser, choose)

    async def make(self, change: WatchChange) -> None:
        state = await self._state()
        # Also without additions, so that an empty choice is saved.
        await state.watch(change.watch)
        await self._change(state, change, watching.choice_message)

    async def _state(self) -> TriageState:
        """Return the triage state, reloaded: another dashboard may have changed it."""
        await asyncio.to_thread(import_module, "platui.service.triage.state")
        state = self._app.service.triage_state
        await state.ready()
        await state.refresh()
        return state

    async def _change(
        self, state: TriageState, change: WatchChange, message: Callable[[WatchSelection], str]
    ) -> None:
        if change.watch or change.watch_groups:
            await state.watch(change.watch, change.watch_groups)
        if change.unwatch or change.unwatch_groups:
            await state.unwatch(change.unwatch, change.unwatch_groups)
        self._app.hint(f"{message(state.memory.value.watched)} {state.problem}".strip())
