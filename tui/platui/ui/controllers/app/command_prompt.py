"""The command prompt, and the list of all keys and commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.core.errors import CommandError
from platui.ui.controller import AppController, command, handles
from platui.ui.messages import RunTypedCommand

if TYPE_CHECKING:
    from platui.ui.command_app import CommandApp, Verbs


class CommandPrompt(AppController):
    """Runs typed commands; the app opens those that are not verbs."""

    _app: CommandApp

    @command("colon", "app.command", "Command")
    async def ask(self, text: str = "") -> None:
        """Open a view by name, or paste a URL of the platform."""
        screen = self._app.view_screen()
        if screen is not None and screen is self._app.screen:
            await screen.prompt.ask(":", text, words=self._app.command_words())

    @command("question_mark", "app.help", "Help")
    async def help(self) -> None:
        """List all keys of this view; enter runs one."""
        from platui.ui.dialogs.action_menus import help_menu  # noqa: PLC0415  (on first use)

        menu, actions = help_menu(self._app, self.ask)
        await self._app.choose(menu, lambda chosen: self._app.call_later(actions[chosen]))

    @handles(RunTypedCommand)
    def run_typed(self, request: RunTypedCommand) -> None:
        from platui.ui import typed_commands as typed  # noqa: PLC0415  (on first use)

        app = self._app
        try:
            read = typed.read_command(request.text)
        except CommandError as error:
            app.show_error(error)
            return
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
