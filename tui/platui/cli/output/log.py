"""Print a log as it grows: final lines, or the raw bytes."""

from __future__ import annotations

import asyncio
import sys
from contextlib import aclosing
from typing import TYPE_CHECKING, Final, cast

from platui.cli.output.log_lines import ErrorLines, Lines, SectionLines
from platui.cli.output.progress import RetryWindow, print_notice
from platui.cli.output.stdout import has_colours, is_terminal
from platui.logs.plain_text import read_full_lines
from platui.models.values.log import LogState
from platui.present.counts import counted
from platui.present.logs.text import coloured_line, numbered, plain_line, stamped
from platui.present.status import standing
from platui.service.logs.errors import slow_patterns

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator, Mapping

    from platui.cli.log_options import LogOptions
    from platui.models.values.log import LogDocument, LogFeed, LogUpdate
    from platui.present.logs.text import LineText

_LINES: Final = 500
"""Lines that are made into text in one go: a few milliseconds."""
_BYTES: Final = 256 * 1024


class LinePrinter:
    """Prints clean lines; of what a progress bar wrote over, the last state."""

    def __init__(self, lines: Lines, line: LineText, encoding: str, *, stamps: bool) -> None:
        self._lines = lines
        self._stamps = stamps
        self._line = line
        self._encoding = encoding
        self._is_utf8 = encoding.lower().replace("-", "") == "utf8"
        self._printed = -1
        """The line after the last one printed; -1 before any."""

    def pieces(self, document: LogDocument, *, ended: bool) -> Iterator[bytes]:
        stop = document.line_count - (not ended)
        for lines in self._lines.ready(document, stop, ended=ended):
            if isinstance(self._lines, ErrorLines) and 0 <= self._printed < lines.start:
                yield b"--\n"
            self._printed = lines.stop
            for start in range(lines.start, lines.stop, _LINES):
                yield from self._text(document, range(start, min(start + _LINES, lines.stop)))

    def _text(self, document: LogDocument, lines: range) -> Iterator[bytes]:
        if self._line is plain_line and self._is_utf8:
            # By far most lines are cleaned many at once.
            yield from read_full_lines(document, lines.start, lines.stop)
            return
        held, size = list[str](), 0
        for y in lines:
            for piece in self._line(document, y):
                held.append(piece)
                size += len(piece)
                if size >= _BYTES:
                    yield "".join(held).encode(self._encoding, "replace")
                    held, size = [], 0
            held.append("\n")
        yield "".join(held).encode(self._encoding, "replace")

    def begin(self) -> None:
        self._lines.begin()
        self._printed = -1

    def end(self, document: LogDocument) -> None:
        if (missing := self._lines.missing(document)) is not None:
            raise missing
        if isinstance(self._lines, ErrorLines):
            if self._printed < 0:
                print_notice("No line of this log is known to tell of an error.")
            elif (more := document.error_count - self._lines.count) > 0:
                print_notice(f"{counted(more, 'more error')}: of very many not all are listed.")
            if (slow := slow_patterns(document.disabled_rules)) is not None:
                print_notice(f"{slow.sentence} {slow.hint}")
        if self._stamps and not document.has_timestamps and document.line_count:
            print_notice(
                "The runner put no times before the lines of this log; "
                "those in the text are printed as they are."
            )


class BytePrinter:
    """Prints the bytes as the platform sent them."""

    def __init__(self) -> None:
        self._at = 0

    def pieces(self, document: LogDocument, *, ended: bool) -> Iterator[bytes]:
        del ended
        while data := document.read(self._at, self._at + _BYTES):
            self._at += len(data)
            yield data

    def begin(self) -> None:
        self._at = 0

    def end(self, document: LogDocument) -> None:
        """Have nothing to say."""


Printer = LinePrinter | BytePrinter


def printer_for(wanted: LogOptions, environ: Mapping[str, str]) -> Printer:
    """Return the printer that does what was asked for, but never sends raw bytes to a terminal."""
    if wanted.raw and not is_terminal():
        return BytePrinter()
    if wanted.raw:
        print_notice("Raw bytes may steer a terminal: here they are cleaned. Send them to a file.")
    line: LineText = coloured_line if has_colours(wanted.color, environ) else plain_line
    if wanted.stamps:
        line = stamped(line)
    lines = SectionLines(wanted.section) if wanted.section else Lines()
    if wanted.errors:
        blocks = lines = ErrorLines()
        line = numbered(line, lambda y: ":" if blocks.is_error(y) else "-")
    return LinePrinter(lines, line, sys.stdout.encoding or "utf-8", stamps=wanted.stamps)


async def print_feed(
    feed: LogFeed, printer: Printer, *, follow: bool, to_end: bool = False, of: str = "job"
) -> str:
    """Return the job's status at the end; `follow` waits over faults, `to_end` for the end only."""
    patience = RetryWindow()
    teller = _Teller(patience, of, follow=follow)
    updates = cast("AsyncGenerator[LogUpdate]", aiter(feed))
    async with aclosing(updates):
        async for update in patience.items(updates):
            teller.tell(update)
            if update.is_tail:
                continue
            if update.reset and teller.begun:
                print_notice("The log was written anew; here it begins again.")
                printer.begin()
            ended = update.state is LogState.ENDED or (
                update.is_current and not follow and not to_end
            )
            for piece in printer.pieces(update.document, ended=ended):
                sys.stdout.buffer.write(piece)
                sys.stdout.buffer.flush()
                teller.begun = True
                await asyncio.sleep(0)  # what comes through the line is taken meanwhile
            if ended:
                printer.end(update.document)
                teller.tell_empty(update)
                return update.job_status
    return ""


class _Teller:
    def __init__(self, patience: RetryWindow, of: str, *, follow: bool) -> None:
        self.begun = False
        self._patience = patience
        self._of = of
        self._follow = follow
        self._size = 0
        self._status = ""

    def tell(self, update: LogUpdate) -> None:
        error, patience = update.error, self._patience
        has_grown = update.document.size > self._size
        self._size = update.document.size
        patience.reached = patience.reached or has_grown or update.state is not LogState.OPENING
        if has_grown:
            patience.renew()
        if error is None:
            patience.clear_error()
        else:
            patience.tolerate(error, follow=self._follow)
        if self._follow and update.job_status not in {"", self._status}:
            self._status = update.job_status
            print_notice(f"The {self._of} {standing(self._status)}.")

    def tell_empty(self, update: LogUpdate) -> None:
        if update.document.size == 0 and update.job_status:
            print_notice(
                f"The {self._of} {standing(update.job_status)}, and there is no line of it."
            )
