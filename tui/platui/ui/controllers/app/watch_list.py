"""Change the watch list by key, command or chooser."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING

from platui.core.errors import PlatuiError
from platui.ui.controller import AppController, handles
from platui.ui.messages import OpenWatchChooser, ToggleWatch
from platui.ui.workers import work

if TYPE_CHECKING:
    from platui.ui.app import PlatuiApp
    from platui.ui.command_app import Verbs
    from platui.ui.controllers.app.watch_changes import WatchChanges

    Change = Callable[[WatchChanges], Awaitable[None]]


class WatchList(AppController):
    _app: PlatuiApp

    def __init__(self, app: PlatuiApp) -> None:
        super().__init__(app)
        self._one_at_a_time = asyncio.Lock()

    def verbs(self) -> Verbs:
        return {verb: partial(self._typed, verb) for verb in ("watch", "unwatch")}

    def _typed(self, verb: str, path: str) -> None:
        if verb == "watch" and not path:
            self._change_later(lambda changes: changes.choose(":watch"))
        else:
            self._change_later(lambda changes: changes.watch_typed(verb, path))

    @handles(ToggleWatch)
    def toggle(self, wanted: ToggleWatch) -> None:
        self._change_later(lambda changes: changes.toggle(wanted))

    @handles(OpenWatchChooser)
    def choose(self, wanted: OpenWatchChooser) -> None:
        self._change_later(lambda changes: changes.choose(wanted.key))

    def _change_later(self, change: Change) -> None:
        self._app.run_worker(work(self._in_turn, change), group="watch")

    async def _in_turn(self, change: Change) -> None:
        from platui.ui.controllers.app.watch_changes import WatchChanges  # noqa: PLC0415  (on first use)

        async with self._one_at_a_time:
            try:
                await change(WatchChanges(self._app, self._change_later))
            except PlatuiError as error:
                self._app.show_error(error)
