"""The app of the dashboard: its controllers, start and exit."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual import events, on

from platui.core.errors import PlatuiError
from platui.ui import views
from platui.ui.command_app import CommandApp
from platui.ui.controller import AppController, key_bindings
from platui.ui.controllers.app.display import Times
from platui.ui.controllers.app.frame_keeper import FrameKeeper
from platui.ui.controllers.app.jump import Jump
from platui.ui.controllers.app.navigation import Navigation
from platui.ui.controllers.app.notifications import Notifier
from platui.ui.controllers.app.own_commands import OwnCommands
from platui.ui.controllers.app.profiles import NextApp, Profiles
from platui.ui.controllers.app.running_writes import RunningWrites
from platui.ui.controllers.app.view_opener import ViewOpener
from platui.ui.controllers.app.watch_list import WatchList
from platui.ui.controllers.app.while_away import WhileAway
from platui.ui.controllers.app.write_keys import WriteKeys
from platui.ui.controllers.app.writes import Writes
from platui.ui.terminal.bindings import merge_bindings
from platui.ui.terminal.memory import give_back_memory
from platui.ui.view import load
from platui.ui.workers import work

if TYPE_CHECKING:
    from textual.binding import BindingType
    from textual.events import Key

    from platui.config.profile_choice import SessionProfiles
    from platui.config.settings import Settings
    from platui.core.last_frame import LastFrames
    from platui.models.values.routes import Route
    from platui.service import PlatformService
    from platui.ui.terminal.detection import Terminal
    from platui.ui.typed_commands import TypedCommand

_AHEAD: Final = 1.0  # Seconds after the first frame before other screens are imported


class PlatuiApp(CommandApp):
    CONTROLLERS: ClassVar[tuple[type[AppController], ...]] = (
        Navigation, Times, ViewOpener, Writes, WriteKeys, RunningWrites, WatchList,
        WhileAway, Notifier, Profiles, OwnCommands, Jump, FrameKeeper,
    )  # fmt: skip
    BINDINGS: ClassVar[list[BindingType]] = key_bindings(CONTROLLERS)

    def __init__(
        self,
        service: PlatformService,
        settings: Settings,
        terminal: Terminal,
        *,
        start: Route | None = None,
        words: str = "",
        session_profiles: SessionProfiles | None = None,
        first_hint: str = "",
        last_frames: LastFrames | None = None,
    ) -> None:
        """Create the app; `words` filter the first view, `first_hint` is shown first.

        `last_frames` stores the frame that the next start shows first; None: it shows none.
        """
        self.last_frames = last_frames
        self.start = start
        self.session_profiles = session_profiles
        self.next_app: NextApp | None = None  # The app to start after this one
        self._words, self._first_hint = words, first_hint
        super().__init__(service, settings, terminal)
        self.navigation: Final = self.controller(Navigation)
        self.navigation.add_modes()
        self.frame_keeper: Final = self.controller(FrameKeeper)
        self.times: Final = self.controller(Times)
        self.writes: Final = self.controller(Writes)
        self.write_keys: Final = self.controller(WriteKeys)
        self.running_writes: Final = self.controller(RunningWrites)
        self.while_away: Final = self.controller(WhileAway)
        self.profiles: Final = self.controller(Profiles)
        self.jump: Final = self.controller(Jump)

    def on_mount(self) -> None:
        changed = self.write_keys.screen_changed
        self.screen_change_signal.subscribe(self, lambda _: changed(), immediate=True)

    def after_first_frame(self) -> None:
        """Apply the command line's filter, start the service, then import the other screens."""
        self.frame_keeper.start()
        self.navigation.search_here(self._words)
        if self._first_hint:
            self.hint(self._first_hint)
        self.run_worker(work(self._start_service), group="start", exclusive=True)
        self.controller(Notifier).attend()
        self.run_worker(work(self._look_ahead), group="ahead", exclusive=True)
        self.run_worker(work(give_back_memory, self, self.service.clock), group="memory")

    @property
    def has_next_app(self) -> bool:
        """Whether another app starts next; never after a signal or an error."""
        return self.next_app is not None and not self.return_code

    async def _look_ahead(self) -> None:
        await asyncio.sleep(_AHEAD)
        for view in views.all_views():
            await asyncio.to_thread(load, view.screen)

    async def _start_service(self) -> None:
        try:
            await self.service.start()
        except PlatuiError as error:
            # The feeds show the error on the page, where a missing token can be entered.
            self.log.warning(error.title)

    async def on_unmount(self) -> None:
        self.controller(Notifier).end()
        await self.service.close()

    @on(events.AppFocus)
    @on(events.AppBlur)
    def _focus_changed(self, event: events.AppFocus | events.AppBlur) -> None:
        self.service.focus(isinstance(event, events.AppFocus))

    def accepts_key(self, key: Key) -> bool:
        """Return whether a key counts; a write key does not before its screen was visible."""
        return self.write_keys.counts(key)

    def leave(self) -> None:
        self.running_writes.confirm_leave("Leave", lambda: self.exit(0))

    async def action_interrupt(self) -> None:
        """Leave on Ctrl+C, as `q` does; a second one does not ask."""
        if self.running_writes.asks_to_leave:
            await super().action_interrupt()
        else:
            self.leave()

    def exit(self, *arguments: Any, **options: Any) -> None:
        self.navigation.keep()
        self.frame_keeper.keep_last()
        super().exit(*arguments, **options)

    def commands(self) -> Sequence[tuple[str, str]]:
        from platui.ui.typed_commands import help_lines  # noqa: PLC0415  (on first use)

        return help_lines(writes=self.service.writes != "off")

    def command_words(self) -> Sequence[str]:
        from platui.ui.typed_commands import completions  # noqa: PLC0415  (on first use)

        words = completions(writes=self.service.writes != "off")
        board = self.session_profiles
        return [*words, *(f"profile {one.name}" for one in (board.profiles if board else ()))]

    async def command_prompt_opened(self) -> None:
        await self.jump.prompt.opened()

    def enter_command(self, text: str) -> None:
        self.jump.prompt.enter(text)

    def open_typed(self, command: TypedCommand) -> None:
        self.controller(ViewOpener).open(command)


def _take_views() -> None:
    Navigation.update_view_commands()
    PlatuiApp.BINDINGS = key_bindings(PlatuiApp.CONTROLLERS)
    merge_bindings(PlatuiApp)


views.on_change(_take_views)
