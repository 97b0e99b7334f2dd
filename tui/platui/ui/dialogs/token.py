"""Ask for a new token; the input is masked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import getters, on
from textual.containers import Vertical
from textual.widgets import Input

from platui.core.secrets import Secret
from platui.core.text import clean
from platui.ui.active_keys import bind
from platui.ui.dialogs.box import BoxDialog, keys_line, line_input
from platui.ui.widgets.bar import Bar

if TYPE_CHECKING:
    from textual.app import ComposeResult


class TokenDialog(BoxDialog[Secret | None]):
    DEFAULT_CSS = "TokenDialog > #box { padding: 1 2; }"
    BINDINGS = [
        bind("escape", "token.leave", "Cancel"),
    ]

    typed = getters.query_one(Input)

    def __init__(self, profile: str, address: str, reason: str, keeping: str) -> None:
        super().__init__()
        self._keeping = keeping
        self._profile = profile
        self._address = address
        self._reason = reason

    def compose(self) -> ComposeResult:
        with Vertical(id="box", classes="-narrow"):
            yield Bar(id="title")
            yield Bar(id="where")
            yield Bar(id="reason")
            hint = "personal, project or group access token"
            yield line_input(password=True, placeholder=hint)
            yield Bar(id="wrong")
            yield Bar(id="keep")
            yield Bar(id="foot")

    def on_mount(self) -> None:
        self.show_bars(
            title=(("New token for ", "text"), (self._profile, "strong")),
            where=((clean(self._address), "muted"),),
            reason=((clean(self._reason), "muted"),),
            keep=(("To save it: run ", "muted"), (self._keeping, "text"), (" in a shell", "muted")),
            foot=keys_line(("enter", "use it for this session"), ("esc", "cancel"), lead=""),
        )
        self.typed.focus()

    @on(Input.Submitted)
    def _take(self, event: Input.Submitted) -> None:
        event.stop()
        text = event.value.strip()
        if not text:
            self._show_error("Enter a token.")
        elif not text.isascii() or any(character.isspace() for character in text):
            self._show_error("A token has only ASCII characters and no spaces.")
        else:
            self.dismiss(Secret(text))

    def _show_error(self, message: str) -> None:
        self.show_bars(wrong=((message, "failed"),))
