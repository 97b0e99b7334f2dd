"""A note on an incident, and who sees to it: two lines to be typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

from textual import on
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input

from platui.ui.widgets.bar import Bar

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

LONGEST: Final = 500
"""Signs of a note: what is longer belongs into a ticket, whose address is a note."""


class Note(NamedTuple):
    """What is noted."""

    text: str
    owner: str


class NoteDialog(ModalScreen[Note | None]):
    """Asks for the note, then for the owner; enter goes on, and keeps both at the end."""

    DEFAULT_CSS = """
    NoteDialog { align: center middle; background: $background 60%; }
    NoteDialog > #box {
        width: 96%; max-width: 96; height: auto; background: $background;
        border: round $accent; padding: 0 1;
    }
    NoteDialog Input, NoteDialog Input:focus {
        border: none; height: 1; padding: 0 1; background: $surface;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Leave", id="note.leave"),
        Binding("down,tab", "app.focus_next", "Next", id="note.next", priority=True),
        Binding("up,shift+tab", "app.focus_previous", "Before", id="note.before", priority=True),
    ]

    def __init__(self, what: str, before: Note) -> None:
        """Prepare to ask.

        Args:
            what: the incidents that it is about.
            before: what was noted so far.
        """
        super().__init__()
        self._what = what
        self._before = before

    def compose(self) -> ComposeResult:
        """Yield the two questions, each above its line."""
        with Vertical(id="box"):
            yield Bar(id="title")
            yield from _typed(self._before.text, "note", "what is known of it; empty: nothing")
            yield from _typed(self._before.owner, "owner", "who sees to it; empty: nobody yet")
            yield Bar(id="foot")

    def on_mount(self) -> None:
        """Ask for the note."""
        self.query_one("#title", Bar).show(
            ((f" {self._what}", "strong"), ("  kept on this machine", "muted"))
        )
        self.query_one("#foot", Bar).show(
            ((" enter", "key"), (" on, then keep   ", "muted"), ("tab", "key"),
             (" the other line   ", "muted"), ("esc", "key"), (" leave", "muted"))
        )  # fmt: skip
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

    def action_leave(self) -> None:
        """Note nothing."""
        self.dismiss(None)


def _typed(value: str, name: str, hint: str) -> ComposeResult:
    """Yield a line to be typed, below what it is."""
    title = Bar(id=f"{name}-title")
    title.show(((f" {name}", "muted"),))
    yield title
    line = Input(
        value, placeholder=hint, id=name, compact=True, select_on_focus=False, max_length=LONGEST
    )
    line.cursor_blink = False
    yield line
