"""A form whole: its rows, what will be sent, and the keys that every form has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual import getters, on
from textual.containers import Vertical
from textual.message import Message

from platui.present.writes.requests import preview
from platui.ui.active_keys import bind
from platui.ui.messages import CopyText
from platui.ui.widgets.bar import Bar
from platui.ui.widgets.form_view import FormView
from platui.ui.widgets.text_pane import Passage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult

    from platui.models.values.writes import WriteRequest
    from platui.present.form_rows import FormRow

_SAME: Final = "the command that does the same"
_OVER: Final = "Drop what was typed, and begin with what the form began with"
_PANE: Final = "Go from the last field to what will be sent, and back"
_OF_ROWS: Final = frozenset({"send", "clear"})
_OF_A_REQUEST: Final = frozenset({"request", "copy"})


class Form(Vertical):
    """Shows what it is given; who gives it is told what is wanted of it."""

    DEFAULT_CSS = """
    Form { height: 1fr; }
    Form > #rows { height: 1fr; }
    Form > #below { height: 1fr; display: none; }
    Form.-previewed > #below { display: block; }
    Form Passage { height: 1fr; }
    Form.-previewed > #rows { height: auto; max-height: 60%; }
    """
    BINDINGS = [
        bind("S,ctrl+enter", "write.send", "Send", "Send it, after a question"),
        bind("i", "form.request", "Request", f"Show what will be sent, and {_SAME}"),
        bind("y", "form.copy", "Copy command", f"Copy {_SAME}; secrets stand in it by their keys"),
        bind("c", "form.clear", "Start over", _OVER),
        bind("tab", "form.pane", "Other part", _PANE),
        bind("escape", "form.close", "Close the request"),
    ]

    view = getters.query_one("#rows", FormView)
    lines = getters.query_one("#preview", Passage)

    class SendWanted(Message):
        """What is filled in is to be sent."""

    class RequestShown(Message):
        """The request is to be seen from now on, or no longer."""

    class ClearWanted(Message):
        """What is filled in is to be dropped."""

    def __init__(self, *, id: str, at: int = 0, tall: int | None = None) -> None:  # noqa: A002  (Textual's name)
        super().__init__(id=id)
        self._at = at
        self._tall = tall
        self._opened: bool | None = None
        """Whether the user wants to see the request; None: they have not said."""
        self._request: WriteRequest | None = None

    def compose(self) -> ComposeResult:
        yield FormView(id="rows", at=self._at)
        with Vertical(id="below"):
            yield Bar(id="sent")
            yield Passage(id="preview", has_keys=True)

    def on_mount(self) -> None:
        self.query_one("#sent", Bar).show(((" What will be sent", "strong"),))

    def focus_rows(self) -> None:
        self.screen.set_focus(self.view)

    def show(self, rows: Sequence[FormRow], request: WriteRequest | None) -> None:
        """Show other rows, and what would be sent of them; None: nothing can be."""
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
            self.lines.tell([(line, "text") for line in preview(self._request)])
        elif self.lines.has_focus:
            self.focus_rows()

    @property
    def is_previewed(self) -> bool:
        """Return whether the request is to be seen: as the user said, else where there is room."""
        if self._opened is None:
            return self._tall is not None and self.screen.size.height >= self._tall
        return self._opened

    def on_resize(self) -> None:
        self.call_after_refresh(self._show_request)

    # keys

    async def action_send(self) -> None:
        """Take what is typed, and tell that all of it is to be sent."""
        await self.view.take()
        self.view.post_message(self.SendWanted())  # behind what was taken

    def action_request(self) -> None:
        self._opened = not self.is_previewed
        self._show_request()
        self.screen.refresh_bindings()

    def action_copy(self) -> None:
        if self._request is not None:
            self.post_message(CopyText("\n".join(self._request.commands)))

    def action_clear(self) -> None:
        self.post_message(self.ClearWanted())

    def action_pane(self) -> None:
        """Go to what will be sent, and from there to the first field."""
        if self.lines.has_focus:
            self.focus_rows()
        elif self.has_class("-previewed"):
            self.screen.set_focus(self.lines)
        else:
            self.view.action_top()

    def action_close(self) -> None:
        self._opened = False
        self._show_request()
        self.screen.refresh_bindings()

    @on(Passage.Left)
    def _leave_preview(self, event: Passage.Left) -> None:
        event.stop()
        self.focus_rows()
        if self._opened:
            self.action_close()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "close":
            return bool(self._opened) and self.has_class("-previewed")
        if action in _OF_ROWS and self.view.cursor.row is None:
            return None
        if action in _OF_A_REQUEST and self._request is None:
            return None
        return super().check_action(action, parameters)
