"""Run the commands of the user's own actions."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from platui.core.errors import CommandError
from platui.core.text import clean
from platui.ui.controller import AppController, handles
from platui.ui.messages import RunOwnAction
from platui.ui.workers import work

if TYPE_CHECKING:
    from platui.config.settings import OwnAction
    from platui.ui.app import PlatuiApp
    from platui.ui.own_actions import Command


class OwnCommands(AppController):
    _app: PlatuiApp

    @handles(RunOwnAction)
    def start(self, request: RunOwnAction) -> None:
        """Run a command, after unlocking and confirmation if it writes."""
        from platui.ui.own_actions import command_of  # noqa: PLC0415  (on first use)

        action = request.action
        token = self._app.service.access_token if action.token else None
        command = command_of(action, request.values, token)
        if not action.writes:
            self._run(action, command)
            return
        shown = clean(shlex.join(command.argv))
        self._app.writes.ask_for_command(
            clean(action.title), shown, lambda: self._run(action, command)
        )

    def _run(self, action: OwnAction, command: Command) -> None:
        if action.output == "pane":
            self._app.run_worker(work(self._open, action, command), group="own")
            return
        from platui.ui.pager import run_in_terminal  # noqa: PLC0415  (on first use)

        app, title = self._app, clean(action.title)
        try:
            code = run_in_terminal(app, command.argv, command.environ)
        except CommandError as error:
            app.show_error(error)
        else:
            app.hint(f"{title}: exit {code}.")
            app.refresh_view()

    async def _open(self, action: OwnAction, command: Command) -> None:
        from platui.service.logs.command import CommandFeed  # noqa: PLC0415  (on first use)
        from platui.ui.screens.logs.command import CommandScreen  # noqa: PLC0415  (on first use)

        app = self._app
        try:
            feed = await CommandFeed.start(command.argv, command.environ, app.service.clock)
        except CommandError as error:
            app.show_error(error)
        else:
            await app.push_screen(CommandScreen(app.service, app.settings, action.title, feed))
