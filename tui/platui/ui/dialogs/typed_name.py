"""Dialogs that the user confirms by typing a name."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import getters, on
from textual.containers import Vertical
from textual.widgets import Input

from platui.core.errors import WriteRefusedError
from platui.core.text import clean, shorten
from platui.present.writes.requests import badge
from platui.ui.active_keys import bind
from platui.ui.dialogs.box import BoxDialog, keys_line, line_input
from platui.ui.widgets.bar import Bar

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult

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

    def __init__(self, profile: str, take: Callable[[str], None], *, production: bool) -> None:
        super().__init__()
        self._profile = profile
        self._take_name = take
        self._production = production

    def how(self) -> Pieces:
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        with Vertical(id="box", classes="-narrow") as box:
            box.set_class(self._production, "-production")
            yield Bar(id="title")
            yield Bar(id="what")
            yield Bar(id="how")
            yield line_input(placeholder=self.HINT)
            yield Bar(id="wrong")
            yield Bar(id="foot")

    def on_mount(self) -> None:
        self.show_bars(
            title=badge(self._profile, production=self._production),
            what=((f" {self.WHAT}", "strong"),),
            how=self.how(),
            foot=keys_line(("enter", self.VERB), ("esc", "cancel")),
        )
        self.input.focus()

    @on(Input.Changed)
    def _clear_error(self, event: Input.Changed) -> None:
        event.stop()
        self.show_bars(wrong=())

    @on(Input.Submitted)
    def _take(self, event: Input.Submitted) -> None:
        event.stop()
        try:
            self._take_name(event.value)
        except WriteRefusedError as error:
            self.show_bars(wrong=((f" {clean(error.sentence)}", "failed"),))
        else:
            self.dismiss(True)


class UnlockDialog(TypedNameDialog):
    WHAT = "Writes are locked in this profile."
    HINT = "name of the profile"
    VERB = "unlock"

    def how(self) -> Pieces:
        return (
            (" Type ", "text"), (clean(self._profile), "strong"),
            (" to unlock them for 15 minutes. Each needs confirmation.", "text"),
        )  # fmt: skip


class DeleteScheduleDialog(TypedNameDialog):
    """Asks for the description before the deletion is confirmed."""

    WHAT = "A deleted schedule cannot be restored."
    HINT = "description of the schedule"
    VERB = "continue"

    def __init__(self, profile: str, description: str, *, production: bool) -> None:
        super().__init__(profile, self._compare, production=production)
        self._description = description

    def how(self) -> Pieces:
        return (
            (" Type ", "text"), (shorten(self._description, 50), "strong"),
            (" to confirm.", "text"),
        )  # fmt: skip

    def _compare(self, typed: str) -> None:
        if " ".join(typed.split()) != " ".join(self._description.split()):
            raise WriteRefusedError("The description does not match.", hint="")
