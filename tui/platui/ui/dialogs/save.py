"""Saving a log: under which name, as text or as it came, and how far that is."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from textual import getters, on
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input

from platui.core.errors import NameTakenError, PlatuiError
from platui.core.paths import folder_here, typed_path, whole_path
from platui.core.text import shorten
from platui.present.artifacts import progress_line
from platui.present.sizes import human_bytes
from platui.service.log_saving import BytesOf, TextOf, save_log
from platui.ui.failures import refusal
from platui.ui.messages import Told
from platui.ui.widgets.bar import Bar

if TYPE_CHECKING:
    from pathlib import Path

    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.timer import Timer
    from textual.worker import Worker

    from platui.models.values.downloads import Progress
    from platui.models.values.log import LogDocument
    from platui.present.chrome import Pieces

_LOOKS: Final = 0.25
"""Seconds between two looks at how far it is."""


class SaveDialog(ModalScreen[None]):
    """Asks for a name; what was typed stays whatever is in its way."""

    CSS = """
    SaveDialog { align: center middle; background: $background 60%; }
    SaveDialog > #box {
        width: 96%; max-width: 96; height: auto; background: $background;
        border: round $accent; padding: 0 1;
    }
    SaveDialog Input, SaveDialog Input:focus {
        border: none; height: 1; padding: 0 1; background: $surface;
    }
    SaveDialog #how { margin-top: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Leave", id="save.leave"),
        Binding("tab", "switch", "Text or bytes", id="save.switch", priority=True),
    ]

    typed = getters.query_one(Input)
    question = getters.query_one("#question", Bar)
    how = getters.query_one("#how", Bar)
    foot = getters.query_one("#foot", Bar)

    def __init__(self, document: LogDocument, name: str) -> None:
        """Prepare to ask.

        Args:
            document: the log.
            name: the name to offer.
        """
        super().__init__()
        self._document = document
        self._name_offered = name
        self._raw = False
        self._asked: Path | None = None
        """The file that the next enter replaces."""
        self._worker: Worker[None] | None = None
        self._progress: Progress | None = None
        self._looks: Timer | None = None

    def compose(self) -> ComposeResult:
        """Yield the question, the name, and how far it is."""
        with Vertical(id="box"):
            yield Bar(id="title")
            yield Bar(id="question")
            typed = Input(self._name_offered, compact=True, select_on_focus=False)
            typed.cursor_blink = False
            yield typed
            yield Bar(id="how")
            yield Bar(id="foot")

    def on_mount(self) -> None:
        """Ask."""
        self.query_one("#title", Bar).show(((" Save the log", "strong"),))
        self.set_focus(self.typed)
        self._tell()

    def _tell(self) -> None:
        """Show what is asked, and the keys that answer."""
        kind = "the bytes as they came" if self._raw else "plain text"
        here = shorten(folder_here(), 44)
        self.question.show(((f" save {kind} as   (in {here})", "muted"),))
        if self._worker is not None:
            keys: Pieces = ((" esc", "key"), (" stop", "muted"))
        else:
            verb = "replace it" if self._asked is not None else "save"
            other = "plain text" if self._raw else "the very bytes"
            keys = (
                (" enter", "key"), (f" {verb}   ", "muted"), ("tab", "key"),
                (f" {other}   ", "muted"), ("esc", "key"), (" leave", "muted"),
            )  # fmt: skip
        self.foot.show(keys)

    @on(Input.Changed)
    def _another_name(self, event: Input.Changed) -> None:
        event.stop()
        if self._asked is not None:
            self._asked = None
            self.how.show(())
            self._tell()

    @on(Input.Submitted)
    def _save(self, event: Input.Submitted) -> None:
        event.stop()
        if self._worker is not None or not event.value.strip():
            return
        self._progress = None
        self._worker = self.run_worker(
            self._write(event.value.strip()), group="save", exclusive=True,
            description="save a log",
        )  # fmt: skip
        self._looks = self.set_interval(_LOOKS, self._look)
        self._tell()

    async def _write(self, name: str) -> None:
        """Save, and leave when it is done; what stands in the way is said in place."""
        what = BytesOf(self._document) if self._raw else TextOf(self._document)
        try:
            target = whole_path(typed_path(name))
            size = await save_log(what, target, self._note, replace=target == self._asked)
        except NameTakenError:
            self._end()
            self._asked = target
            self._tell()
            self.how.show(((" There is a file of that name. ", "warning"),
                           ("enter", "key"), (" replaces it.", "muted")))  # fmt: skip
        except PlatuiError as error:
            self._end()
            self.how.show(refusal(error))
        else:
            self._end()
            self.app.post_message(Told(f"Saved {target} ({human_bytes(size)})."))
            self.dismiss(None)

    def _end(self) -> None:
        """Take note that nothing is under way."""
        self._worker = None
        if self._looks is not None:
            self._looks.stop()
        self._tell()

    def _note(self, progress: Progress) -> None:
        self._progress = progress

    def _look(self) -> None:
        if self._worker is not None and self._progress is not None:
            self.how.show(((" ", "text"), *share_line(self._progress)))

    def action_switch(self) -> None:
        """Save the bytes instead of the text, or the text again."""
        if self._worker is None:
            self._raw = not self._raw
            self._tell()

    def action_leave(self) -> None:
        """Stop what is under way, else leave."""
        if self._worker is None:
            self.dismiss(None)
        else:
            self._worker.cancel()
            self._end()
            self.how.show(((" Stopped; nothing was saved.", "warning"),))


def share_line(progress: Progress) -> Pieces:
    """Return how far it is, as a bar; what is counted may be lines or bytes."""
    bar, rest, percent, *_ = progress_line(progress, 0.0)
    return (bar, rest, percent)
