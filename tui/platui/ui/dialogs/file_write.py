"""The base class of dialogs that write a file: name, progress, cancel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual import getters, on
from textual.widgets import Input

from platui.core.errors import PlatuiError
from platui.ui.dialogs.box import BoxDialog, line_input
from platui.ui.error_display import refusal
from platui.ui.pace import pace_of
from platui.ui.widgets.bar import Bar
from platui.ui.workers import work

if TYPE_CHECKING:
    from textual.timer import Timer
    from textual.widget import Widget
    from textual.worker import Worker

    from platui.models.values.feeds import Progress
    from platui.present.chrome import Pieces

_INTERVAL: Final = 0.25  # Minimum seconds between progress updates


class FileWriteDialog(BoxDialog[None]):
    """Writes a file with the typed name; a subclass yields bars `how` and `foot`."""

    DEFAULT_CSS = "FileWriteDialog #how { margin-top: 1; }"

    question = getters.query_one("#question", Bar)
    how = getters.query_one("#how", Bar)
    foot = getters.query_one("#foot", Bar)

    def __init__(self) -> None:
        super().__init__()
        self._worker: Worker[None] | None = None
        self._progress: Progress | None = None
        self._timer: Timer | None = None
        self._is_of_name = False  # Whether a change of the name clears the message

    async def write(self, name: str) -> str:
        """Write the file; return the success message. Raises PlatuiError."""
        raise NotImplementedError

    def progress_text(self, progress: Progress | None) -> Pieces:
        """Return the progress line; `progress` is None until the first bytes."""
        raise NotImplementedError

    def keys(self) -> Pieces:
        """Return the key hints while no file is being written."""
        raise NotImplementedError

    def show_error(self, error: PlatuiError) -> None:
        self.show_state(refusal(error))

    def ask_name(self, offered: str) -> tuple[Widget, Widget]:
        # The name is selected: typing replaces it.
        return Bar(id="question"), line_input(offered)

    @property
    def is_writing(self) -> bool:
        return self._worker is not None

    def show_state(self, pieces: Pieces, *, of_name: bool = False) -> None:
        """Show a message; with `of_name`, until the name changes."""
        self._is_of_name = of_name
        self.how.show(pieces)

    def note(self, progress: Progress) -> None:
        """Set the progress; thread-safe."""
        self._progress = progress

    def show_keys(self) -> None:
        stop: Pieces = ((" esc", "key"), (" stop", "muted"))
        self.foot.show(stop if self.is_writing else self.keys())

    @on(Input.Changed)
    def _change_name(self, event: Input.Changed) -> None:
        event.stop()
        if self._is_of_name:
            self.show_state(())

    @on(Input.Submitted)
    def _save(self, event: Input.Submitted) -> None:
        event.stop()
        name = event.value.strip()
        if self.is_writing:
            return
        if not name:
            self.show_state(((" Enter a file name.", "warning"),), of_name=True)
            return
        self._progress = None
        self._worker = self.run_worker(work(self._write, name), group="save", exclusive=True)
        every = max(_INTERVAL, pace_of(self.app).frame)
        self._timer = self.set_interval(every, self._show_progress)
        self._show_progress()
        self.show_keys()

    async def _write(self, name: str) -> None:
        try:
            message = await self.write(name)
        except PlatuiError as error:
            self._end()
            self.show_error(error)
            self.show_keys()
        else:
            self._end()
            self.app.notify(message)  # a result: stays when the view is left
            self.dismiss(None)

    def _end(self) -> None:
        self._worker = None
        if self._timer is not None:
            self._timer.stop()

    def _show_progress(self) -> None:
        if self.is_writing:
            self.show_state(self.progress_text(self._progress))

    def action_leave(self) -> None:
        """Stop the write, or close the dialog."""
        if self._worker is None:
            self.dismiss(None)
        else:
            self._worker.cancel()
            self._end()
            self.show_state(((" Stopped; nothing saved.", "warning"),))
            self.show_keys()
