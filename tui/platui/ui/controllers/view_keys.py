"""Keys of every view: back, refresh, pause, new token, copy its command."""

from __future__ import annotations

from typing import Final

from platui.models.values.connection import ConnectionState
from platui.ui.controller import Controller, command
from platui.ui.messages import AskToken, CopyText, GoUp
from platui.ui.screens.parts.body import Body


class GoBack(Controller[Body]):
    @command("escape", "view.back", "Back")
    def go_up(self) -> None:
        """Clear filter and marks first, then go back."""
        if not any(one.undo() for one in reversed(self.screen.controllers)):
            self.screen.post_message(GoUp())

    @command("q", "view.quit", "Back or quit")
    def leave(self) -> None:
        """Go back; in the first view, quit."""
        self.screen.post_message(GoUp(quits=True))


class Refresh(Controller[Body]):
    @command("r,ctrl+r", "view.refresh", "Refresh")
    def refresh(self) -> None:
        """Refresh this view now."""
        self.body.fetch_again()

    def hides(self, _command: str) -> bool:
        return not self.body.can_fetch_again


class PausePolling(Controller[Body]):
    @command("equals_sign", "view.pause", "Pause")
    def hold(self) -> None:
        """Pause or resume polling."""
        self.body.feeds.hold(held=not self.body.feeds.held)
        self.screen.update_header()


class SignIn(Controller[Body]):
    @command("A", "view.token", "New token")
    def sign_in(self) -> None:
        """Sign in with another token."""
        self.screen.post_message(AskToken())


class SignInAgain(SignIn):
    """Only while not signed in: in a form, the key may be the first letter of an input."""

    def hides(self, _command: str) -> bool:
        return self.screen.service.line.value.state is ConnectionState.ONLINE


class CopyView(Controller[Body]):
    @command("Y", "view.copy", "Copy view")
    def copy(self) -> None:
        """Copy the command that reopens this view."""
        self.screen.post_message(CopyText(view_command(self.body), what="The command"))


VIEW_KEYS: Final = (GoBack, Refresh, PausePolling, SignIn)


def view_command(body: Body) -> str:
    from platui.ui.route_lines import by_path, opening, route_line  # noqa: PLC0415  (on first use)

    line = route_line(by_path(body.context.current_route()), body.context.filter_text())
    return opening(body.service.profile, line)
