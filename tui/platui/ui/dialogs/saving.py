"""What every dialog does that writes a file: it asks for a name, shows how far it is, can stop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual import getters, on
from textual.screen import ModalScreen
from textual.widgets import Input

from platui.core.errors import PlatuiError
from platui.ui.failures import refusal
from platui.ui.messages import Told
from platui.ui.pace import pace_of
from platui.ui.widgets.bar import Bar
from platui.ui.works import work

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.timer import Timer
    from textual.worker import Worker

    from platui.models.values.downloads import Progress
    from platui.present.chrome import Pieces

_LOOKS: Final = 0.25
"""Seconds between two looks at how far it is; more where nothing is to move."""


class SavingDialog(ModalScreen[None]):
    """Has a file written under the name that is typed, which stays whatever is in its way.

    What is written, and the words for it, are the subclass's; it yields a `Bar` `how` and a
    `Bar` `foot` below the name.
    """

    DEFAULT_CSS = """
    SavingDialog { align: center middle; background: $background 60%; }
    SavingDialog > #box {
        width: 96%; max-width: 96; height: auto; max-height: 96%; background: $background;
        border: round $accent; padding: 0 1;
    }
    SavingDialog Input, SavingDialog Input:focus {
        border: none; height: 1; padding: 0 1; background: $surface;
    }
    SavingDialog #how { margin-top: 1; }
    """

    question = getters.query_one("#question", Bar)
    how = getters.query_one("#how", Bar)
    foot = getters.query_one("#foot", Bar)

    def __init__(self) -> None:
        super().__init__()
        self._worker: Worker[None] | None = None
        self._progress: Progress | None = None
        self._looks: Timer | None = None
        self._is_of_name = False
        """Whether what is said of how it goes is no longer so when another name is typed."""

    # What a dialog has of its own

    async def write(self, name: str) -> str:
        """Write the file; return what is told of it when the dialog is gone.

        Raises:
            PlatuiError: it is not written.
        """
        raise NotImplementedError

    def how_far(self, progress: Progress | None) -> Pieces:
        """Return the line that tells how far it is; no progress is known until the first bytes."""
        raise NotImplementedError

    def keys(self) -> Pieces:
        """Return the keys that answer while nothing is under way."""
        raise NotImplementedError

    def another_name(self) -> None:
        """Take note that the name typed is no longer the one last tried."""

    def refuse(self, error: PlatuiError) -> None:
        """Say what stood in the way."""
        self.say(refusal(error))

    # What all of them do

    def ask_name(self, offered: str) -> ComposeResult:
        """Yield the question, and the name as it is typed."""
        yield Bar(id="question")
        # The name is selected: a letter replaces it, an arrow keeps it to be changed.
        typed = Input(offered, compact=True)
        typed.cursor_blink = False
        yield typed

    @property
    def is_writing(self) -> bool:
        """Return whether the file is being written."""
        return self._worker is not None

    def say(self, pieces: Pieces, *, of_name: bool = False) -> None:
        """Say how it goes; of the name typed it is said until that is another one."""
        self._is_of_name = of_name
        self.how.show(pieces)

    def note(self, progress: Progress) -> None:
        """Take note of how far it is; may be called in a thread, and as often as one likes."""
        self._progress = progress

    def tell_keys(self) -> None:
        """Show the keys that answer now."""
        stop: Pieces = ((" esc", "key"), (" stop", "muted"))
        self.foot.show(stop if self.is_writing else self.keys())

    @on(Input.Changed)
    def _change_name(self, event: Input.Changed) -> None:
        event.stop()
        self.another_name()
        if self._is_of_name:
            self.say(())

    @on(Input.Submitted)
    def _save(self, event: Input.Submitted) -> None:
        event.stop()
        name = event.value.strip()
        if self.is_writing:
            return
        if not name:
            self.say(((" A file needs a name: type one.", "warning"),), of_name=True)
            return
        self._progress = None
        self._worker = self.run_worker(
            work(self._write, name), group="save", exclusive=True, description="save a file"
        )
        self._looks = self.set_interval(max(_LOOKS, pace_of(self.app).frame), self._look)
        self._look()
        self.tell_keys()

    async def _write(self, name: str) -> None:
        """Write the file, and leave when it is there; what stands in the way is said in place."""
        try:
            words = await self.write(name)
        except PlatuiError as error:
            self._end()
            self.refuse(error)
            self.tell_keys()
        else:
            self._end()
            self.app.post_message(Told(words))
            self.dismiss(None)

    def _end(self) -> None:
        """Take note that nothing is under way.

        Not left to a worker that was stopped: it may still hang up when the next one begins.
        """
        self._worker = None
        if self._looks is not None:
            self._looks.stop()

    def _look(self) -> None:
        if self.is_writing:
            self.say(self.how_far(self._progress))

    def action_leave(self) -> None:
        """Stop what is under way, else leave."""
        if self._worker is None:
            self.dismiss(None)
        else:
            self._worker.cancel()
            self._end()
            self.say(((" Stopped; nothing was saved.", "warning"),))
            self.tell_keys()
