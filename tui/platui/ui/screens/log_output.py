"""Out of the view: `s` saves, `v` and `V` open another program, `y` and `Y` copy."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual.binding import Binding

from platui.core.errors import CommandError, FileWriteError, PlatuiError
from platui.present.copying import Copyable, block_at, section_at
from platui.present.counts import counted
from platui.ui.messages import CopyWanted, Failed, Told
from platui.ui.screens.growing import ONLY_THE_END, GrowingText
from platui.ui.works import work

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from textual.binding import BindingType
    from textual.worker import Worker

    from platui.models.values.downloads import Progress
    from platui.models.values.log import LogDocument
    from platui.present.chrome import Pieces
    from platui.ui.pager import Viewer

_MOST_CHARACTERS: Final = 4_000_000
"""Of a text that is copied. No clipboard wants more, and saving is there for it."""
_TURN: Final = 0.005
"""Seconds for which lines are made into text without letting a key pass."""
_MOST_COLOURED: Final = 100_000
"""Lines that another program is given with colours: those of more take too long to be made."""
_TELL_AFTER: Final = 0.5
"""Seconds that writing for another program may take without a word."""


class LogOutput(GrowingText):
    """Brings what is in the view to where it is needed; always clean text, save on request."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "s", "save", "Save", id="log.save",
            tooltip="Save the log, as text or as it came",
        ),
        Binding(
            "v", "pager", "Pager", id="log.pager", show=False,
            tooltip="Read the log in $PAGER, at this line",
        ),
        Binding(
            "V", "editor", "Editor", id="log.editor", show=False,
            tooltip="Open its text in $EDITOR, at this line",
        ),
        Binding(
            "y", "copy", "Copy", id="log.copy",
            tooltip="Copy lines chosen, this error, or address",
        ),
        Binding(
            "Y", "copy_menu", "Copy…", id="log.copy_menu", show=False,
            tooltip="Choose what to copy: line, section, …",
        ),
    ]  # fmt: skip

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._writing: Worker[None] | None = None
        """What brings the log to another program."""

    # what a subclass gives

    def file_name(self) -> str:
        """Return the name that a saved log is offered."""
        raise NotImplementedError

    def other_copies(self) -> list[Copyable]:
        """Return what can be copied besides lines, the address first."""
        return []

    def position(self) -> Pieces:
        """Return which lines are in sight; first, how many are chosen, and for what."""
        if not (count := self.view.chosen_count):
            return super().position()
        return (
            (f" {counted(count, 'line')} chosen", "accent"),
            ("  y", "key"), (" copies", "muted"), ("  esc", "key"), (" ends ", "muted"),
            *super().position(),
        )  # fmt: skip

    # saving

    def action_save(self) -> None:
        """Ask for a name, and save."""
        if (document := self._whole_document()) is not None:
            from platui.ui.dialogs.save import SaveDialog  # noqa: PLC0415  (on first use)

            self.app.push_screen(SaveDialog(document, self.file_name()))

    def _whole_document(self) -> LogDocument | None:
        """Return the log, unless there is nothing of it, or only its end."""
        document = self.document()
        if document is None or document.line_count == 0:
            self.post_message(Told("There is no line yet."))
            return None
        if self.is_tail:
            self.post_message(Told(ONLY_THE_END))
            return None
        return document

    # other programs

    def action_pager(self) -> None:
        """Read the log in the user's pager."""
        from platui.ui.pager import pager  # noqa: PLC0415  (on first use)

        self._open_with(pager)

    def action_editor(self) -> None:
        """Open the log's text in the user's editor."""
        from platui.ui.pager import editor  # noqa: PLC0415  (on first use)

        self._open_with(editor)

    def _open_with(self, choose: Callable[[Mapping[str, str]], Viewer]) -> None:
        document = self._whole_document()
        if document is None:
            return
        try:
            viewer = choose(os.environ)
        except CommandError as error:
            self.post_message(Failed(error))
            return
        self._writing = self.run_worker(
            work(self._show_with, viewer, document), group="viewer", exclusive=True,
            description="show the log with another program",
        )  # fmt: skip

    async def _show_with(self, viewer: Viewer, document: LogDocument) -> None:
        """Write the log where only its owner can read it, show it, and remove it."""
        from platui.ui.pager import show_with  # noqa: PLC0415  (on first use)

        line = self._line_here() + 1
        try:
            folder = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="platui-"))
        except OSError as error:
            sentence = f"There is no room for a copy of the log ({error.strerror})."
            self.post_message(Failed(FileWriteError(sentence)))
            return
        try:
            path = folder / self.file_name()
            await self._write_for(viewer, document, path)
            show_with(self.app, viewer, path, line)
        except PlatuiError as error:
            self.post_message(Failed(error))
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    async def _write_for(self, viewer: Viewer, document: LogDocument, path: Path) -> None:
        from platui.present.log_text import coloured_line  # noqa: PLC0415  (on first use)
        from platui.service.log_saving import LinesOf, TextOf, save_log  # noqa: PLC0415

        few = document.line_count <= _MOST_COLOURED
        has_colours = viewer.takes_colours and few and not self.app.no_color
        what = LinesOf(document, coloured_line) if has_colours else TextOf(document)
        words = f"Writing {counted(document.line_count, 'line')} for {viewer.name} … q stops"
        told = self.set_timer(_TELL_AFTER, lambda: self.post_message(Told(words)))
        try:
            await save_log(what, path, _nobody)
        finally:
            told.stop()

    def action_leave(self) -> None:
        """Stop what is written for another program; else go back."""
        writing, self._writing = self._writing, None
        if writing is None or writing.is_finished:
            super().action_leave()
        else:
            writing.cancel()
            self.post_message(Told("Stopped: the log was not written."))

    # copying

    def action_copy(self) -> None:
        """Copy what one has chosen or gone to, or else the address."""
        copies = self._line_copies(only_meant=True) or self.other_copies()
        if copies:
            self._copy(copies[0])
        else:
            self.post_message(Told("Choose lines with space, or go to one: then y copies it."))

    async def action_copy_menu(self) -> None:
        """Choose what to copy."""
        from platui.ui.dialogs.menu import Menu, MenuItem  # noqa: PLC0415  (on first use)

        copies = [*self._line_copies(only_meant=False), *self.other_copies()]
        items = [
            MenuItem(str(number), one.what, one.text or counted(len(one.lines), "line"))
            for number, one in enumerate(copies)
        ]

        def run(chosen: str | None) -> None:
            if chosen is not None:
                self._copy(copies[int(chosen)])

        await self.app.push_screen(Menu("Copy", items), run)

    def _line_here(self) -> int:
        """Return the line one is at: the one gone to if it is in sight, or the first in sight."""
        focus = self.view.focus_in_sight
        return self.view.top_line if focus is None else focus

    def _line_copies(self, *, only_meant: bool) -> list[Copyable]:
        """Return the lines that can be copied, those first that are most likely meant.

        Args:
            only_meant: leave out those that nobody has chosen or gone to.
        """
        document, copies = self.document(), list[Copyable]()
        if document is None or document.line_count == 0:
            return copies
        if chosen := self.view.chosen_lines:
            copies.append(Copyable("the lines chosen", chosen))
        line = self.view.focus_line
        if line is not None and (block := block_at(document, line)) is not None:
            copies.append(Copyable("the error", block))
        if line is not None:
            copies.append(Copyable("the line", range(line, line + 1)))
        if not only_meant:
            here = self._line_here()
            if (found := section_at(document, here)) is not None:
                copies.append(Copyable(f"the section {found[0]}", found[1]))
            if in_sight := self.view.lines_in_sight:
                copies.append(Copyable("what is in sight", in_sight))
        return copies

    def _copy(self, one: Copyable) -> None:
        document = self.document()
        if one.text or document is None:
            self.post_message(CopyWanted(one.text, what=f"{one.what[:1].upper()}{one.what[1:]}"))
        else:
            self.run_worker(
                work(self._copy_lines, one, document), group="copy", exclusive=True,
                description="copy lines",
            )  # fmt: skip

    async def _copy_lines(self, one: Copyable, document: LogDocument) -> None:
        """Make a text of lines, and hand it over."""
        count = counted(len(one.lines), "line")
        text = await _text_of(document, one.lines)
        if text is None:
            what = "This line is" if len(one.lines) == 1 else f"{count} are"
            self.post_message(
                Told(f"{what} too much to be copied. {self.key_of('log.save')} saves the log.")
            )
            return
        self.view.end_selection()
        self.post_message(CopyWanted(text, what=count))


async def _text_of(document: LogDocument, lines: Sequence[int]) -> str | None:
    """Return lines as one text, each of them whole; None where that is more than is copied."""
    from platui.present.log_text import plain_line  # noqa: PLC0415  (on first use)

    pieces, size = list[str](), 0
    pause = monotonic() + _TURN
    for y in lines:
        for piece in chain(plain_line(document, y), "\n"):
            pieces.append(piece)
            size += len(piece)
            if size > _MOST_CHARACTERS:
                return None
            if monotonic() > pause:
                await asyncio.sleep(0)
                pause = monotonic() + _TURN
    return "".join(pieces[:-1])


def _nobody(progress: Progress) -> None:
    """Tell nobody: it is said once that it takes a while."""
