"""Ask for a new token; the input is masked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on
from textual.widgets import Input

from platui.core.secrets import Secret
from platui.core.text import clean
from platui.present.profiles import save_token_command
from platui.ui.active_keys import bind
from platui.ui.dialogs.box import BoxDialog, box, keys_line, line_input
from platui.ui.widgets.bar import Bar

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from platui.config.profile import Profile


class TokenDialog(BoxDialog[Secret | None]):
    DEFAULT_CSS = "TokenDialog > #box { padding: 1 2; }"
    BINDINGS = [
        bind("escape", "token.leave", "Cancel"),
    ]

    def __init__(self, profile: Profile, reason: str) -> None:
        super().__init__()
        self._profile = profile
        self._reason = reason

    def compose(self) -> ComposeResult:
        profile = self._profile
        keep = save_token_command(profile)
        yield box(
            (("New token for ", "text"), (profile.name, "strong")),
            Bar(((clean(profile.url), "muted"),)),
            Bar(((clean(self._reason), "muted"),)),
            line_input(password=True, placeholder="personal, project or group access token"),
            Bar(id="wrong"),
            Bar((("To save it: run ", "muted"), (keep, "text"), (" in a shell", "muted"))),
            foot=keys_line(("enter", "use it for this session"), ("esc", "cancel"), lead=""),
            classes="-narrow",
        )

    def on_mount(self) -> None:
        self.query_one(Input).focus()

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
        self.query_one("#wrong", Bar).show(((message, "failed"),))
