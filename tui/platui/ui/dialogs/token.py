"""Ask for a token in place of one that is not accepted; what is typed is never shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import getters, on
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input

from platui.core.secrets import Secret
from platui.core.text import clean
from platui.ui.widgets.bar import Bar

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType


class TokenDialog(ModalScreen[Secret | None]):
    """Returns the token, or None when the user left."""

    CSS = """
    TokenDialog { align: center middle; background: $background 60%; }
    TokenDialog > #box {
        width: 76; max-width: 96%; height: auto; background: $background; border: round $accent;
        padding: 1 2;
    }
    TokenDialog Input, TokenDialog Input:focus {
        border: none; height: 1; padding: 0 1; margin: 1 0; background: $panel;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Leave", id="token.leave"),
    ]

    typed = getters.query_one(Input)

    def __init__(self, profile: str, address: str, reason: str, keeping: str) -> None:
        """Prepare the dialog.

        Args:
            profile: whose token it is.
            address: of its platform.
            reason: why another one is needed; empty: nothing is wrong with that of now.
            keeping: the command that asks for a token and keeps it.
        """
        super().__init__()
        self._keeping = keeping
        self._profile = profile
        self._address = address
        self._reason = reason

    def compose(self) -> ComposeResult:
        """Yield what is asked, the input, and its keys."""
        with Vertical(id="box"):
            yield Bar(id="title")
            yield Bar(id="where")
            yield Bar(id="reason")
            typed = Input(password=True, placeholder="personal, project or group access token")
            typed.cursor_blink = False
            yield typed
            yield Bar(id="wrong")
            yield Bar(id="keep")
            yield Bar(id="foot")

    def on_mount(self) -> None:
        """Say what is asked and why."""
        self.query_one("#title", Bar).show(
            (("A new token for ", "text"), (self._profile, "strong"))
        )
        self.query_one("#where", Bar).show(((clean(self._address), "muted"),))
        self.query_one("#reason", Bar).show(((clean(self._reason), "muted"),))
        self.query_one("#keep", Bar).show(
            (("To keep one: ", "muted"), (self._keeping, "text"), (", in a shell", "muted"))
        )
        self.query_one("#foot", Bar).show(
            (("enter", "key"), (" use it for this session   ", "muted"), ("esc", "key"),
             (" leave", "muted")),
        )  # fmt: skip
        self.typed.focus()

    @on(Input.Submitted)
    def _take(self, event: Input.Submitted) -> None:
        event.stop()
        text = event.value.strip()
        if not text:
            self._complain("Nothing was typed.")
        elif not text.isascii() or any(character.isspace() for character in text):
            self._complain("A token has no spaces and no signs beyond ASCII.")
        else:
            self.dismiss(Secret(text))

    def _complain(self, sentence: str) -> None:
        self.query_one("#wrong", Bar).show(((sentence, "failed"),))

    def action_leave(self) -> None:
        """Keep the token of before."""
        self.dismiss(None)
