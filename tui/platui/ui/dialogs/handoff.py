"""Saving a hand-off: under which name."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding
from textual.containers import Vertical
from textual.widgets import Input

from platui.core.paths import folder_here
from platui.core.text import shorten
from platui.service.whole_file import whole_file
from platui.ui.dialogs.replacing import ReplacingDialog
from platui.ui.widgets.bar import Bar

if TYPE_CHECKING:
    from pathlib import Path

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from platui.models.values.downloads import Progress
    from platui.present.chrome import Pieces


class HandoffDialog(ReplacingDialog):
    """Asks for a name; one that is taken is replaced only by a second enter."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Leave", id="save.leave"),
    ]

    def __init__(self, text: str, name: str) -> None:
        """Prepare to ask.

        Args:
            text: the hand-off.
            name: the name to offer.
        """
        super().__init__()
        self._text = text
        self._name_offered = name

    def compose(self) -> ComposeResult:
        """Yield the question, the name, and how it goes."""
        with Vertical(id="box"):
            yield Bar(id="title")
            yield from self.ask_name(self._name_offered)
            yield Bar(id="how")
            yield Bar(id="foot")

    def on_mount(self) -> None:
        """Ask."""
        self.query_one("#title", Bar).show(((" Hand-off", "strong"),))
        self.set_focus(self.query_one(Input))
        here = shorten(folder_here(), 44)
        self.question.show(((f" save the Markdown as   (in {here})", "muted"),))
        self.tell_keys()

    def keys(self) -> Pieces:
        """Return what enter does now."""
        return (
            (" enter", "key"), (f" {self.enter_does}   ", "muted"),
            ("esc", "key"), (" leave", "muted"),
        )  # fmt: skip

    async def write_to(self, target: Path, *, replace: bool) -> str:
        """Write the file."""
        await asyncio.to_thread(_write, self._text.encode(), target, replace=replace)
        return f"Saved {target}."

    def how_far(self, progress: Progress | None) -> Pieces:
        """Return that it is being written: it is short."""
        del progress
        return ((" Writing …", "muted"),)


def _write(content: bytes, target: Path, *, replace: bool) -> None:
    with whole_file(target, replace=replace) as file:
        file.write(content)
