"""Saving a hand-off: under which name."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding

from platui.service.whole_file import whole_file
from platui.ui.dialogs.replacing import ReplacingDialog

if TYPE_CHECKING:
    from pathlib import Path

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
        super().__init__(((" Hand-off", "strong"),), name)
        self._text = text

    def wish(self) -> str:
        """Return that it is Markdown."""
        return "save the Markdown as"

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
