"""Print a growing log: final lines or raw bytes."""

from __future__ import annotations

import asyncio
import sys
from bisect import bisect_left
from collections.abc import AsyncGenerator, Callable, Container, Iterator, Mapping
from contextlib import aclosing
from functools import partial
from typing import TYPE_CHECKING, Final, cast

from platui.cli.output.progress import RetryWindow, print_notice
from platui.cli.output.stdout import has_colours, is_terminal
from platui.core.errors import CommandError
from platui.core.suggestions import listed
from platui.core.text import shorten
from platui.logs.cleaning import read_full_lines
from platui.models.values.log import LogDocument, LogFeed, LogState, LogUpdate
from platui.present.counts import counted
from platui.present.logs.text import coloured_line, numbered, plain_line, stamped
from platui.present.status import standing
from platui.service.logs.errors import slow_patterns

if TYPE_CHECKING:
    from platui.cli.log_options import LogOptions
    from platui.present.logs.text import LineText

_LINES: Final = 500  # Lines per chunk: a few milliseconds
_BYTES: Final = 256 * 1024
_CONTEXT: Final = 2  # Lines before and after an error
_CONTINUED: Final = 3  # Lines after which an error has ended: two empty ones may be within it
_NAMED: Final = 20  # Sections in an error message


class Lines:
    """Yields all lines once, in order, or those of all sections of a name."""

    def __init__(self, section: str = "") -> None:
        self._section = section
        self._seen = not section
        self._next = 0

    def ready(self, document: LogDocument, stop: int, *, ended: bool) -> Iterator[range]:
        """Yield new lines before `stop`; they cannot change any more."""
        del ended
        sections: list[tuple[int, int | None]] = [(0, None)]
        if self._section:
            named = (one for one in document.sections if one.name == self._section)
            sections = [(one.start, one.end) for one in named if one.start < stop]
        for first, last in sections:
            self._seen = True
            start = max(first, self._next)
            end = stop if last is None else min(last, stop)
            if end > start:
                self._next = end
                yield range(start, end)
        self._next = max(self._next, stop)

    def check(self, document: LogDocument) -> None:
        """Raises CommandError: the requested section does not exist."""
        if self._seen:
            return
        names = list(dict.fromkeys(one.name for one in document.sections))
        raise CommandError(
            f"Section {shorten(self._section, 60)} not found in this log.",
            hint=f"Sections: {listed(names, _NAMED)}." if names else "The log has no sections.",
        )


class ErrorLines:
    """Yields error lines with context, once the context is complete."""

    def __init__(self) -> None:
        self.count = 0
        self._next = self._after = 0
        self._error_lines: Container[int] = ()

    def ready(self, document: LogDocument, stop: int, *, ended: bool) -> Iterator[range]:
        marks = document.errors
        # By line, because the list drops old errors if there are too many.
        for at in range(bisect_left(marks, self._after, key=lambda mark: mark.first), len(marks)):
            mark = marks[at]
            if not ended and mark.end + _CONTINUED > stop:
                return
            self.count += 1
            self._after = mark.first + 1
            start = max(self._next, mark.first - _CONTEXT)
            following = marks[at + 1].first if at + 1 < len(marks) else stop
            end = min(mark.end + _CONTEXT, stop, max(following, mark.end))
            self._error_lines = range(mark.first, mark.end)
            if end > start:
                self._next = end
                yield range(start, end)

    def is_error(self, y: int) -> bool:
        """Return whether a line of the last block belongs to the error itself."""
        return y in self._error_lines


class LinePrinter:
    """Prints cleaned lines, with the last state of progress bars."""

    def __init__(
        self, lines: Lines | ErrorLines, line: LineText, encoding: str, *, stamps: bool
    ) -> None:
        self._lines = lines
        self._stamps = stamps
        self._line = line
        self._encoding = encoding
        self._is_utf8 = encoding.lower().replace("-", "") == "utf8"
        self._printed = -1  # Line after the last printed one

    def pieces(self, document: LogDocument, *, ended: bool) -> Iterator[bytes]:
        if ended:
            stop = document.line_count
        elif isinstance(self._lines, ErrorLines):
            stop = document.line_count - 1
        else:
            stop = document.settled_count
        for lines in self._lines.ready(document, stop, ended=ended):
            if isinstance(self._lines, ErrorLines) and 0 <= self._printed < lines.start:
                yield b"--\n"
            self._printed = lines.stop
            for start in range(lines.start, lines.stop, _LINES):
                yield from self._text(document, range(start, min(start + _LINES, lines.stop)))

    def _text(self, document: LogDocument, lines: range) -> Iterator[bytes]:
        if self._line is plain_line and self._is_utf8:
            # Fast path for most logs.
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

    def end(self, document: LogDocument) -> None:
        if isinstance(self._lines, Lines):
            self._lines.check(document)
        else:
            if self._printed < 0:
                print_notice("No errors found in this log.")
            elif (more := document.error_count - self._lines.count) > 0:
                print_notice(f"{counted(more, 'more error')} not listed.")
            if (slow := slow_patterns(document.disabled_rules)) is not None:
                print_notice(f"{slow.sentence} {slow.hint}")
        if self._stamps and not document.has_timestamps and document.line_count:
            print_notice("This log has no runner timestamps; times in the text are unchanged.")


class BytePrinter:
    def __init__(self) -> None:
        self._at = 0

    def pieces(self, document: LogDocument, *, ended: bool) -> Iterator[bytes]:
        del ended
        while data := document.read(self._at, self._at + _BYTES):
            self._at += len(data)
            yield data

    def end(self, document: LogDocument) -> None:
        """Nothing to report."""


Printer = LinePrinter | BytePrinter


def printer_maker(wanted: LogOptions, environ: Mapping[str, str]) -> Callable[[], Printer]:
    """Return the factory of printers for the options; raw bytes are never sent to a terminal."""
    if wanted.raw and is_terminal():
        print_notice(
            "Printing cleaned text: raw bytes are unsafe for a terminal. Redirect --raw to a file."
        )
    return partial(_printer, wanted, environ)


def _printer(wanted: LogOptions, environ: Mapping[str, str]) -> Printer:
    if wanted.raw and not is_terminal():
        return BytePrinter()
    line: LineText = coloured_line if has_colours(wanted.color, environ) else plain_line
    if wanted.stamps:
        line = stamped(line)
    lines: Lines | ErrorLines = Lines(wanted.section)
    if wanted.errors:
        blocks = lines = ErrorLines()
        line = numbered(line, lambda y: ":" if blocks.is_error(y) else "-")
    return LinePrinter(lines, line, sys.stdout.encoding or "utf-8", stamps=wanted.stamps)


async def print_feed(
    feed: LogFeed,
    make_printer: Callable[[], Printer],
    *,
    follow: bool,
    to_end: bool = False,
    of: str = "job",
) -> str:
    """Print the log; return the job's status. `follow` tolerates errors; both wait for the end."""
    retries, status, size, has_begun = RetryWindow(), "", 0, False
    printer, is_reset = make_printer(), False
    updates = cast("AsyncGenerator[LogUpdate]", aiter(feed))
    async with aclosing(updates):
        async for update in retries.items(updates):
            has_grown, size = update.document.size > size, update.document.size
            _note_errors(retries, update, has_grown=has_grown, follow=follow)
            if follow and update.job_status not in {"", status}:
                status = update.job_status
                print_notice(f"The {of} {standing(status)}.")
            is_reset = is_reset or update.reset
            if update.is_tail:
                continue
            if is_reset:
                printer = make_printer()
            if is_reset and has_begun:
                print_notice("The log was rewritten; printing it from the start.")
            is_reset = False
            ended = update.state is LogState.ENDED or (
                update.is_current and not follow and not to_end
            )
            for piece in printer.pieces(update.document, ended=ended):
                sys.stdout.buffer.write(piece)
                sys.stdout.buffer.flush()
                has_begun = True
                await asyncio.sleep(0)  # process responses meanwhile
            if ended:
                printer.end(update.document)
                if update.document.size == 0 and update.job_status:
                    print_notice(f"The {of} {standing(update.job_status)}, and its log is empty.")
                return update.job_status
    return ""


def _note_errors(retries: RetryWindow, update: LogUpdate, *, has_grown: bool, follow: bool) -> None:
    if has_grown or update.state is not LogState.OPENING:
        retries.reached = True
    if has_grown:
        retries.restart()
    if update.error is None:
        retries.clear_error()
    else:
        retries.tolerate(update.error, follow=follow)
