"""Copy lines of a log, its address or its command with `y` and `Y`."""

from __future__ import annotations

import asyncio
from itertools import chain
from time import monotonic
from typing import TYPE_CHECKING, Final

from platui.present.counts import counted
from platui.present.logs.text import Copyable, block_at, section_at
from platui.ui.controller import Controller, command
from platui.ui.messages import CopyText

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.models.values.log import LogDocument
    from platui.present.chrome import Pieces
    from platui.ui.screens.logs.log import LogBody
    from platui.ui.screens.logs.log_file import LogFileBody
    from platui.ui.widgets.log_view import LogView

_MOST_CHARACTERS: Final = 4_000_000  # Limit of a copied text; larger logs can be saved
_TURN: Final = 0.005  # Seconds of work before keys are handled


class CopyLines(Controller["LogBody | LogFileBody"]):
    @command("y", "log.copy", "Copy")
    def copy(self) -> None:
        """Copy the selected lines, this error, or the URL."""
        copies = self._line_copies(only_meant=True) or self.body.context.other_copies()
        if copies:
            self._copy(copies[0])
        else:
            self.screen.show_hint("Select lines with space, or go to a line, then press y.")

    @command("Y", "log.copy_menu", "Copy…")
    async def choose(self) -> None:
        """Choose what to copy: line, section, …."""
        copies = [*self._line_copies(only_meant=False), *self.body.context.other_copies()]
        choices = ((one, one.what, one.text or counted(len(one.lines), "line")) for one in copies)
        await self.screen.choose("Copy", choices, self._copy)

    def _line_copies(self, *, only_meant: bool) -> list[Copyable]:
        """Return the lines that can be copied, the most likely first."""
        document, view, copies = self.body.text.document, self.body.view, list[Copyable]()
        if document is None or document.line_count == 0:
            return copies
        if chosen := view.selection.lines:
            copies.append(Copyable("the selected lines", chosen))
        line = view.position.focus
        if line is not None and (block := block_at(document, line)) is not None:
            copies.append(Copyable("the error", block))
        if line is not None:
            copies.append(Copyable("the line", range(line, line + 1)))
        if not only_meant:
            if (found := section_at(document, self.body.context.line)) is not None:
                copies.append(Copyable(f"the section {found[0]}", found[1]))
            if in_sight := view.position.lines_in_sight:
                copies.append(Copyable("the visible lines", in_sight))
        return copies

    def _copy(self, one: Copyable) -> None:
        document = self.body.text.document
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
    """Return lines as one text; None above the limit."""
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
