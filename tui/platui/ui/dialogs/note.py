"""The note and the owner of an incident."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from textual import on
from textual.widgets import Input

from platui.ui.active_keys import bind
from platui.ui.dialogs.box import BoxDialog, box, keys_line, line_input
from platui.ui.widgets.bar import Bar

if TYPE_CHECKING:
    from textual.app import ComposeResult

LONGEST: Final = 500  # Characters


class Note(NamedTuple):
    text: str
    owner: str


class NoteDialog(BoxDialog[Note | None]):
    """Asks for note and owner; enter on the owner saves both."""

    BINDINGS = [
        bind("escape", "note.leave", "Cancel"),
        bind("down,tab", "note.next", "Next", action="app.focus_next", priority=True),
        bind("up,shift+tab", "note.before", "Previous", action="app.focus_previous", priority=True),
    ]

    def __init__(self, what: str, before: Note) -> None:
        super().__init__()
        self._what = what
        self._before = before

    def compose(self) -> ComposeResult:
        yield box(
            ((f" {self._what}", "strong"), ("  saved on this machine", "muted")),
            Bar(((" note", "muted"),)),
            _input(self._before.text, "note", "known facts, or a ticket link"),
            Bar(((" owner", "muted"),)),
            _input(self._before.owner, "owner", "name of the owner"),
            foot=keys_line(("enter", "next, then save"), ("tab", "other field"), ("esc", "cancel")),
        )

    def on_mount(self) -> None:
        self.set_focus(self.query_one("#note", Input))

    @on(Input.Submitted, "#note")
    def _go_on(self, event: Input.Submitted) -> None:
        event.stop()
        self.set_focus(self.query_one("#owner", Input))

    @on(Input.Submitted, "#owner")
    def _keep(self, event: Input.Submitted) -> None:
        event.stop()
        text, owner = (self.query_one(f"#{name}", Input).value for name in ("note", "owner"))
        self.dismiss(Note(text.strip(), owner.strip()))


def _input(value: str, name: str, hint: str) -> Input:
    return line_input(value, placeholder=hint, id=name, select_on_focus=False, max_length=LONGEST)
