"""Base of the apps with a service: dispatches commands and requests to controllers."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final, TypeVar

from textual import on
from textual.worker import active_worker

from platui.config.profile_choice import settings_for_profile
from platui.core.errors import CommandError, PlatuiError
from platui.core.text import clean
from platui.ui.active_keys import active_keys
from platui.ui.controller import AppController, command, controllers_of, handles, key_bindings
from platui.ui.controllers.app.display import Themes
from platui.ui.messages import AppRequest, CopyText, OpenPage, RunTypedCommand, ShowError, ShowHint
from platui.ui.pace import pace_for
from platui.ui.renamed_actions import renaming_notices
from platui.ui.screens.parts.view_screen import ViewScreen
from platui.ui.terminal.app import TerminalApp
from platui.ui.widgets.prompt import COMMAND
from platui.ui.workers import work

if TYPE_CHECKING:
    from textual.await_complete import AwaitComplete
    from textual.binding import Binding, BindingType
    from textual.widget import AwaitMount

    from platui.config.settings import Settings
    from platui.service import PlatformService
    from platui.ui.dialogs.menu import Menu
    from platui.ui.terminal.detection import Terminal
    from platui.ui.typed_commands import TypedCommand

    Verbs = dict[str, Callable[[str], object]]

C = TypeVar("C", bound="AppController")

_LAST_FRAME_STAYS: Final = 1.0  # Seconds at most, while no rows are read
_SAID: Final = {
    "enter": "enter", "escape": "esc", "space": "space", "tab": "tab", "pageup": "pgup",
    "pagedown": "pgdn", "backspace": "backspace", "equals_sign": "=",
}  # fmt: skip


class CommandPrompt(AppController):
    """Runs typed commands; the app opens those that are not verbs."""

    _app: CommandApp

    def __init__(self, app: CommandApp) -> None:
        super().__init__(app)
        self._history: list[str] = []  # of all views

    @command("colon", "app.command", "Command")
    async def ask(self, text: str = "") -> None:
        """Open a view by name, or paste a URL of the platform."""
        screen = self._app.view_screen()
        if screen is not None and screen is self._app.screen:
            words = self._app.command_words()
            await screen.prompt.ask(COMMAND, text, words, history=self._history)
            await self._app.command_prompt_opened()

    @command("question_mark", "app.help", "Help")
    async def help(self) -> None:
        """List all keys of this view; enter runs one."""
        from platui.ui.dialogs.action_menus import help_menu  # noqa: PLC0415  (on first use)

        menu, actions = help_menu(self._app, self.ask)
        await self._app.choose(menu, lambda chosen: self._app.call_later(actions[chosen]))

    @handles(RunTypedCommand)
    def entered(self, request: RunTypedCommand) -> None:
        self._app.enter_command(request.text)

    def close(self) -> None:
        if (screen := self._app.view_screen()) is not None:
            screen.prompt.close()
            screen.body.focus_body()

    def close_and_run(self, text: str) -> None:
        """Close the prompt, and run a command on what then has the focus."""
        self.close()
        self._app.call_later(self._run, text)

    def _run(self, text: str) -> None:
        try:
            self._run_typed(text)
        except CommandError as error:
            self._app.show_error(error)

    def _run_typed(self, text: str) -> None:
        from platui.ui import typed_commands as typed  # noqa: PLC0415  (on first use)

        app, read = self._app, typed.read_command(text)
        match read:
            case None:
                pass
            case typed.GoToNumber(number):
                screen = app.view_screen()
                if screen is not None and not screen.body.context.go_to_number(number):
                    app.hint(f"Line or row {number} not found.")
            case typed.RunVerb(verb, argument) if do := app.verbs().get(verb):
                do(argument)
            case _:
                app.open_typed(read)

    def verbs(self) -> Verbs:
        app = self._app
        return {
            "quit": lambda _: app.leave(),
            "q!": lambda _: app.exit(0),
            "help": lambda _: app.call_later(self.help),
            "refresh": lambda _: app.refresh_view(),
        }


class ClipboardAndBrowser(AppController):
    _app: CommandApp

    @handles(CopyText)
    def copy_soon(self, request: CopyText) -> None:
        self._app.run_worker(work(self._copy, request.text, request.what), group="copy")

    async def _copy(self, text: str, what: str) -> None:
        from platui.ui.terminal.clipboard import copy  # noqa: PLC0415  (on first use)

        said = await copy(text, self._app.terminal, self._app.write_to_terminal)
        self._app.notify(f"{what}: {said[0].lower()}{said[1:]}" if what else said)

    @handles(OpenPage)
    def open_soon(self, request: OpenPage) -> None:
        self._app.run_worker(work(self._open, request), group="page")

    async def _open(self, wanted: OpenPage) -> None:
        from platui.ui.browser import open_address  # noqa: PLC0415  (on first use)

        app = self._app
        outcome = await open_address(wanted.address, wanted.origin or app.service.profile.url)
        sentence = f"{wanted.note} {outcome.sentence}".lstrip()
        if outcome.opened or not outcome.address:
            app.hint(sentence)
        else:
            # Long enough to select the URL with the mouse; titled, the next hint leaves it.
            app.notify(outcome.address, title=sentence, timeout=20)


class CommandApp(TerminalApp[int]):
    """An app whose controllers handle keys, typed commands and requests of screens."""

    CONTROLLERS: ClassVar[tuple[type[AppController], ...]] = (
        CommandPrompt,
        Themes,
        ClipboardAndBrowser,
    )
    BINDINGS: ClassVar[list[BindingType]] = key_bindings(CONTROLLERS)
    _last_hint = ""

    def __init__(self, service: PlatformService, settings: Settings, terminal: Terminal) -> None:
        self.service = service
        settings = settings_for_profile(settings, service.profile)
        self.settings = settings
        ascii_only = not terminal.unicode if settings.ascii is None else settings.ascii
        self._shown_errors: set[str] = set()
        self.pace: Final = pace_for(settings, os.environ)
        self.active_keys = active_keys(settings)
        self.has_alt_keys = self.active_keys.has_alt
        self.controllers: Final[tuple[AppController, ...]] = tuple(
            kind(self) for kind in controllers_of(type(self))
        )
        self._controller_of = {id_: one for one in self.controllers for id_ in one.COMMANDS}
        self._handlers = {
            method.request: partial(method, one)
            for one in self.controllers
            for method in vars(type(one)).values()
            if hasattr(method, "request")
        }
        super().__init__(
            terminal, theme=settings.theme, accent=service.profile.accent, ascii_only=ascii_only
        )

    def controller(self, kind: type[C]) -> C:
        """Return the controller of a class. Raises StopIteration if the app has none."""
        return next(one for one in self.controllers if isinstance(one, kind))

    def choose(self, menu: Menu, take: Callable[[str], object]) -> AwaitMount:
        """Open a menu, and pass the choice to `take` unless it is canceled."""

        def chosen(value: str | None) -> None:
            if value is not None:
                take(value)

        return self.push_screen(menu, chosen)

    def pop_screen(self) -> AwaitComplete:
        """Close a dialog. Textual cancels its workers after it removed the widgets they draw on."""
        closed = self.screen
        closing = super().pop_screen()
        for worker in list(self.workers):
            if closed in worker.node.ancestors_with_self and worker is not active_worker.get(None):
                worker.cancel()
        return closing

    async def action_run(self, command: str) -> None:
        await self._controller_of[command].run(command)

    @on(AppRequest)
    def _requested(self, message: AppRequest) -> None:
        if handle := self._handlers.get(type(message)):
            message.stop()
            handle(message)

    def get_key_display(self, binding: Binding) -> str:
        return _SAID.get(binding.key) or super().get_key_display(binding)

    def after_first_frame(self) -> None:
        """Run the work that the first frame does not need."""

    def commands(self) -> Sequence[tuple[str, str]]:
        raise NotImplementedError

    def command_words(self) -> Sequence[str]:
        raise NotImplementedError

    async def command_prompt_opened(self) -> None:
        """Handle that the prompt for commands was opened."""

    def enter_command(self, text: str) -> None:
        self.controller(CommandPrompt).close_and_run(text)

    def open_typed(self, command: TypedCommand, /) -> None:
        """Open a typed view, number or address, or handle an unknown verb."""
        raise NotImplementedError

    def leave(self) -> None:
        self.exit(0)

    def on_mount(self) -> None:
        self.call_after_refresh(self._after_first_frame)

    def _after_first_frame(self) -> None:
        screen = self.view_screen()
        if screen is not None and screen.shared_frames.defer_until_painted(self._after_first_frame):
            return
        self.collector.begin()
        problems = [self.settings.problem, *self.problems]
        if self.settings.keys or self.settings.actions:
            from platui.ui.screen_keys import key_problems  # noqa: PLC0415  (imports every screen)

            problems += key_problems(self.settings)
            for notice in renaming_notices(self.settings)[:3]:
                self.service.notices.add(notice)
        for problem in [one for one in problems if one is not None][:3]:
            self.show_error(problem)
        self.theme_switcher.warn()
        self.set_timer(_LAST_FRAME_STAYS, self.output.release)
        self.service.notices.subscribe(lambda one: self.notify(clean(one), severity="warning"))
        self.after_first_frame()

    def view_screen(self) -> ViewScreen | None:
        views = (one for one in reversed(self.screen_stack) if isinstance(one, ViewScreen))
        return next(views, None)

    def verbs(self) -> Verbs:
        return {verb: do for one in self.controllers for verb, do in one.verbs().items()}

    def hint(self, sentence: str) -> None:
        self._last_hint = clean(sentence)
        self.notify(self._last_hint)

    def drop_hint(self) -> None:
        """Remove the last hint: the view that it is about is left."""
        for shown in list(self._notifications):
            if shown.message == self._last_hint:
                self._unnotify(shown)

    def show_error(self, error: PlatuiError) -> None:
        text = f"{error.sentence} {error.hint}" if error.hint else error.sentence
        lines = "\n".join(clean(line) for line in text.splitlines())
        # No title where the sentence begins with it.
        title = "" if lines.startswith(error.title) else clean(error.title)
        self.notify(lines, title=title, severity="error")

    def refresh_view(self) -> None:
        if (screen := self.view_screen()) is not None:
            screen.body.fetch_again()

    @on(ShowError)
    def _failed(self, message: ShowError) -> None:
        message.stop()
        if message.once and message.error.sentence in self._shown_errors:
            return
        if message.once:
            self._shown_errors.add(message.error.sentence)
        self.show_error(message.error)

    @on(ShowHint)
    def _told(self, message: ShowHint) -> None:
        message.stop()
        self.hint(message.sentence)
