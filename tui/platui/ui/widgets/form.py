"""A form: its rows, the preview of the request, and the keys of every form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from textual import getters, on
from textual.containers import Vertical
from textual.message import Message

from platui.present.writes.requests import preview
from platui.ui.active_keys import bind
from platui.ui.messages import CopyText
from platui.ui.widgets.bar import Bar
from platui.ui.widgets.form_view import FormView
from platui.ui.widgets.text_pane import TextPane

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from platui.models.values.writes import WriteRequest
    from platui.present.form_rows import FormRow

_OVER: Final = "Clear the input and start from the original values"
_PANE: Final = "Switch between the last field and the request"
_HEADING: Final = ((" Request preview", "strong"),)


class Form(Vertical):
    """Shows rows and the request; posts what the user wants."""

    DEFAULT_CSS = """
    Form { height: 1fr; }
    Form > #rows { height: 1fr; }
    Form > #below { height: 1fr; display: none; }
    Form.-previewed > #below { display: block; }
    Form TextPane { height: 1fr; }
    Form.-previewed > #rows { height: auto; max-height: 60%; }
    """
    BINDINGS = [
        bind("S,ctrl+enter", "write.send", "Send", "Send the request, after confirmation"),
        bind("i", "form.request", "Request", "Show the request and the equivalent command"),
        bind(
            "y", "form.copy", "Copy command", "Copy the equivalent command, without secret values"
        ),
        bind("c", "form.reset", "Start over", _OVER),
        bind("tab", "form.next_pane", "Other part", _PANE),
        bind("escape", "form.close", "Close", "Close the request"),
    ]

    view = getters.query_one("#rows", FormView)
    lines = getters.query_one("#preview", TextPane)

    class SendWanted(Message):
        """The user sends the form."""

    class RequestShown(Message):
        """The request is shown or hidden."""

    class ClearWanted(Message):
        """The user clears the form."""

    def __init__(self, *, id: str, at: int = 0, tall: int | None = None) -> None:  # noqa: A002  (Textual's name)
        super().__init__(id=id)
        self._at = at
        self._tall = tall
        self._opened: bool | None = None  # Whether the user shows the request; None: no choice yet
        self._request: WriteRequest | None = None

    def compose(self) -> ComposeResult:
        yield FormView(id="rows", at=self._at)
        with Vertical(id="below"):
            yield Bar(_HEADING, id="sent")
            yield TextPane(id="preview", has_keys=True)

    def focus_rows(self) -> None:
        self.screen.set_focus(self.view)

    def show(self, rows: Sequence[FormRow], request: WriteRequest | None) -> None:
        """Show rows and their request; None: the form cannot be sent yet."""
        self._request = request
        self.view.show(rows)
        self._show_request()
        self.screen.refresh_bindings()

    def _show_request(self) -> None:
        shown = self._request is not None and self.is_previewed
        if shown is not self.has_class("-previewed"):
            self.set_class(shown, "-previewed")
            self.post_message(self.RequestShown())
        if shown and self._request is not None:
            self.lines.show([(line, "text") for line in preview(self._request)])
        elif self.lines.has_focus:
            self.focus_rows()

    @property
    def is_previewed(self) -> bool:
        """Return whether the request is shown: the user's choice, else whether it fits."""
        if self._opened is None:
            return self._tall is not None and self.screen.size.height >= self._tall
        return self._opened

    def on_resize(self) -> None:
        self.call_after_refresh(self._show_request)

    async def action_send(self) -> None:
        """Accept the current input, and post that the form is sent."""
        await self.view.take()
        self.view.post_message(self.SendWanted())  # after the accepted input

    def action_request(self) -> None:
        self._open(not self.is_previewed)

    def action_copy(self) -> None:
        if self._request is not None:
            self.post_message(CopyText("\n".join(self._request.commands)))

    def action_reset(self) -> None:
        self.post_message(self.ClearWanted())

    def action_next_pane(self) -> None:
        """Move the focus to the request, and from there to the first field."""
        if self.lines.has_focus:
            self.focus_rows()
        elif self.has_class("-previewed"):
            self.screen.set_focus(self.lines)
        else:
            self.view.action_top()

    def action_close(self) -> None:
        self._open(False)

    def _open(self, shown: bool) -> None:  # noqa: FBT001  (its only argument)
        self._opened = shown
        self._show_request()
        self.screen.refresh_bindings()

    @on(TextPane.Left)
    def _leave_preview(self, event: TextPane.Left) -> None:
        event.stop()
        self.focus_rows()
        if self._opened:
            self.action_close()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "close":
            return bool(self._opened) and self.has_class("-previewed")
        if action in {"send", "reset"} and self.view.cursor.row is None:
            return None
        if action in {"request", "copy"} and self._request is None:
            return None
        return super().check_action(action, parameters)
