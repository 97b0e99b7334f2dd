"""Unlocking writes: the name of the profile, typed letter by letter."""

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


class UnlockDialog(ModalScreen[bool]):
    """Returns whether writes are unlocked now."""

    CSS = """
    UnlockDialog { align: center middle; background: $background 60%; }
    UnlockDialog > #box {
        width: 76; max-width: 96%; height: auto; background: $background; border: round $accent;
        padding: 0 1;
    }
    UnlockDialog > #box.-production { border: heavy $status-failed; }
    UnlockDialog Input, UnlockDialog Input:focus {
        border: none; height: 1; padding: 0 1; margin: 1 0; background: $panel;
    }
    UnlockDialog #what { margin-top: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Leave", id="unlock.leave"),
    ]

    typed = getters.query_one(Input)

    def __init__(self, profile: str, unlock: Callable[[str], None], *, production: bool) -> None:
        """Prepare to ask.

        Args:
            profile: its name.
            unlock: takes what was typed; raises WriteRefusedError where that is not it.
            production: whether mistakes are dear here.
        """
        super().__init__()
        self._profile = profile
        self._unlock = unlock
        self._production = production

    def compose(self) -> ComposeResult:
        """Yield what is asked, the input, and its keys."""
        with Vertical(id="box", classes="-production" if self._production else ""):
            yield Bar(id="title")
            yield Bar(id="what")
            yield Bar(id="how")
            typed = Input(placeholder="name of the profile")
            typed.cursor_blink = False
            yield typed
            yield Bar(id="wrong")
            yield Bar(id="foot")

    def on_mount(self) -> None:
        """Say what is asked."""
        self.query_one("#title", Bar).show(badge(self._profile, production=self._production))
        self.query_one("#what", Bar).show(((" Writes are locked on this profile.", "strong"),))
        self.query_one("#how", Bar).show((
            (" Type ", "text"), (clean(self._profile), "strong"),
            (" to unlock them for 15 minutes; each is still asked about.", "text"),
        ))  # fmt: skip
        self.query_one("#foot", Bar).show(
            ((" enter", "key"), (" unlock   ", "muted"), ("esc", "key"), (" leave", "muted")),
        )
        self.typed.focus()

    @on(Input.Changed)
    def _forgive(self, event: Input.Changed) -> None:
        event.stop()
        self.query_one("#wrong", Bar).show(())

    @on(Input.Submitted)
    def _take(self, event: Input.Submitted) -> None:
        event.stop()
        try:
            self._unlock(event.value)
        except WriteRefusedError as error:
            self.query_one("#wrong", Bar).show(((f" {clean(error.sentence)}", "failed"),))
        else:
            self.dismiss(True)

    def action_leave(self) -> None:
        """Leave it locked."""
        self.dismiss(False)
