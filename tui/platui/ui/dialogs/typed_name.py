"""A name to be typed letter by letter, so that nothing happens by a slip of the hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import getters, on
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input

from platui.core.errors import WriteRefusedError
from platui.core.text import clean
from platui.present.write_questions import badge
from platui.ui.widgets.bar import Bar

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from platui.present.chrome import Pieces


class TypedNameDialog(ModalScreen[bool]):
    """Returns whether the name was typed; a subclass says what for."""

    DEFAULT_CSS = """
    TypedNameDialog { align: center middle; background: $background 60%; }
    TypedNameDialog > #box {
        width: 76; max-width: 96%; height: auto; background: $background; border: round $accent;
        padding: 0 1;
    }
    TypedNameDialog > #box.-production { border: heavy $status-failed; }
    TypedNameDialog Input, TypedNameDialog Input:focus {
        border: none; height: 1; padding: 0 1; margin: 1 0; background: $panel;
    }
    TypedNameDialog #what { margin-top: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Leave", id="typedname.leave"),
    ]
    WHAT: ClassVar[str] = ""
    """What is asked, as a sentence."""
    HINT: ClassVar[str] = ""
    """What stands in the empty input."""
    VERB: ClassVar[str] = ""
    """What enter does, in a word."""

    input = getters.query_one(Input)

    def __init__(self, profile: str, take: Callable[[str], None], *, production: bool) -> None:
        """Prepare to ask.

        Args:
            profile: its name.
            take: takes what was typed; raises WriteRefusedError where that is not it.
            production: whether mistakes are dear here.
        """
        super().__init__()
        self._profile = profile
        self._take_name = take
        self._production = production

    def how(self) -> Pieces:
        """Return what is to be typed, and what comes of it."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        """Yield what is asked, the input, and its keys."""
        with Vertical(id="box", classes="-production" if self._production else ""):
            yield Bar(id="title")
            yield Bar(id="what")
            yield Bar(id="how")
            box = Input(placeholder=self.HINT)
            box.cursor_blink = False
            yield box
            yield Bar(id="wrong")
            yield Bar(id="foot")

    def on_mount(self) -> None:
        """Say what is asked."""
        self.query_one("#title", Bar).show(badge(self._profile, production=self._production))
        self.query_one("#what", Bar).show(((f" {self.WHAT}", "strong"),))
        self.query_one("#how", Bar).show(self.how())
        self.query_one("#foot", Bar).show(
            ((" enter", "key"), (f" {self.VERB}   ", "muted"), ("esc", "key"), (" leave", "muted")),
        )
        self.input.focus()

    @on(Input.Changed)
    def _forgive(self, event: Input.Changed) -> None:
        event.stop()
        self.query_one("#wrong", Bar).show(())

    @on(Input.Submitted)
    def _take(self, event: Input.Submitted) -> None:
        event.stop()
        try:
            self._take_name(event.value)
        except WriteRefusedError as error:
            self.query_one("#wrong", Bar).show(((f" {clean(error.sentence)}", "failed"),))
        else:
            self.dismiss(True)

    def action_leave(self) -> None:
        """Leave it as it is."""
        self.dismiss(False)
