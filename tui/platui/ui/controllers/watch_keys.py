"""Watch the current project, and follow whether it is watched."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from platui.core.text import clean
from platui.ui.controller import Controller, command
from platui.ui.messages import ToggleWatch
from platui.ui.terminal.screen import call_after_frame

if TYPE_CHECKING:
    from platui.models.values.stored_triage import Watchable, WatchSelection


class WatchProjects(Controller[Any]):
    def __init__(self, screen: Any) -> None:
        super().__init__(screen)
        screen.is_watched = self._is_here_watched

    HIDES_ROWS = False  # Whether unwatched projects leave the view

    _watched: WatchSelection | None = None  # None: not loaded
    _follows = False

    @command("asterisk", "watch.toggle", "Watch")
    def watch(self) -> None:
        """Watch this project, or the marked ones, on the triage board; again: unwatch."""
        if chosen := tuple(self.watchable()):
            self.screen.post_message(ToggleWatch(chosen, hides_rows=self.HIDES_ROWS))

    def disabled_reason(self, _command: str) -> str:
        return "" if self.watchable() else "Select a project first."

    def watchable(self) -> Sequence[Watchable]:
        route = self.body.route
        if route.project is None:
            return ()
        from platui.models.values.stored_triage import Watchable  # noqa: PLC0415  (not for a first frame)

        return [Watchable(route.project, label=clean(self.body.context.project_name))]

    @property
    def watched(self) -> WatchSelection:
        watched: WatchSelection = self.screen.service.triage_state.memory.value.watched
        return watched

    def changed(self) -> None:
        self.screen.update_header()

    def _is_here_watched(self) -> bool:
        route, watched = self.body.route, self._watched
        if route.project is None or watched is None:
            return False
        if (found := self.screen.service.directory.known(route.project)) is not None:
            return watched.holds(found.id, found.path_with_namespace)
        path = route.project if isinstance(route.project, str) else route.project_name
        return watched.holds(route.project, path)

    def on_shown(self) -> None:
        if not self._follows:
            begin = partial(self.body.in_background, "watched", self._follow)
            call_after_frame(self.screen, begin)

    async def _follow(self) -> None:
        await asyncio.to_thread(import_module, "platui.service.triage.state")
        state = self.screen.service.triage_state
        await state.ready()
        if not self.screen.is_shown or self._follows:
            return
        self._follows = True
        stop = state.memory.observe(lambda memory: self._take(memory.watched))
        stop_following = state.follow()

        def stop_all() -> None:
            self._follows = False
            stop()
            stop_following()

        self.screen.while_shown(stop_all)
        self._take(self.watched)

    def _take(self, watched: WatchSelection) -> None:
        if watched != self._watched:
            self._watched = watched
            self.changed()
