"""A form for something to be made on the platform; it stays until that is there, or one leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import getters, on
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Input

from platui.ui.messages import WriteWanted
from platui.ui.widgets.bar import Bar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.widget import Widget

    from platui.models.values.writes import Intent
    from platui.present.chrome import Pieces
    from platui.ui.course import WriteCourse


class FormDialog(ModalScreen[None]):
    """A subclass yields its fields and makes an intent of them; enter asks, then sends.

    What was typed stays whatever the platform says to it.
    """

    DEFAULT_CSS = """
    FormDialog { align: center middle; background: $background 60%; }
    FormDialog > #box {
        width: 96%; max-width: 96; height: auto; max-height: 100%; background: $background;
        border: round $accent; padding: 0 1;
    }
    FormDialog > #box.-production { border: heavy $status-failed; }
    FormDialog.-behind > #box { visibility: hidden; }
    FormDialog #fields { height: auto; margin-top: 1; }
    FormDialog .field { height: 1; margin-bottom: 1; }
    FormDialog .label { width: 14; }
    FormDialog Input, FormDialog Input:focus {
        border: none; height: 1; padding: 0 1; background: $surface; width: 1fr;
    }
    FormDialog Input:focus { background: $panel; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Leave", id="form.leave"),
        Binding("enter", "send", "Send", id="form.send"),
        Binding("tab,down", "app.focus_next", "Next field", id="form.next"),
        Binding("shift+tab,up", "app.focus_previous", "Field before", id="form.previous"),
    ]

    wrong = getters.query_one("#wrong", Bar)
    _is_made = False
    """Whether what was asked for is there: the form is of no more use then."""
    _is_left = False

    # what a subclass gives

    def title_pieces(self) -> Pieces:
        """Return the line above the fields."""
        raise NotImplementedError

    def fields(self) -> Iterator[tuple[str, Widget]]:
        """Yield each field with its label."""
        raise NotImplementedError

    def intent(self) -> Intent | str:
        """Return what is to be done, or one sentence that says what is missing for it."""
        raise NotImplementedError

    @property
    def is_production(self) -> bool:
        """Return whether mistakes are dear here."""
        return False

    # what all of them do

    def compose(self) -> ComposeResult:
        """Yield title, fields, what is wrong with them, and the keys."""
        with Vertical(id="box", classes="-production" if self.is_production else ""):
            yield Bar(id="title")
            with Vertical(id="fields"):
                for label, field in self.fields():
                    with Horizontal(classes="field"):
                        yield _Label(label)
                        yield field
            yield Bar(id="wrong")
            yield Bar(id="foot")

    def on_mount(self) -> None:
        """Ask for the first field."""
        self.query_one("#title", Bar).show(self.title_pieces())
        self.query_one("#foot", Bar).show((
            (" enter", "key"), (" ask and send   ", "muted"), ("tab", "key"),
            (" next field   ", "muted"), ("esc", "key"), (" leave", "muted"),
        ))  # fmt: skip
        for typed in self.query(Input):
            typed.cursor_blink = False

    def on_screen_suspend(self) -> None:
        """Stand back while something is asked or told about what was typed."""
        self.add_class("-behind")

    def on_screen_resume(self) -> None:
        """Come back; leave when what was asked for has been made meanwhile."""
        self.remove_class("-behind")
        self._leave_made()

    @on(Input.Changed)
    def _forgive(self, event: Input.Changed) -> None:
        event.stop()
        self.wrong.show(())

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_send()

    def action_send(self) -> None:
        """Have the user asked, and it sent; or say what is missing."""
        intent = self.intent()
        if isinstance(intent, str):
            self.wrong.show(((f" {intent}", "failed"),))
        else:
            self.post_message(WriteWanted((intent,), when_over=self._over))

    def _over(self, course: WriteCourse) -> None:
        self._is_made = self._is_made or course.is_done
        self._leave_made()

    def _leave_made(self) -> None:
        # It may be told twice that a screen is in front, also of one that was left by then.
        if self._is_made and self.is_active and not self._is_left:
            self._is_left = True
            self.dismiss(None)

    def action_leave(self) -> None:
        """Leave; what was typed is gone."""
        self.dismiss(None)


class _Label(Bar):
    """The name of a field."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.add_class("label")
        self.show(((f" {text}", "muted"),))
