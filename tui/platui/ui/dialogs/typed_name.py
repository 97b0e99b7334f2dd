"""Dialogs that the user confirms by typing a name."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import getters, on
from textual.widgets import Input

from platui.core.errors import WriteRefusedError
from platui.core.text import clean, shorten
from platui.present.writes.requests import badge
from platui.ui.active_keys import bind
from platui.ui.dialogs.box import BoxDialog, box, keys_line, line_input
from platui.ui.widgets.bar import Bar

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult

    from platui.config.profile import Profile
    from platui.present.chrome import Pieces


class TypedNameDialog(BoxDialog[bool]):
    """Returns True after the name was typed, else None."""

    DEFAULT_CSS = "TypedNameDialog #what { margin-top: 1; }"
    BINDINGS = [
        bind("escape", "typedname.leave", "Cancel"),
    ]
    WHAT: ClassVar[str] = ""  # The question
    HINT: ClassVar[str] = ""  # The placeholder of the input
    VERB: ClassVar[str] = ""  # The hint of enter

    input = getters.query_one(Input)

    def __init__(self, profile: Profile, take: Callable[[str], None]) -> None:
        super().__init__()
        self._profile = profile
        self._take_name = take

    def how(self) -> Pieces:
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        production = self._profile.production
        yield box(
            badge(self._profile.name, production=production),
            Bar(((f" {self.WHAT}", "strong"),), id="what"),
            Bar(self.how()),
            line_input(placeholder=self.HINT),
            Bar(id="wrong"),
            foot=keys_line(("enter", self.VERB), ("esc", "cancel")),
            classes="-narrow -production" if production else "-narrow",
        )

    def on_mount(self) -> None:
        self.input.focus()

    @on(Input.Changed)
    def _clear_error(self, event: Input.Changed) -> None:
        event.stop()
        self._show_error(())

    @on(Input.Submitted)
    def _take(self, event: Input.Submitted) -> None:
        event.stop()
        try:
            self._take_name(event.value)
        except WriteRefusedError as error:
            self._show_error(((f" {clean(error.sentence)}", "failed"),))
        else:
            self.dismiss(True)

    def _show_error(self, pieces: Pieces) -> None:
        self.query_one("#wrong", Bar).show(pieces)


class UnlockDialog(TypedNameDialog):
    WHAT = "Writes are locked in this profile."
    HINT = "name of the profile"
    VERB = "unlock"

    def how(self) -> Pieces:
        return (
            (" Type ", "text"), (clean(self._profile.name), "strong"),
            (" to unlock them for 15 minutes. Each needs confirmation.", "text"),
        )  # fmt: skip


class DeleteScheduleDialog(TypedNameDialog):
    """Asks for the description before the deletion is confirmed."""

    WHAT = "A deleted schedule cannot be restored."
    HINT = "description of the schedule"
    VERB = "continue"

    def __init__(self, profile: Profile, description: str) -> None:
        super().__init__(profile, self._compare)
        self._description = description

    def how(self) -> Pieces:
        name = (shorten(self._description, 50), "strong")
        return ((" Type ", "text"), name, (" to confirm.", "text"))

    def _compare(self, typed: str) -> None:
        if " ".join(typed.split()) != " ".join(self._description.split()):
            raise WriteRefusedError("The description does not match.", hint="")
