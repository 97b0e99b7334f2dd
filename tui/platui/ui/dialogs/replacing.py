"""Writing a file under a name that may be taken: a second enter replaces what is there."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on
from textual.containers import Vertical
from textual.widgets import Input

from platui.core.errors import NameTakenError
from platui.core.paths import folder_here, typed_path, whole_path
from platui.core.text import shorten
from platui.ui.dialogs.saving import SavingDialog
from platui.ui.widgets.bar import Bar

if TYPE_CHECKING:
    from pathlib import Path

    from textual.app import ComposeResult

    from platui.core.errors import PlatuiError
    from platui.present.chrome import Pieces

READING: Final = 0.3
"""Seconds in which nobody has read that a file is to be replaced."""


class ReplacingDialog(SavingDialog):
    """Asks for a name; one that is taken is replaced only by a second enter."""

    ROOM: ClassVar[int] = 44
    """Characters of the folder's name that are shown."""

    def __init__(self, title: Pieces, name: str) -> None:
        """Prepare to ask.

        Args:
            title: what is written.
            name: the name to offer.
        """
        super().__init__()
        self._heading = title
        self._name_offered = name
        self._tried: Path | None = None
        """The file that was last to be written."""
        self._asked: Path | None = None
        """The file that the next enter replaces."""
        self._asked_at = 0.0

    def compose(self) -> ComposeResult:
        """Yield what is written, the name, and how far it is."""
        with Vertical(id="box"):
            yield Bar(id="title")
            yield from self.ask_name(self._name_offered)
            yield Bar(id="how")
            yield Bar(id="foot")

    def on_mount(self) -> None:
        """Ask."""
        self.query_one("#title", Bar).show(self._heading)
        self.set_focus(self.query_one(Input))
        self.ask()

    def wish(self) -> str:
        """Return what is asked: as what it is to be written."""
        raise NotImplementedError

    def ask(self) -> None:
        """Show what is asked, and the keys that answer."""
        here = shorten(folder_here(), self.ROOM)
        self.question.show(((f" {self.wish()}   (in {here})", "muted"),))
        self.tell_keys()

    async def write(self, name: str) -> str:
        """Write the file; return what is told of it when the dialog is gone."""
        target = self._tried = whole_path(typed_path(name))
        return await self.write_to(target, replace=target == self._asked)

    async def write_to(self, target: Path, *, replace: bool) -> str:
        """Write a file, which may be there if it is to be replaced.

        Raises:
            PlatuiError: it is not written.
        """
        raise NotImplementedError

    @property
    def enter_does(self) -> str:
        """Return what enter does now."""
        return "replace it" if self._asked is not None else "save"

    def another_name(self) -> None:
        """Have nothing replaced under a name that was not asked about."""
        if self._asked is not None:
            self._asked = None
            self.tell_keys()

    @on(Input.Submitted)
    def _answer(self, event: Input.Submitted) -> None:
        """Have nothing replaced by an enter that was pressed before the question was read."""
        if self._asked is not None and monotonic() - self._asked_at < READING:
            event.stop()
            event.prevent_default()

    def refuse(self, error: PlatuiError) -> None:
        """Say what stood in the way; where that is a file, another enter replaces it."""
        if not isinstance(error, NameTakenError):
            super().refuse(error)
            return
        self._asked, self._asked_at = self._tried, monotonic()
        self.say(
            ((" There is a file of that name. ", "warning"),
             ("enter", "key"), (" replaces it.", "muted")),
            of_name=True,
        )  # fmt: skip
