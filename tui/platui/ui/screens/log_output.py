"""Out of the view: `s` saves, `v` and `V` open another program, `y` and `Y` copy."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from platui.core.errors import CommandError, FileWriteError, PlatuiError
from platui.present.counts import counted
from platui.present.logs.text import Copyable, block_at, section_at
from platui.ui.keys_in_use import bind
from platui.ui.messages import CopyWanted, Failed, Told
from platui.ui.screens.growing import ONLY_THE_END, GrowingText

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from textual.worker import Worker

    from platui.models.values.feeds import Progress
    from platui.models.values.log import LogDocument
    from platui.present.chrome import Pieces
    from platui.ui.pager import Viewer

_MOST_CHARACTERS: Final = 4_000_000  # At most, of a copied text; more can be saved
_TURN: Final = 0.005  # Seconds for which lines are made into text without letting a key pass
_MOST_COLOURED: Final = 100_000  # Lines at most that get colours in another program
_TELL_AFTER: Final = 0.5  # Seconds that writing for another program may take without a word


class LogOutput(GrowingText):
    """Brings what is in the view to where it is needed; always clean text, save on request."""

    BINDINGS = [
        bind("s", "log.save", "Save", "Save the log, as text or as it came"),
        bind("v", "log.pager", "Pager", "Read the log in $PAGER, at this line"),
        bind("V", "log.editor", "Editor", "Open its text in $EDITOR, at this line"),
        bind("y", "log.copy", "Copy", "Copy lines chosen, this error, or address"),
        bind("Y", "log.copy_menu", "Copy…", "Choose what to copy: line, section, …"),
    ]

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._writing: Worker[None] | None = None  # What brings the log to another program

    def file_name(self) -> str:
        """Return the name that a saved log is offered."""
        raise NotImplementedError

    def other_copies(self) -> list[Copyable]:
        """Return what can be copied besides lines, the address first."""
        return []

    def position(self) -> Pieces:
        """Return which lines are in sight; first, how many are chosen, and for what."""
        if not (count := self.view.selection.count):
            return super().position()
        return (
            (f" {counted(count, 'line')} chosen", "accent"),
            ("  y", "key"), (" copies", "muted"), ("  esc", "key"), (" ends ", "muted"),
            *super().position(),
        )  # fmt: skip

    def action_save(self) -> None:
        """Ask for a name, and save."""
        if (document := self._whole_document()) is not None:
            from platui.ui.dialogs.replacing import save_log_dialog  # noqa: PLC0415  (on first use)

            self.app.push_screen(save_log_dialog(document, self.file_name()))

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
        self._writing = self.in_background("viewer", self._show_with, viewer, document)

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
        from platui.present.logs.text import coloured_line  # noqa: PLC0415  (on first use)
        from platui.service.logs.saving import LinesOf, TextOf, save_log  # noqa: PLC0415

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

    def action_copy(self) -> None:
        """Copy what one has chosen or gone to, or else the address."""
        copies = self._line_copies(only_meant=True) or self.other_copies()
        if copies:
            self._copy(copies[0])
        else:
            self.post_message(Told("Choose lines with space, or go to one: then y copies it."))

    async def action_copy_menu(self) -> None:
        """Choose what to copy."""
        copies = [*self._line_copies(only_meant=False), *self.other_copies()]
        choices = (
            (str(number), one.what, one.text or counted(len(one.lines), "line"))
            for number, one in enumerate(copies)
        )
        await self.choose("Copy", choices, lambda chosen: self._copy(copies[int(chosen)]))

    def _line_here(self) -> int:
        """Return the line one is at: the one gone to if it is in sight, or the first in sight."""
        focus = self.view.focus_in_sight
        return self.view.top_line if focus is None else focus

    def _line_copies(self, *, only_meant: bool) -> list[Copyable]:
        """Return the lines that can be copied, the most likely first; perhaps only those chosen."""
        document, copies = self.document(), list[Copyable]()
        if document is None or document.line_count == 0:
            return copies
        if chosen := self.view.selection.lines:
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
            self.in_background("copy", self._copy_lines, one, document)

    async def _copy_lines(self, one: Copyable, document: LogDocument) -> None:
        count = counted(len(one.lines), "line")
        text = await _text_of(document, one.lines)
        if text is None:
            what = "This line is" if len(one.lines) == 1 else f"{count} are"
            self.post_message(
                Told(f"{what} too much to be copied. {self.key_of('log.save')} saves the log.")
            )
            return
        self.view.selection.end()
        self.post_message(CopyWanted(text, what=count))


async def _text_of(document: LogDocument, lines: Sequence[int]) -> str | None:
    """Return lines as one text, each of them whole; None where that is more than is copied."""
    from platui.present.logs.text import plain_line  # noqa: PLC0415  (on first use)

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
