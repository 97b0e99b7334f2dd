"""The watch list as the user changes it: by a key, by a command, or chosen from all projects."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from platui.core.errors import CommandError, PlatuiError
from platui.core.text import clean
from platui.models.values.queries import ProjectsQuery
from platui.models.values.stored_triage import Watchable, WatchChange
from platui.present.triage import watching
from platui.service import resources
from platui.ui.controller import AppController, handles
from platui.ui.controllers.watch_keys import WatchProjects
from platui.ui.messages import OpenWatchChooser, ToggleWatch
from platui.ui.workers import work

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from platui.models.values.stored_triage import WatchSelection
    from platui.present.triage.watching import WatchToggle
    from platui.service.triage.state import TriageState
    from platui.ui.app import PlatuiApp
    from platui.ui.command_app import Verbs


class WatchList(AppController):
    """Changes the watch list, one change after the other."""

    _app: PlatuiApp

    def __init__(self, app: PlatuiApp) -> None:
        super().__init__(app)
        self._one_at_a_time = asyncio.Lock()

    def verbs(self) -> Verbs:
        return {verb: partial(self._typed, verb) for verb in ("watch", "unwatch")}

    def _typed(self, verb: str, path: str) -> None:
        if verb == "watch" and not path:
            self._change_later(partial(self._choose, ":watch"))
        else:
            self._change_later(partial(self._watch_typed, verb, path))

    @handles(ToggleWatch)
    def toggle(self, wanted: ToggleWatch) -> None:
        """Watch projects or a group; unwatch where all of them are watched."""
        self._change_later(partial(self._toggle, wanted.projects, wanted.group))

    @handles(OpenWatchChooser)
    def choose(self, wanted: OpenWatchChooser) -> None:
        self._change_later(partial(self._choose, wanted.key))

    async def _watch_typed(self, verb: str, argument: str) -> None:
        from platui.ui.route_lines import parse_id  # noqa: PLC0415  (on first use)

        book, path = await self._book(), argument.strip().removesuffix("…").strip("/")
        watched = book.memory.value.watched
        if not path:
            self._app.hint(f"Which one? Type :unwatch group/name, or press {self._star} on it.")
            return
        number = parse_id(path.lstrip("#"))
        if path in watched.groups or (number is None and await self._is_group(path)):
            toggled = watching.toggle_group(watched, path)
        else:
            named = path if number is None else number
            one = await self._resolved(Watchable(named, "", clean(path)), watched)
            toggled = watching.toggle_projects(watched, [one])
        change = toggled.change
        if (verb == "watch") == bool(change.watch or change.watch_groups) or not change:
            undo = "unwatch" if verb == "watch" else "watch"
            await self._make(book, toggled, f":{undo} {path}")
        else:
            self._app.hint(
                f"{clean(path)} is {'watched already' if verb == 'watch' else 'not watched'}."
            )

    async def _is_group(self, path: str) -> bool:
        if await self._app.service.directory.project(path) is not None:
            return False
        return await self._app.service.directory.has_group(path)

    def _change_later(self, change: Callable[[], Awaitable[None]]) -> None:
        self._app.run_worker(work(self._in_turn, change), group="watch")

    async def _in_turn(self, change: Callable[[], Awaitable[None]]) -> None:
        async with self._one_at_a_time:
            try:
                await change()
            except PlatuiError as error:
                self._app.tell(error)

    async def _toggle(self, chosen: Sequence[Watchable], group: str) -> None:
        book = await self._book()
        watched = book.memory.value.watched
        if group:
            toggled = watching.toggle_group(watched, group)
        else:
            found = [await self._resolved(one, watched) for one in chosen]
            toggled = watching.toggle_projects(watched, found)
        # The key does the same backwards only where it did something to all of them.
        is_undone = bool(group) or len(toggled.names) == len(chosen)
        await self._make(book, toggled, "*" if is_undone else "")

    async def _make(self, book: TriageState, toggled: WatchToggle, undo: str) -> None:
        await self._change(book, toggled.change)
        after = book.memory.value.watched
        self._say(watching.toggle_message(toggled, after, undo=undo), book)

    async def _resolved(self, one: Watchable, watched: WatchSelection) -> Watchable:
        """Return a project with its id, and where groups are watched with its path."""
        if isinstance(one.project, int):
            if not watched.groups or one.path:
                return one
            # Whether it is in a watched group is good to know, and nothing that stops it.
            with suppress(PlatuiError):
                found = await self._app.service.directory.project(one.project)
                return one if found is None else one._replace(path=found.path_with_namespace)
            return one
        found = await self._app.service.directory.project(one.project)
        if found is None:
            raise CommandError(
                f"The platform does not tell the number of {clean(one.project)}.",
                hint=f"Look for it among the projects, and press {self._star} there.",
            )
        return one._replace(project=found.id, path=found.path_with_namespace)

    @property
    def _star(self) -> str:
        watch, _ = WatchProjects.COMMANDS["watch.toggle"]
        return self._app.active_keys.key_of(watch)

    async def _choose(self, key: str) -> None:
        from platui.ui.dialogs.watch_chooser import WatchChooser  # noqa: PLC0415  (on first use)

        book = await self._book()
        if isinstance(self._app.screen, WatchChooser):
            return
        watched = book.memory.value.watched

        def choose(change: WatchChange | None) -> None:
            if change is not None:
                self._change_later(partial(self._watch_chosen, change))
            elif not watched.is_chosen:
                self._app.hint(f"Not now. {key} asks again, and so does the next start.")

        feed = self._app.service.watch(resources.projects.projects(ProjectsQuery()))
        every = self._app.settings.poll.idle
        self._app.push_screen(WatchChooser(feed, watched, self._app.service.clock, every), choose)

    async def _watch_chosen(self, change: WatchChange) -> None:
        book = await self._book()
        # Also without additions: a deliberately empty list is not asked about again.
        await book.watch(change.watch)
        await self._change(book, change)
        self._say(watching.choice_message(book.memory.value.watched), book)

    async def _book(self) -> TriageState:
        """Return the local state, read again: another dashboard may have changed it."""
        await asyncio.to_thread(import_module, "platui.service.triage.state")
        book = self._app.service.triage_state
        await book.ready()
        await book.refresh()
        return book

    async def _change(self, book: TriageState, change: WatchChange) -> None:
        if change.watch or change.watch_groups:
            await book.watch(change.watch, change.watch_groups)
        if change.unwatch or change.unwatch_groups:
            await book.unwatch(change.unwatch, change.unwatch_groups)

    def _say(self, sentence: str, book: TriageState) -> None:
        self._app.hint(f"{sentence} {book.problem}".strip())
