"""Copy lines of a log with `y` and `Y`, save it with `s`, or open it elsewhere with `v` and `V`."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from platui.core.errors import CommandError, FileWriteError, PlatuiError
from platui.present.counts import counted
from platui.present.logs.text import Copyable, block_at, section_at
from platui.ui.controller import Controller, command
from platui.ui.controllers.view_keys import GoBack
from platui.ui.messages import CopyText
from platui.ui.screens.logs.text_body import ONLY_TAIL_LOADED

if TYPE_CHECKING:
    from textual.worker import Worker

    from platui.models.values.log import LogDocument
    from platui.present.chrome import Pieces
    from platui.ui.pager import Viewer
    from platui.ui.screens.logs.log import LogBody
    from platui.ui.screens.logs.log_file import LogFileBody
    from platui.ui.widgets.log_view import LogView

_MOST_COLOURED: Final = 100_000  # Most lines with colours in another program
_TELL_AFTER: Final = 0.5  # Seconds of writing before a message
_MOST_CHARACTERS: Final = 4_000_000  # Limit of a copied text; larger logs can be saved
_TURN: Final = 0.005  # Seconds of work before keys are handled


class SaveLog(Controller["LogBody | LogFileBody"]):
    """Saves a log, or opens it in a pager or an editor; clean text by default."""

    def __init__(self, screen: Any) -> None:
        super().__init__(screen)
        self._writing: Worker[None] | None = None

    @command("s", "log.save", "Save")
    def save(self) -> None:
        """Save the log, as text or as received."""
        if (document := self._whole_document()) is not None:
            from platui.ui.dialogs.save import save_log_dialog  # noqa: PLC0415  (on first use)

            name = self.body.context.file_name()
            is_whole = self.body.text.was_current
            self.screen.app.push_screen(save_log_dialog(document, name, is_whole=is_whole))

    @command("v", "log.pager", "Pager")
    def open_pager(self) -> None:
        """Open the log in $PAGER, at this line."""
        from platui.ui.pager import pager  # noqa: PLC0415  (on first use)

        self._open_with(pager)

    @command("V", "log.editor", "Editor")
    def open_editor(self) -> None:
        """Open the log in $EDITOR, at this line."""
        from platui.ui.pager import editor  # noqa: PLC0415  (on first use)

        self._open_with(editor)

    def stop(self) -> bool:
        """Stop writing for another program; return whether it was running."""
        writing, self._writing = self._writing, None
        if writing is None or writing.is_finished:
            return False
        writing.cancel()
        self.screen.show_hint("Stopped: the log was not written.")
        return True

    def _whole_document(self) -> LogDocument | None:
        document = self.body.text.document
        if document is None or document.line_count == 0:
            self.screen.show_hint("No lines yet.")
            return None
        if self.body.text.is_tail:
            self.screen.show_hint(ONLY_TAIL_LOADED)
            return None
        return document

    def _open_with(self, choose: Callable[[Mapping[str, str]], Viewer]) -> None:
        document = self._whole_document()
        if document is None:
            return
        try:
            viewer = choose(os.environ)
        except CommandError as error:
            self.screen.show_error(error)
            return
        self._writing = self.body.in_background("feed-viewer", self._show_with, viewer, document)

    async def _show_with(self, viewer: Viewer, document: LogDocument) -> None:
        """Write the log to a private folder, show it, and remove it."""
        from platui.ui.pager import run_viewer  # noqa: PLC0415  (on first use)

        line = self.body.context.line + 1
        try:
            folder = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="platui-"))
        except OSError as error:
            sentence = f"Cannot create a copy of the log ({error.strerror})."
            self.screen.show_error(FileWriteError(sentence))
            return
        try:
            path = folder / self.body.context.file_name()
            await self._write_for(viewer, document, path)
            if self.screen.app.screen is not self.screen:  # it would take the keys of a dialog
                self.screen.show_hint(f"{viewer.name} was not opened: a dialog was open.")
                return
            run_viewer(self.screen.app, viewer, path, line)
        except PlatuiError as error:
            self.screen.show_error(error)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    async def _write_for(self, viewer: Viewer, document: LogDocument, path: Path) -> None:
        from platui.present.logs.text import coloured_line  # noqa: PLC0415  (on first use)
        from platui.service.logs.saving import formatted_pieces, save_log, text_pieces  # noqa: PLC0415

        screen = self.screen
        few = document.line_count <= _MOST_COLOURED
        has_colours = viewer.takes_colours and few and not screen.app.no_color
        pieces = formatted_pieces(document, coloured_line) if has_colours else text_pieces(document)
        words = f"Writing {counted(document.line_count, 'line')} for {viewer.name} … q stops"
        timer = screen.set_timer(_TELL_AFTER, lambda: screen.show_hint(words))
        try:
            await save_log(pieces, path, lambda _: None)  # one message is enough
        finally:
            timer.stop()


class LeaveLog(GoBack):
    """Leaves a log; a running write is stopped first."""

    def leave(self) -> None:
        if not self.screen.controller(SaveLog).stop():
            super().leave()


class CopyLines(Controller["LogBody | LogFileBody"]):
    @command("y", "log.copy", "Copy")
    def copy(self) -> None:
        """Copy the selected lines, this error, or the URL."""
        copies = self._line_copies(only_meant=True) or self.body.context.other_copies()
        if copies:
            self._copy(self.body.text.document, copies[0])
        else:
            self.screen.show_hint("Select lines with space, or go to a line, then press y.")

    @command("Y", "log.copy_menu", "Copy…")
    async def choose(self) -> None:
        """Choose what to copy: line, section, …."""
        copies = [*self._line_copies(only_meant=False), *self.body.context.other_copies()]
        choices = ((one, one.what, one.text or counted(len(one.lines), "line")) for one in copies)
        # Bound here: the log may be replaced while the menu is open.
        await self.screen.choose("Copy", choices, partial(self._copy, self.body.text.document))

    def _line_copies(self, *, only_meant: bool) -> list[Copyable]:
        """Return the lines that can be copied, the most likely first."""
        document, view, copies = self.body.text.document, self.body.view, list[Copyable]()
        if document is None or document.line_count == 0:
            return copies
        if chosen := view.selection.lines:
            copies.append(Copyable("the selected lines", chosen))
        focus, in_sight = view.position.focus, view.position.lines_in_sight
        block = None if focus is None else block_at(document, focus)
        # Of a long error any part may be in sight.
        if block is not None and any(y in block for y in in_sight):
            copies.append(Copyable("the error", block))
        if (line := view.position.focus_in_sight) is not None:
            copies.append(Copyable("the line", range(line, line + 1)))
        if not only_meant:
            if (found := section_at(document, self.body.context.line)) is not None:
                copies.append(Copyable(f"the section {found[0]}", found[1]))
            if in_sight:
                copies.append(Copyable("the visible lines", in_sight))
        return copies

    def _copy(self, document: LogDocument | None, one: Copyable) -> None:
        if one.text or document is None:
            what = f"{one.what[:1].upper()}{one.what[1:]}"
            self.screen.post_message(CopyText(one.text, what=what))
        else:
            self.body.in_background("copy", self._copy_lines, one, document)

    async def _copy_lines(self, one: Copyable, document: LogDocument) -> None:
        count = counted(len(one.lines), "line")
        text = await _text_of(document, one.lines)
        if text is None:
            what = "This line is" if len(one.lines) == 1 else f"{count} are"
            key = self.screen.key_of("log.save")
            self.screen.show_hint(f"{what} too long to copy. {key} saves the log.")
            return
        self.body.view.selection.end()
        self.screen.post_message(CopyText(text, what=count))


def chosen_lines(view: LogView) -> Pieces:
    if not (count := len(view.selection.lines)):
        return ()
    return (
        (f" {counted(count, 'line')} selected", "accent"),
        ("  y", "key"), (" copies", "muted"), ("  esc", "key"), (" ends ", "muted"),
    )  # fmt: skip


async def _text_of(document: LogDocument, lines: Sequence[int]) -> str | None:
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
